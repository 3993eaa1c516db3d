#!/bin/sh
# run.sh NODE CHECK TACTUS SCENE...: the log of each scene, read back by others' libraries and compared with the CSV; and that
# the comparison notices a wrong byte, a missing end and another run.
node=$1 check=$2 tactus=$3
shift 3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
for scene in "$@"; do
  name=$(basename "$scene" .json)
  "$tactus" run "$scene" --csv "$dir/a.csv" --mcap "$dir/a.mcap" > /dev/null || { echo "FAILED: $scene does not run"; exit 1; }
  printf '%s: ' "$name"
  "$node" "$check" "$dir/a.mcap" "$dir/a.csv" 2> "$dir/err" || { cat "$dir/err"; failed=1; }
done

size=$(wc -c < "$dir/a.mcap")
head -c $((size - 100)) "$dir/a.mcap" > "$dir/cut.mcap"
{ head -c $((size / 2)) "$dir/a.mcap"; printf '\377\376\375\374'; tail -c +$((size / 2 + 5)) "$dir/a.mcap"; } > "$dir/wrong.mcap"
{ head -c $((size - 60)) "$dir/a.mcap"; printf '\377\376\375\374'; tail -c 56 "$dir/a.mcap"; } > "$dir/summary.mcap"
sed '$ s/\.[0-9]/.9999/' "$dir/a.csv" > "$dir/other.csv"
for pair in cut.mcap:a.csv wrong.mcap:a.csv summary.mcap:a.csv a.mcap:other.csv; do
  if "$node" "$check" "$dir/${pair%:*}" "$dir/${pair#*:}" > /dev/null 2>&1; then echo "FAILED: accepted $pair"; failed=1; fi
done
exit $failed
