# SPDX-License-Identifier: MIT
"""oban diff: what differs, how far, and its exit codes."""
import json
import math
import os
import shutil

import pytest

import oban_write
from oban_tool import CLIP_COUNT, ROOT, WAREHOUSE, as_json, good, refused, run

CRANE = os.path.join(WAREHOUSE, "OBANcrane.xml")
IDENTITY = (0.0, 0.0, 0.0, 1.0)


def put(folder, name, keys, **more):
    path = folder / ("OBAN%s.xml" % name)
    path.write_bytes(oban_write.xml_bytes(oban_write.Clip(name, tuple(oban_write.Key(*k) for k in keys), **more)))
    return path


def differs(*words, code=3):
    done = run("diff", *words)
    assert (done.returncode, done.err) == (code, ""), done.err
    return done.out


def test_the_same_is_silent(tmp_path):
    assert good("diff", CRANE, CRANE) == ""
    assert good("diff", WAREHOUSE, os.path.join(ROOT, "examples", "warehouse", "oni")) == ""
    good("convert", "-o", tmp_path / "level3_Final.dat", WAREHOUSE)
    assert as_json("diff", WAREHOUSE, tmp_path / "level3_Final.dat") == {
        "different": [], "only_first": [], "only_second": [], "compared": CLIP_COUNT}


def test_distance_and_angle_and_their_frames(tmp_path):
    turn = math.radians(30) / 2
    a = put(tmp_path, "a", [(0, IDENTITY, (0.0, 0.0, 0.0)), (10, IDENTITY, (10.0, 0.0, 0.0))])
    b = put(tmp_path, "b", [(0, IDENTITY, (0.0, 0.0, 0.0)), (10, (0.0, math.sin(turn), 0.0, math.cos(turn)), (10.0, 3.0, 4.0))])
    text = differs(a, b)
    assert text.splitlines()[0] == "a and b"
    assert "  distance     5 units at frame 10\n" in text
    (found,) = json.loads(run("diff", "--json", a, b).out)["different"]
    assert (found["name"], found["other_name"], found["distance_at"], found["angle_at"]) == ("a", "b", 10, 10)
    assert found["distance"] == pytest.approx(5) and found["angle"] == pytest.approx(30, abs=1e-5)
    assert found["keys"] == [2, 2] and found["data"] is True and found["start"] is False
    assert good("diff", "-t", "5.01", "-a", "31", a, b) == ""
    assert differs("-t", "5.01", a, b) and differs("-a", "31", a, b)


def test_a_small_angle_is_not_lost(tmp_path):
    tiny = math.radians(0.001) / 2
    a = put(tmp_path, "a", [(0, IDENTITY, (0.0, 0.0, 0.0))])
    b = put(tmp_path, "b", [(0, (0.0, -math.sin(tiny), 0.0, -math.cos(tiny)), (0.0, 0.0, 0.0))])
    assert "angle        0.001" in differs(a, b)
    assert good("diff", "-a", "0.0011", a, b) == ""


def test_numbers_of_the_file(tmp_path):
    keys = [(0, IDENTITY, (0.0, 0.0, 0.0)), (9, IDENTITY, (1.0, 0.0, 0.0))]
    a = put(tmp_path, "a", keys)
    b = put(tmp_path, "b", keys, flags=3, half_stop=4)
    text = differs(a, b)
    assert "  flags        0x0, 0x3\n" in text and "  half_stop    0, 4\n" in text and "distance" not in text
    assert differs("-t", "1", a, b)


def test_more_keys_that_show_the_same(tmp_path):
    a = put(tmp_path, "a", [(0, IDENTITY, (0.0, 0.0, 0.0)), (4, IDENTITY, (4.0, 0.0, 0.0))])
    b = put(tmp_path, "b", [(0, IDENTITY, (0.0, 0.0, 0.0)), (2, IDENTITY, (2.0, 0.0, 0.0)), (4, IDENTITY, (4.0, 0.0, 0.0))])
    assert "  keys         2, 3\n" in differs(a, b)
    assert good("diff", "-t", "0", a, b) == ""


def test_what_one_side_alone_has(tmp_path):
    shutil.copytree(WAREHOUSE, tmp_path / "b")
    os.remove(tmp_path / "b" / "OBANcrane.xml")
    put(tmp_path / "b", "new", [(0, IDENTITY, (0.0, 0.0, 0.0))])
    text = differs(WAREHOUSE, tmp_path / "b")
    assert text == "crane\n  only in %s\nnew\n  only in %s\n" % (WAREHOUSE, tmp_path / "b")
    told = json.loads(run("diff", "--json", WAREHOUSE, tmp_path / "b").out)
    assert (told["only_first"], told["only_second"], told["compared"]) == (["crane"], ["new"], CLIP_COUNT - 1)


def test_a_wrong_file_is_1_and_nothing_is_compared(tmp_path):
    (tmp_path / "bad.xml").write_text("<Oni>")
    (tmp_path / "none").mkdir()
    for second in ("bad.xml", "none", "nowhere"):
        lines = refused("diff", CRANE, tmp_path / second)
        assert str(tmp_path / second) in lines[0]
        assert run("diff", CRANE, tmp_path / second).out == ""


@pytest.mark.parametrize("words", [(), (CRANE,), (CRANE, CRANE, CRANE), ("-t", "-1", CRANE, CRANE), ("-a", "x", CRANE, CRANE)])
def test_a_wrong_command_line_is_64(words):
    assert run("diff", *words).returncode == 64
