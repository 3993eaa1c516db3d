#!/bin/sh
# run.sh installed|subdirectory TREE BUILD FOLDER DEPS: the README's library example builds in a project of its own and
# prints what the README says it prints. The example is README's first cpp block, its output the first text block.
set -eu
way=$1 tree=$2 build=$3 folder=$4 deps=$5
rm -rf "$folder"
mkdir -p "$folder"

block() { awk -v start="\`\`\`$1" '$0 == "```" && inside { exit } inside { print } $0 == start { inside = 1 }' "$tree/README.md"; }
block cpp > "$folder/example.cpp"
block text > "$folder/expected"
lines=$(wc -l < "$folder/example.cpp")
[ "$lines" -gt 0 ] && [ "$lines" -lt 30 ] || { echo "README's example has $lines lines"; exit 1; }

if [ "$way" = installed ]; then
  cmake --install "$build" --prefix "$folder/prefix" > "$folder/install.log"
  set -- -DCMAKE_PREFIX_PATH="$folder/prefix"
else
  set -- -DTACTUS_TREE="$tree" -DTACTUS_DEPS_DIR="$deps"
fi
cmake -S "$tree/tests/consumer" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DEXAMPLE="$folder/example.cpp" "$@"
cmake --build "$folder/build"
"$folder/build/consumer" > "$folder/printed"
diff "$folder/expected" "$folder/printed" && echo "The example prints what README says."
