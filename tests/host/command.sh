#!/bin/sh
# command.sh TACTUS SCENES: the command as scripts call it: exit statuses, what is on which stream, the CSV's columns.
tactus=$1
scenes=$2
. "$(dirname "$0")/checks.sh"
# refused STATUS REGEX ARGUMENTS...: that exit status, one line on stderr that matches, nothing on stdout.
refused() {
  status=$1 pattern=$2
  shift 2
  "$tactus" "$@" > "$dir/out" 2> "$dir/err"
  got=$?
  check "$* ends with $status, not $got" [ "$got" -eq "$status" ]
  check "$* prints nothing" [ ! -s "$dir/out" ]
  check "$* says one line" [ "$(wc -l < "$dir/err")" -eq 1 ]
  check "$* says $pattern, not $(cat "$dir/err")" grep -Eq "$pattern" "$dir/err"
}

printf '{"tactus": 1' > "$dir/truncated.json"
printf '[{"name": "a", "n": 1, "M": [[2]], "q": [-1]},\n {"name": "b \\"2\\"", "n": 1, "M": [[-1]], "q": [-1], "blocks": [1]}]' > "$dir/lcp.json"
printf '[{"name": "a", "n": 1, "M": [[2]], "q": [-1]}, {"name": "b", "n": 2, "M": [[2]], "q": [-1]}]' > "$dir/bad_lcp.json"
sed 's/"mass": 0.05/"mass": -0.05/' "$scenes/ellipse.json" > "$dir/negative.json"

refused 2 'nowhere.json: no such file' run "$dir/nowhere.json"
refused 2 'directory' run "$dir"
printf '{"tactus": 1, "a" 2}' > "$dir/no_colon.json"
refused 2 "line 1, column 19: unexpected number literal; expected ':'" run "$dir/no_colon.json"
refused 2 'truncated.json: tactus: .*ends in the middle' run "$dir/truncated.json"
refused 2 'negative.json: bodies\[1\].mass: must be positive' run "$dir/negative.json" --csv "$dir/never.csv" --report "$dir/never.html"
check 'a refused scene leaves no file' [ ! -e "$dir/never.csv" ] && check 'nor a report' [ ! -e "$dir/never.html" ]
refused 2 'cannot be written' run "$scenes/ellipse.json" --csv "$dir/no/such/folder.csv"
refused 2 'cannot be written' run "$scenes/ellipse.json" --mcap "$dir/no/such/folder.mcap"
refused 1 'full: could not be written in full' run "$scenes/ellipse.json" --csv /dev/full
refused 1 'full: could not be written in full' run "$scenes/ellipse.json" --mcap /dev/full
refused 2 'bad_lcp.json: \[1\].M: must have 2 values' lcp "$dir/bad_lcp.json"
refused 2 'subcommand' 
refused 2 'SCENE' run
refused 2 'precision' run "$scenes/ellipse.json" --precision half
refused 2 'every' run "$scenes/ellipse.json" --every 0
refused 2 'every: must be from 1' run "$scenes/ellipse.json" --every 1.5
refused 2 'csv: must not be empty' run "$scenes/ellipse.json" --csv ''
refused 2 'SCENE: must not be empty' run ''
refused 2 'expected' run "$scenes/ellipse.json" --no-such-option
refused 2 'option' hil "$scenes/ellipse.json"
refused 2 'option' hil "$scenes/ellipse.json" --board mps2-an500 --port /dev/ttyS0
refused 2 'no emulated board is called ../mps2-an500; there are mps2-an386, ' hil "$scenes/ellipse.json" --board ../mps2-an500
refused 2 'noise: must be from 0 to 1, not "nan"' hil "$scenes/ellipse.json" --board mps2-an500 --noise nan
refused 2 'drop: must be from' hil "$scenes/ellipse.json" --board mps2-an500 --drop 2
refused 1 'not a serial port' hil "$scenes/ellipse.json" --port /dev/null
refused 1 'No such file' hil "$scenes/ellipse.json" --port "$dir/no_device"
refused 2 'no emulated board is called nucleo-f446re;' hil "$scenes/ellipse.json" --board nucleo-f446re
refused 2 'no emulated board is called' bench --board 'mps2-an386, mps2-an500'
refused 2 'no emulated board is called nowhere' bench --board nowhere --random 20
refused 2 'random: must be from 1' bench --random 0
refused 2 'random: must be from 1' bench --random many
refused 2 'random: must be from 1' bench --random 1.5
refused 2 'noise: must be from 0 to 1, not "nan"' bench --random 20 --noise nan
refused 2 'noise: must be from 0 to 1, not "-1"' bench --random 20 --noise -1
refused 2 'beats: must be from 1 to 25' bench --random 20 --beats 26
refused 2 'seed: must be from 0' bench --random 20 --seed -1
refused 2 'seed requires --random' bench --seed 1
refused 2 'ellipse.json: no such file' bench --random 20 --scenes "$dir/nowhere"

check 'help' sh -c "'$tactus' --help > /dev/null && '$tactus' run --help | grep -q -- '--report'"

