#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Dockerfile and runs the image for real, with buildah, podman and runc from Debian: no engine, no
# registry of images. The base image is made by mmdebstrap from Debian's packages. Needs root.
# Skips, with a message and exit 0, where the tools cannot be had.
# Usage: tools/docker-test.sh [CONTEXT]
set -euo pipefail
context=${1:-.}
work=${WORK:-${TMPDIR:-/tmp}/oband-container}
port=${PORT:-18765}
skip() { echo "docker-test: skipped: $*"; exit 0; }

[ "$(id -u)" = 0 ] || skip "needs root"
if ! command -v buildah podman runc mmdebstrap >/dev/null; then
    command -v apt-get >/dev/null || skip "no apt-get, and no buildah, podman, runc and mmdebstrap"
    echo "docker-test: installing buildah podman runc mmdebstrap" >&2
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        buildah podman runc mmdebstrap curl; } >/dev/null 2>&1 || skip "apt-get could not install the tools"
fi
mkdir -p "$work"
# Both must be set before the first call of podman: it writes down what it finds.
export CONTAINERS_STORAGE_CONF=$work/storage.conf CONTAINERS_CONF=$work/containers.conf
cat >"$CONTAINERS_STORAGE_CONF" <<S
[storage]
driver = "${DRIVER:-overlay}"
runroot = "$work/run"
graphroot = "$work/store"
S
# Limits below the hard ones, for machines that may not raise them; runc takes hybrid cgroups, crun does not.
cat >"$CONTAINERS_CONF" <<C
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
C

base=$work/debian-bookworm-slim.tar
if [ ! -s "$base" ]; then
    echo "docker-test: making the base image (about a minute)" >&2
    # As the official image does: no package caches in layers.
    clean='rm -f /var/cache/apt/archives/*.deb /var/cache/apt/archives/partial/*.deb /var/cache/apt/*.bin || true'
    cat >"$work/docker-clean" <<A
DPkg::Post-Invoke { "$clean"; };
APT::Update::Post-Invoke { "$clean"; };
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
A
    sources=/etc/apt/sources.list.d/debian.sources
    [ -s "$sources" ] || sources=/etc/apt/sources.list
    mmdebstrap --quiet --variant=minbase --format=tar --customize-hook='rm -f "$1"/var/cache/apt/*.bin' \
        --customize-hook="copy-in $work/docker-clean /etc/apt/apt.conf.d/" \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-include=/usr/share/doc/*/copyright' --dpkgopt='path-exclude=/usr/share/locale/*' \
        bookworm "$base.new" "$sources" || skip "the base image cannot be made here"
    mv "$base.new" "$base"
fi
podman image exists docker.io/library/debian:bookworm-slim ||
    podman import --quiet --change 'CMD ["bash"]' "$base" docker.io/library/debian:bookworm-slim >/dev/null
echo "docker-test: building the image" >&2
buildah bud --quiet --isolation chroot --format docker --pull-never --layers -t localhost/oband:test \
    -f "$context/Dockerfile" "$context" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
podman image inspect localhost/oband:test \
    --format 'image: {{.Size}} bytes, user {{.Config.User}}, stop {{.Config.StopSignal}}, health {{json .Config.Healthcheck.Test}}'

name=oband-test-$$
trap 'podman --log-level=fatal rm -f -t 2 "$name" >/dev/null 2>&1 || true' EXIT
podman --log-level=fatal run -d --name "$name" --read-only --cap-drop=ALL \
    --security-opt=no-new-privileges --memory 128m --pids-limit 64 \
    -p "127.0.0.1:$port:8765" localhost/oband:test >/dev/null
up=
for _ in $(seq 50); do
    if curl -fsS -m 1 "http://127.0.0.1:$port/healthz" >"$work/health.json" 2>/dev/null; then up=1; break; fi
    sleep 0.1
done
[ -n "$up" ] || { podman logs "$name"; echo "docker-test: no answer from outside"; exit 1; }
echo "healthz from outside: $(cat "$work/health.json")"
objects=$(curl -fsS -m 2 "http://127.0.0.1:$port/state" | grep -o '"object":' | wc -l)
[ "$objects" -gt 0 ] || { echo "docker-test: /state shows no object"; exit 1; }
echo "state from outside: $objects objects"
podman --log-level=fatal healthcheck run "$name"
echo "health check inside: healthy"
podman --log-level=fatal exec "$name" /usr/bin/obanctl ping --count 1
if podman --log-level=fatal exec "$name" /bin/sh -c ': > /usr/bin/x' 2>/dev/null; then
    echo "docker-test: the root is writable"; exit 1
fi
capabilities=$(podman --log-level=fatal exec "$name" /bin/sh -c 'grep CapEff /proc/1/status; id -u')
echo "inside: root read-only, uid and capabilities: $(echo $capabilities)"
echo "$capabilities" | grep -q 'CapEff:.0000000000000000' || { echo "docker-test: capabilities left"; exit 1; }
podman --log-level=fatal stop -t 5 "$name" >/dev/null
code=$(podman inspect "$name" --format '{{.State.ExitCode}}')
echo "exit code after SIGTERM: $code"
[ "$code" = 0 ] || { podman logs "$name"; exit 1; }
echo "docker-test: ok"
