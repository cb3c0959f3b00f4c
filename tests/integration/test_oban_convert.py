# SPDX-License-Identifier: MIT
"""`oban convert`: the same bytes there and back, names, and what it must not do to files that are there."""
import os
import signal
import stat
import subprocess

import pytest

import oban_write
from oban_tool import CLIP_COUNT, OBAN, WAREHOUSE, as_json, good, refused, run

TABLES = ("csv", "json")
MODELS = ("dae", "gltf", "glb")


def clip(name, x=1.0, **more):
    keys = (oban_write.Key(0, (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)), oban_write.Key(10, (0.0, 0.0, 0.0, 1.0), (x, 0.0, 0.0)))
    return oban_write.Clip(name, keys, **more)


def put(folder, name, **more):
    path = folder / ("OBAN%s.xml" % name)
    path.write_bytes(oban_write.xml_bytes(clip(name, **more)))
    return path


def listing(folder):
    return sorted(os.listdir(folder))


def same_folders(one, other):
    assert listing(one) == listing(other)
    for name in listing(one):
        with open(os.path.join(one, name), "rb") as a, open(os.path.join(other, name), "rb") as b:
            assert a.read() == b.read(), name


@pytest.mark.parametrize("to", ("oni", *TABLES, *MODELS))
def test_there_and_back_loses_nothing(to, tmp_path):
    good("convert", "--to", to, "-o", tmp_path / "there", WAREHOUSE)
    good("convert", "--to", "xml", "-o", tmp_path / "back", tmp_path / "there")
    same_folders(WAREHOUSE, tmp_path / "back")
    assert good("frames", "--hash", tmp_path / "there") == good("frames", "--hash", WAREHOUSE)


@pytest.mark.parametrize("to", ("oni", "dat", *TABLES, *MODELS))
def test_all_in_one_file(to, tmp_path):
    good("convert", "-o", tmp_path / ("all." + to), WAREHOUSE)
    good("convert", "--to", "xml", "-o", tmp_path / "back", tmp_path / ("all." + to))
    same_folders(WAREHOUSE, tmp_path / "back")
    assert good("frames", "--hash", tmp_path / ("all." + to)) == good("frames", "--hash", WAREHOUSE)


@pytest.mark.parametrize("to", ("xml", "oni", *TABLES, *MODELS))
def test_once_more_changes_nothing(to, tmp_path):
    source = os.path.join(WAREHOUSE, "OBANdoor_slide.xml")
    good("convert", "--to", to, "-o", tmp_path / "one/", source)
    good("convert", "--to", to, "-o", tmp_path / "two/", tmp_path / "one")
    good("convert", "--to", to, "-o", tmp_path / "three/", tmp_path / "two")
    same_folders(tmp_path / "one", tmp_path / "three")


@pytest.mark.parametrize("to", TABLES)
def test_per_frame_and_every_frame(to, tmp_path):
    source = os.path.join(WAREHOUSE, "OBANcrane.xml")
    good("convert", "--per-frame", "-o", tmp_path / ("crane." + to), source)
    assert as_json("info", tmp_path / ("crane." + to))["clips"][0]["keys"] == 180
    good("convert", "-o", tmp_path / ("few." + to), source)
    good("convert", "--every-frame", "-o", tmp_path / "many.xml", tmp_path / ("few." + to))
    assert as_json("info", tmp_path / "many.xml")["clips"][0]["keys"] == 180
    near = [[float(v) for v in line.split(",")[2:]] for line in good("frames", tmp_path / "many.xml").splitlines()[1:]]
    exact = [[float(v) for v in line.split(",")[2:]] for line in good("frames", source).splitlines()[1:]]
    assert len(near) == len(exact) == 180
    assert all(abs(a - b) < 1e-5 * max(1, abs(b)) for one, other in zip(near, exact) for a, b in zip(one, other))


@pytest.mark.parametrize("to", TABLES)
def test_a_tolerance_makes_few_keys_of_many_rows(to, tmp_path):
    source = os.path.join(WAREHOUSE, "OBANcam_dolly.xml")
    good("convert", "--per-frame", "-o", tmp_path / ("many." + to), source)
    keys = []
    for tolerance in (0.5, 0.001):
        good("convert", "-f", "--tolerance", tolerance, "--tolerance-angle", 0.05, "-o", tmp_path / "few.oni", tmp_path / ("many." + to))
        keys.append(as_json("info", tmp_path / "few.oni")["clips"][0]["keys"])
        for one, other in zip(good("frames", tmp_path / "few.oni").splitlines()[1:], good("frames", source).splitlines()[1:]):
            assert all(abs(float(a) - float(b)) < tolerance * 1.001 + 1e-4 for a, b in zip(one.split(",")[11:], other.split(",")[11:]))
    assert 2 <= keys[0] < keys[1] < 300