# 2 z - 1 >= 0 has z = 1/2; -z - 1 >= 0 has no z >= 0.
"$tactus" lcp "$dir/lcp.json" --repeat 3 > "$dir/answers" || check 'lcp ends with 0' false
check 'the first problem is solved' grep -q '^{"name": "a", "status": "solved", "z": \[0.5\], "pivots": [0-9]*, "residual": 0, "ns": [0-9]*}$' "$dir/answers"
check 'the second is a ray, its name quoted' grep -q '^{"name": "b \\"2\\"", "status": "ray", ' "$dir/answers"
"$tactus" lcp "$dir/lcp.json" --precision float --budget 0 > "$dir/answers"
check 'without pivots there is no answer' grep -q '"name": "a", "status": "pivot_limit"' "$dir/answers"

# What one law has and another has not, by one word of a scene.
becomes() {  # becomes NAME SCENE EDIT: a scene of the tree, changed by sed
  sed "$3" "$scenes/$2.json" > "$dir/$1.json"
}
becomes rigid_die die 's/"implicit"/"rigid"/'
becomes compliant_spin spinning_sphere 's/"implicit"/"compliant"/; s/"mu": 0.2/"mu": 0.2, "patch": {"stiffness": 1e6, "damping": 1e3}/'
becomes implicit_rod painleve 's/"rigid"/"implicit"/'
becomes implicit_capsule spinning_sphere 's/{"sphere": 1}/{"capsule": {"radius": 1, "half_length": 1}}/'
becomes bouncing spinning_sphere 's/"mu": 0.2/"mu": 0.2, "restitution": 0.5/'
becomes falling_mu spinning_sphere 's/"mu": 0.2/"mu": {"kinetic": 0.2, "extra": 0.1, "speed": 1}/'
becomes unbounded die 's/{"sphere": 0.0112}/{"halfspace": {"normal": [1, 0, 0], "offset": 1}}/; s/{"box": [^}]*}/{"halfspace": {"normal": [0, 0, 1], "offset": 1}}/'
becomes outside die 's/{"sphere": 0.0112}/{"halfspace": {"normal": [1, 0, 0], "offset": -0.001}}/'
becomes jointed spinning_sphere 's/"contacts"/"joints": [{"type": "spherical", "between": ["floor", "sphere"], "at": [0, 0, 2]}], "contacts"/'
becomes many_sides disc 's/"rigid"/"implicit"/; s/"sides": 12/"sides": 65/'
refused 3 'rigid_die.json: bodies\[1\].shape.intersection: only the implicit law' run "$dir/rigid_die.json"
refused 3 'compliant_spin.json: contacts\[0\].ellipsoid: the compliant law has no torsion' run "$dir/compliant_spin.json"
refused 3 'implicit_rod.json: bodies\[1\].shape: ' run "$dir/implicit_rod.json"
refused 3 'implicit_capsule.json: bodies\[1\].shape: ' run "$dir/implicit_capsule.json"
refused 3 'bouncing.json: contacts\[0\].restitution: the implicit law is inelastic' run "$dir/bouncing.json"
refused 3 'falling_mu.json: contacts\[0\].mu: the implicit law has one constant' run "$dir/falling_mu.json"
refused 3 'jointed.json: joints: the implicit law has none' run "$dir/jointed.json"
refused 2 'unbounded.json: bodies\[1\].shape: ' run "$dir/unbounded.json"
refused 2 'outside.json: bodies\[1\].shape: ' run "$dir/outside.json"
refused 2 'many_sides.json: bodies\[2\].shape: ' run "$dir/many_sides.json"
"$tactus" run "$scenes/spinning_sphere.json" --csv "$dir/spin.csv" > /dev/null
echo 't,sphere.x,sphere.y,sphere.z,sphere.qw,sphere.qx,sphere.qy,sphere.qz,sphere.vx,sphere.vy,sphere.vz,sphere.wx,sphere.wy,sphere.wz,floor-sphere.gap,floor-sphere.fn,floor-sphere.ft,floor-sphere.fo,floor-sphere.fr,floor-sphere.mode,status,pivots,residual' > "$dir/expected"
check 'torsion is a column' sh -c "head -n 1 '$dir/spin.csv' | cmp -s - '$dir/expected'"

# What starts 1 mm deep is pushed out in one step of 1 ms, at 1 m/s: certified, and seldom meant.
becomes sunk bouncing_ball 's/"pose": \[0, 1.1/"pose": [0, 0.099/'
"$tactus" run "$dir/sunk.json" > "$dir/out"
check 'a deep start ends with 0' [ $? -eq 0 ]
check 'and is named' grep -q 'but floor and ball start 0.001 m inside one another; the first step drives them apart at 1 m/s' "$dir/out"
"$tactus" run "$scenes/bouncing_ball.json" > "$dir/out"
check 'no warning without a reason' sh -c "! grep -q inside '$dir/out'"

