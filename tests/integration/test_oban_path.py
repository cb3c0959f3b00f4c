# SPDX-License-Identifier: MIT
"""oban path: where an animation goes, as numbers and as a picture."""
import csv
import io
import os
import re
import xml.etree.ElementTree as tree

import pytest

import oban_write
from oban_tool import CLIP_COUNT, WAREHOUSE, as_json, good, refused, run

CRANE = os.path.join(WAREHOUSE, "OBANcrane.xml")
FORKLIFT = os.path.join(WAREHOUSE, "OBANforklift_chassis.xml")
IDENTITY = (0.0, 0.0, 0.0, 1.0)
SVG = "{http://www.w3.org/2000/svg}"


def put(folder, name, *keys, **more):
    path = folder / ("OBAN%s.xml" % name)
    clip = oban_write.Clip(name, tuple(oban_write.Key(frame, IDENTITY, position) for frame, position in keys), **more)
    path.write_bytes(oban_write.xml_bytes(clip))
    return path


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def numbers_in(text):
    return [float(word) for word in re.findall(r"-?[0-9.]+(?:e[-+]?[0-9]+)?", text)]


def lines_of(svg):
    """The points of each way of the picture, view by view."""
    root = tree.fromstring(svg)
    found = []
    for path in root.iter(SVG + "path"):
        if path.get("class") == "way" and "h" not in path.get("d"):
            values = numbers_in(path.get("d").replace("M", " ").replace("L", " "))
            found.append(list(zip(values[::2], values[1::2])))
    return found


def test_every_frame_and_how_far(tmp_path):
    path = put(tmp_path, "x", (0, (0.0, 0.0, 0.0)), (3, (9.0, 12.0, 0.0)), (4, (9.0, 12.0, 2.0)))
    told = rows(good("path", path))
    assert [row["frame"] for row in told] == ["0", "1", "2", "3", "4"]
    for row, way in zip(told, (0, 5, 10, 15, 17)):
        assert float(row["way"]) == pytest.approx(way) and row["name"] == "x"
        assert float(row["seconds"]) == pytest.approx(int(row["frame"]) / 60)
    assert [float(told[4][axis]) for axis in "xyz"] == [9, 12, 2]
    assert len(rows(good("path", "-a", "1-", "-n", "2", path))) == 2
    (clip,) = as_json("path", path)["clips"]
    assert clip["name"] == "x" and clip["points"][4] == {"frame": 4, "seconds": pytest.approx(4 / 60), "x": 9, "y": 12, "z": 2, "way": 17}


def test_positions_are_those_of_frames():
    by_frames = rows(good("frames", WAREHOUSE))
    by_path = rows(good("path", WAREHOUSE))
    assert len(by_frames) == len(by_path)
    assert [(r["name"], r["frame"], r["m9"], r["m10"], r["m11"]) for r in by_frames] == \
        [(r["name"], r["frame"], r["x"], r["y"], r["z"]) for r in by_path]


def test_a_picture_keeps_the_scale(tmp_path):
    """A right angle of 30 along x, 40 along z, 20 up: the same pixels per unit in both views and both ways."""
    path = put(tmp_path, "a<b&c", (0, (100.0, 0.0, 0.0)), (1, (130.0, 20.0, 0.0)), (2, (130.0, 20.0, 40.0)))
    svg = good("path", "--to", "svg", path)
    above, side = lines_of(svg)
    scale = (above[1][0] - above[0][0]) / 30
    assert scale > 0
    assert above[2][1] - above[1][1] == pytest.approx(40 * scale, abs=0.02) and above[1][1] == pytest.approx(above[0][1])
    assert side[1][0] == pytest.approx(above[1][0]) and side[0][1] - side[1][1] == pytest.approx(20 * scale, abs=0.02)
    root = tree.fromstring(svg)
    assert root.find(SVG + "title").text.startswith("The way of a<b&c")
    width, height = float(root.get("width")), float(root.get("height"))
    assert all(0 <= x <= width and 0 <= y <= height for line in (above, side) for x, y in line)


def test_marks():
    def marks(*words):
        root = tree.fromstring(good("path", "--to", "svg", *words, FORKLIFT))
        return [c for c in root.iter(SVG + "circle")]
    assert len(marks("-m", "100")) == 2 * 12
    assert len(marks("-m", "600")) == 2 * 2
    assert 2 * 5 < len(marks()) < 2 * 30


def test_several_in_one_picture(tmp_path):
    assert good("path", "-o", tmp_path / "all.svg", WAREHOUSE) == ""
    svg = (tmp_path / "all.svg").read_text()
    assert len(lines_of(svg)) == 2 * CLIP_COUNT
    names = [text.text for text in tree.fromstring(svg).iter(SVG + "text") if text.get("class") == "name"]
    assert len(names) == CLIP_COUNT and "crane, 180 frames" in names
    (line,) = refused("path", "-o", tmp_path / "all.svg", CRANE)
    assert "--force" in line and (tmp_path / "all.svg").read_text() == svg
    good("path", "-f", "-o", tmp_path / "all.svg", CRANE)


@pytest.mark.parametrize("keys", [[(0, (5.0, 5.0, 5.0))], [(0, (0.0, 0.0, 0.0)), (9, (0.0, 0.0, 0.0))],
                                  [(0, (-3e38, -3e38, -3e38)), (9, (3e38, 3e38, 3e38))], [(0, (1e-40, 0.0, 0.0)), (9, (0.0, 1e-40, 0.0))],
                                  [(0, (1e6, 0.0, 0.0)), (9, (1e6 + 0.25, 0.0, 0.0))], [(0, (0.0, 0.0, 0.0)), (32766, (0.0, 0.0, 1.0))]])
def test_strange_ways_are_drawn(tmp_path, keys):
    svg = good("path", "--to", "svg", put(tmp_path, "x", *keys))
    assert "nan" not in svg and "inf" not in svg and len(svg) < 2_000_000
    assert all(0 <= x <= 2000 and 0 <= y <= 2000 for line in lines_of(svg) for x, y in line)


def test_what_is_beyond_float32(tmp_path):
    path = put(tmp_path, "x", (0, (0.0, 0.0, 0.0)), (1, (3e38, 0.0, 0.0)), base=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 3e38, 0.0, 0.0))
    for words in ((), ("--to", "svg")):
        (line,) = refused("path", *words, path)
        assert line == "%s: x: its position at frame 1 is beyond float32" % path


@pytest.mark.parametrize("words", [(), ("--to", "png", CRANE), ("-o", "x.png", CRANE), ("-o", "x.json", CRANE), ("--to", "svg", "--json", CRANE),
                                   ("--to", "svg", "-a", "3", CRANE), ("-m", "5", CRANE), ("--to", "svg", "-m", "0", CRANE), ("-a", "x", CRANE)])
def test_a_wrong_command_line_is_64(words):
    done = run("path", *words)
    assert done.returncode == 64 and done.out == "" and done.err.startswith("oban: ")


def test_no_picture_of_less_than_all(tmp_path):
    (tmp_path / "bad.xml").write_text("<Oni>")
    assert str(tmp_path / "bad.xml") in refused("path", "-o", tmp_path / "p.svg", CRANE, tmp_path / "bad.xml")[0]
    assert not (tmp_path / "p.svg").exists()
    assert run("path", CRANE, tmp_path / "bad.xml").out.count("\n") == 181
