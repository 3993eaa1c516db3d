#!/bin/sh
# flash.sh BUILD [CONFIGURATION]: `--target flash` does what it says. A real board's, which has a configuration of openocd, calls
# openocd, or says how to get it where it is missing. An emulated board's says two commands, and they run.
build=$1 configuration=$2
fail() { printf 'FAILED: %s\n%s\n' "$1" "$said"; exit 1; }
flash() { cmake --build "$build" --target flash 2>&1; }

if [ -n "$configuration" ]; then
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
  said=$(PATH=$dir firmware/flash.sh "$configuration" image.elf 2>&1) && fail 'it succeeds without openocd'
  [ "$said" = 'openocd is missing, and comes by: sudo apt-get install openocd' ] || fail 'not said how to get openocd'
  printf '#!/bin/sh\nprintf "[%%s]" "$@"\n' > "$dir/openocd"
  chmod +x "$dir/openocd"
  said=$(PATH=$dir:$PATH flash) || fail 'it fails with openocd'
  case $said in
    *"[-f][$configuration][-c][program $build/firmware.elf verify reset exit]"*) exit 0 ;;
    *) fail 'openocd is called otherwise' ;;
  esac
fi
said=$(flash) || fail 'it fails'
with=$(printf '%s\n' "$said" | sed -n 's/.*With the host at its other end:  //p')
without=$(printf '%s\n' "$said" | sed -n 's/.*Without:  //p')
said=$($with --ticks 100 2>&1) || fail "this does not run: $with"
said=$($without 2>&1) || fail "this does not run: $without"
case $said in *'uncertified 0'*) ;; *) fail 'no figures' ;; esac
