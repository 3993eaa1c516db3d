#!/bin/sh
# look.sh CHROMIUM PAGE: opens a report in a headless browser and looks: no error on the console, every plot has a line in
# colour, the motion is drawn and moves, nothing is asked of the network. Prints what it saw.
chromium=$1 page=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# The look is put in front of everything, so that it sees every error.
awk -v look="$(dirname "$0")/report_look.js" '{ print } /<head>/ { print "<script>"; while ((getline line < look) > 0) print line; print "</script>" }' "$page" > "$dir/looked.html"
timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --enable-unsafe-swiftshader --disable-quic --no-first-run \
  --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$dir/profile" \
  --window-size=1300,1000 --virtual-time-budget=20000 --dump-dom "file://$dir/looked.html" > "$dir/dom" 2> "$dir/err"
verdict=$(sed -n 's/.*data-look="\([^"]*\)".*/\1/p' "$dir/dom" | head -n 1)
echo "${verdict:-the page said nothing: $(tail -n 3 "$dir/err")}"
if grep -Eq '(src|href)="?https?:' "$page"; then echo "FAILED: the page refers to the network"; exit 1; fi
case $verdict in good*) ;; *) exit 1 ;; esac
