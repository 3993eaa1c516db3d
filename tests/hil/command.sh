#!/bin/sh
# command.sh BOARD: `tactus hil` with an emulated board as scripts call it: the same JSON line in every run, losses on
# purpose counted exactly, a scene over the board's capacity refused.
tactus=build/host/tactus
board=$1
. "$(dirname "$0")/../host/checks.sh"
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

"$tactus" hil host_sim/scenes/thrown_box.json --board "$board" --ticks 600 --drop 0.02 --corrupt 0.02 --noise 1e-6 --latency 1 --seed 7 --beats 2 > "$dir/lossy"
check 'a lossy run in space ends with 0' [ $? -eq 0 ]
check "losses on purpose are not errors: $(line lossy)" sh -c 'case $1 in *"\"frame_errors\": 0"*"\"dropped\": "[1-9]*"\"corrupted\": "[1-9]*) ;; *) exit 1 ;; esac' - "$(line lossy)"

# Everything that is random comes from one seed; the board's answers, too, are in the log.
for run in seven again eight; do
  case $run in eight) seed=8 ;; *) seed=7 ;; esac
  "$tactus" hil host_sim/scenes/ellipse.json --board "$board" --ticks 500 --drop 0.02 --corrupt 0.02 --noise 1e-4 --latency 2 --seed $seed \
    --csv "$dir/$run.csv" --mcap "$dir/$run.mcap" > "$dir/$run"
done
check 'the same seed says the same' cmp -s "$dir/seven" "$dir/again"
check 'the same seed is the same in every bit' cmp -s "$dir/seven.mcap" "$dir/again.mcap"
check 'another seed is not' sh -c '! cmp -s "$1" "$2"' - "$dir/seven.mcap" "$dir/eight.mcap"

# Where the host's build has the libraries for it, the log is read back: states, answers and the plant belong together.
reader=build/host/tests/host/mcap/check.mjs
if [ -e $reader ]; then
  node $reader "$dir/seven.mcap" "$dir/seven.csv" > "$dir/read" 2>&1
  status=$?
  check "the log is as the CSV: $(cat "$dir/read")" [ $status -eq 0 ]
fi

# The plant by another law and finer than the board: still the same bits on board and host, and an honest difference to the plant.
"$tactus" hil host_sim/scenes/ellipse.json --model host_sim/scenes/ellipse_rigid.json --substeps 4 --board "$board" --ticks 2000 > "$dir/model"
check 'another model ends with 0' [ $? -eq 0 ]
check "its bits are the same: $(line model)" sh -c 'case $1 in *"\"largest_difference\": 0,"*) ;; *) exit 1 ;; esac' - "$(line model)"
"$tactus" hil host_sim/scenes/ellipse.json --model host_sim/scenes/disc.json --board "$board" > "$dir/out" 2> "$dir/err"
check 'a model of other bodies is refused' [ $? -eq 2 ]
check "with the reason: $(cat "$dir/err")" grep -q 'disc.json: bodies: must be those of .*ellipse.json' "$dir/err"

# Arms: what drives them and where that leads is in each state, and every number is the host's own.
for scene in push grasp peg; do
  "$tactus" hil host_sim/scenes/$scene.json --board "$board" --step 0.002 --beats 10 --horizon 9 --substeps 10 --ticks 320 > "$dir/arm" 2> "$dir/err"
  check "$scene has the same bits: $(line arm) $(cat "$dir/err")" sh -c 'case $1 in *"\"largest_difference\": 0,"*) ;; *) exit 1 ;; esac' - "$(line arm)"
done

# By every law that the image has; of the others the scene is refused, and the board named. Where a sphere stops to spin a
# step of the implicit law takes 153,000 instructions: two beats.
for scene in sliding_ball spinning_sphere; do
  "$tactus" hil host_sim/scenes/$scene.json --board "$board" --beats 2 --ticks 100 > "$dir/law" 2> "$dir/err"
  case $?/$scene/$board in
    0/*) check "$scene has the same bits: $(line law)" sh -c 'case $1 in *"\"largest_difference\": 0,"*) ;; *) exit 1 ;; esac' - "$(line law)" ;;
    3/spinning_sphere/*) check "the reason: $(cat "$dir/err")" grep -q "spinning_sphere.json: method: \"implicit\": the image of $board was built without" "$dir/err" ;;
    *) check "$scene runs or is refused: $(cat "$dir/err")" false ;;
  esac
done
"$tactus" hil host_sim/scenes/die.json --board "$board" > "$dir/out" 2> "$dir/err"
check 'an intersection is refused' [ $? -eq 3 ]

"$tactus" hil host_sim/scenes/billiards.json --board "$board" --csv "$dir/never.csv" --mcap "$dir/never.mcap" --report "$dir/never.html" > "$dir/out" 2> "$dir/err"
check 'six contacts are refused' [ $? -eq 3 ]
check 'and leave no file' sh -c '! ls "$1"/never.* 2> /dev/null' - "$dir"
check 'with the reason' grep -q 'billiards.json: contacts: 6 are over a board' "$dir/err"

finish
