# SPDX-License-Identifier: MIT
"""Every matrix of every frame on the wire equals the independent evaluation: from XML and from `.oni`, with
gaps between keys, negative dots, z up, scaled, mirrored and turned bases, and random origins."""
import json
import math
import os
import random
import re

import pytest

import daemon
import oban_eval
import oban_write
from oban_write import Clip, Key, f32

CLIPS = 48
BAR = 2e-6  # of the columns' size, and of the position's


def unit_quaternion(draw):
    q = [draw.gauss(0, 1) for _ in range(4)]
    size = math.sqrt(sum(v * v for v in q))
    return tuple(f32(v / size) for v in q)


def next_quaternion(draw, before):
    """A key's rotation whose 4-dot with the one before is clearly of one sign, often negative."""
    while True:
        q = unit_quaternion(draw)
        if abs(oban_eval.dot(q, before)) > 0.05:
            return q


def rotation(draw):
    m = ()
    q = unit_quaternion(draw)
    for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        m += oban_eval.turned(q, axis)
    return m


def base(draw, kind):
    if kind == "plain":
        return oban_write.IDENTITY
    scale = 1.82 if kind == "scaled" else 1.0
    rows = [scale * v for v in (1, 0, 0, 0, 1, 0, 0, 0, 1)]
    if kind == "mirrored":
        rows[0] = -rows[0]
    if kind == "uneven":
        rows = [0.5, 0, 0, 0, 2, 0, 0, 0, 3]
    if kind == "turned":
        rows = list(rotation(draw))
    return tuple(f32(v) for v in rows) + tuple(f32(draw.uniform(-5, 5)) for _ in range(3))


def random_clip(draw, index):
    """Positions lie far enough from the origin for a relative bar to mean something."""
    keys, frame, q = [], draw.choice((0, 0, 0, 3)), unit_quaternion(draw)
    for _ in range(draw.randint(1, 7)):
        keys.append(Key(frame, q, tuple(f32(draw.uniform(100, 900)) for _ in range(3))))
        frame += draw.choice((1, 1, 2, 5, 9, 14))
        q = next_quaternion(draw, q)
    kinds = ("plain", "scaled", "mirrored", "uneven", "turned")
    flags = oban_write.LOCAL if index % 3 == 0 else 0
    return Clip("clip_%02d" % index, tuple(keys), flags, oban_write.IDENTITY, base(draw, kinds[index % len(kinds)]), 80,
                keys[-1].frame + 1 + draw.choice((0, 0, 0, 4)))


def random_origin(draw):
    return tuple(f32(v) for v in rotation(draw)) + tuple(f32(draw.uniform(4000, 9000)) for _ in range(3))


@pytest.fixture(scope="module")
def clips():
    draw = random.Random(20240501)
    made = [random_clip(draw, i) for i in range(CLIPS)]
    negative = sum(oban_eval.dot(a.q, b.q) < 0 for c in made for a, b in zip(c.keys, c.keys[1:]))
    assert negative > 20 and sum(c.flags for c in made) > 0
    return made, [random_origin(draw) for _ in made]


def write_files(clips, folder, form):
    anims = folder / "anims"
    anims.mkdir()
    if form == "xml":
        for clip in clips:
            (anims / ("OBAN%s.xml" % clip.name)).write_bytes(oban_write.xml_bytes(clip))
    elif form == "oni":
        for clip in clips:
            (anims / ("OBAN%s.oni" % clip.name)).write_bytes(oban_write.oni_bytes([clip]))
    else:
        (anims / "all.oni").write_bytes(oban_write.oni_bytes(clips))
    return anims


