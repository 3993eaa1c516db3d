#!/bin/sh
# rooms.sh TREE: in core, data goes one way: a room includes only itself, the rooms before it, and
# the words and clock.hpp, which stand before all of them.
cd "$1/core/include" || exit 1
words='(error|sentence|clock)\.hpp' allowed='' wrong=0
! grep -nE '^ *# *include *[<"]tactus/' tactus/*.hpp | grep -vE "include *[<\"]tactus/$words" || wrong=1
for room in math lcp geometry dynamics contact stepper step predictor wire; do
  allowed="${allowed:+$allowed|}$room"
  [ -d tactus/$room ] || { echo "no room $room"; exit 1; }
  ! grep -rnE '^ *# *include *[<"]tactus/' tactus/$room | grep -vE "include *[<\"]tactus/(($allowed)/|$words)" || wrong=1
done
for room in tactus/*/; do
  case " $(echo "$allowed" | tr '|' ' ') " in *" $(basename "$room") "*) ;; *) echo "$room has no place in the order"; wrong=1 ;; esac
done
exit $wrong
