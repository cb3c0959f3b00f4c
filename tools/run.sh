#!/bin/sh
# SPDX-License-Identifier: MIT
# Starts the daemon on the example scene and says where to look. Usage: tools/run.sh OBAND [options]
set -eu
oband=$1
shift
cat >&2 <<'T'

  The example warehouse: doors, a forklift, a truck, a crane, a camera. In a second terminal, here:

      build/obanctl follow                            watch it move
      build/obanctl send 'env_anim 1 3'               start what objects 1 to 3 have
      build/obanctl events                            what starts and stops
      curl -s http://127.0.0.1:8765/state             the whole scene as JSON

  (With --listen in ARGS, give obanctl the address that is told below: --url ws://HOST:PORT/ws.)
  More to try: examples/warehouse/README.md. Ctrl-C ends it.

T
exec "$oband" --anims examples/warehouse/anims --scene examples/warehouse/scene.json "$@"
