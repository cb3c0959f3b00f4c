# SPDX-License-Identifier: MIT
"""Files made to hurt: refused in words, with little memory, by the tool that reads every format. What each run may take is bounded
by the kernel (512 MiB, 30 s of CPU): a reader that believes a length or follows a circle does not get through."""
import json
import os
import resource
import struct
import subprocess
import sys

import pytest

from oban_tool import OBAN, ROOT

sys.path.insert(0, os.path.join(ROOT, "tools"))
import oban_write  # noqa: E402
from oban_write import Clip, Key, Object  # noqa: E402

MEMORY = 512 << 20
SANITIZED = "asan" in os.path.realpath(OBAN)  # it reserves terabytes of addresses
TURN = (0.0, 0.0, 0.0, 1.0)
CLIPS = [Clip("spin", (Key(0, TURN, (0.0, 0.0, 0.0)), Key(9, TURN, (1.0, 0.0, 0.0))))]
PLACEHOLDER = 2


def bounds():
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def check(*paths):
    done = subprocess.run([OBAN, "check", *map(str, paths)], capture_output=True, timeout=120, preexec_fn=bounds,
                          env=dict(os.environ, LC_ALL="C.UTF-8"))
    assert done.returncode in (0, 1), (done.returncode, done.stderr[-2000:])
    return done.returncode, done.stderr.decode()


def refused(path):
    code, text = check(path)
    assert code == 1 and text.startswith(str(path)), text[:500]
    return text


@pytest.mark.parametrize("length", [0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
@pytest.mark.parametrize("form", ["oni", "dat"])
def test_each_field_as_a_length_of_gigabytes(tmp_path, form, length):
    whole = oban_write.oni_bytes(CLIPS) if form == "oni" else oban_write.dat_bytes(CLIPS, [Object(7, "van", "spin")], 3)
    for at in range(0, len(whole) - 3, 4):
        data = whole[:at] + struct.pack("<I", length) + whole[at + 4:]
        (tmp_path / ("x%04d.%s" % (at, form))).write_bytes(data)
    code, text = check(tmp_path)
    assert code == 1 and text.count("\n") > len(whole) // 20


def test_a_million_placeholders(tmp_path):
    count = 1_000_000
    clip = bytearray(oban_write.oni_bytes(CLIPS))
    names_at, names = struct.unpack_from("<II", clip, 40)
    data_at, data_bytes = struct.unpack_from("<II", clip, 32)
    holder = struct.pack("<5I", oban_write.OBAN_TAG, 0, 0, 0, PLACEHOLDER)
    grown = len(holder) * count
    struct.pack_into("<I", clip, 20, count + 1)
    struct.pack_into("<4I", clip, 32, data_at + grown, data_bytes, names_at + grown, names)
    path = tmp_path / "OBANmany.oni"
    path.write_bytes(bytes(clip[:64 + 20]) + holder * count + bytes(clip[64 + 20:]))
    assert check(path) == (0, "")  # the one clip among them is read


def nested(opening, closing, depth):
    return opening * depth + closing * depth


LAUGHS = "<!DOCTYPE x [<!ENTITY a0 'haha'>%s]>" % "".join("<!ENTITY a%d '%s'>" % (i, "&a%d;" % (i - 1) * 10) for i in range(1, 30))
ROOTS = {"OBANx.xml": ("<Oni>", "</Oni>"), "level.xml": ("<Oni><Physics>", "</Physics></Oni>"),
         "x.dae": ('<COLLADA version="1.4.1">', "</COLLADA>")}


@pytest.mark.parametrize("name", sorted(ROOTS))
def test_xml_that_laughs(tmp_path, name):
    begin, end = ROOTS[name]
    (tmp_path / name).write_text('<?xml version="1.0"?>' + LAUGHS + begin + "<a>&a29;</a>" + end)
    refused(tmp_path / name)


@pytest.mark.parametrize("name", sorted(ROOTS))
def test_deep_xml(tmp_path, name):
    begin, end = ROOTS[name]
    (tmp_path / name).write_text(begin + nested("<node>", "</node>", 300_000) + end)
    refused(tmp_path / name)


@pytest.mark.parametrize("name,begin,end", [("x.gltf", '{"asset":{"version":"2.0"},"nodes":', "}"), ("scene.json", '{"objects":', "}"),
                                            ("frames.json", '{"clips":', "}")])
def test_deep_json(tmp_path, name, begin, end):
    (tmp_path / name).write_text(begin + nested("[", "]", 300_000) + end)
    refused(tmp_path / name)


def test_nodes_in_a_circle(tmp_path):
    model = {"asset": {"version": "2.0"}, "nodes": [{"children": [1]}, {"children": [2]}, {"children": [0]}], "scenes": [{"nodes": [0]}]}
    (tmp_path / "x.gltf").write_text(json.dumps(model))
    refused(tmp_path / "x.gltf")
    (tmp_path / "x.dae").write_text(
        '<COLLADA version="1.4.1"><library_nodes><node id="a"><instance_node url="#b"/></node><node id="b"><instance_node url="#a"/></node>'
        '</library_nodes><library_visual_scenes><visual_scene id="s"><node id="n"><instance_node url="#a"/></node></visual_scene>'
        "</library_visual_scenes></COLLADA>")
    refused(tmp_path / "x.dae")


def test_gltf_of_gigabytes(tmp_path):
    for number, change in enumerate(({"count": 1 << 31}, {"byteOffset": 1 << 31}, {"count": 4294967295, "componentType": 5121})):
        accessor = dict({"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"}, **change)
        model = {"asset": {"version": "2.0"}, "nodes": [{"name": "n"}], "buffers": [{"byteLength": 1 << 31, "uri": "data:application/octet-stream;base64,AAAA"}],
                 "bufferViews": [{"buffer": 0, "byteLength": 1 << 31}], "accessors": [accessor],
                 "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}], "samplers": [{"input": 0, "output": 0}]}]}
        path = tmp_path / ("x%d.gltf" % number)
        path.write_text(json.dumps(model))
        refused(path)


def test_a_time_without_end(tmp_path):
    """An animation of a billion seconds would be 60 billion frames."""
    (tmp_path / "frames.json").write_text('{"name":"x","frames":[{"time":0,"position":[0,0,0]},{"time":1e9,"position":[1,0,0]}]}')
    refused(tmp_path / "frames.json")
