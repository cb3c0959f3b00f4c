#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs exactly what is missing and says what; does nothing when all is there.
#   tools/deps.sh build|test|check|bench...   which sets are wanted (one or more)
# Debian 12 packages, by apt-get. Without root it uses sudo, or says what to install.
set -eu

build="gcc make pkg-config libc6-dev libuv1-dev libwebsockets-dev libwebsockets-evlib-uv libcjson-dev libexpat1-dev libinih-dev"
test="libcmocka-dev python3 python3-pytest python3-websocket valgrind binutils mandoc"
bench="g++ python3"
command -v node >/dev/null || bench="$bench nodejs"
command -v npm >/dev/null || bench="$bench npm"
check="clang clang-format clang-tidy cppcheck libclang-rt-14-dev python3"
bench="g++ python3"
command -v node >/dev/null || bench="$bench nodejs"
command -v npm >/dev/null || bench="$bench npm"

[ $# -gt 0 ] || { echo "usage: tools/deps.sh build|test|check|bench ..." >&2; exit 64; }
wanted=""
for set in "$@"; do
    case $set in
    build) wanted="$wanted $build" ;;
    test) wanted="$wanted $test" ;;
    check) wanted="$wanted $check" ;;
    bench) wanted="$wanted $bench" ;;
    *) echo "tools/deps.sh: no set '$set': build, test, check or bench" >&2; exit 64 ;;
    esac
done

missing=""
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || case " $missing " in *" $package "*) ;; *) missing="$missing $package" ;; esac
done
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null || {
    echo "oband needs these Debian 12 packages, or what they are called here:$missing" >&2
    exit 1
}
as_root=""
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || {
        echo "to install what is missing, type as root: apt-get install$missing" >&2
        exit 1
    }
    as_root=sudo
fi
echo "installing what is missing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $as_root apt-get update -q && $as_root apt-get install -q -y --no-install-recommends $missing; } >"$log" 2>&1; then
    cat "$log" >&2
    echo "apt-get could not install:$missing" >&2
    exit 1
fi
