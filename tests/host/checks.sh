# Sourced by tests that are scripts: a folder $dir for as long as they run, `check WHAT COMMAND...`, and `finish` at the end.
# shellcheck shell=sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0

check() {  # check WHAT COMMAND...: the command succeeds
  what=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi
}

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
