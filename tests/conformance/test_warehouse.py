# SPDX-License-Identifier: MIT
"""examples/warehouse: made anew it is what is committed, and its clips do what the folder's README says."""
import json
import math
import os
import subprocess
import sys

import pytest

import oban_eval

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FOLDER = os.path.join(ROOT, "examples", "warehouse")
FORKLIFT = ("forklift_chassis", "forklift_mast", "forklift_fork", "forklift_driver", "forklift_pallet")


def files_of(folder):
    found = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def read_clips(sub):
    folder = os.path.join(FOLDER, sub)
    clips = [c for name in sorted(os.listdir(folder)) for c in oban_eval.read_file(os.path.join(folder, name))]
    return {c.name: c for c in clips}


CLIPS = read_clips("anims")
with open(os.path.join(FOLDER, "scene.json"), encoding="utf-8") as scene_file:
    SCENE = json.load(scene_file)


def test_made_anew_it_is_the_same(tmp_path):
    subprocess.run([sys.executable, os.path.join(ROOT, "tools", "make-warehouse.py"), str(tmp_path)], check=True, timeout=30)
    made = files_of(tmp_path)
    committed = files_of(FOLDER)
    for by_hand in ("README.md", os.path.join("scripts", "shift.bsl"), "durations.json"):
        committed.pop(by_hand, None)
    assert sorted(made) == sorted(committed)
    assert [name for name in made if made[name] != committed[name]] == []


def test_xml_and_oni_hold_the_same_clips():
    assert read_clips("oni") == CLIPS


@pytest.mark.parametrize("name", sorted(CLIPS))
def test_clip_is_sound(name):
    clip = CLIPS[name]
    frames = [k.frame for k in clip.keys]
    assert frames == sorted(set(frames)) and frames[0] == 0
    assert clip.frames == frames[-1] + 1
    assert len(frames) <= 110
    for k in clip.keys:
        assert abs(math.sqrt(oban_eval.dot(k.q, k.q)) - 1) < 1e-6
    want = oban_eval.IDENTITY if clip.flags & oban_eval.LOCAL else oban_eval.matrix_at(clip, 0)
    assert oban_eval.difference(clip.start, want) < 1e-6


def test_a_local_clip_begins_where_its_object_stands():
    for name in ("door_slide", "door_double", "flag_local"):
        assert oban_eval.difference(oban_eval.matrix_at(CLIPS[name], 0), oban_eval.IDENTITY) < 1e-6


def test_doors():
    door = CLIPS["door_slide"]
    assert (door.flags, door.frames, door.half_stop) == (0x10, 101, 50)
    way = [oban_eval.matrix_at(door, f)[9:] for f in range(101)]
    assert all(abs(p[1]) + abs(p[2]) < 1e-6 for p in way)
    assert way[50][0] == max(p[0] for p in way) and way[100][0] == 0
    assert CLIPS["door_double"].half_stop == 50
    leaves = [o for o in SCENE["objects"] if o["object"] == 2]
    assert [o.get("part", 0) for o in leaves] == [0, 1]
    places = [oban_eval.matrix_at(CLIPS["door_double"], 50, o["matrix"])[9:] for o in leaves]
    assert abs(places[0][0] - places[1][0]) == pytest.approx(42 + 80)


def test_flags():
    assert {n: CLIPS["flag_" + n].flags for n in ("loop", "ping_pong", "random", "autostart", "local")} == {
        "loop": 1, "ping_pong": 2, "random": 4, "autostart": 8, "local": 16}
    assert CLIPS["crane"].flags == 2 and CLIPS["truck_in"].flags == 0
    assert CLIPS["truck_in"].base[0] == oban_eval.f32(1.82)


