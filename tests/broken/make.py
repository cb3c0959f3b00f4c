#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the broken files of this folder and expected.json: one fault in each, which `oban check` must name, and
nothing else. tests/integration/test_oban_check.py compares what is here with what this makes, and runs the tool.

    /usr/bin/python3 tests/broken/make.py [FOLDER]
"""
import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools"))

from oban_write import IDENTITY, Clip, Key, oni_bytes, xml_bytes  # noqa: E402

HALF = 0.5 ** 0.5
NONE = (0.0, 0.0, 0.0, 1.0)
NAN = float("nan")


def key(frame, p=(0.0, 0.0, 0.0), q=NONE):
    return Key(frame, q, p)


def clip(name="x", keys=None, **more):
    """A clean clip: three keys, frames 0 to 20."""
    keys = keys or (key(0), key(10, (5.0, 0.0, 0.0)), key(20, (10.0, 0.0, 0.0)))
    return Clip(name, tuple(keys), **more)


def base(*changes):
    numbers = list(IDENTITY)
    for at, value in changes:
        numbers[at] = value
    return tuple(numbers)


def stand_and_jump(**jump):
    """At rest for ten frames, then elsewhere within one."""
    there = dict({"p": (0.0, 0.0, 0.0), "q": NONE}, **jump)
    return (key(0), key(10), key(11, **there), key(20, **there))


XML = xml_bytes(clip()).decode()
ONI = oni_bytes([clip()])

CLIPS = {  # name of the file: (clip, what is told)
    "no-keys": (Clip("x", (), frame_count=1), "has no keys"),
    "frame-count-0": (clip(frame_count=0), "a frame count of 0"),
    "frame-count-off": (clip(frame_count=20), "a frame count of 20, but its last key is at frame 20"),
    "frames-fall": (clip(keys=(key(0), key(12), key(11), key(20))), "key 2 is at frame 11, before the key in front of it"),
    "frame-twice": (clip(keys=(key(0), key(10), key(10), key(20))), "key 2 is at frame 10 like the key in front of it"),
    "first-key-late": (clip(keys=(key(3), key(20))), "has its first key at frame 3, not at 0"),
    "key-nan": (clip(keys=(key(0), key(20, (0.0, NAN, 0.0)))), "key 1 holds a number that is not finite"),
    "start-infinite": (clip(start=base((9, float("inf")))), "the start matrix holds a number that is not finite"),
    "base-nan": (clip(base=base((0, NAN))), "the base matrix holds a number that is not finite"),
    "quaternion-0": (clip(keys=(key(0, q=(0.0, 0.0, 0.0, 0.0)), key(20))), "key 0 has a quaternion of length 0"),
    "quaternion-long": (clip(keys=(key(0), key(20, q=(0.0, 0.0, 0.0, 2.0)))), "key 1 has a quaternion that is not of length 1"),
    "sign-flip": (clip(keys=(key(0), key(20, q=(0.0, 0.0, 0.0, -1.0)))), "key 1 turns the sign of its quaternion"),
    "jump": (clip(keys=stand_and_jump(p=(400.0, 0.0, 0.0))), "key 2 is a jump in position"),
    "turn-jump": (clip(keys=stand_and_jump(q=(0.0, HALF, 0.0, HALF))), "key 2 is a jump in rotation"),
    "far-away": (clip(keys=(key(0, (1e17, 0.0, 0.0)), key(20, (1e17, 0.0, 0.0)))), "key 0 lies over 1000000 units away"),
    "half-stop-beyond": (clip(half_stop=21), "the half stop lies beyond the last frame"),
    "base-shears": (clip(base=base((3, 0.5))), "the base matrix shears"),
    "base-flat": (clip(base=base((8, 0.0))), "the base matrix is flat"),
    "flags-unknown": (clip(flags=0x40), "flags beyond 0x1f"),
    "n" * 61: (clip(), "the name has over 59 bytes"),
    "n" * 64: (clip(), "has no name, or one over 63 bytes"),
    "name%0Acontrol": (clip(), "has no name, or one over 63 bytes, not UTF-8 or with control characters"),
}


def swap(old, new):
    assert XML.count(old) >= 1, old
    return XML.replace(old, new, 1)


TEXTS = {
    "xml-not-ended.xml": (XML[:-6], "not well-formed XML"),
    "xml-doctype.xml": (swap("<Oni>", "<!DOCTYPE Oni>\n<Oni>"), "a DOCTYPE is not allowed"),
    "xml-root.xml": (XML.replace("Oni>", "oni>"), "expected <Oni>, found <oni>"),
    "xml-no-id.xml": (swap(' id="0"', ""), "expected an attribute id"),
    "xml-flags.xml": (swap("<Flags></Flags>", "<Flags>normalloop</Flags>"), "normalloop"),
    "xml-comma.xml": (swap("<Translation>5 0 0<", "<Translation>5,5 0 0<"), "expected a number, found '5,5'"),
    "xml-few.xml": (swap("<Translation>5 0 0<", "<Translation>5 0<"), "expected 3 numbers"),
    "xml-i16.xml": (swap("<HalfStopFrame>0<", "<HalfStopFrame>40000<"), "40000"),
    "xml-no-time.xml": (swap("                <Time>10</Time>\n", ""), "expected <Time>"),
    "xml-empty.xml": ("", "it is empty"),
    "csv-decimal-comma.csv": ("frame;x;y;z\n0;1,5;2;3\n", "a decimal comma"),
    "csv-header-lacks.csv": ("frame,x,y\n0,1,2\n", "lacks some of the columns x, y, z"),
    "csv-no-header.csv": ("0,1,2,3\n1,1,2,3\n", "expected a header"),
    "csv-number.csv": ("frame,x,y,z\n0,1,2,three\n", "expected a number, found 'three'"),
    "csv-scale-changes.csv": ("frame,x,y,z,sx,sy,sz\n0,0,0,0,1,1,1\n9,0,0,0,2,2,2\n", "the scale changes"),
    "json-not-ended.json": ('{"name":"x","frames":[', "expected a value"),
    "json-field.json": ('{"name":"x","frames":[{"frame":0,"positon":[0,0,0]}]}', "frames[0].positon: no such field"),
    "json-numbers.json": ('{"name":"x","frames":[{"frame":0,"position":[0,0]}]}', "frames[0].position: expected an array of 3 numbers"),
    "scene-matrix.json": ('{"objects":[{"object":1,"matrx":[]}]}', "objects[0]"),
}


def patch(at, form, *values):
    out = bytearray(ONI)
    struct.pack_into(form, out, at, *values)
    return bytes(out)


NAMES_AT, = struct.unpack_from("<I", ONI, 0x28)
DATA_AT, = struct.unpack_from("<I", ONI, 0x20)
BYTES = {
    "oni-cut.oni": (ONI[:40], "the file ends after"),
    "oni-version.oni": (patch(0x08, "<I", 0x56523334), "version"),
    "oni-tables.oni": (patch(0x20, "<I", 0x7FFFFFE0), "the data table"),
    "oni-names.oni": (patch(0x28, "<I", 0x7FFFFFE0), "the name table"),
    "oni-count.oni": (patch(0x14, "<I", 1000000), "there is no room for 0xf4240 instance descriptors"),
    "oni-name-outside.oni": (patch(0x48, "<I", 0x1000), "a name at"),
    "oni-name-not-ended.oni": (ONI[:NAMES_AT] + b"A" * (DATA_AT - NAMES_AT) + ONI[DATA_AT:], "the name at"),
    "oni-size.oni": (patch(0x4C, "<I", 0x40), "too small for an OBAN"),
    "oni-keys.oni": (patch(DATA_AT + 8 + 0x76, "<H", 5000), "there is no room for 0x1388 keys"),
}


def make(folder):
    """Writes all; returns {file: what must be told}."""
    expected = {}
    for name, (made, told) in CLIPS.items():
        expected["OBAN%s.xml" % name] = (xml_bytes(made), told)
    for name, (text, told) in TEXTS.items():
        expected[name] = (text.encode(), told)
    for name, (data, told) in BYTES.items():
        expected[name] = (data, told)
    for name, (data, _) in expected.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    told = {name: told for name, (_, told) in sorted(expected.items())}
    with open(os.path.join(folder, "expected.json"), "w", encoding="utf-8") as file:
        json.dump(told, file, indent=1, sort_keys=True)
        file.write("\n")
    return told


if __name__ == "__main__":
    print("%d broken files" % len(make(sys.argv[1] if len(sys.argv) > 1 else HERE)))
