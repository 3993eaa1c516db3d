#!/bin/sh
# demand_pass.sh COMMAND...: run a Unity program; passed means exit status 0, at least one test, none failed, none ignored.
output=$("$@" 2>&1)
status=$?
printf '%s\n' "$output"
[ $status -eq 0 ] || { echo "demand_pass: exit status $status"; exit 1; }
printf '%s\n' "$output" | tr -d '\r' | grep -Eq '^[1-9][0-9]* Tests 0 Failures 0 Ignored' ||
  { echo "demand_pass: no pass marker (\"N Tests 0 Failures 0 Ignored\")"; exit 1; }
