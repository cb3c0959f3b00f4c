# SPDX-License-Identifier: MIT
"""The two sample files from outside: the code sample of a wiki page, and a `.oni` as a community tool lays it
out. Skipped where they are not."""
import os

import pytest

import daemon
import oban_eval

SAMPLES = os.path.join(daemon.ROOT, "..", "shared", "data")
XML = os.path.join(SAMPLES, "OBANwiki_sample.xml")
ONI = os.path.join(SAMPLES, "OBANshpadoinkle.oni")
pytestmark = pytest.mark.skipif(not os.path.isdir(SAMPLES), reason="the sample files are not here")


def test_the_wiki_sample_loads_with_a_warning_and_plays_smoothly():
    clip, = oban_eval.read_file(XML)
    with daemon.Daemon([XML]) as running:
        client = running.settled()
        warned = [line for line in running.lines if "OBANwiki_sample.xml" in line]
        assert any("quaternion" in line and "key 0" in line for line in warned), running.stderr
        client.do("obj_create", object=1)
        client.do("env_setanim", object=1, anim="wiki_sample")
        client.do("step", ticks=71)
        entries = [o for m in client.log if m["op"] == "frame" for o in m.get("objects", ()) if o.get("anim")]
        assert [e["frame"] for e in entries] == [*range(71), 70]
        for before, after in zip(entries, entries[1:]):
            step = max(abs(a - b) for a, b in zip(before["m"], after["m"]))
            assert step < 0.6  # no jump anywhere, least of all between a key and what lies beside it
        for entry in entries:
            assert oban_eval.difference(entry["m"], oban_eval.matrix_at(clip, entry["frame"])) < 2e-6
            assert entry["m"][:9] == pytest.approx((0, 0, -1, -1, 0, 0, 0, 1, 0), abs=1e-6)  # rigid but for its base
        stop = next(m for m in client.log if m["op"] == "event" and m["type"] == "stop")
        assert (stop["tick"], stop["frame"], stop["anim"]) == (71, 70, "wiki_sample")
        assert client.do("anim_get", anim="wiki_sample")["anim"]["keys"][0]["q"] == [1, 1, 1, 1]
        client.close()


def test_shpadoinkle():
    with daemon.Daemon([SAMPLES]) as running:
        client = running.settled()
        assert {a["name"] for a in client.do("anim_list")["anims"]} == {"shpadoinkle", "wiki_sample"}
        client.do("obj_create", object=1)
        result = client.do("env_setanim", object=1, anim="shpadoinkle")
        assert result["started"][0]["ends"] == 1
        client.do("step")
        stop = next(m for m in client.log if m["op"] == "event" and m["type"] == "stop")
        assert (stop["tick"], stop["frame"], stop["reason"]) == (1, 0, "end")
        client.close()
