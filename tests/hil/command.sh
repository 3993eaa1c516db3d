#!/bin/sh
# command.sh BOARD: `tactus hil` with an emulated board as scripts call it: the same JSON line in every run, losses on
# purpose counted exactly, a scene over the board's capacity refused.
tactus=build/host/tactus
board=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0
check() {
  what=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi
}
line() { tail -n 1 "$dir/$1"; }

for run in first second; do
  "$tactus" hil host_sim/scenes/ellipse.json --board "$board" --ticks 1000 --csv "$dir/$run.csv" > "$dir/$run" 2> "$dir/err"
  status=$?
  check "the $run run ends with 0: $(cat "$dir/err")" [ $status -eq 0 ]
done
check 'two runs are the same' cmp -s "$dir/first" "$dir/second"
check 'their CSVs, too' cmp -s "$dir/first.csv" "$dir/second.csv"
for part in "\"board\": \"$board\"" '"ticks": 1000' '"deadline_misses": 0' '"frame_errors": 0' '"certificate_failures": 0' '"unit": "instructions"' \
  '"largest_difference": 0'; do
  check "the line says $part: $(line first)" sh -c 'case $1 in *"$2"*) ;; *) exit 1 ;; esac' - "$(line first)" "$part"
done

"$tactus" hil host_sim/scenes/thrown_box.json --board "$board" --ticks 600 --drop 0.02 --corrupt 0.02 --noise 1e-6 --latency 1 --seed 7 > "$dir/lossy"
check 'a lossy run in space ends with 0' [ $? -eq 0 ]
check "losses on purpose are not errors: $(line lossy)" sh -c 'case $1 in *"\"frame_errors\": 0"*"\"dropped\": "[1-9]*"\"corrupted\": "[1-9]*) ;; *) exit 1 ;; esac' - "$(line lossy)"

"$tactus" hil host_sim/scenes/billiards.json --board "$board" > "$dir/out" 2> "$dir/err"
check 'six contacts are refused' [ $? -eq 2 ]
check 'with the reason' grep -q 'billiards.json: contacts: 6 are over a board' "$dir/err"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
