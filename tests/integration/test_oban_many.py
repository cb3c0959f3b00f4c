# SPDX-License-Identifier: MIT
"""1,067 clips through every format and back, by the tool, byte for byte; and one hash from all of them."""
import os
import subprocess

import pytest

import many_clips
import oban_write
from oban_tool import OBAN, as_json, good


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many") / "xml"
    folder.mkdir()
    for clip in many_clips.clips():
        (folder / ("OBAN%s.xml" % clip.name)).write_bytes(oban_write.xml_bytes(clip))
    return folder


@pytest.fixture(scope="module")
def chain(many):
    """XML -> .oni -> .dat -> .oni -> XML; the folders and files of it."""
    top = many.parent
    good("convert", "--to", "oni", "-o", top / "oni", many)
    good("convert", "-o", top / "level3_Final.dat", top / "oni")
    good("convert", "--to", "oni", "-o", top / "oni2", top / "level3_Final.dat")
    good("convert", "--to", "xml", "-o", top / "xml2", top / "oni2")
    return [many, top / "oni", top / "level3_Final.dat", top / "oni2", top / "xml2"]


def same(one, other):
    assert sorted(os.listdir(one)) == sorted(os.listdir(other))
    for name in os.listdir(one):
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def test_the_mix(many):
    clips = as_json("info", many)["clips"]
    assert len(clips) == 1067
    assert sum(c["flags"] & 1 for c in clips) == 37 and sum(c["flags"] == 16 for c in clips) == 13
    assert min(c["keys"] for c in clips) == 1 and max(c["keys"] for c in clips) == 500


def test_all_comes_back_byte_for_byte(chain):
    same(chain[0], chain[4])
    same(chain[1], chain[3])


def test_oni_is_what_the_script_of_ours_writes(chain):
    """Laid out as the community tool's -create does it, by another hand: tools/oban_write.py."""
    for clip in many_clips.clips():
        assert (chain[1] / ("OBAN%s.oni" % clip.name)).read_bytes() == oban_write.oni_bytes([clip]), clip.name


def test_one_hash_from_each_format_and_build(chain, tmp_path):
    for to in ("csv", "json", "dae", "gltf", "glb"):
        good("convert", "-o", tmp_path / ("all." + to), chain[0])
        chain = [*chain, tmp_path / ("all." + to)]
    hashes = {good("frames", "--hash", path) for path in chain}
    for other in filter(None, os.environ.get("OBAN_VARIANTS", "").split(":")):
        hashes.add(subprocess.run([other, "frames", "--hash", chain[0]], capture_output=True, text=True, check=True).stdout)
    (one,) = hashes
    assert len(one) == 17 and int(one, 16) and one == one.lower()


def test_all_is_clean(chain):
    for path in chain:
        assert good("check", path) == ""


def test_level_id(many, tmp_path):
    """Many files into levelN_*.dat give level id N: twice N and one in each instance's header; 0 for _Final's hash."""
    source = many / "OBANclip_0000.xml"
    for name, level in (("level3_Final.dat", 3), ("level19_Tools.dat", 19), ("level0_Final.dat", 0), ("other.dat", 0)):
        good("convert", "-o", tmp_path / name, source)
        data = (tmp_path / name).read_bytes()
        table = int.from_bytes(data[0x20:0x24], "little")
        assert int.from_bytes(data[table + 4:table + 8], "little") >> 25 == level, name
    good("convert", "--level", 7, "-o", tmp_path / "b.dat", source)
    data = (tmp_path / "b.dat").read_bytes()
    assert data[int.from_bytes(data[0x20:0x24], "little") + 7] >> 1 == 7
