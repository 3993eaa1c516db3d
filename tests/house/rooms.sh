#!/bin/sh
# rooms.sh TREE: in core, data goes one way: a room includes only itself and the rooms before it.
cd "$1/core/include" || exit 1
allowed='' wrong=0
for room in math lcp geometry dynamics contact stepper predictor wire; do
  allowed="${allowed:+$allowed|}$room"
  [ -d tactus/$room ] || { echo "no room $room"; exit 1; }
  ! grep -rnE '^ *# *include *[<"]tactus/' tactus/$room | grep -vE "include *[<\"]tactus/($allowed)/" || wrong=1
done
for room in tactus/*/; do
  case " $(echo "$allowed" | tr '|' ' ') " in *" $(basename "$room") "*) ;; *) echo "$room has no place in the order"; wrong=1 ;; esac
done
exit $wrong
