# SPDX-License-Identifier: MIT
"""`oban frames` and `oban info`: matrices against an evaluation that shares nothing with the tool, ranges, the hash."""
import json
import os
import shutil

import pytest

import oban_eval
import oban_write
from oban_tool import CLIP_COUNT, WAREHOUSE, as_json, good, refused, run

CRANE = os.path.join(WAREHOUSE, "OBANcrane.xml")


def rows(text):
    return [line.split(",") for line in text.splitlines()[1:]]


def test_the_matrices_are_the_daemons():
    """oban_eval is the judge of the daemon's matrices too."""
    for name in sorted(os.listdir(WAREHOUSE)):
        path = os.path.join(WAREHOUSE, name)
        (clip,) = oban_eval.read_file(path)
        for row in rows(good("frames", "--every", 7, path)):
            wanted = oban_eval.matrix_at(clip, int(row[1]))
            assert oban_eval.difference([float(v) for v in row[2:]], wanted) < 1e-5, (name, row[1])


@pytest.mark.parametrize("words,frames", [((), range(180)), (("--at", "7"), [7]), (("--at", "0-3"), [0, 1, 2, 3]), (("--at", "178-"), [178, 179]),
                                          (("--at", "0,5-6,179"), [0, 5, 6, 179]), (("--every", "60"), [0, 60, 120]),
                                          (("--at", "10-40", "--every", "10"), [10, 20, 30, 40]), (("--at", "3,1-99999999999", "--every", "100"), [1, 3, 101])])
def test_which_frames(words, frames):
    assert [int(row[1]) for row in rows(good("frames", *words, CRANE))] == list(frames)
    told = json.loads(good("frames", "--json", *words, CRANE))
    assert [f["frame"] for f in told["clips"][0]["frames"]] == list(frames)


def test_frames_that_are_not_there():
    (line,) = refused("frames", "--at", "180-", CRANE)
    assert line == "%s: crane: it has the frames 0 to 179, none of those asked for" % CRANE
    for word in ("", "x", "5-2", "1,", "-3", "1;2", "1 2"):
        assert run("frames", "--at", word, CRANE).returncode == 64, word
    assert run("frames", "--every", "0", CRANE).returncode == 64


def test_trs_is_the_matrix_taken_apart():
    for row in rows(good("frames", "--trs", "--every", 20, WAREHOUSE)):
        x, y, z, w = (float(v) for v in row[5:9])
        assert abs(x * x + y * y + z * z + w * w - 1) < 1e-5
        assert all(abs(float(v)) > 0 for v in row[9:])


def test_signs_do_not_turn():
    last = {}
    for row in rows(good("frames", "--trs", WAREHOUSE)):
        q = [float(v) for v in row[5:9]]
        assert row[0] not in last or sum(a * b for a, b in zip(q, last[row[0]])) > 0, row[:2]
        last[row[0]] = q


def test_the_hash_does_not_see_order_and_files(tmp_path):
    names = sorted(os.listdir(WAREHOUSE))
    paths = [os.path.join(WAREHOUSE, name) for name in names]
    one = good("frames", "--hash", WAREHOUSE)
    assert one == good("frames", "--hash", *paths) == good("frames", "--hash", *reversed(paths))
    assert json.loads(good("frames", "--hash", "--json", WAREHOUSE)) == {"hash": one.strip(), "clips": CLIP_COUNT}
    assert one != good("frames", "--hash", *paths[1:])
    shutil.copy(CRANE, tmp_path / "OBANother_name.xml")
    assert good("frames", "--hash", CRANE) != good("frames", "--hash", tmp_path / "OBANother_name.xml")


def test_no_hash_of_less_than_all(tmp_path):
    (tmp_path / "bad.xml").write_text("<Oni>")
    for words in ((tmp_path, CRANE), (CRANE, CRANE), (CRANE, "/nowhere")):
        done = run("frames", "--hash", *words)
        assert done.returncode == 1 and done.out == "" and done.err


def test_info_in_numbers():
    clip = as_json("info", CRANE)["clips"][0]
    assert (clip["name"], clip["frames"], clip["seconds"], clip["keys"], clip["flag_names"]) == ("crane", 180, 3, 13, ["BackToBackLoop"])
    for found, wanted in zip(clip["bounds"]["low"] + clip["bounds"]["high"], (-120, 95, 20, 120, 95, 20)):
        assert abs(found - wanted) < 1e-4, clip["bounds"]
    assert abs(clip["path"] - 240) < 0.5 and clip["looks"] == "object"
    camera = as_json("info", os.path.join(WAREHOUSE, "OBANcam_dolly.xml"))["clips"][0]
    assert camera["looks"] == "camera" and abs(camera["fov"]["across_4_3"] - 57.8224) < 1e-3
    door = as_json("info", os.path.join(WAREHOUSE, "OBANdoor_slide.xml"))["clips"][0]
    assert door["looks"] == "door" and door["half_stop"] == 50


def test_info_as_a_block_and_as_a_table():
    block = good("info", CRANE)
    assert block.startswith("crane\n") and "looks like object" in block
    table = good("info", WAREHOUSE)
    assert table.count("\n") == CLIP_COUNT + 2 and f"{CLIP_COUNT} animations in {CLIP_COUNT} files" in table
    assert good("info", "--long", WAREHOUSE).count("looks like") == CLIP_COUNT


def test_names_are_shown_safely(tmp_path):
    """A name that turns the order of what is read (U+202E) comes out escaped."""
    clip = oban_write.Clip("x", (oban_write.Key(0, (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)),))
    (tmp_path / "OBANa\u202eb.xml").write_bytes(oban_write.xml_bytes(clip))
    assert "\u202e" not in good("info", tmp_path) and "\\u202e" in good("info", tmp_path)
    assert as_json("info", tmp_path)["clips"][0]["name"] == "a\u202eb"
