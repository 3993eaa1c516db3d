#!/bin/sh
# report.sh CHROMIUM TACTUS SCENE...: makes the report of each scene, opens it in a headless browser and looks: no error on
# the console, every plot has a line in colour, the motion is drawn and moves, nothing is asked of the network.
chromium=$1
tactus=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
here=$(dirname "$0")
failed=0
for scene in "$@"; do
  page=$dir/page.html
  "$tactus" run "$scene" --report "$page" > /dev/null || { echo "FAILED: $scene does not run"; exit 1; }
  # The look is put in front of everything, so that it sees every error.
  awk -v look="$here/report_look.js" '{ print } /<head>/ { print "<script>"; while ((getline line < look) > 0) print line; print "</script>" }' "$page" > "$dir/looked.html"
  timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --enable-unsafe-swiftshader --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$dir/profile" \
    --window-size=1300,1000 --virtual-time-budget=20000 --dump-dom "file://$dir/looked.html" > "$dir/dom" 2> "$dir/err"
  verdict=$(sed -n 's/.*data-look="\([^"]*\)".*/\1/p' "$dir/dom" | head -n 1)
  echo "$(basename "$scene"): ${verdict:-the page said nothing: $(tail -n 3 "$dir/err")}"
  case $verdict in good*) ;; *) failed=1 ;; esac
  if grep -Eq '(src|href)="?https?:' "$page"; then echo "FAILED: the page refers to the network"; failed=1; fi
done
exit $failed
