#!/bin/sh
# run.sh installed|subdirectory TREE FOLDER DEPS: README's library example is a project that builds, and prints what README
# says it prints. README's first cpp block is its crate.cpp, the first cmake block its CMakeLists.txt, the first text
# block what it prints.
set -eu
way=$1 tree=$2 folder=$3 deps=$4
rm -rf "$folder"
mkdir -p "$folder"

block() { awk -v start="\`\`\`$1" '$0 == "```" && inside { exit } inside { print } $0 == start { inside = 1 }' "$tree/README.md"; }
block cpp > "$folder/crate.cpp"
block cmake > "$folder/CMakeLists.txt"
block text > "$folder/expected"
lines=$(wc -l < "$folder/crate.cpp")
[ "$lines" -gt 0 ] && [ "$lines" -lt 30 ] || { echo "README's example has $lines lines"; exit 1; }

if [ "$way" = installed ]; then
  cmake -S "$tree" -B "$folder/core" -G Ninja -DTACTUS_TESTS=OFF -DTACTUS_HOST_SIM=OFF -DTACTUS_DEPS_DIR="$deps"
  cmake --install "$folder/core" --prefix "$folder/prefix" > "$folder/install.log"
  set -- -DCMAKE_PREFIX_PATH="$folder/prefix"
else
  sed -i "s|^find_package(tactus.*|add_subdirectory($tree tactus)|" "$folder/CMakeLists.txt"
  set -- -DTACTUS_DEPS_DIR="$deps"
fi
cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror' "$@"
cmake --build "$folder/build"
"$folder/build/crate" > "$folder/printed"
diff "$folder/expected" "$folder/printed" && echo "The example prints what README says."
