#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the seeds of level (binary), collada and gltf in tests/fuzz/seeds again; the same bytes each time. build/oban makes
the models (OBAN names another)."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
from oban_write import LOOP, Clip, Key, Object, dat_bytes, xml_bytes  # noqa: E402

TURN = (0, 0, 0, 1)
CLIPS = [Clip("spin", (Key(0, TURN, (0, 0, 0)), Key(9, TURN, (1, 0, 0))), LOOP)]
OBJECTS = [Object(201, "van", "spin", "van_body"), Object(65535, "door_1", "spin", door=1, flags=0x202)]

for name, data in (("small.dat", dat_bytes(CLIPS, OBJECTS, 3)), ("clip.dat", dat_bytes(CLIPS))):
    with open(os.path.join(HERE, "seeds", "level", name), "wb") as file:
        file.write(data)

TOOL = os.environ.get("OBAN", os.path.join(HERE, "..", "..", "build", "oban"))
SWING = Clip("swing", (Key(0, TURN, (0, 0, 0)), Key(4, (0, 0.6, 0, 0.8), (1, 2, 3)), Key(6, TURN, (4, 0, 0))))
with tempfile.TemporaryDirectory() as folder:
    paths = []
    for clip in (CLIPS[0], SWING):
        paths.append(os.path.join(folder, "OBAN%s.xml" % clip.name))
        with open(paths[-1], "wb") as file:
            file.write(xml_bytes(clip))
    for target, name, words in (("collada", "two.dae", paths), ("collada", "camera.dae", ["--camera", paths[1]]),
                                ("collada", "frames.dae", ["--per-frame", paths[1]]), ("gltf", "two.gltf", paths),
                                ("gltf", "camera.glb", ["--camera", paths[1]]), ("gltf", "box.glb", ["--box", "--per-frame", *paths])):
        os.makedirs(os.path.join(HERE, "seeds", target), exist_ok=True)
        subprocess.run([TOOL, "convert", "--force", "-o", os.path.join(HERE, "seeds", target, name), *words], check=True, timeout=30)
