# SPDX-License-Identifier: MIT
"""A daemon on levels: clips and records out of .dat files, records out of XML."""
import subprocess

import daemon
from oban_write import IDENTITY, LOOP, Clip, Key, Object, dat_bytes

TURN = (0.0, 0.0, 0.0, 1.0)


def walk(name, to, flags=0):
    return Clip(name, (Key(0, TURN, (0.0, 0.0, 0.0)), Key(10, TURN, to)), flags)


def level_files(tmp_path):
    """Level 0 with a clip that level 3's objects name, and level 3."""
    place = IDENTITY[:9] + (5.0, 6.0, 7.0)
    objects = [Object(201, "van", "van_in", "van_body", transform=place), Object(202, "wheel", "spin"),
               Object(202, "other wheel", "spin"), Object(65535, "door_1", door=1, flags=0x202),
               Object(205, "ghost", "missing"), Object(206, "slot", flags=0)]
    zero, three = tmp_path / "level0_Final.dat", tmp_path / "level3_Final.dat"
    zero.write_bytes(dat_bytes([walk("spin", (1.0, 0.0, 0.0), LOOP)]))
    three.write_bytes(dat_bytes([walk("van_in", (9.0, 0.0, 0.0))], objects, 3))
    return zero, three


def test_levels(tmp_path):
    zero, three = level_files(tmp_path)
    with daemon.Daemon([], None, args=["--level", str(zero), "--level", str(three)]) as running:
        client = running.settled()
        anims = client.do("anim_list", match="*")["anims"]
        assert sorted(a["name"] for a in anims) == ["spin", "van_in"]
        assert client.do("object_list")["objects"] == []  # records wait
        created = client.do("obj_create", object=201, to=210)["created"]
        assert [(c["object"], c.get("part", 0)) for c in created] == [(201, 0), (202, 0), (202, 1), (205, 0)]
        van = client.do("object_get", object=201)
        assert (van["name"], van["anim"], van["geometry"]) == ("van", "van_in", "van_body")
        assert client.do("object_get", object=205)["anim"] is None
        started = client.do("env_anim", object=201, to=202)["started"]
        assert len(started) == 3
        client.close()
        log = "\n".join(running.lines)
    assert "object 205 has no animation" in log
    assert "1 object without a number (a door) is left out" in log


def test_level_xml_as_scene(tmp_path):
    scene = tmp_path / "level.xml"
    scene.write_text("<Oni><Physics><Object><Name>van</Name><ScriptId>7</ScriptId><Position>1 2 3</Position>"
                     "<Rotation>0 0 0</Rotation><Scale>2</Scale></Object></Physics></Oni>")
    with daemon.Daemon([], str(scene)) as running:
        client = running.settled()
        assert len(client.do("obj_create", object=1, to=9)["created"]) == 1
        assert client.do("object_get", object=7)["m"] == [2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3]
        client.close()


def start_fails(program, *args):
    done = subprocess.run([program, "--listen", "127.0.0.1:0", *args], capture_output=True, text=True, timeout=20)
    assert done.returncode == 2
    return done.stderr


def test_bad_levels_end_the_start(tmp_path):
    program = daemon.binary()
    assert "No such file" in start_fails(program, "--level", str(tmp_path / "none.dat"))
    cut = tmp_path / "cut.dat"
    cut.write_bytes(dat_bytes([walk("a", (1.0, 0.0, 0.0))], [Object(1)])[:200])
    assert "ends behind the end of the file" in start_fails(program, "--level", str(cut))
    bad = tmp_path / "bad.xml"
    bad.write_text("<Oni><Physics><Objekt/></Physics></Oni>")
    assert "bad.xml:1:15: expected <Object>, found <Objekt>" in start_fails(program, "--scene", str(bad))
