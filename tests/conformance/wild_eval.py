# SPDX-License-Identifier: MIT
"""Wild's motion worked out from docs/wild.md alone: exact fractions for positions and angles, plain floats for
turning. For those who write another server: no daemon is needed. See wild/*.json and README.md."""
from fractions import Fraction
from math import cos, inf, radians, sin, sqrt

IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]  # I, J, K
FOREVER = 0x7FFFFFFF


def raw_of(command):
    """Wild's whole number: units for x y z . c, else 16.16; a `value` is rounded half up."""
    if "raw" in command:
        return command["raw"]
    scale = 1 if command["target"][0] in "xyz" and command["target"].endswith(".c") else 65536
    return (Fraction(command["value"]) * scale + Fraction(1, 2)).__floor__()


def turned(vector, axis, degrees):
    """Right-handed about the axis, of whatever length."""
    length = sqrt(sum(a * a for a in axis))
    k = [a / length for a in axis]
    dot = sum(a * b for a, b in zip(k, vector))
    cross = [k[1] * vector[2] - k[2] * vector[1], k[2] * vector[0] - k[0] * vector[2],
             k[0] * vector[1] - k[1] * vector[0]]
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return [u * c + x * s + a * dot * (1 - c) for u, x, a in zip(vector, cross, k)]


class Motion:
    """One sector during one move."""

    def __init__(self, origin, basis, start):
        self.start, self.duration = start, 0
        self.c, self.basis = [Fraction(o) for o in origin], basis
        self.v = {name: 0 for name in "xyzr"}  # raw
        self.a = {name: 0 for name in "xyzr"}
        self.axis = [0, 0, 0]

    def at(self, tick):
        t = min(max(tick - self.start, 0), self.duration)
        origin = [c + Fraction(2 * self.v[n] * t + self.a[n] * t * t, 131072) for c, n in zip(self.c, "xyz")]
        way = Fraction((2 * self.v["r"] * t + self.a["r"] * t * t) % (360 * 131072), 131072)
        return origin, [turned(u, self.axis, float(way)) for u in self.basis] if way else self.basis

    def snap(self, tick):
        """What the next move starts from: all at rest after a pause, else with its velocity."""
        t = tick - self.start
        self.c, self.basis = self.at(tick)
        for name in "xyzr":
            rests = t > self.duration
            self.v[name] = 0 if rests else self.v[name] + self.a[name] * t
            self.a[name] = 0 if rests else self.a[name]
        self.start = tick

    def do(self, command):
        name, part = command["target"].split(".")
        value = raw_of(command)
        if name == "rv":
            kept, key = self.axis, "xyz".index(part)
        elif part == "c":
            kept, key = self.c, "xyz".index(name)
        else:
            kept, key = (self.v if part == "v" else self.a), name
        kept[key] = value + (kept[key] if command["op"] == "add" else 0)

    def fits(self, t):
        return all(-2**31 <= self.v[n] + self.a[n] * t < 2**31 for n in "xyzr") and \
            all(-2**31 <= o < 2**31 for o in self.at(self.start + t)[0])

    def lasts(self):
        """How long a forever move fits its format: doubled until it does not, then halved."""
        self.duration = inf
        if not any(self.v.values()) and not any(self.a.values()):
            return inf
        high = 1
        while self.fits(high):
            high *= 2
            if high > 2**53:
                return inf
        low = high // 2
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if self.fits(middle) else (low, middle)
        return low


def pose_at(origin, basis, action, role, started, tick):
    """Where a sector stands at a Wild tick (origin, basis), that stood so when the doing started."""
    motion = Motion(origin, basis, started)
    roles = action["sectors"]
    for move in sorted(action["moves"], key=lambda m: m.get("start", 0)):
        sector = move["sector"]
        if (sector - 1 if isinstance(sector, int) else roles.index(sector)) != role:
            continue
        start = started + move.get("start", 0)
        if start > tick:
            break
        motion.snap(start)
        for command in move["commands"]:
            motion.do(command)
        duration = move.get("duration")
        motion.duration = motion.lasts() if duration in ("forever", FOREVER) else duration
    return motion.at(tick)


def ends(action, started):
    """The Wild tick of the stop. For actions with a forever move that is replaced, or overflows, see docs/wild.md."""
    lengths = [inf if m["duration"] == "forever" else m.get("start", 0) + m["duration"] for m in action["moves"]]
    return started + max(lengths, default=0)


def product(above, origin, basis):
    """A child's absolute pose."""
    above_origin, above_basis = above
    def put(v):
        return [sum(above_basis[k][i] * float(v[k]) for k in range(3)) for i in range(3)]
    return [float(a) + p for a, p in zip(above_origin, put(origin))], [put(u) for u in basis]
