# SPDX-License-Identifier: MIT
"""Levels by the tool: objects between .dat, level XML and scenes, beside animations and alone."""
import json
import os

import pytest

from oban_tool import CLIP_COUNT, WAREHOUSE, as_json, good, refused, run

SCENE = os.path.join(WAREHOUSE, "..", "scene.json")


def objects_of(path):
    return [(o["object"], o.get("part", 0), o.get("name"), o.get("anim"), o["matrix"]) for o in json.loads(open(path, encoding="utf-8").read())["objects"]]


@pytest.fixture()
def level(tmp_path):
    """A .dat of all animations and objects of the example."""
    done = run("convert", "-o", tmp_path / "level3_Final.dat", WAREHOUSE, SCENE)
    assert done.returncode == 0
    assert "objects wait for scripts" in done.err and "no camera" in done.err and len(done.err.splitlines()) == 2
    return tmp_path / "level3_Final.dat"


def test_a_level_is_clean_and_holds_all(level):
    assert good("check", level) == ""
    told = as_json("info", level)
    assert len(told["clips"]) == CLIP_COUNT and len(told["objects"]) == 15
    assert good("frames", "--hash", level) == good("frames", "--hash", WAREHOUSE)


def test_objects_come_back_as_the_scene(level, tmp_path):
    good("convert", "--objects", "-o", tmp_path / "back.json", level)
    assert objects_of(tmp_path / "back.json") == objects_of(SCENE)
    assert good("check", tmp_path / "back.json", WAREHOUSE) == ""


def test_a_level_into_a_folder(level, tmp_path):
    good("convert", "--to", "xml", "-o", tmp_path / "out", level)
    assert sorted(os.listdir(tmp_path / "out")) == sorted([*os.listdir(WAREHOUSE), "OBOAlevel3_Final.xml"])
    for name in os.listdir(WAREHOUSE):
        with open(os.path.join(WAREHOUSE, name), "rb") as file:
            assert (tmp_path / "out" / name).read_bytes() == file.read(), name
    good("convert", "-o", tmp_path / "level3_Again.dat", tmp_path / "out")
    assert as_json("info", tmp_path / "level3_Again.dat")["objects"] == as_json("info", level)["objects"]


@pytest.mark.parametrize("words", [("x.xml",), ("x.xml", "--physics"), ("x.dat",), ("x.json",)])
def test_objects_alone_through_each_form(words, level, tmp_path):
    good("convert", "--objects", "-o", tmp_path / words[0], *words[1:], level)
    assert good("check", tmp_path / words[0]) == ""
    done = run("convert", "-o", tmp_path / "last.json", tmp_path / words[0])
    assert done.returncode == 0, done.err
    found, wanted = objects_of(tmp_path / "last.json"), objects_of(SCENE)
    assert [o[:4] for o in found] == [o[:4] for o in wanted]
    for one, other in zip(found, wanted):
        assert all(abs(a - b) <= 1e-6 * max(1, abs(b)) for a, b in zip(one[4], other[4])), (words, one, other)


@pytest.mark.parametrize("to", ("oni", "csv"))
def test_what_holds_no_objects_says_so(to, level, tmp_path):
    done = run("convert", "--to", to, "-o", tmp_path / "out", level)
    assert done.returncode == 0
    assert done.err == "%s: objects: 15 are left out: %s holds none\n" % (level, to)
    assert "nothing to put" in refused("convert", "--to", to, "-o", tmp_path / "no", SCENE)[-1]


def test_one_json_of_both_says_what_is_left_out(level, tmp_path):
    done = run("convert", "-o", tmp_path / "all.json", level)
    assert done.returncode == 0 and "15 are left out" in done.err and "--objects" in done.err


def test_a_scale_of_three_numbers_is_told(tmp_path):
    (tmp_path / "s.json").write_text('{"objects":[{"object":1,"matrix":[1,0,0,0,2,0,0,0,3,0,0,0]}]}')
    done = run("convert", "-o", tmp_path / "l.dat", tmp_path / "s.json")
    assert done.returncode == 0 and "its scale is not one number" in done.err
    assert as_json("info", tmp_path / "l.dat")["objects"][0]["matrix"] == [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]


def test_long_names_are_refused_by_the_writers(tmp_path):
    source = tmp_path / ("OBAN" + "n" * 60 + ".xml")
    with open(os.path.join(WAREHOUSE, "OBANcrane.xml"), "rb") as file:
        source.write_bytes(file.read())
    for words in (("--to", "oni", "-o", tmp_path / "out"), ("-o", tmp_path / "a.dat")):
        (line,) = refused("convert", *words, source)
        assert "60 bytes" in line and "59" in line
    assert not (tmp_path / "out").exists() and not (tmp_path / "a.dat").exists()


@pytest.mark.parametrize("words", [("--to", "dat", "x.xml"), ("--to", "dat", "-o", "out/", "x.xml"), ("--to", "csv", "--objects", "x.xml"),
                                   ("--to", "json", "--physics", "x.xml"), ("-o", "a.dat", "--level", "128", "x.xml")])
def test_a_wrong_command_line_is_64(words, tmp_path):
    assert run("convert", *words, cwd=tmp_path).returncode == 64
