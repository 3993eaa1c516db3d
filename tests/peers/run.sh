#!/usr/bin/env bash
# tests/peers/run.sh HARNESS PLUGIN SCRATCH: measures the plugin beside the other solvers with the peers' harness (about
# eleven minutes; QUICK=1 in the environment leaves out what is not judged here) and judges what came out. Exit status
# 77, which ctest takes for "skipped", where there is no harness.
set -euo pipefail
[ -x "$1/run.sh" ] || { echo "No peers' harness in $1; set TACTUS_PEERS_DIR to the folder of its run.sh."; exit 77; }
harness=$1 plugin=$(realpath "$2") scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$scratch"
cp -r "$harness"/. "$scratch"
chmod -R u+w "$scratch"
PLUGINS=$plugin "$scratch/run.sh"
python3 "$here/verdict.py" "$scratch"/out
