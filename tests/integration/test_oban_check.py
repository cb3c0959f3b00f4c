# SPDX-License-Identifier: MIT
"""`oban check`: each broken file of tests/broken by its fault and nothing else; silent on what is clean."""
import importlib.util
import json
import os

import pytest

from oban_tool import CLIP_COUNT, ROOT, WAREHOUSE, as_json, good, refused, run

BROKEN = os.path.join(ROOT, "tests", "broken")
with open(os.path.join(BROKEN, "expected.json"), encoding="utf-8") as file:
    EXPECTED = json.load(file)


def test_there_are_forty_and_they_are_what_the_script_makes(tmp_path):
    spec = importlib.util.spec_from_file_location("make_broken", os.path.join(BROKEN, "make.py"))
    make_broken = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_broken)
    assert make_broken.make(tmp_path) == EXPECTED and len(EXPECTED) >= 40
    here = set(os.listdir(BROKEN)) - {"make.py", "__pycache__"}
    assert here == set(os.listdir(tmp_path))
    for name in here:
        with open(os.path.join(BROKEN, name), "rb") as one, open(tmp_path / name, "rb") as other:
            assert one.read() == other.read(), name


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_each_is_named_and_nothing_else(name):
    path = os.path.join(BROKEN, name)
    (line,) = refused("check", path)
    file, where, what = line.split(": ", 2)
    assert file == path and where and EXPECTED[name] in what, line


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_each_is_told_to_programs(name):
    done = run("check", "--json", os.path.join(BROKEN, name))
    (fault,) = json.loads(done.out)["faults"]
    assert done.returncode == 1
    assert EXPECTED[name] in fault["what"] and fault["severity"] in ("error", "warning")
    assert any(place in fault for place in ("line", "offset")) or name.startswith(("json-", "scene-", "xml-empty"))


def test_what_the_daemon_refuses_ends_info_with_1():
    for name in EXPECTED:
        done = run("check", "--json", os.path.join(BROKEN, name))
        (fault,) = json.loads(done.out)["faults"]
        info = run("info", os.path.join(BROKEN, name))
        assert info.returncode == (1 if fault["severity"] == "error" else 0), (name, info.err)


def test_errors_only():
    assert good("check", "--errors", os.path.join(BROKEN, "OBANsign-flip.xml")) == ""
    assert len(refused("check", "--errors", os.path.join(BROKEN, "OBANkey-nan.xml"))) == 1


def test_clean_is_silent():
    assert good("check", WAREHOUSE, os.path.join(WAREHOUSE, "..", "scene.json")) == ""
    assert as_json("check", WAREHOUSE) == {"files": CLIP_COUNT, "clips": CLIP_COUNT, "faults": []}


def test_a_scene_is_checked_against_the_animations():
    lines = refused("check", os.path.join(WAREHOUSE, "OBANcrane.xml"), os.path.join(WAREHOUSE, "..", "scene.json"))
    assert any("no animation 'truck_in'" in line for line in lines)
    assert not any("'crane'" in line for line in lines)


def test_one_name_in_two_files(tmp_path):
    for name in ("OBANa.xml", "a.xml", "OBANA.xml"):
        with open(os.path.join(WAREHOUSE, "OBANcrane.xml"), "rb") as source:
            (tmp_path / name).write_bytes(source.read())
    lines = refused("check", tmp_path)
    assert len(lines) == 2 and any("the first counts" in line for line in lines) and any("other case" in line for line in lines)


def test_what_is_no_file_of_animations(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "big.xml").touch()
    os.truncate(tmp_path / "big.xml", (256 << 20) + 1)
    for path, told in (("/dev/zero", "no regular file"), (tmp_path / "pipe.xml", "no regular file"), (tmp_path / "folder", "no file of animations"),
                       (tmp_path / "big.xml", "over 256 MiB"), (tmp_path / "none.xml", "No such file"), (tmp_path, "no regular file")):
        lines = refused("check", path, seconds=10)
        assert any(told in line for line in lines), (path, lines)
        assert all(len(line.split(": ", 2)) == 3 for line in lines)
    (line,) = refused("check", "-")
    assert line == "-: file: error: it is empty"


def test_nothing_to_check_is_misuse():
    assert run("check").returncode == 64