@pytest.mark.parametrize("to", MODELS)
@pytest.mark.parametrize("words", [("--camera",), ("--box",), ("--per-frame",), ("--camera", "--per-frame")])
def test_models_with_a_camera_or_a_box(words, to, tmp_path):
    good("convert", *words, "-o", tmp_path / ("all." + to), WAREHOUSE)
    assert good("frames", "--hash", tmp_path / ("all." + to)) == good("frames", "--hash", WAREHOUSE)
    assert (b"camera" in (tmp_path / ("all." + to)).read_bytes()) == ("--camera" in words)


def test_what_frames_prints_comes_in_again(tmp_path):
    for name, words in (("m.csv", ()), ("t.csv", ("--trs",)), ("m.json", ("--json",)), ("t.json", ("--trs", "--json"))):
        (tmp_path / name).write_text(good("frames", *words, WAREHOUSE))
        clips = as_json("info", tmp_path / name)["clips"]
        assert [c["name"] for c in clips] == [c["name"] for c in as_json("info", WAREHOUSE)["clips"]]
        assert [c["frames"] for c in clips] == [c["frames"] for c in as_json("info", WAREHOUSE)["clips"]]


def test_xml_keeps_its_mark_and_its_line_ends(tmp_path):
    text = oban_write.xml_bytes(clip("x"))
    for name, made in (("plain", text), ("crlf", text.replace(b"\n", b"\r\n")), ("mark", b"\xef\xbb\xbf" + text),
                       ("both", b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))):
        (tmp_path / ("OBAN%s.xml" % name)).write_bytes(made)
        good("convert", "--to", "xml", "-o", tmp_path / "out/", tmp_path / ("OBAN%s.xml" % name))
        assert (tmp_path / "out" / ("OBAN%s.xml" % name)).read_bytes() == made


def test_beside_the_source(tmp_path):
    put(tmp_path, "a")
    (tmp_path / "b.xml").write_bytes(oban_write.xml_bytes(clip("b")))
    good("convert", "--to", "json", tmp_path)
    assert listing(tmp_path) == ["OBANa.json", "OBANa.xml", "b.json", "b.xml"]


def test_standard_input_and_output():
    with open(os.path.join(WAREHOUSE, "OBANcrane.xml"), "rb") as source:
        text = source.read()
    assert run("convert", "--to", "xml", "-o", "-", "-", stdin=text).stdout == text
    table = run("convert", "--to", "csv", "--name", "crane", "-o", "-", "-", stdin=text).stdout
    assert table.startswith(b"# name: crane\n")
    assert run("convert", "--to", "xml", "-", stdin=text).returncode == 64


def test_a_file_names_its_one_animation(tmp_path):
    put(tmp_path, "a")
    good("convert", "-o", tmp_path / "OBANnew%20name.xml", tmp_path / "OBANa.xml")
    assert as_json("info", tmp_path / "OBANnew%20name.xml")["clips"][0]["name"] == "new name"
    lines = refused("convert", "-o", tmp_path / "OBAN.xml", tmp_path / "OBANa.xml")
    assert "'' cannot be written: has no name" in lines[0]


def test_names_that_file_systems_forbid_and_names_that_differ_by_case(tmp_path):
    rows = "".join("%s,0,0,0,0\n" % name for name in ("a/b", "Van", "van", "100%", '"x,""y"":z"'))
    (tmp_path / "in.csv").write_text("name,frame,x,y,z\n" + rows)
    good("convert", "--to", "xml", "-o", tmp_path / "out", tmp_path / "in.csv")
    assert listing(tmp_path / "out") == ["OBAN%76an.xml", "OBAN100%25.xml", "OBANVan.xml", "OBANa%2Fb.xml", "OBANx,%22y%22%3Az.xml"]
    names = {c["name"] for c in as_json("info", tmp_path / "out")["clips"]}
    assert names == {"a/b", "Van", "van", "100%", 'x,"y":z'}


# ---- what it must not do ---------------------------------------------------------------------------------------------

def test_nothing_is_overwritten_unasked(tmp_path):
    put(tmp_path, "a")
    put(tmp_path, "b")
    out = tmp_path / "out"
    out.mkdir()
    (out / "OBANb.csv").write_text("mine")
    lines = refused("convert", "--to", "csv", "-o", out, tmp_path)
    assert lines == ["%s: file: is there already; --force overwrites it" % (out / "OBANb.csv")]
    assert listing(out) == ["OBANb.csv"] and (out / "OBANb.csv").read_text() == "mine"
    good("convert", "--force", "--to", "csv", "-o", out, tmp_path)
    assert listing(out) == ["OBANa.csv", "OBANb.csv"] and (out / "OBANb.csv").read_text() != "mine"


def test_a_link_stays_a_link_and_the_mode_stays(tmp_path):
    source = put(tmp_path, "a")
    real = tmp_path / "real.csv"
    real.write_text("mine")
    os.chmod(real, 0o640)
    link = tmp_path / "link.csv"
    link.symlink_to("real.csv")
    assert "is there already" in refused("convert", "-o", link, source)[0] and real.read_text() == "mine"
    good("convert", "-f", "-o", link, source)
    assert link.is_symlink() and real.read_text().startswith("# name: a\n")
    assert stat.S_IMODE(os.stat(real).st_mode) == 0o640
    loose = tmp_path / "loose.csv"
    loose.symlink_to("nowhere.csv")
    assert "leads nowhere" in refused("convert", "-f", "-o", loose, source)[0]
    assert loose.is_symlink() and not os.path.exists(tmp_path / "nowhere.csv")


