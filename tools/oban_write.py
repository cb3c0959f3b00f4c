# SPDX-License-Identifier: MIT
"""An object animation as plain data, and its two file forms: OBAN XML and `.oni`.

Used by tools/make-warehouse.py and by the tests. It only writes; the reader and the evaluation that
check the daemon are tests/conformance/oban_eval.py and share nothing with it but the two types below.
Sources: the format fact sheet's sections 1.4 a (layout of `.oni`), 3 (fields) and 4.1 (XML, floats).
"""
import struct
from typing import NamedTuple

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)

LOOP, PING_PONG, RANDOM_START, AUTOSTART, LOCAL = 0x01, 0x02, 0x04, 0x08, 0x10
FLAG_NAMES = ((LOOP, "NormalLoop"), (PING_PONG, "BackToBackLoop"), (RANDOM_START, "RandomStartFrame"),
              (AUTOSTART, "Autostart"), (LOCAL, "ZAxisUp"))

ONI_CHECKSUM_PC = 0x0003BCDF33DC271F
ONI_VERSION = 0x56523332
ONI_TABLE_SIZES = 0x0008001000140040
OBAN_TAG = 0x4F42414E


class Key(NamedTuple):
    """One key; q is x, y, z, w in the file's sense (the transpose of the usual rotation)."""
    frame: int
    q: tuple
    p: tuple


class Clip(NamedTuple):
    """A clip as its file has it. Matrices are twelve numbers by columns."""
    name: str
    keys: tuple
    flags: int = 0
    start: tuple = IDENTITY
    base: tuple = IDENTITY
    frame_length: int = 1
    frame_count: int = -1  # -1: last key + 1
    half_stop: int = 0

    @property
    def frames(self):
        return self.keys[-1].frame + 1 if self.frame_count < 0 else self.frame_count


def f32(value):
    """The float32 nearest to a number, as a Python float."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def dotnet_float(value):
    """A float32 as .NET's "R" prints it: 7 significant digits when they read back, else 9."""
    value = f32(value)
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "INF" if value > 0 else "-INF"
    text = "%.7g" % value
    if f32(float(text)) != value:
        text = "%.9g" % value
    mantissa, mark, exponent = text.partition("e")
    if mark:
        text = "%sE%s%02d" % (mantissa, exponent[0], int(exponent[1:]))
    return text


def _numbers(values):
    return " ".join(dotnet_float(v) for v in values)


def _flags_text(flags):
    if flags & ~0x1F:
        return str(flags)
    return " ".join(name for bit, name in FLAG_NAMES if flags & bit)


