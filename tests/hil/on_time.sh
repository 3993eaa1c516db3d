#!/bin/sh
# on_time.sh BOARD: scenes that were late on an emulated board at one beat a tick, and those that ought to run there: no answer
# is late, none is missing, nothing latches; or the scene is refused with what its first answer may take.
tactus=build/host/tactus
board=$1
. "$(dirname "$0")/../host/checks.sh"
line() { tail -n 1 "$dir/out"; }

run() {
  what=$1
  shift
  "$tactus" hil "$@" --board "$board" --beats 1 > "$dir/out" 2> "$dir/err"
  status=$?
  if [ $status -eq 2 ] || [ $status -eq 3 ]; then
    check "$what is refused for its time: $(cat "$dir/err")" grep -q 'A first answer from this state may take [0-9]* counts, and a tick has [0-9]*\.' "$dir/err"
    return
  fi
  for part in '"deadline_misses": 0' '"late": 0' '"latched": 0' '"largest_difference": 0,'; do
    check "$what: $part: $(line)" sh -c 'case $1 in *"$2"*) ;; *) exit 1 ;; esac' - "$(line)" "$part"
  done
}

run 'three balls in the air' tests/hil/scenes/three_balls.json --horizon 20
run 'with three quarters of the tick' tests/hil/scenes/three_balls.json --horizon 20 --share 75
run 'a box that is turned as it rests' tests/hil/scenes/turned_box.json
for scene in push peg arm grasp thrown_box resting_box; do run "$scene" "host_sim/scenes/$scene.json" --ticks 1000; done

finish
