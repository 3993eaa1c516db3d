#!/bin/sh
# port.sh BOARD: `tactus hil --port` as with a board on a serial port: the emulator offers its UART as a pseudo terminal. In
# lockstep twice, the second time with losses, since a board that has been running has counted before; then in real time, which
# ends, with every state answered and every tick of the board accounted for.
board=$1
tactus=build/host/tactus
dir=$(mktemp -d)
$(cat build/"$board"/emulator) -display none -monitor none -serial pty -semihosting-config enable=on,target=native,arg=uart \
  -kernel build/"$board"/firmware.elf > "$dir/words" 2>&1 &
emulator=$!
trap 'kill $emulator 2> /dev/null; rm -rf "$dir"' EXIT
port=
for _ in 1 2 3 4 5 6 7 8 9 10; do
  sleep 0.5
  port=$(grep -o '/dev/pts/[0-9]*' "$dir/words" | head -n 1)
  [ -z "$port" ] || break
done
[ -n "$port" ] || { echo "the emulator offers no terminal: $(cat "$dir/words")"; exit 1; }

failed=0
run() { "$tactus" hil host_sim/scenes/ellipse.json --port "$port" "$@" > "$dir/out" 2> "$dir/err"; }
expect() {  # expect WHAT PART...: the JSON line has each part
  what=$1
  shift
  line=$(tail -n 1 "$dir/out")
  for part in "$@"; do
    case $line in *"$part"*) ;; *) echo "FAILED: $what: no $part in $line"; failed=1 ;; esac
  done
}
run --ticks 200 || { echo "FAILED: lockstep: $(cat "$dir/err")"; failed=1; }
expect lockstep "\"board\": \"$board\"" '"ticks": 200' '"frame_errors": 0' '"certificate_failures": 0' '"largest_difference": 0,'
run --ticks 200 --drop 0.05 --corrupt 0.05 || { echo "FAILED: with losses: $(cat "$dir/err")"; failed=1; }
expect 'with losses' '"frame_errors": 0' '"dropped": ' '"corrupted": '

number() { tail -n 1 "$dir/out" | sed -n "s/.*\"$1\": \([-0-9.e]*\).*/\1/p"; }
timeout 120 "$tactus" hil host_sim/scenes/ellipse.json --port "$port" --realtime --ticks 100 > "$dir/out" 2> "$dir/err"
status=$?
[ $status -le 1 ] || { echo "FAILED: real time ends with $status: $(cat "$dir/err")"; failed=1; }
expect 'real time' '"realtime": true' '"ticks": 100' '"certificate_failures": 0' '"deadline_misses": 0' '"board_jitter_us_max": '
# An answer that the host was too slow to take is counted by both ends.
unsent=$(($(number board_ticks) - $(number answers)))
[ "$unsent" -ge 0 ] && [ "$(number frame_errors)" -eq $((2 * unsent)) ] || { echo "FAILED: ticks uncounted: $(cat "$dir/out")"; failed=1; }
[ "$(number board_ticks)" -ge 100 ] && [ "$(number unanswered)" -le "$unsent" ] || { echo "FAILED: states unanswered: $(cat "$dir/out")"; failed=1; }
grep -q 'keeps no real time' "$dir/out" || { echo 'FAILED: not said that an emulator keeps no real time'; failed=1; }
grep -Eq 'prediction against plant, worst +[0-9.e-]+ m' "$dir/out" || { echo "FAILED: nothing was compared: $(cat "$dir/out")"; failed=1; }
exit $failed