def xml_bytes(clip, instance_id=0):
    """The clip as an XML file: LF, no BOM, nothing behind </Oni>."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>',
             "<Oni>",
             '    <OBAN id="%d">' % instance_id,
             "        <Flags>%s</Flags>" % _flags_text(clip.flags),
             "        <InitialTransform>%s</InitialTransform>" % _numbers(clip.start),
             "        <BaseTransform>%s</BaseTransform>" % _numbers(clip.base),
             "        <FrameLength>%d</FrameLength>" % clip.frame_length,
             "        <FrameCount>%d</FrameCount>" % clip.frames,
             "        <HalfStopFrame>%d</HalfStopFrame>" % clip.half_stop]
    if clip.keys:
        lines.append("        <KeyFrames>")
        for key in clip.keys:
            lines += ["            <OBANKeyFrame>",
                      "                <Rotation>%s</Rotation>" % _numbers(key.q),
                      "                <Translation>%s</Translation>" % _numbers(key.p),
                      "                <Time>%d</Time>" % key.frame,
                      "            </OBANKeyFrame>"]
        lines.append("        </KeyFrames>")
    else:
        lines.append("        <KeyFrames />")
    lines += ["    </OBAN>", "</Oni>"]
    return "\n".join(lines).encode("utf-8")


def _align32(n):
    return (n + 31) & ~31


def _instance_data(clip):
    data = bytes(12) + struct.pack("<I", clip.flags)
    data += struct.pack("<12f", *clip.start) + struct.pack("<12f", *clip.base)
    data += struct.pack("<hHhH", clip.frame_length, clip.frames, clip.half_stop, len(clip.keys))
    for key in clip.keys:
        data += struct.pack("<4f3fi", *key.q, *key.p, key.frame)
    return data


def oni_bytes(clips):
    """One `.oni` file of one or several named clips."""
    names, descriptors, data = b"", b"", b""
    for index, clip in enumerate(clips):
        body = _instance_data(clip)
        size = 8 + len(body)
        descriptors += struct.pack("<5I", OBAN_TAG, len(data) + 8, len(names), size, 0)
        data += struct.pack("<II", index << 8 | 1, 0) + body + bytes(_align32(size) - size)
        names += ("OBAN" + clip.name).encode("ascii") + b"\0"
    names_at = _align32(64 + len(descriptors))
    data_at = _align32(names_at + len(names))
    header = struct.pack("<QIQIII", ONI_CHECKSUM_PC, ONI_VERSION, ONI_TABLE_SIZES, len(clips), 0, 0)
    header += struct.pack("<6I", data_at, len(data), names_at, len(names), 0, 0) + bytes(8)
    out = header + descriptors
    out += bytes(names_at - len(out)) + names
    return out + bytes(data_at - len(out)) + data


# ---- levels ------------------------------------------------------------------------------------------

DAT_VERSION = 0x56523331
OBOA_TAG, M3GA_TAG, ENVP_TAG = 0x4F424F41, 0x4D334741, 0x454E5650
OBAN_CHECKSUM, OBOA_CHECKSUM = 0x00000000004E0C24, 0x000000134F8986E1


class Object(NamedTuple):
    """A record of a level (OBOA); names without their four letters."""
    number: int
    name: str = ""
    animation: str = ""
    geometry: str = ""
    particle: str = ""
    flags: int = 0x200
    door_gunk: int = 0
    door: int = 0
    physics: int = 3
    position: tuple = (0.0, 0.0, 0.0)
    rotation: tuple = (0.0, 0.0, 0.0, 1.0)
    scale: float = 1.0
    transform: tuple = IDENTITY
    file: str = ""


def dat_bytes(clips, objects=(), level=0):
    """A level's `.dat`: the clips by their names, the objects as one unnamed OBOA, what they link to and is
    not there as placeholders (in the order of the links)."""
    instances = [(OBAN_TAG, c.name, _instance_data(c)) for c in sorted(clips, key=lambda c: c.name.encode())]
    places = {(tag, name): i for i, (tag, name, _) in enumerate(instances)}
    if objects:
        oboa_at = len(instances)
        instances.append((OBOA_TAG, None, b""))
        records = b""
        for o in objects:
            for tag, name in ((M3GA_TAG, o.geometry), (OBAN_TAG, o.animation), (ENVP_TAG, o.particle)):
                if name and (tag, name) not in places:
                    places[tag, name] = len(instances)
                    instances.append((tag, name, None))
                records += struct.pack("<I", places[tag, name] << 8 | 1 if name else 0)
            records += struct.pack("<IiiIi3f4ff12f64s64s", o.flags, o.door_gunk, o.door, o.physics, o.number, *o.position,
                                   *o.rotation, o.scale, *o.transform, o.name.encode(), o.file.encode())
        instances[oboa_at] = (OBOA_TAG, None, bytes(22) + struct.pack("<H", len(objects)) + records)
    names, descriptors, data = b"", b"", b""
    for index, (tag, name, body) in enumerate(instances):
        size = 8 + len(body) if body is not None else 0
        flags = (1 if name is None else 0) | (2 if body is None else 0)
        descriptors += struct.pack("<5I", tag, len(data) + 8 if size else 0, len(names) if name is not None else 0, size,
                                   flags)
        if size:
            data += struct.pack("<II", index << 8 | 1, level << 25 | 1) + body + bytes(_align32(size) - size)
        if name is not None:
            names += struct.pack(">I", tag) + name.encode() + b"\0"
    named = sorted((struct.pack(">I", tag) + name.encode(), i) for i, (tag, name, _) in enumerate(instances)
                   if name is not None)
    descriptors += b"".join(struct.pack("<II", i, 0) for _, i in named)
    templates = 0
    for tag, checksum in ((OBAN_TAG, OBAN_CHECKSUM), (OBOA_TAG, OBOA_CHECKSUM)):
        count = sum(1 for t, _, body in instances if t == tag and body is not None)
        if count:
            templates += 1
            descriptors += struct.pack("<QII", checksum, tag, count)
    data_at = _align32(64 + len(descriptors))
    names_at = _align32(data_at + len(data))
    header = struct.pack("<QIQIII", ONI_CHECKSUM_PC, DAT_VERSION, ONI_TABLE_SIZES, len(instances), len(named), templates)
    header += struct.pack("<6I", data_at, len(data), names_at, len(names), 0, 0) + bytes(8)
    out = header + descriptors
    out += bytes(data_at - len(out)) + data
    return out + bytes(names_at - len(out)) + names
