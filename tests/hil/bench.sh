#!/bin/sh
# bench.sh BOARD: the rows of README's cost table are those of `tactus bench --board`: no cost is more than a tenth above what
# README says, nor less than half of it.
board=$1
build/host/tactus bench --board "$board" > build/bench."$board" || exit 1
grep -E '^\| .*\| float' README.md > build/bench.README
[ "$(wc -l < build/bench.README)" -ge 6 ] || { echo 'README has no cost table'; exit 1; }
awk -F'|' -v board="$board" '
  function key(text) { gsub(/^ +| +$/, "", text); return text }
  FNR == NR { mean[key($2)] = $4 + 0; worst[key($2)] = $5 + 0; next }
  { what = key($2) }
  !(what in mean) { print "README has a row that bench does not print: " what; bad = 1; next }
  mean[what] > 1.1 * $4 || worst[what] > 1.1 * $5 || 2 * mean[what] < $4 || 2 * worst[what] < $5 {
    print what ": README says " $4 + 0 " and " $5 + 0 ", but it is " mean[what] " and " worst[what]; bad = 1 }
  END { exit bad }' build/bench."$board" build/bench.README
