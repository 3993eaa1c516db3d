#!/bin/sh
# rooms.sh TREE: in core, data goes one way: a room includes only itself, the rooms before it, and
# the words, clock.hpp and bound.hpp, which stand before all of them. What users include stands after them, and
# plane.hpp brings nothing of space.
cd "$1/core/include" || exit 1
words='(error|sentence|clock|bound)\.hpp' allowed='' wrong=0
for header in tactus/*.hpp; do
  case $header in tactus/plane.hpp|tactus/space.hpp|tactus/tactus.hpp) continue ;; esac
  ! grep -HnE '^ *# *include *[<"]tactus/' $header | grep -vE "include *[<\"]tactus/$words" || wrong=1
done
# All that `$1` includes, one line each.
closure() {
  todo=$1 seen=''
  while [ -n "$todo" ]; do
    seen="$seen $todo"
    todo=$(sed -nE 's|^ *# *include *[<"](tactus/[^>"]*)[>"].*|\1|p' $todo | sort -u | grep -vxF "$(echo $seen | tr ' ' '\n')")
  done
  echo $seen | tr ' ' '\n'
}
! closure tactus/plane.hpp | grep -E 'geometry/(spatial|box_(at|apart|box|face)|capsule|segment)' || wrong=1
! closure tactus/space.hpp | grep -E 'geometry/planar' || wrong=1
for room in math lcp geometry dynamics contact stepper predictor wire; do
  allowed="${allowed:+$allowed|}$room"
  [ -d tactus/$room ] || { echo "no room $room"; exit 1; }
  ! grep -rnE --include='*.hpp' '^ *# *include *[<"]tactus/' tactus/$room | grep -vE "include *[<\"]tactus/(($allowed)/|$words)" || wrong=1
done
for room in tactus/*/; do
  case " $(echo "$allowed" | tr '|' ' ') " in *" $(basename "$room") "*) ;; *) echo "$room has no place in the order"; wrong=1 ;; esac
done
exit $wrong
