#!/bin/sh
# SPDX-License-Identifier: MIT
# The include law, and what liboban may need from outside. Usage: tools/layers.sh LIBOBAN.a
# Includes point right only:  server, clients -> proto -> core; and inside core
# base <- math <- anim, wild <- world, bsl.
set -eu
lib=$1
bad=0
say() { echo "layers: $*" >&2; bad=1; }

# allowed FOLDER "PREFIX PREFIX...": every quoted include of FOLDER starts with one of the prefixes
allowed() {
    folder=$1
    shift
    [ -d "$folder" ] || return 0
    pattern=$(printf '%s|' "$@")
    lines=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$folder" --include='*.[ch]' |
        grep -vE "include[[:space:]]*\"(${pattern%|})" || true)
    [ -z "$lines" ] || say "$folder may include only $*:
$lines"
}
allowed core/base core/base/
allowed core/math core/base/ core/math/
allowed core/anim core/base/ core/math/ core/anim/
# The stage joins scripts and the world; all else of core/bsl knows the world by its commands only.
allowed core/bsl core/base/ core/math/ core/anim/ core/bsl/ core/world/command.h core/world/world.h
lines=$(grep -rlE '#[[:space:]]*include[[:space:]]*"core/world/world\.h"' core/bsl --include='*.[ch]' |
    grep -vx 'core/bsl/stage\.h' || true)
[ -z "$lines" ] || say "core/world/world.h belongs in core/bsl/stage.h only, found in: $lines"
allowed core/wild core/base/ core/math/ core/wild/
allowed core/world core/base/ core/math/ core/anim/ core/wild/ core/world/ core/bsl/commands.def
allowed proto/json core/ proto/json/
allowed proto/format core/ proto/json/ proto/format/ proto/wire/fields.h
allowed proto/wire core/ proto/json/ proto/wire/
allowed server core/ proto/ server/
allowed clients/obanctl core/base/ core/math/ proto/json/ clients/obanctl/
allowed clients/oban core/ proto/json/ proto/format/ clients/oban/ clients/obanctl/page.h clients/obanctl/memory.h

# only FILES-PATTERN HEADER-PATTERN: a library's header is seen in its one place
only() {
    lines=$(grep -rlE "#[[:space:]]*include[[:space:]]*<$2>" core proto server clients --include='*.[ch]' |
        grep -vxE "$1" || true)
    [ -z "$lines" ] || say "<$2> belongs in $1 only, found in: $lines"
}
only 'proto/json/json\.c' 'cjson/cJSON\.h'
only 'proto/format/.*\.c' 'expat\.h'
only 'server/loop\.[ch]' 'uv\.h'
only 'server/wire_lws(_[a-z]+)?\.[ch]|clients/obanctl/connection\.[ch]' 'libwebsockets\.h'

lines=$(grep -rnE '#[[:space:]]*include[[:space:]]*<' core --include='*.[ch]' |
    grep -vE '<(stdbool|stddef|stdint|string|limits|float|math)\.h>' || true)
[ -z "$lines" ] || say "core may not include: $lines"

# liboban needs nothing from outside but memcpy-likes and sqrtf.
outside=$(nm -A --defined-only "$lib" >/dev/null && {
    nm "$lib" | awk '$2 ~ /[TRDBVW]/ {print $3}' | sort -u >"$lib.defined"
    nm -u "$lib" | awk '$1 == "U" {print $2}' | sort -u >"$lib.needed"
    comm -13 "$lib.defined" "$lib.needed" |
        grep -vxE 'memcpy|memmove|memset|memcmp|bcmp|strlen|sqrtf|_GLOBAL_OFFSET_TABLE_' || true
})
[ -z "$outside" ] || say "liboban needs from outside: $outside"
# No global state. Tables of pointers lie in .data.rel.ro, which is read-only once the program runs.
state=$(objdump -t "$lib" | awk '$3 == "O" || $4 == "O" || $2 == "O"' |
    grep -E '[[:space:]](\.data|\.bss|\.tdata|\.tbss|\*COM\*)([[:space:]]|\.[^r])' |
    grep -v '\.data\.rel\.ro' | awk '{print $NF}' | sort -u || true)
[ -z "$state" ] || say "liboban has mutable globals: $state"
[ "$bad" = 0 ] && echo "layers: the include law holds; liboban needs only memcpy-likes and sqrtf"
exit $bad