# The rod of Pang-Trinkle's section 5 at 60 degrees, sliding to the left: A_nn = 1 + 3 cos^2 = 1.75, A_nt = -1.299. With mu = 2 it
# jams, and the least f has no friction: c_n = 9.81 / 1.75 = 5.6057, f = (2 c_n)^2 = 125.696. With mu = 0 that c_n solves it.
printf '{"name": "rod", "plane": true, "mu": [2], "v_t": [-1], "g_obj": [0, -9.81, 0], "W": [[0, 1], [1, 0], [-0.25, 0.4330127018922193]],\n "M_obj": [[1, 0, 0], [0, 1, 0], [0, 0, 0.08333333333333333]]}' > "$dir/rod.json"
sed 's/"mu": \[2\]/"mu": [0]/' "$dir/rod.json" > "$dir/smooth.json"
sed 's/"mu": \[2\]/"mu": [-2]/' "$dir/rod.json" > "$dir/bad_rod.json"
# Two corners of a part on a floor hold it; one wall's friction alone does not.
printf '{"plane": true, "mu": [0.3, 0.3], "g_obj": [0, -9.81, 0], "M_obj": [[1, 0, 0], [0, 1, 0], [0, 0, 0.01]],\n "W": [[0, 0, 1, 1], [1, 1, 0, 0], [-0.1, 0.1, 0.05, 0.05]]}' > "$dir/fixture.json"
sed 's/-0.1, 0.1,/0.05, 0.1,/' "$dir/fixture.json" > "$dir/overhang.json"
"$tactus" accel "$dir/rod.json" > "$dir/answers" || check 'a jam is an answer' false
check 'the rod jams' grep -q '^{"name":"rod","status":"none","law":"pyramid","pivots":0,"relaxed":{"status":"solved","by":"(47)","f":125.6961306122[0-9]*,"proved":true,"c_n":\[5.6057142857[0-9]*\]' "$dir/answers"
check 'one line' [ "$(wc -l < "$dir/answers")" -eq 1 ]
"$tactus" accel "$dir/smooth.json" --precision float > "$dir/answers"
check 'without friction it does not' grep -q '"status":"solved","law":"pyramid","c_n":\[5.60571[0-9]*\]' "$dir/answers"
"$tactus" accel "$dir/fixture.json" > "$dir/answers"
check 'the floor holds the part' grep -q '"becomes":\["rolls","rolls"\].*"fixture":{"verdict":"stable"' "$dir/answers"
"$tactus" accel "$dir/overhang.json" > "$dir/answers"
check 'the overhang does not' grep -q '"fixture":{"verdict":"unstable"' "$dir/answers"
refused 2 'bad_rod.json: mu\[0\]: must not be negative' accel "$dir/bad_rod.json"
refused 2 'truncated.json' accel "$dir/truncated.json"
"$tactus" accel "$dir/rod.json" --budget 0 > "$dir/answers"
check 'without a budget nothing is claimed' [ $? -eq 1 ]
check 'and that is said' grep -q '"status":"undecided"' "$dir/answers"

"$tactus" run "$scenes/ellipse.json" --csv "$dir/a.csv" > "$dir/out" 2> "$dir/err"
check 'run ends with 0' [ $? -eq 0 ]
check 'no progress bar in a pipe' [ ! -s "$dir/err" ]
"$tactus" run "$scenes/thrown_box.json" --csv "$dir/space.csv" > "$dir/out"
head -n 1 "$dir/space.csv" > "$dir/header"
echo 't,box.x,box.y,box.z,box.qw,box.qx,box.qy,box.qz,box.vx,box.vy,box.vz,box.wx,box.wy,box.wz,ball.x,ball.y,ball.z,ball.qw,ball.qx,ball.qy,ball.qz,ball.vx,ball.vy,ball.vz,ball.wx,ball.wy,ball.wz,floor-box.gap,floor-box.fn,floor-box.ft,floor-box.fo,floor-box.mode,floor-ball.gap,floor-ball.fn,floor-ball.ft,floor-ball.fo,floor-ball.mode,status,pivots,residual' > "$dir/expected"
check 'the columns in space' cmp -s "$dir/header" "$dir/expected"
head -n 1 "$dir/a.csv" > "$dir/header"
echo 't,ellipse.x,ellipse.y,ellipse.a,ellipse.vx,ellipse.vy,ellipse.w,ground-ellipse.gap,ground-ellipse.fn,ground-ellipse.ft,ground-ellipse.mode,status,pivots,residual' > "$dir/expected"
check 'the columns' cmp -s "$dir/header" "$dir/expected"
check 'a line for each of 20000 steps' [ "$(wc -l < "$dir/a.csv")" -eq 20001 ]
check 'the first is that after the first step' sh -c "sed -n 2p '$dir/a.csv' | grep -q '^0.0001,'"
"$tactus" run "$scenes/ellipse.json" --csv "$dir/b.csv" --every 100 > /dev/null
check 'every hundredth step' sh -c "awk 'NR == 1 || (NR - 1) % 100 == 0' '$dir/a.csv' | cmp -s - '$dir/b.csv'"

finish
