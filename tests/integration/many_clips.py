# SPDX-License-Identifier: MIT
"""1,067 clips mixed as the shipped game's are: 37 loops, 13 local doors, 1 to 500 keys, most of them short. Numbers are
made, smooth where a real object's would be, and always the same."""
import math
import random

from oban_write import LOCAL, LOOP, Clip, Key, f32

COUNT, LOOPS, DOORS = 1067, 37, 13


def _unit(q):
    length = math.sqrt(sum(v * v for v in q))
    return tuple(f32(v / length) for v in q)


def _key_count(rng, index):
    if index < 4:
        return (1, 2, 499, 500)[index]
    return min(500, 1 + int(rng.expovariate(1 / 18.0)))


def _keys(rng, count):
    """A walk: turns and steps that hang together, keys one to eight frames apart."""
    at = [rng.uniform(-2000, 2000) for _ in range(3)]
    speed = [rng.uniform(-3, 3) for _ in range(3)]
    axis = _unit([rng.uniform(-1, 1) for _ in range(3)] + [0.0])
    angle, spin, frame = rng.uniform(0, 2), rng.uniform(-0.02, 0.02), 0
    keys = []
    for _ in range(count):
        half = angle / 2
        q = _unit([v * math.sin(half) for v in axis[:3]] + [math.cos(half)])
        keys.append(Key(frame, q, tuple(f32(v) for v in at)))
        step = rng.randint(1, 8)
        frame += step
        angle += spin * step
        at = [a + s * step for a, s in zip(at, speed)]
        speed = [s + rng.uniform(-0.2, 0.2) for s in speed]
    return tuple(keys)


def _matrix(scale, position):
    return tuple(f32(v) for v in (scale, 0, 0, 0, scale, 0, 0, 0, scale, *position))


def clips():
    rng = random.Random(20011)
    doors = {7 + 80 * k for k in range(DOORS)}
    loops = set([index for index in range(3, COUNT, 26) if index not in doors][:LOOPS])
    for index in range(COUNT):
        keys = _keys(rng, _key_count(rng, index))
        door, loop = index in doors, index in loops
        scale = rng.choice((1.0, 1.0, 1.0, 1.82, 0.1))
        yield Clip("clip_%04d" % index, keys, LOCAL if door else LOOP if loop else 0, _matrix(scale, keys[0].p),
                   _matrix(scale, (0, 0, 0)), 80, -1, keys[-1].frame // 2 if door else 0)
