#!/bin/sh
# bench.sh README COMMAND...: the rows of README's cost table are among those that COMMAND prints: no cost is more than a tenth
# above what README says, nor less than half of it.
readme=$1
shift
printed=$(mktemp)
rows=$(mktemp)
trap 'rm -f "$printed" "$rows"' EXIT
"$@" > "$printed" || { cat "$printed"; exit 1; }
grep -E '^\| .*\| float +\|' "$readme" > "$rows"
[ "$(wc -l < "$rows")" -ge 6 ] || { echo "$readme has no cost table"; exit 1; }
awk -F'|' -v readme="$readme" '
  function key(text) { gsub(/^ +| +$/, "", text); return text }
  FNR == NR { mean[key($2)] = $4 + 0; worst[key($2)] = $5 + 0; next }
  { what = key($2) }
  !(what in mean) { print readme " has a row that is not printed: " what; bad = 1; next }
  mean[what] > 1.1 * $4 || worst[what] > 1.1 * $5 || 2 * mean[what] < $4 || 2 * worst[what] < $5 {
    print what ": " readme " says " $4 + 0 " and " $5 + 0 ", but it is " mean[what] " and " worst[what]; bad = 1 }
  END { exit bad }' "$printed" "$rows"
