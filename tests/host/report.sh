#!/bin/sh
# report.sh CHROMIUM TACTUS SCENE...: makes the report of each scene and looks at it; and of what cannot end well none.
chromium=$1 tactus=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
for scene in "$@"; do
  "$tactus" run "$scene" --report "$dir/page.html" > /dev/null || { echo "FAILED: $scene does not run"; exit 1; }
  printf '%s: ' "$(basename "$scene")"
  "$(dirname "$0")/look.sh" "$chromium" "$dir/page.html" || failed=1
done
"$tactus" run "$1" --report "$dir/never.html" --csv "$dir/no/such/folder.csv" 2> /dev/null
[ $? = 2 ] && [ ! -e "$dir/never.html" ] || { echo 'FAILED: an unwritable CSV leaves no report'; failed=1; }
exit $failed