def test_forklift_parts_move_in_step():
    """One loop of 20 s; whatever the frame, the parts keep their places on each other."""
    parts = {name: CLIPS[name] for name in FORKLIFT}
    assert {c.frames for c in parts.values()} == {1200} and {c.flags for c in parts.values()} == {1}
    lifted = 0
    for f in range(1200):
        m = {name: oban_eval.matrix_at(c, f) for name, c in parts.items()}
        chassis = m["forklift_chassis"]
        assert oban_eval.length(oban_eval.add(m["forklift_mast"][9:],
                                              oban_eval.scaled(oban_eval.point_by(chassis, (0, 4, -17)), -1))) < 0.1, f
        assert oban_eval.length(oban_eval.add(m["forklift_driver"][9:],
                                              oban_eval.scaled(oban_eval.point_by(chassis, (0, 11, 6)), -1))) < 0.1, f
        fork = m["forklift_fork"]
        assert oban_eval.dot(oban_eval.column(fork, 0), oban_eval.column(m["forklift_mast"], 0)) > 0.9999, f
        if m["forklift_pallet"][10] > 0.5:
            lifted += 1
            wanted = oban_eval.point_by(fork, (0, -2, -11))
            assert oban_eval.length(oban_eval.add(m["forklift_pallet"][9:], oban_eval.scaled(wanted, -1))) < 0.1, f
        else:
            assert m["forklift_pallet"][9:] == pytest.approx((108, 0, -50), abs=1.5)
    assert 150 < lifted < 300
    high = max(oban_eval.matrix_at(parts["forklift_fork"], f)[10] for f in range(1200))
    assert high == pytest.approx(45, abs=0.5)


@pytest.mark.parametrize("name", FORKLIFT)
def test_forklift_goes_smoothly_also_over_the_end_of_the_loop(name):
    clip = CLIPS[name]
    at = [oban_eval.matrix_at(clip, f % 1200) for f in range(1201)]
    for a, b in zip(at, at[1:]):
        assert oban_eval.length(oban_eval.add(a[9:], oban_eval.scaled(b[9:], -1))) < 1.3
        assert oban_eval.dot(a[6:9], b[6:9]) > math.cos(math.radians(12))


def test_forklift_drives_the_way_it_looks_and_backwards_when_it_backs_off():
    chassis = CLIPS["forklift_chassis"]
    for f in range(1, 1200):
        a, b = oban_eval.matrix_at(chassis, f - 1), oban_eval.matrix_at(chassis, f)
        step = oban_eval.add(b[9:], oban_eval.scaled(a[9:], -1))
        ahead = -oban_eval.dot(step, a[6:9])
        if oban_eval.length(step) > 0.05:
            assert (ahead < 0) == (620 <= f <= 811), f
            assert abs(ahead) > 0.97 * oban_eval.length(step), f


def angle_to(m, target):
    """Degrees between where a camera looks and a point."""
    way = oban_eval.add(target, oban_eval.scaled(m[9:], -1))
    cosine = -oban_eval.dot(m[6:9], way) / (oban_eval.length(way) * oban_eval.length(m[6:9]))
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


@pytest.mark.parametrize("name", ("cam_establish", "cam_dolly", "cam_pallet"))
def test_camera_is_upright(name):
    clip = CLIPS[name]
    for f in range(clip.frames):
        m = oban_eval.matrix_at(clip, f)
        assert abs(m[1]) < 2e-3  # no roll: the x axis lies level
        assert m[4] > 0.2


def test_cameras_look_at_what_they_should():
    establish, dolly, pallet = (CLIPS[n] for n in ("cam_establish", "cam_dolly", "cam_pallet"))
    for f in range(establish.frames):
        m = oban_eval.matrix_at(establish, f)
        assert angle_to(m, (20, 10, -20)) < 2
        assert m[7] > 0.4  # down on it: local -z points below the horizon
    for f in range(dolly.frames):
        assert angle_to(oban_eval.matrix_at(dolly, f), oban_eval.matrix_at(CLIPS["forklift_driver"], f)[9:]) < 3, f
    assert len(pallet.keys) == 1
    assert angle_to(oban_eval.matrix_at(pallet, 0), (108, 15, -50)) < 0.1


def test_scene_names_what_there_is():
    assert set(SCENE) == {"objects", "doors", "camera"}
    for row in SCENE["doors"]:
        assert CLIPS[row["anim"]].flags & oban_eval.LOCAL and len(row["matrix"]) == 12
    for row in SCENE["objects"]:
        assert row["anim"] in CLIPS
        assert len(row["matrix"]) == 12
        if not CLIPS[row["anim"]].flags & oban_eval.LOCAL:
            assert oban_eval.difference(row["matrix"], CLIPS[row["anim"]].start) < 1e-6
    by_command = {"foreman_walk"} | {name for name in CLIPS if name.startswith("cam_")}
    assert {r["anim"] for r in SCENE["objects"]} >= set(CLIPS) - by_command
    assert sum(r["play"] for r in SCENE["objects"]) >= 8
