#!/bin/sh
# exit_status.sh TACTUS SCENES DEFECTS: how `run`, `accel` and `bench` end: 0 where all is certified, 1 where something is not,
# 2 for what cannot be right, 3 for what is right and this build cannot do, with the number that is missing. `hil`: tests/hil.
tactus=$1
scenes=$2
defects=$3
. "$(dirname "$0")/checks.sh"
ends() {  # ends STATUS REGEX ARGUMENTS...: of stdout and stderr together
  status=$1 pattern=$2
  shift 2
  "$tactus" "$@" > "$dir/out" 2>&1
  got=$?
  check "$* ends with $status, not $got: $(tail -n 2 "$dir/out")" [ "$got" -eq "$status" ]
  check "$* says $pattern" grep -Eq "$pattern" "$dir/out"
  check "$* prints no number that is not finite" sh -c "! grep -Eiq '[:, ]-?(nan|inf)(inity)?[, }]' '$dir/out'"
}

# run
ends 0 'solved 1000, degraded 0' run "$scenes/thrown_box.json"
ends 1 'jammed' run "$defects/jam_exact.json" --csv "$dir/jam.csv"
ends 1 'failed' run "$defects/nan_box.json" --csv "$dir/nan.csv"
check 'a CSV has no NaN' sh -c "! grep -iq 'nan\|inf' '$dir/jam.csv' '$dir/nan.csv'"
# 5e319 J are no number.
printf '{"tactus": 1, "name": "fast", "plane": true, "gravity": [0, 0], "time": {"step": 1e-3, "end": 2e-3}, "method": "rigid", "contacts": [],\n "bodies": [{"name": "a", "mass": 1e300, "inertia": 1e300, "shape": {"disc": 1}, "pose": [0, 0, 0], "velocity": [1e10, 0, 0]}]}' > "$dir/fast.json"
ends 0 'energy - J to - J' run "$dir/fast.json"
sed -i 's/"pose": .0,/"pose": [1e200,/' "$dir/fast.json"
ends 0 '"certified":3' run "$dir/fast.json" --ensemble 3 --off velocity=1e300
ends 2 'no such file' run "$dir/nowhere.json"

sed 's/"mu": 0.2/"mu": 0.2, "law": "soft"/' "$scenes/ellipse.json" > "$dir/soft.json"
ends 2 'soft.json: contacts\[0\].law: "soft" is not one of rigid, compliant' run "$dir/soft.json"
sed 's/"method"/"normal_rule": "gap ", "method"/' "$scenes/ellipse.json" > "$dir/rule.json"
ends 2 'rule.json: normal_rule: "gap " is not one of gap, song, stewart' run "$dir/rule.json"
# Nine boxes, each with an 8 x 8 patch at each of its corners.
python3 - "$dir/large.json" << 'END'
import json, sys
patch = {'elements': [8, 8], 'spacing': 1e-3, 'compliance': 1e-9, 'poisson': 0.3}
boxes = [{'name': f'b{i}', 'mass': 1, 'inertia': [1, 1, 1], 'shape': {'box': [0.1, 0.1, 0.1]}, 'pose': [i, 0, 0.1, 1, 0, 0, 0]} for i in range(9)]
json.dump({'tactus': 1, 'name': 'large', 'plane': False, 'gravity': [0, 0, -9.81], 'time': {'step': 1e-3, 'end': 1e-3}, 'method': 'compliant',
           'bodies': [{'name': 'floor', 'shape': {'halfspace': {'normal': [0, 0, 1], 'offset': 0}}}, *boxes],
           'contacts': [{'between': ['floor', b['name']], 'mu': 0.3, 'patch': patch} for b in boxes]}, open(sys.argv[1], 'w'))
END
ends 3 'large.json: contacts\[[0-9]\]: .* [0-9]+ needed, 2048 there' run "$dir/large.json"

# accel
printf '{"plane": true, "mu": [0.3], "A": [[1, 0], [0, 1]], "b": [-1, 0]}' > "$dir/good.json"
ends 0 '"status":"solved"' accel "$dir/good.json"
printf '{"plane": true, "mu": [2], "v_t": [-1], "A": [[1.75, -1.299], [-1.299, 1.25]], "b": [-9.81, 0]}' > "$dir/jam.json"
ends 0 '"status":"none"' accel "$dir/jam.json"
ends 1 '"status":"undecided"' accel "$dir/jam.json" --budget 0
printf '{"plane": true, "mu": [1e999], "A": [[1, 0], [0, 1]], "b": [-1, 0]}' > "$dir/infinite.json"
ends 2 'infinite.json: mu\[0\]: ' accel "$dir/infinite.json"

# bench
ends 0 '"scene"' bench --random 20 --scenes "$scenes"
ends 2 'beats: must be from 1' bench --random 20 --beats 0
ends 2 'no emulated board is called' bench --board nowhere --random 20

finish
