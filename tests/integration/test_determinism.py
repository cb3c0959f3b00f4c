# SPDX-License-Identifier: MIT
"""The same commands at the same ticks give the same hash: whatever the compiler and its optimisation
(OBAND_VARIANTS names the programs, with ':' between), and whether they came as JSON or as BSL."""
import os

import pytest

import daemon

VARIANTS = [os.path.abspath(p) for p in os.environ.get("OBAND_VARIANTS", "").split(":") if p]

# ticks to step first, then one command in both forms
SCRIPT = [
    (0, "env_anim", {"object": 1, "to": 2}, "env_anim 1 2"),
    (7, "env_setanim", {"object": 103, "anim": "flag_random"}, "env_setanim 103 flag_random"),
    (13, "cm_anim", {"mode": "both", "anim": "cam_dolly"}, "cm_anim both cam_dolly"),
    (40, "obj_kill", {"object": 202, "to": 203}, "obj_kill 202 203"),
    (1, "obj_create", {"object": 200, "to": 210}, "obj_create 200 210"),
    (0, "env_anim", {"object": 203}, "env_anim 203"),
    (55, "cm_interpolate", {"anim": "cam_pallet", "frames": 33}, "cm_interpolate cam_pallet 33"),
    (10, "obj_hide", {"object": 30}, "obj_hide 30"),
    (3, "env_show", {"ref": 77, "visible": False}, "env_show 77 0"),
    (30, "gs_fov_set", {"fov": 61.5}, "gs_fov_set 61.5"),
    (21, "env_setanim", {"object": 3, "anim": "door_slide"}, "env_setanim 3 door_slide"),
    (200, "env_setanim", {"object": 103, "anim": "flag_random"}, "env_setanim 103 flag_random"),
    (17, "obj_show", {"object": 30}, "obj_show 30"),
    (5, "cm_detach", {}, "cm_detach"),
    (400, "cm_reset", {}, "cm_reset"),
]


def play(warehouse, form, seed=3, program=None, until=len(SCRIPT)):
    """(the hashes after each command and at the end, all raw frames and events)."""
    with daemon.Daemon([warehouse[0]], warehouse[1], seed=seed, program=program) as running:
        client = running.settled()
        hashes = []
        for ticks, op, fields, text in SCRIPT[:until]:
            if ticks:
                client.do("step", ticks=ticks)
            if form == "json":
                client.do(op, **fields)
            else:
                client.send(text)
                answer, _ = client.until(lambda m: m["op"] in ("reply", "error"))
                assert answer["op"] == "reply", answer
            hashes.append(client.do("info")["hash"])
        client.do("step", ticks=100)
        hashes.append(client.do("info")["hash"])
        stream = [raw for raw, m in zip(client.raw, client.log) if m["op"] in ("frame", "event", "snapshot")]
        client.close()
    assert all(len(h) == 16 and int(h, 16) >= 0 for h in hashes)
    return hashes, stream


@pytest.fixture(scope="module")
def reference(warehouse):
    return play(warehouse, "json")


def test_again_is_the_same_byte_for_byte(warehouse, reference):
    assert play(warehouse, "json") == reference


def test_bsl_and_json_give_the_same(warehouse, reference):
    assert play(warehouse, "bsl") == reference


def test_another_seed_is_another_world(warehouse, reference):
    hashes, _ = play(warehouse, "json", seed=4)
    assert hashes[-1] != reference[0][-1]


def test_each_command_changes_the_hash(reference):
    hashes, _ = reference
    assert len(set(hashes)) == len(hashes)


@pytest.mark.skipif(not VARIANTS, reason="OBAND_VARIANTS names no programs")
@pytest.mark.parametrize("program", VARIANTS)
def test_other_builds_give_the_same(warehouse, reference, program):
    assert play(warehouse, "json", program=program) == reference


def test_random_starts_are_equal_for_equal_seeds_and_in_range(warehouse):
    def starts(seed):
        with daemon.Daemon([warehouse[0]], seed=seed) as running:
            client = running.settled()
            client.do("obj_create", object=1, to=40)
            for n in range(1, 41):
                client.do("env_setanim", object=n, anim="flag_random")
            entries = client.do("object_list")["objects"]
            client.close()
            return [e["frame"] for e in entries]

    first = starts(11)
    assert all(0 <= f < 120 for f in first)
    assert len(set(first)) > 15
    assert starts(11) == first
    assert starts(12) != first


def test_how_the_ticks_are_stepped_does_not_matter(warehouse):
    def run(steps):
        with daemon.Daemon([warehouse[0]], warehouse[1], seed=5) as running:
            client = running.settled()
            for ticks in steps:
                client.do("step", ticks=ticks)
            result = client.do("info")["hash"]
            client.close()
            return result

    assert run([500]) == run([1] * 20 + [80] + [400])


def test_queries_and_what_fails_leave_the_hash_alone(held):
    client = held.settled()
    client.do("env_anim", object=1)
    client.do("step", ticks=5)
    before = client.do("info")["hash"]
    for op, fields in (("ping", {}), ("help", {}), ("anim_list", {}), ("anim_get", {"anim": "crane"}), ("object_list", {}),
                       ("anim_path", {"anim": "crane"}), ("object_get", {"object": 1}), ("env_anim", {"object": 33}),
                       ("env_setanim", {"object": 1, "anim": "nosuch"}), ("obj_create", {"object": 1}),
                       ("env_anim", {"object": 3, "to": 1}), ("env_resume", {"object": 1})):
        client.ask(op, **fields)
        assert client.do("info")["hash"] == before, op
    client.close()
