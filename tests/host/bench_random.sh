#!/bin/sh
# bench_random.sh TACTUS [BOARD]: `tactus bench --random` as scripts call it, here or on an emulated board: a table, one JSON line
# a scene with its keys in their order, the same ticks from the same seed.
tactus=$1
board=$2
. "$(dirname "$0")/checks.sh"
# bench FILE ARGUMENTS...: runs; the JSON lines go to FILE.json. 0 and 1 are both right, and which is checked.
bench() {
  file=$dir/$1
  shift
  "$tactus" bench ${board:+--board "$board"} --random "$@" > "$file" 2> "$file.err"
  status=$?
  grep '^{' "$file" > "$file.json"
  check "--random $*: nothing on stderr but $(cat "$file.err")" [ ! -s "$file.err" ]
  if grep -Evq '"uncertified": 0, .*"late": 0}$' "$file.json"; then wanted=1; else wanted=0; fi
  check "--random $*: ends with $wanted, not $status" [ "$status" -eq "$wanted" ]
  check "--random $*: six lines" [ "$(wc -l < "$file.json")" -eq 6 ]
}
same() { cmp -s "$dir/$1" "$dir/$2"; }
differ() { ! same "$1" "$2"; }

bench first 20 --seed 3
count='[0-9]+(\.[0-9]+)?'
line="^\\{\"scene\": \"[a-z_]+\", \"board\": \"${board:-host}\", \"n\": 20, \"mean\": $count, \"p999\": $count, \"worst\": $count, \"uncertified\": [0-9]+, \"refused\": [0-9]+, \"late\": [0-9]+\\}$"
check "the keys: $(cat "$dir/first.json")" sh -c '! grep -Evq "$1" "$2"' - "$line" "$dir/first.json"
check 'the scenes' [ "$(sed 's/^{"scene": "\([a-z_]*\)".*/\1/' "$dir/first.json" | tr '\n' ' ')" = 'ellipse resting_box thrown_box push grasp arm ' ]
check 'the JSON lines come last' sh -c 'tail -n 6 "$1" | cmp -s - "$1.json"' - "$dir/first"
check 'before them a table, a row a scene' [ "$(grep -Ec '^\| (ellipse|resting_box|thrown_box|push|grasp|arm) ' "$dir/first")" -eq 6 ]
# Of 20 costs the 99.9th percentile is the worst, and no mean is above it.
check 'mean <= p999 = worst' awk -F'[:,] ' '{ if (!($8 <= $10 && $10 == $12 && $8 > 0)) exit 1 }' "$dir/first.json"

bench one 1
check 'a single tick' sh -c '! grep -vq "\"n\": 1," "$1"' - "$dir/one.json"
bench only_json 20 --seed 3 --json
check 'with --json nothing else' same only_json only_json.json
if [ -n "$board" ]; then
  bench again 20 --seed 3
  bench other 20 --seed 4
  bench noisy 20 --seed 3 --noise 1e-4
  bench noisy_again 20 --seed 3 --noise 1e-4
  check 'the same seed says the same' same first again
  check 'with --json, too' same first.json only_json.json
  check 'another seed does not' differ first.json other.json
  check 'nor do noisy states' differ first.json noisy.json
  check 'which are the same from the same seed' same noisy noisy_again
fi

finish
