#!/bin/sh
# bounds.sh TREE: no record of bound.hpp is all that an if, for, while or else has behind it. It would be the body, and the
# loop that it was written for would come after.
find "$1/core" "$1/firmware" -name '*.?pp' ! -name bound.hpp -exec awk '
  /TACTUS_(BOUND|LET|REACHED)\(/ {
    alone = $0 ~ /(^|[^a-z_])(if|for|while|else)[^a-z_].*TACTUS_/ || before ~ /^ *(} *)?(if|for|while|else)([^a-z_]|$)/ && before !~ /[{;] *(\/\/.*)?$/
    if (alone) { print FILENAME ":" FNR ": behind a condition without braces: " $0; wrong = 1 }
  }
  { before = $0 }
  END { exit wrong }' {} +
