#!/bin/sh
# must_fail.sh WORDS COMMAND...: passes only if the command fails and says WORDS, so that failing for another reason
# (a missing file, say) is no success.
words=$1; shift
output=$("$@" 2>&1) && { printf '%s\n' "$output"; echo "must_fail: it succeeded"; exit 1; }
printf '%s\n' "$output" | grep -qF -- "$words" || { printf '%s\n' "$output"; echo "must_fail: did not say \"$words\""; exit 1; }
