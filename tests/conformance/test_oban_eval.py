# SPDX-License-Identifier: MIT
"""The evaluation beside this file, and the writers of the tests, against facts from outside: bytes of the
shipped game and hand-worked turns."""
import math
import os
import random
import struct

import pytest

import oban_eval
import oban_write
from oban_write import Clip, Key

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, "..", "..", "..", "shared", "data")
HALF = math.sqrt(0.5)

# Level 3, Blackvan_FB: the base's scale, key 0 and the start matrix as the file has them, little-endian.
VAN_SCALE = "C2F5E83F"
VAN_QUATERNION = "F40435BF 6A19C4B3 CE3C03B4 F30435BF"
VAN_START = ("C2F5E83F ABD7AAB3 EC891335 EC891335 ED8913B4 C2F5E8BF B1D7AA33 C2F5E83F EB8913B4 "
             "6B9A9444 97FD5BC2 5D06DAC2")


def floats(text):
    data = bytes.fromhex(text)
    return struct.unpack("<%df" % (len(data) // 4), data)


def van():
    s, = floats(VAN_SCALE)
    start = floats(VAN_START)
    return Clip("Blackvan_FB", (Key(0, floats(VAN_QUATERNION), start[9:]),), 0, start, (s, 0, 0, 0, s, 0, 0, 0, s, 0, 0, 0),
                80, 501)


def test_vector_of_the_shipped_game():
    clip = van()
    got = oban_eval.matrix_at(clip, 0)
    assert max(abs(a - b) for a, b in zip(got, clip.start)) < 2e-6


def test_the_usual_sense_would_miss_the_vector():
    clip = van()
    usual = clip._replace(keys=tuple(k._replace(q=(-k.q[0], -k.q[1], -k.q[2], k.q[3])) for k in clip.keys))
    got = oban_eval.matrix_at(usual, 0)
    assert max(abs(a - b) for a, b in zip(got, clip.start)) == pytest.approx(3.64, abs=0.01)


def test_file_quaternion_about_x_sends_y_to_minus_z():
    assert oban_eval.turned((HALF, 0, 0, HALF), (0, 1, 0)) == pytest.approx((0, 0, -1))
    assert oban_eval.turned((HALF, 0, 0, HALF), (0, 0, 1)) == pytest.approx((0, 1, 0))


def test_turning_equals_the_matrix_of_the_rule_also_when_not_quite_unit():
    draw = random.Random(1)
    for _ in range(200):
        q = [draw.uniform(-1, 1) for _ in range(4)]
        x, y, z, w = (v * (1 + draw.uniform(-1e-4, 1e-4)) / math.sqrt(sum(c * c for c in q)) for v in q)
        columns = (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
                   2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                   2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y))
        got = ()
        for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            got += oban_eval.turned((x, y, z, w), axis)
        assert got == pytest.approx(columns, abs=1e-12)


def test_one_one_one_one_is_played_as_a_third_of_a_turn():
    clip = Clip("c", (Key(0, (1, 1, 1, 1), (0, 0, 0)),))
    assert oban_eval.matrix_at(clip, 0)[:9] == pytest.approx((0, 0, 1, 1, 0, 0, 0, 1, 0))


def test_between_keys_and_beyond_them():
    clip = Clip("c", (Key(2, (0, 0, 0, 1), (0, 0, 0)), Key(6, (0, 0, 0, -1), (8, 0, 0)), Key(6, (1, 0, 0, 0), (9, 9, 9))),
                frame_count=9)
    assert oban_eval.matrix_at(clip, 0)[9:] == (0, 0, 0)
    assert oban_eval.matrix_at(clip, 3) == pytest.approx((1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0))
    assert oban_eval.matrix_at(clip, 8)[9:] == (8, 0, 0)


def test_lerp_is_straight_then_normalised():
    quarter = (0, 0, HALF, HALF)
    clip = Clip("c", (Key(0, (0, 0, 0, 1), (0, 0, 0)), Key(4, quarter, (0, 0, 0))))
    q, _ = oban_eval.pose(clip, 1)
    mixed = [0, 0, 0.25 * HALF, 0.75 + 0.25 * HALF]
    assert q == pytest.approx([v / math.sqrt(sum(c * c for c in mixed)) for v in mixed])


def test_local_clip_stands_up_and_goes_with_its_origin():
    clip = Clip("c", (Key(0, (0, 0, 0, 1), (1, 2, 3)),), 0x10)
    assert oban_eval.matrix_at(clip, 0) == (1, 0, 0, 0, 0, -1, 0, 1, 0, 1, 3, -2)
    origin = (0, 0, -1, 0, 1, 0, 1, 0, 0, 100, 0, 0)
    assert oban_eval.matrix_at(clip, 0, origin)[9:] == (98, 3, -1)


def test_rigid_takes_scale_and_mirror_out():
    got = oban_eval.rigid((-2, 0, 0, 0, 3, 0, 0.5, 0.5, 4, 7, 8, 9))
    assert oban_eval.determinant(got) == pytest.approx(1)
    assert got[9:] == (7, 8, 9)
    assert oban_eval.cross(got[6:9], (0.5, 0.5, 4)) == pytest.approx((0, 0, 0))


def random_clip(draw, name):
    keys = []
    for i in range(draw.randint(1, 9)):
        q = [draw.uniform(-1, 1) for _ in range(4)]
        keys.append(Key(i * draw.randint(1, 5) + 9 * i, tuple(oban_write.f32(v) for v in q),
                        tuple(oban_write.f32(draw.uniform(-1e4, 1e4)) for _ in range(3))))
    numbers = [tuple(oban_write.f32(draw.choice((0, 1, -0.0, 1e-7, 123456789, draw.uniform(-2, 2)))) for _ in range(12))
               for _ in range(2)]
    keys.sort()
    return Clip(name, tuple(keys), draw.choice((0, 1, 0x1F, 0x2001)), numbers[0], numbers[1], draw.choice((1, 80)),
                keys[-1].frame + 1, draw.randint(0, 60))


def test_xml_and_oni_say_the_same_as_what_was_written():
    draw = random.Random(2)
    clips = [random_clip(draw, "clip_%d" % i) for i in range(40)]
    for clip in clips:
        assert repr(oban_eval.read_xml(oban_write.xml_bytes(clip), "OBAN" + clip.name)) == repr(clip)
        assert repr(oban_eval.read_oni(oban_write.oni_bytes([clip]))) == repr([clip])
    assert repr(oban_eval.read_oni(oban_write.oni_bytes(clips))) == repr(clips)


@pytest.mark.parametrize("value,text", [
    (0.1, "0.1"), (1 / 3, "0.333333343"), (1e-4, "0.0001"), (1e-5, "1E-05"), (1.545431e-08, "1.545431E-08"), (-0.0, "-0"),
    (1234567, "1234567"), (12345678, "12345678"), (123456789, "123456792"), (1e10, "1E+10"), (-225, "-225"), (9.3, "9.3"),
    (-0.005813241, "-0.005813241"), (0.719846249, "0.719846249"), (float("nan"), "NaN"), (float("-inf"), "-INF")])
def test_floats_are_written_as_dotnet_does(value, text):
    assert oban_write.dotnet_float(value) == text


@pytest.mark.skipif(not os.path.isdir(SAMPLES), reason="the sample files are not here")
def test_oni_layout_is_that_of_the_sample():
    with open(os.path.join(SAMPLES, "OBANshpadoinkle.oni"), "rb") as file:
        data = file.read()
    clips = oban_eval.read_oni(data)
    assert [c.name for c in clips] == ["shpadoinkle"]
    assert oban_write.oni_bytes(clips) == data


@pytest.mark.skipif(not os.path.isdir(SAMPLES), reason="the sample files are not here")
def test_xml_layout_is_that_of_the_sample():
    path = os.path.join(SAMPLES, "OBANwiki_sample.xml")
    clip, = oban_eval.read_file(path)
    with open(path, "rb") as file:
        assert oban_write.xml_bytes(clip) == file.read().rstrip(b"\n")
