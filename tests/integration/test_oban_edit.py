# SPDX-License-Identifier: MIT
"""`oban edit` and `oban look`: what the frames are afterwards, by numbers, and what is refused."""
import math
import os

import pytest

import oban_write
from oban_tool import OBAN, WAREHOUSE, as_json, good, refused, run

DOOR = os.path.join(WAREHOUSE, "OBANdoor_slide.xml")
DOLLY = os.path.join(WAREHOUSE, "OBANcam_dolly.xml")
MAST = os.path.join(WAREHOUSE, "OBANforklift_mast.xml")


def frames(path):
    made = as_json("frames", path)["clips"]
    assert len(made) == 1
    return [f["matrix"] for f in made[0]["frames"]]


def info(path):
    return as_json("info", path)["clips"][0]


def edit(source, out, *steps):
    good("edit", source, *steps, "-o", out)
    return frames(out)


def complaint(*words):
    return "\n".join(refused(*words))


def near(one, other, most=2e-3):
    assert len(one) == len(other)
    for a, b in zip(one, other):
        assert max(abs(x - y) for x, y in zip(a, b)) <= most


def test_cut_reverse_and_double(tmp_path):
    was = frames(DOLLY)
    near(edit(DOLLY, tmp_path / "a.xml", "--cut", "100..200"), was[100:201])
    near(edit(DOLLY, tmp_path / "b.xml", "--reverse"), was[::-1])
    near(edit(DOLLY, tmp_path / "c.xml", "--retime", "2x")[::2], was)
    near(edit(DOLLY, tmp_path / "d.xml", "--cut", "100..200", "--reverse", "--reverse"), was[100:201])
    near(edit(DOLLY, tmp_path / "e.xml", "--delay", "3")[3:], was)


def test_steps_go_in_their_order(tmp_path):
    was = frames(DOLLY)
    near(edit(DOLLY, tmp_path / "a.xml", "--reverse", "--cut", "0..10"), was[:-12:-1])
    near(edit(DOLLY, tmp_path / "b.xml", "--cut", "0..10", "--reverse"), was[10::-1])


def test_shift_and_mirror(tmp_path):
    was = frames(MAST)
    moved = edit(MAST, tmp_path / "a.xml", "--shift", "-1", "2.5", "3")
    near(moved, [m[:9] + [m[9] - 1, m[10] + 2.5, m[11] + 3] for m in was])
    sign = [1, 1, -1] * 3 + [1, 1, -1]
    turn = [1, 1, 1, 1, 1, 1, -1, -1, -1, 1, 1, 1]
    near(edit(MAST, tmp_path / "b.xml", "-m", "z"), [[x * s * t for x, s, t in zip(m, sign, turn)] for m in was])


def test_world_and_local(tmp_path):
    was = frames(DOOR)
    out = tmp_path / "world.xml"
    origin = ("--origin", "10", "20", "30", "0", "90", "0", "2")
    world = edit(DOOR, out, *origin, "--to-world")
    # A quarter turn about y: x to -z, z to x; twice as large.
    near(world, [[f for c in range(4) for f in (2 * m[3 * c + 2] + 10 * (c == 3), 2 * m[3 * c + 1] + 20 * (c == 3),
                                                -2 * m[3 * c] + 30 * (c == 3))] for m in was])
    assert info(out)["flags"] == 0
    near(edit(out, tmp_path / "back.xml", *origin, "--to-local"), was)
    assert info(tmp_path / "back.xml")["half_stop"] == info(DOOR)["half_stop"]


def test_join_and_loop(tmp_path):
    was = frames(DOLLY)
    near(edit(DOLLY, tmp_path / "twice.xml", "--join", DOLLY), was + was)
    bent = edit(DOLLY, tmp_path / "loop.xml", "--loop", "60")
    near(bent[:540], was[:540])
    assert math.dist(bent[-1][9:], bent[0][9:]) < 0.01 * math.dist(was[-1][9:], was[0][9:])
    assert info(tmp_path / "loop.xml")["flags"] == 1


def test_numbers(tmp_path):
    out = tmp_path / "a.xml"
    good("edit", DOOR, "--flags", "+loop,-local", "--half-stop", "0", "--frame-length", "80", "-o", out)
    assert info(out)["flags"] == 1 and info(out)["half_stop"] == 0
    good("edit", DOOR, "--flags", "17", "-o", tmp_path / "b.xml")
    assert info(tmp_path / "b.xml")["flags"] == 17


def test_reduce_keeps_the_motion(tmp_path):
    was = frames(DOLLY)
    good("edit", DOLLY, "--resample", "1", "-o", tmp_path / "all.xml")
    assert info(tmp_path / "all.xml")["keys"] == 601
    near(edit(tmp_path / "all.xml", tmp_path / "few.xml", "--reduce"), was, 3e-3)
    assert info(tmp_path / "few.xml")["keys"] <= info(DOLLY)["keys"]


def test_bake_base(tmp_path):
    base = (0.0, 2.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 3.0, 4.0, 5.0)
    turn = (0.0, 0.38268343, 0.0, 0.92387953)
    clip = oban_write.Clip("b", (oban_write.Key(0, (0, 0, 0, 1), (0, 0, 0)), oban_write.Key(20, turn, (9, 0, 0))), base=base)
    source = tmp_path / "OBANb.xml"
    source.write_bytes(oban_write.xml_bytes(clip))
    near(edit(source, tmp_path / "a.xml", "--bake-base"), frames(source), 3e-3)
    text = (tmp_path / "a.xml").read_text()
    numbers = [float(n) for n in text.split("<BaseTransform>")[1].split("<")[0].split()]
    assert [round(n, 5) for n in numbers] == [2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]


