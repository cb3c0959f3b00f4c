#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the binary seeds of tests/fuzz/seeds/level again; the same bytes each time."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))
from oban_write import LOOP, Clip, Key, Object, dat_bytes  # noqa: E402

TURN = (0, 0, 0, 1)
CLIPS = [Clip("spin", (Key(0, TURN, (0, 0, 0)), Key(9, TURN, (1, 0, 0))), LOOP)]
OBJECTS = [Object(201, "van", "spin", "van_body"), Object(65535, "door_1", "spin", door=1, flags=0x202)]

for name, data in (("small.dat", dat_bytes(CLIPS, OBJECTS, 3)), ("clip.dat", dat_bytes(CLIPS))):
    with open(os.path.join(HERE, "seeds", "level", name), "wb") as file:
        file.write(data)
