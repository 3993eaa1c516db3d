#!/bin/sh
# port.sh BOARD: `tactus hil --port` as with a board on a serial port: the emulator offers its UART as a pseudo terminal. In
# lockstep twice, the second time with losses, since a board that has been running has counted before.
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
exit $failed
