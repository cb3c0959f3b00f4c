# SPDX-License-Identifier: MIT
"""The vectors of wild/*.json against wild_eval.py, which knows nothing of the daemon. Refusals are not worked out here:
tests/unit/wild/vectors_test.c plays the same files in full."""
import json
import pathlib
import struct

import pytest

import wild_eval

FILES = sorted((pathlib.Path(__file__).parent / "wild").glob("*.json"))


def float32(value):
    return struct.unpack("f", struct.pack("f", float(value)))[0]


class Scene:
    def __init__(self):
        self.now, self.sectors, self.actions, self.doings, self.next = 0, {}, {}, {}, 1

    def pose(self, name):
        sector = self.sectors[name]
        doing = sector["doing"]
        if doing is None:
            return sector["origin"], sector["basis"]
        action, started = self.doings[doing]
        return wild_eval.pose_at(sector["origin"], sector["basis"], action, 0, started, self.now)

    def absolute(self, name):
        parent = self.sectors[name]["parent"]
        pose = self.pose(name)
        return wild_eval.product(self.absolute(parent), *pose) if parent else pose

    def hold(self, name):
        origin, basis = self.pose(name)
        self.sectors[name].update(origin=origin, basis=basis, doing=None)

    def wild_alien(self, op):
        for s in op["sectors"]:
            self.sectors[s["name"]] = dict(origin=s["origin"], basis=wild_eval.IDENTITY, parent=s["parent"], doing=None)

    def wild_define(self, op):
        self.actions[op["action"]] = op

    def wild_do(self, op):
        name, action = op["sectors"][0], self.actions[op["action"]]
        self.hold(name)
        started = op.get("start") or self.now
        self.doings[self.next] = (action, started)
        self.sectors[name]["doing"] = self.next
        self.next += 1

    def wild_abort(self, op):
        for name, sector in self.sectors.items():
            if sector["doing"] == op["doing"]:
                self.hold(name)

    def wild_remove(self, op):
        self.sectors.clear()

    def at(self, op):
        self.now = op["wild"]

    def expect(self, op):
        tolerance = op.get("tolerance", 0)
        if "o" in op:
            for got, wanted in zip(self.pose(op["sector"])[0], op["o"]):
                assert abs(float32(got) - float32(wanted)) <= tolerance
        origin, basis = self.absolute(op["sector"])
        for got, wanted in zip(origin, op.get("abs_o", [])):
            assert abs(got - wanted) <= tolerance
        for got, wanted in zip([x for u in basis for x in u] + list(origin), op.get("m", [])):
            assert abs(float(got) - wanted) <= tolerance

    def stops(self, op):
        for stop in op["list"]:
            action, started = self.doings[stop["doing"]]
            assert stop["wild"] == self.now
            if stop["reason"] == "end" and not stop.get("overflow"):
                assert wild_eval.ends(action, started) == self.now


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_vector(path):
    vector = json.loads(path.read_text())
    scene = Scene()
    seen = 0
    for op in vector["script"]:
        if "code" not in op:
            getattr(scene, op["op"])(op)
            seen += op["op"] in ("expect", "stops")
    assert seen > 0


def test_all_are_there():
    assert len(FILES) >= 17
