#!/bin/sh
# Builds the host's end of the tests with a board, where the host's build has not done so already.
[ -e build/host/build.ninja ] || cmake --preset host || exit 1
exec cmake --build --preset host --target hil