def test_a_refused_conversion_leaves_no_folder(tmp_path):
    put(tmp_path, "a")
    (tmp_path / "bad.xml").write_text("<Oni>")
    assert "not written" in refused("convert", "-o", tmp_path / "new" / "deep" / "all.csv", tmp_path)[-1]
    refused("convert", "--to", "csv", "-o", tmp_path / "new" / "only", tmp_path / "bad.xml")
    assert not (tmp_path / "new").exists()
    refused("convert", "-k", "-o", tmp_path / "new" / "deep" / "all.csv", tmp_path)
    assert listing(tmp_path / "new" / "deep") == ["all.csv"]


def test_into_a_folder_the_good_ones_are_written(tmp_path):
    put(tmp_path, "a")
    (tmp_path / "bad.xml").write_text("<Oni>")
    lines = refused("convert", "--to", "csv", "-o", tmp_path / "out", tmp_path)
    assert len(lines) == 1 and "bad.xml: line 1" in lines[0]
    assert listing(tmp_path / "out") == ["OBANa.csv"]


def test_two_of_one_name_are_refused_whole(tmp_path):
    put(tmp_path, "a")
    put(tmp_path, "b")
    (tmp_path / "a.xml").write_bytes(oban_write.xml_bytes(clip("a")))
    assert "already" in refused("convert", "-o", tmp_path / "all.json", tmp_path)[0]
    refused("convert", "--to", "json", "-o", tmp_path / "out", tmp_path)
    assert not (tmp_path / "all.json").exists() and not (tmp_path / "out").exists()


def test_xml_names_one_animation_only(tmp_path):
    (line,) = refused("convert", "-o", tmp_path / "all.xml", WAREHOUSE)
    assert f"names one animation only, and there are {CLIP_COUNT}" in line


def test_a_folder_in_the_way(tmp_path):
    source = put(tmp_path, "a")
    (tmp_path / "out.csv").mkdir()
    assert good("convert", "--to", "csv", "-o", tmp_path / "out.csv", source) == ""
    assert listing(tmp_path / "out.csv") == ["OBANa.csv"]
    (tmp_path / "file").write_text("")
    lines = refused("convert", "-o", tmp_path / "file" / "x.csv", source)
    assert str(tmp_path / "file") in lines[0]


@pytest.mark.parametrize("words", [("x.xml",), ("--to", "xls", "x.xml"), ("-o", "x.csv"), ("-o", "out/", "x.xml"), ("-o", "x.unknown", "x.xml"),
                                   ("--to", "csv", "-o", "x.json", "x.xml"), ("--to", "csv", "--camera", "x.xml"), ("-o", "", "x.xml"),
                                   ("--to", "csv", "--every-frame", "--tolerance", "1", "x.xml"), ("--to", "xml", "--per-frame", "x.xml"),
                                   ("--to", "csv", "--tolerance", "-1", "x.xml"), ("--to",), ("--force=1", "x.xml"), ("--camera", "--box", "-o", "x.csv", "x.xml")])
def test_a_wrong_command_line_is_64(words, tmp_path):
    put(tmp_path, "x")
    done = run("convert", *words, cwd=tmp_path)
    assert done.returncode == 64 and done.err.startswith("oban: "), done.err
    assert listing(tmp_path) == ["OBANx.xml"]


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path):
    """RLIMIT_FSIZE stands for the disk: SIGXFSZ must not kill, and the temporary file goes."""
    put(tmp_path, "a")
    script = 'ulimit -f 1; exec "$0" convert --per-frame -o "$1" "$2"'
    done = subprocess.run(["bash", "-c", script, OBAN, str(tmp_path / "out.csv"), os.path.join(WAREHOUSE, "OBANcam_dolly.xml")],
                          capture_output=True, text=True, timeout=20)
    assert done.returncode == 1 and "cannot be written" in done.stderr, done
    assert listing(tmp_path) == ["OBANa.xml"]


def test_a_signal_leaves_no_half_file(tmp_path):
    """Many runs are ended at all moments."""
    for turn in range(25):
        running = subprocess.Popen([OBAN, "convert", "--per-frame", "--force", "--to", "json", "-o", str(tmp_path / "out"), WAREHOUSE],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            running.wait(timeout=0.002 * turn)
        except subprocess.TimeoutExpired:
            running.send_signal((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[turn % 3])
        assert running.wait(timeout=10) in (0, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP)
        left = listing(tmp_path / "out") if (tmp_path / "out").exists() else []
        assert not [name for name in left if name.startswith(".oban-")]
        for name in left:
            good("info", tmp_path / "out" / name)


def test_what_was_written_is_told_to_programs(tmp_path):
    put(tmp_path, "a")
    told = as_json("convert", "--to", "csv", "-o", tmp_path / "out/", tmp_path)
    assert told == {"written": [{"file": str(tmp_path / "out" / "OBANa.csv"), "clips": 1}]}