def test_a_level_keeps_its_objects(tmp_path):
    level = tmp_path / "level3_Final.dat"
    clip = oban_write.Clip("van", (oban_write.Key(0, (0, 0, 0, 1), (0, 0, 0)), oban_write.Key(9, (0, 0, 0, 1), (9, 0, 0))))
    level.write_bytes(oban_write.dat_bytes([clip], [oban_write.Object(201, "van", "van")], 3))
    out = tmp_path / "level4_Final.dat"
    good("edit", level, "--reverse", "-o", out)
    assert frames(out)[0][9] == 9
    assert b"van" in out.read_bytes() and len(out.read_bytes()) == len(level.read_bytes())


@pytest.mark.parametrize("steps, said", [
    (("--cut", "5..700"), "cam_dolly: --cut: there are no such frames; it has 0 to 600"),
    (("--to-world",), "cam_dolly: --to-world: it is not local already"),
    (("--loop", "700"), "cam_dolly: --loop: it has not more frames than that"),
    (("--retime", "200x"), "cam_dolly: --retime: an animation has at most 65,535 frames"),
    (("--join", DOOR), "cam_dolly: --join: the other has another base, or one of them is local and one not"),
])
def test_refused_steps(steps, said, tmp_path):
    assert said in complaint("edit", DOLLY, *steps, "-o", tmp_path / "a.xml")
    assert not (tmp_path / "a.xml").exists()


@pytest.mark.parametrize("steps", [("--cut", "5"), ("--retime", "0x"), ("--mirror", "w"), ("--flags", "+door"),
                                   ("--shift", "1", "2", "x"), ("--origin", "1", "2", "3", "0", "0", "0", "0")])
def test_wrong_words(steps, tmp_path):
    done = run("edit", DOLLY, *steps, "-o", tmp_path / "a.xml")
    assert done.returncode == 64 and "--" + steps[0][2:] in done.err
    assert not (tmp_path / "a.xml").exists()


# ---- look ----

def looks(matrix, eye, target):
    way = [t - e for t, e in zip(target, eye)]
    length = math.hypot(*way)
    assert max(abs(m + w / length) for m, w in zip(matrix[6:9], way)) < 1e-5
    assert max(abs(m - e) for m, e in zip(matrix[9:], eye)) < 1e-3
    assert abs(matrix[1]) < 1e-5  # its x lies level


def test_one_view(tmp_path):
    out = tmp_path / "OBANcam_gate.xml"
    good("look", "-e", "-60", "40", "20", "-t", "0", "10", "0", "-o", out)
    assert info(out)["name"] == "cam_gate" and info(out)["frames"] == 1
    looks(frames(out)[0], (-60, 40, 20), (0, 10, 0))
    good("check", out)


def test_a_path(tmp_path):
    out = tmp_path / "OBANpath.xml"
    views = ("-e", "0", "10", "100", "-t", "0", "10", "0", "-e", "100", "10", "100", "-e", "100", "10", "0")
    good("look", *views, "-n", "201", "-o", out)
    made = frames(out)
    assert len(made) == 201
    looks(made[0], (0, 10, 100), (0, 10, 0))
    looks(made[100], (100, 10, 100), (0, 10, 0))
    steps = [math.dist(a[9:], b[9:]) for a, b in zip(made, made[1:])]
    assert max(steps) - min(steps) < 0.02
    good("look", *views, "--smooth", "-n", "201", "-o", tmp_path / "smooth.xml")
    looks(frames(tmp_path / "smooth.xml")[200], (100, 10, 0), (0, 10, 0))


def test_a_file_of_views(tmp_path):
    views = tmp_path / "views.csv"
    views.write_text("x,y,z,tx,ty,tz,frame\r\n0,0,0,0,0,-9,0\r\n10,0,0,10,0,-9,30\r\n\r\n10,0,50,10,0,-9,100\r\n")
    good("look", views, "-o", tmp_path / "a.xml")
    made = frames(tmp_path / "a.xml")
    assert len(made) == 101
    looks(made[15], (5, 0, 0), (5, 0, -9))
    looks(made[30], (10, 0, 0), (10, 0, -9))


@pytest.mark.parametrize("words, said", [
    (("-e", "1", "2", "3", "-t", "1", "2", "3"), "look: frame 0: the eye is at the target"),
    (("-e", "0", "9", "0", "-t", "0", "0", "0"), "look: frame 0: up points along the look"),
    (("-e", "0", "0", "9", "-t", "0", "0", "0", "-a", "4", "-e", "1", "1", "9"), "look: frames: a path names the frame of each"),
])
def test_views_that_are_none(words, said, tmp_path):
    assert said in complaint("look", *words, "-o", tmp_path / "a.xml")
    assert not (tmp_path / "a.xml").exists()


def test_bad_files_of_views(tmp_path):
    views = tmp_path / "views.csv"
    for text, said in (("1,2,3\n", "line 1: expected 6 numbers"), ("1,2,3,4,5,x\n", "found 'x'"), ("\n\n", "it holds no view"),
                       ("0,0,0,1,0,0,-3\n", "a frame from 0")):
        views.write_text(text)
        assert said in complaint("look", views, "-o", tmp_path / "a.xml")
