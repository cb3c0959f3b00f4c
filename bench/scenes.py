# SPDX-License-Identifier: MIT
"""The scenes that the benches play: random clips that loop, as files for the daemon and as one JSON file
for the node server that does the same. The same seed gives the same bytes.

Not here: what is measured (live.py).
"""
import json
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from oban_write import LOOP, Clip, Key, f32, xml_bytes  # noqa: E402

CLIPS = 50
FRAMES = 90  # of every clip, so that any two servers show equal frames every 1.5 s
KEYS = 10


def _unit(dice):
    q = [dice.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(v * v for v in q))
    return tuple(f32(v / length) for v in q)


def _clip(dice, index):
    frames = [0] + sorted(dice.sample(range(1, FRAMES - 1), KEYS - 2)) + [FRAMES - 1]
    keys = tuple(Key(frame, _unit(dice), tuple(f32(dice.uniform(-100, 100)) for _ in range(3))) for frame in frames)
    return Clip("bench_%02d" % index, keys, flags=LOOP)


def write(folder, objects):
    """Writes clips, scene.json and node.json into a folder: so many objects, all moving for ever."""
    dice = random.Random(1)
    clips = [_clip(dice, i) for i in range(CLIPS)]
    os.makedirs(os.path.join(folder, "anims"), exist_ok=True)
    for clip in clips:
        with open(os.path.join(folder, "anims", "OBAN%s.xml" % clip.name), "wb") as file:
            file.write(xml_bytes(clip))
    cast = [{"object": i + 1, "anim": clips[i % CLIPS].name} for i in range(objects)]
    with open(os.path.join(folder, "scene.json"), "w", encoding="utf-8") as file:
        json.dump({"objects": [dict(one, play=True) for one in cast]}, file)
    with open(os.path.join(folder, "node.json"), "w", encoding="utf-8") as file:
        json.dump({"clips": {c.name: {"frames": FRAMES, "base": c.base, "keys": [k._asdict() for k in c.keys]}
                             for c in clips}, "objects": cast}, file)
