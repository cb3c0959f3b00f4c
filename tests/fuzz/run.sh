#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs one fuzz target: tests/fuzz/run.sh PROGRAM SECONDS. New inputs stay in build/fuzz/corpus/T, findings are
# written to build/fuzz/findings/ and belong, mended, into tests/fuzz/seeds/T.
set -eu
program=$1
seconds=$2
t=$(basename "$program")
corpus=build/fuzz/corpus/$t
mkdir -p "$corpus" build/fuzz/findings
dict=""
[ -f "tests/fuzz/$t.dict" ] && dict="-dict=tests/fuzz/$t.dict"
log=build/fuzz/$t.log
if ! "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/findings/$t-" $dict "$corpus" "tests/fuzz/seeds/$t" >"$log" 2>&1; then
    grep -avE '^#[0-9]+' "$log" | tail -60
    echo "fuzz $t: a finding, see build/fuzz/findings/" >&2
    exit 1
fi
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
cover=$(grep -aoE 'cov: [0-9]+' "$log" | tail -1)
echo "fuzz $t: $runs executions in $seconds s, ${cover:-cov: ?} edges, no finding"
