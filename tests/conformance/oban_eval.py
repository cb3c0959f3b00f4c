# SPDX-License-Identifier: MIT
"""An independent evaluation of an object animation, and independent readers of its two file forms.

Written from the rules of docs/behaviour.md, section 2, in Python floats (doubles), by turning the three
basis vectors; none of the daemon's formulas or code is used. Another language's port can be checked
against the same transcripts (README.md beside this file).
Sources: behaviour 2 and 5; the format fact sheet's 1, 3, 4.2 and 7.
"""
import math
import os
import struct
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from oban_write import Clip, Key  # noqa: E402  (the types only)

LOCAL = 0x10
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


# ---- vectors and matrices (twelve numbers by columns; v' = M * v) ------------------------------------

def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def scaled(a, k):
    return tuple(x * k for x in a)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a):
    return math.sqrt(dot(a, a))


def column(m, k):
    return tuple(m[3 * k:3 * k + 3])


def direction_by(m, v):
    """A direction through a matrix: its position plays no part."""
    return add(add(scaled(column(m, 0), v[0]), scaled(column(m, 1), v[1])), scaled(column(m, 2), v[2]))


def point_by(m, v):
    return add(direction_by(m, v), column(m, 3))


def multiply(a, b):
    """a * b: b acts first."""
    out = ()
    for k in range(3):
        out += direction_by(a, column(b, k))
    return out + point_by(a, column(b, 3))


# ---- the rule ----------------------------------------------------------------------------------------

def turned(q, v):
    """v turned by a quaternion in the *file's* sense: the usual rotation of its conjugate.

    The form without division: for a length that is not quite 1 it gives what the rule's matrix gives."""
    u, w = (-q[0], -q[1], -q[2]), q[3]
    first = cross(u, v)
    return add(v, add(scaled(first, 2 * w), scaled(cross(u, first), 2)))


def usable(q):
    """A key's quaternion as it is played: as stored when it is of length 1 to within 1e-4."""
    size = math.sqrt(dot(q, q))
    return tuple(q) if abs(size - 1) <= 1e-4 else scaled(q, 1 / size)


def distinct_keys(clip):
    """One key per frame number: of several the first counts."""
    keys = []
    for key in clip.keys:
        if not keys or key.frame != keys[-1].frame:
            keys.append(key)
    return keys


def pose(clip, frame):
    """Quaternion and position at a frame."""
    keys = distinct_keys(clip)
    if frame <= keys[0].frame:
        return usable(keys[0].q), keys[0].p
    if frame >= keys[-1].frame:
        return usable(keys[-1].q), keys[-1].p
    after = next(i for i, key in enumerate(keys) if key.frame >= frame)
    if keys[after].frame == frame:
        return usable(keys[after].q), keys[after].p
    a, b = keys[after - 1], keys[after]
    t = f32((frame - a.frame) / (b.frame - a.frame))
    position = add(scaled(b.p, t), scaled(a.p, 1 - t))
    qa, qb = usable(a.q), usable(b.q)
    if dot(qa, qb) < 0:
        qb = scaled(qb, -1)
    mixed = add(scaled(qa, 1 - t), scaled(qb, t))
    return scaled(mixed, 1 / math.sqrt(dot(mixed, mixed))), position


def quarter_turn(m):
    """(x, y, z) -> (x, z, -y) in front: what a Z-up clip needs in a Y-up world."""
    out = ()
    for k in range(4):
        x, y, z = column(m, k)
        out += (x, z, -y)
    return out


def matrix_at(clip, frame, origin=IDENTITY):
    """T(position) * R(rotation) * Base; for a local clip origin * quarter turn in front of it."""
    q, p = pose(clip, frame)
    m = ()
    for k in range(3):
        m += turned(q, column(clip.base, k))
    m += add(turned(q, column(clip.base, 3)), p)
    return multiply(origin, quarter_turn(m)) if clip.flags & LOCAL else m


def determinant(m):
    return dot(cross(column(m, 0), column(m, 1)), column(m, 2))


def rigid(m):
    """What a camera shows of a matrix: the look direction kept, the rest made square and right-handed."""
    back = scaled(column(m, 2), 1 / length(column(m, 2)))
    up = add(column(m, 1), scaled(back, -dot(column(m, 1), back)))
    up = scaled(up, 1 / length(up))
    return cross(up, back) + up + back + column(m, 3)


def difference(got, want):
    """How far a matrix is off, in the measure of the project's bar: the nine of the columns by the size of
    the longest of the three, the position by its own size (never less than 1)."""
    size = max(1e-30, *(length(column(want, k)) for k in range(3)))
    turn = max(abs(a - b) for a, b in zip(got[:9], want[:9])) / size
    place = length(add(got[9:], scaled(want[9:], -1))) / max(1.0, length(want[9:]))
    return max(turn, place)


# ---- readers -----------------------------------------------------------------------------------------

FLAG_BITS = {"NormalLoop": 1, "BackToBackLoop": 2, "RandomStartFrame": 4, "Autostart": 8, "ZAxisUp": 16}


def plain_name(name):
    return name[4:] if name.startswith("OBAN") else name


def read_xml(data, name):
    """The first OBAN of an XML file; the fields are positional."""
    root = ElementTree.fromstring(data)
    assert root.tag == "Oni", root.tag
    fields = list(root[0])
    assert len(fields) == 7, len(fields)

    def numbers(element, count):
        return tuple(f32(float(word)) for word in element.text.split()[:count])

    flags_text = (fields[0].text or "").strip()
    flags = int(flags_text) if flags_text.isdigit() else sum(FLAG_BITS[w] for w in flags_text.split())
    keys = tuple(Key(int(k[2].text), numbers(k[0], 4), numbers(k[1], 3)) for k in fields[6])
    return Clip(plain_name(name), keys, flags, numbers(fields[1], 12), numbers(fields[2], 12),
                int(fields[3].text), int(fields[4].text), int(fields[5].text))


def read_oni(data):
    """All named OBANs of a `.oni` file, with the names of its name table."""
    version, = struct.unpack_from("<I", data, 8)
    assert version == 0x56523332, hex(version)
    count, = struct.unpack_from("<I", data, 0x14)
    data_at, _, names_at, names_size = struct.unpack_from("<4I", data, 0x20)
    clips = []
    for index in range(count):
        tag, at, name_at, size, flags = struct.unpack_from("<5I", data, 0x40 + 20 * index)
        if tag != 0x4F42414E or flags & 3 or not at or not size:
            continue
        assert name_at < names_size
        start = names_at + name_at
        name = data[start:data.index(b"\0", start)].decode("ascii")
        body = data_at + at
        bits, = struct.unpack_from("<I", data, body + 0x0C)
        start_matrix = struct.unpack_from("<12f", data, body + 0x10)
        base = struct.unpack_from("<12f", data, body + 0x40)
        frame_length, frame_count, half_stop, key_count = struct.unpack_from("<hHhH", data, body + 0x70)
        keys = []
        for k in range(key_count):
            row = struct.unpack_from("<7fi", data, body + 0x78 + 0x20 * k)
            keys.append(Key(row[7], row[0:4], row[4:7]))
        clips.append(Clip(plain_name(name), tuple(keys), bits, start_matrix, base, frame_length, frame_count,
                          half_stop))
    return clips


def read_file(path):
    """The clips of a file, as a list."""
    with open(path, "rb") as file:
        data = file.read()
    base = os.path.basename(path)
    if path.endswith(".xml"):
        return [read_xml(data, base[:-4])]
    return read_oni(data)