@pytest.mark.parametrize("form", ("xml", "oni", "one oni"))
def test_every_frame(clips, form, tmp_path):
    clips, origins = clips
    anims = write_files(clips, tmp_path, form)
    rows = [{"object": i, "anim": c.name, "matrix": list(o)} for i, (c, o) in enumerate(zip(clips, origins))]
    (tmp_path / "scene.json").write_text(json.dumps({"objects": rows}))
    longest = max(c.frames for c in clips)
    seen = {i: {} for i in range(len(clips))}
    with daemon.Daemon([anims], tmp_path / "scene.json") as running:
        client = running.settled()
        client.do("env_anim", object=0, to=len(clips) - 1)
        answer, messages = client.ask("step", ticks=longest)
        frames = [m for m in client.log if m["op"] == "frame"]
        stops = {m["object"]: m for m in messages if m["op"] == "event" and m["type"] == "stop"}
        client.close()
    worst = (0, None)
    for frame in frames:
        for entry in frame["objects"]:
            clip = clips[entry["object"]]
            assert entry["frame"] == min(frame["tick"], clip.frames - 1)
            want = oban_eval.matrix_at(clip, entry["frame"], origins[entry["object"]])
            off = oban_eval.difference(entry["m"], want)
            worst = max(worst, (off, "%s frame %d: %r, wanted %r" % (clip.name, entry["frame"], entry["m"], want)))
            seen[entry["object"]][frame["tick"]] = entry
    assert worst[0] < BAR, worst
    for i, clip in enumerate(clips):
        assert sorted(seen[i]) == list(range(clip.frames + 1)), clip.name  # each tick, and once more at its stop
        assert seen[i][clip.frames]["state"] == "stopped"
        stop = stops[i]
        assert (stop["tick"], stop["frame"], stop["run"], stop["reason"]) == (clip.frames, clip.frames - 1, 1, "end")


def shortest(value):
    """The fewest significant digits that read back to the same float32."""
    return next(n for n in range(1, 10) if f32(float("%.*g" % (n, value))) == f32(value))


def test_numbers_on_the_wire_are_the_shortest(clips, tmp_path):
    """At most nine digits, none too many, and JSON of the strict kind."""
    clips, _ = clips
    anims = write_files(clips, tmp_path, "xml")
    with daemon.Daemon([anims]) as running:
        client = running.settled()
        client.do("obj_create", object=0, to=len(clips) - 1)
        for i, clip in enumerate(clips):
            client.do("env_setanim", object=i, anim=clip.name)
        client.do("step", ticks=12)
        texts = [raw for raw, m in zip(client.raw, client.log) if m["op"] == "frame"]
        client.close()
    numbers = set()
    for text in texts:
        for row in re.findall(r'"m":\[([^]]*)\]', text):
            numbers.update(row.split(","))
    assert len(numbers) > 3000
    for word in numbers:
        assert re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?", word), word
        digits = re.sub(r"[eE].*", "", word).lstrip("-").replace(".", "").lstrip("0").rstrip("0") or "0"
        assert len(digits) <= shortest(float(word)) <= 9, word


def test_camera_views_are_the_rigid_part(clips, tmp_path):
    clips, _ = clips
    anims = write_files(clips, tmp_path, "one oni")
    with daemon.Daemon([anims]) as running:
        client = running.settled()
        for clip in clips:
            client.do("cm_anim", mode="both", anim=clip.name)
            client.do("step", ticks=clip.frames)
            shown = [m["camera"] for m in client.log if m["op"] == "frame" and "camera" in m]
            client.log.clear()
            assert len(shown) == clip.frames + 1
            for camera in shown:
                want = oban_eval.rigid(oban_eval.matrix_at(clip, camera["frame"]))
                assert oban_eval.difference(camera["m"], want) < 4e-6, (clip.name, camera, want)
                assert oban_eval.determinant(camera["m"]) == pytest.approx(1, abs=1e-5)
        client.close()


@pytest.mark.parametrize("form", ("anims", "oni"))
def test_the_warehouse_for_a_whole_loop(form):
    """The example itself, from both of its folders, against the same evaluation."""
    folder = os.path.join(daemon.ROOT, "examples", "warehouse")
    clips = {}
    for name in sorted(os.listdir(os.path.join(folder, "anims"))):
        for clip in oban_eval.read_file(os.path.join(folder, "anims", name)):
            clips[clip.name] = clip
    with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
        origins = {(o["object"], o.get("part", 0)): o["matrix"] for o in json.load(file)["objects"]}
    with daemon.Daemon([os.path.join(folder, form)], os.path.join(folder, "scene.json")) as running:
        client = running.settled()
        client.do("env_anim", object=0, to=300)
        client.do("step", ticks=1200, timeout=30)
        worst = (0, None)
        entries = 0
        for frame in (m for m in client.log if m["op"] == "frame"):
            for entry in frame.get("objects", ()):
                key = entry["object"], entry.get("part", 0)
                want = oban_eval.matrix_at(clips[entry["anim"]], entry["frame"], origins[key])
                worst = max(worst, (oban_eval.difference(entry["m"], want), "%r frame %d" % (key, entry["frame"])))
                entries += 1
        client.close()
    assert entries > 8000
    assert worst[0] < BAR, worst
