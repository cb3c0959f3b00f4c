#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the unit test programs named, one after the other; says which failed; exits 1 when one did.
failed=""
for t in "$@"; do
    if out=$("$t" 2>&1); then
        printf '%s\n' "$out" | grep -E 'PASSED|SKIPPED' | sed "s|^|$(basename "$t"): |"
    else
        printf '%s\n' "$out"
        failed="$failed $t"
    fi
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
