#!/bin/sh
# endurance.sh BOARD SECONDS: three scenes of that many seconds each on an emulated board, while 1 % of the frames is lost and
# 1 % damaged in either direction. Each run ends with every answer certified, in time and equal to the host's own core; each
# end has counted exactly what was done to the frames on their way to it; and the report shows how far the predictions were off.
board=$1 seconds=$2
tactus=build/host/tactus
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $scene on $board: $*"; failed=1; }
number() { printf '%s\n' "$line" | sed -n "s/.*\"$1\": \([-0-9.e]*\).*/\1/p"; }
# way DIRECTION: dropped, corrupted, seen lost, seen damaged
way() { printf '%s\n' "$line" | sed -n "s/.*\"$1\": {\"dropped\": \([0-9]*\), \"corrupted\": \([0-9]*\), \"seen_lost\": \([0-9]*\), \"seen_damaged\": \([0-9]*\)}.*/\1 \2 \3 \4/p"; }

for scene in ellipse disc thrown_box; do
  step=$(sed -n 's/.*"step": *\([-0-9.e]*\).*/\1/p' host_sim/scenes/$scene.json)
  ticks=$(awk "BEGIN { printf \"%.0f\", $seconds / $step }")
  # A beat of an M4F has not the time for a box and a ball.
  beats=$([ $scene = thrown_box ] && echo 2 || echo 1)
  "$tactus" hil host_sim/scenes/$scene.json --board "$board" --beats "$beats" --ticks "$ticks" --drop 0.01 --corrupt 0.01 --seed 60 \
    --report "$dir/$scene.html" > "$dir/out" 2> "$dir/err" || fail "status $?: $(cat "$dir/err")"
  line=$(tail -n 1 "$dir/out")
  echo "$scene, $seconds s: $line"
  sed -n 's/^  prediction against plant, worst */  worst prediction: /p' "$dir/out"
  [ "$(number ticks)" = "$ticks" ] || fail "not $ticks ticks"
  for zero in deadline_misses frame_errors certificate_failures largest_difference; do
    [ "$(number $zero)" = 0 ] || fail "$zero is $(number $zero)"
  done
  left=$ticks  # frames that set out in this direction
  for direction in to_board from_board; do
    set -- $(way $direction)
    [ $# -eq 4 ] || { fail "$direction is missing"; continue; }
    [ "$3" -eq $(($1 + $2)) ] || fail "$direction: $1 dropped and $2 damaged, but $3 missed"
    [ "$4" -eq "$2" ] || fail "$direction: $2 damaged, but $4 found"
    # 1 % to within five standard deviations of a binomial.
    for count in "$1" "$2"; do
      awk "BEGIN { n = $left; d = $count - 0.01 * n; exit !(d * d <= 25 * 0.0099 * n) }" || fail "$direction: $count of $left is not 1 %"
    done
    left=$((left - $1 - $2))
  done
  if command -v chromium > /dev/null; then
    tests/host/look.sh chromium "$dir/$scene.html" > "$dir/look" || fail "the report: $(cat "$dir/look")"
    sed 's/^/  report: /' "$dir/look"
  fi
  [ -z "$TACTUS_KEEP" ] || cp "$dir/$scene.html" "$TACTUS_KEEP/$board.$scene.html"
done
exit $failed
