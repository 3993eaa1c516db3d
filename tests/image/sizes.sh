#!/bin/sh
# sizes.sh NM SIZE LIMIT EMPTY ONE_SCENE IMAGE...: a table of all images, and what the core takes for one scene: the text of
# ONE_SCENE beyond that of EMPTY, and by room. Exit status 1 above LIMIT bytes.
nm=$1 size=$2 limit=$3 empty=$4 scene=$5
shift 4
text() { "$size" "$1" | awk 'NR == 2 { print $1 + $2 }'; }
"$size" "$@" | awk 'NR == 1 { print "  flash     RAM  image" } NR > 1 { n = split($6, path, "/"); printf "%7d %7d  %s\n", $1 + $2, $2 + $3, path[n] }'
echo "the core's text in $(basename "$scene") by room:"
"$nm" -S --defined-only "$scene" | awk '
  function hex(s,  i, n) { n = 0; for (i = 1; i <= length(s); ++i) n = 16 * n + index("0123456789abcdef", substr(s, i, 1)) - 1; return n }
  $3 ~ /[tTwWV]/ {
    room = "beside it"
    if (match($4, /6tactus(3lcp|8geometry|8dynamics|7contact|7stepper|9predictor)/)) { room = substr($4, RSTART + 8, RLENGTH - 8) }
    sum[room] += hex($2)
  }
  END { for (room in sum) printf "%7d  %s\n", sum[room], room }' | sort -n
core=$(($(text "$scene") - $(text "$empty")))
echo "core text for one scene: $core bytes; limit $limit; aim 24576"
[ "$core" -le "$limit" ]
