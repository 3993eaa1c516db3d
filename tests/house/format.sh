#!/bin/sh
# format.sh CLANG_FORMAT TREE: every C and C++ file of the tree is as .clang-format wants it.
cd "$2" || exit 1
files=$(git ls-files --cached --others --exclude-standard '*.hpp' '*.cpp' '*.h' '*.c') && [ -n "$files" ] || exit 1
exec "$1" --dry-run -Werror $files
