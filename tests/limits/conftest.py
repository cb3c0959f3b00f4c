# SPDX-License-Identifier: MIT
"""Where the modules of the tests lie, and clips made for limits: one that always moves, one that ends soon."""
import math
import os
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
for folder in (os.path.join(ROOT, "tests", "conformance"), os.path.join(ROOT, "tools"), HERE):
    if folder not in sys.path:
        sys.path.insert(0, folder)

import oban_write  # noqa: E402
from oban_write import Clip, Key, f32  # noqa: E402


def _turn(angle):
    return f32(math.sin(angle)), 0.0, 0.0, f32(math.cos(angle))


def mover(frames=150):
    """Turns and moves in every frame, for ever; the end meets the start."""
    keys = [Key(f, _turn(math.pi * f / (frames - 1)), (f32(100 * math.sin(2 * math.pi * f / (frames - 1))), 7.25, 0.0))
            for f in range(0, frames, 10)]
    keys.append(Key(frames - 1, keys[0].q, keys[0].p))
    return Clip("mover", tuple(keys), oban_write.LOOP)


def blip(frames=6):
    """Ends after a few frames."""
    return Clip("blip", (Key(0, _turn(0.0), (0.0, 0.0, 0.0)), Key(frames - 1, _turn(0.5), (3.5, 0.0, 1.25))))


@pytest.fixture(scope="session")
def clips(tmp_path_factory):
    """A folder with both."""
    folder = tmp_path_factory.mktemp("clips")
    for clip in (mover(), blip()):
        (folder / ("OBAN%s.xml" % clip.name)).write_bytes(oban_write.xml_bytes(clip))
    return folder
