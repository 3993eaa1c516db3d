#!/bin/sh
# example.sh TREE: the predictor's manual shows core/examples/controller.cpp as it is, which the tests compile and run.
manual=$1/core/include/tactus/predictor/README.md
shown=$(sed -n '/^<!-- core\/examples\/controller.cpp -->$/,/^```$/p' "$manual" | sed '1,2d;$d')
[ -n "$shown" ] || { echo "$manual shows no example"; exit 1; }
printf '%s\n' "$shown" | diff - "$1/core/examples/controller.cpp"
