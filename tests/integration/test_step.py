# SPDX-License-Identifier: MIT
"""`step` beside other clients: a barrier for the one who asked, an open door for the rest."""
import threading

import daemon

LONG = 1000000


def test_pause_ends_a_step_early_with_the_tick_reached(held):
    stepping, other = held.settled(), held.settled()
    drain = threading.Thread(target=lambda: stepping.until(lambda m: m["op"] == "reply", 30), daemon=True)
    stepping.send({"op": "step", "ticks": LONG, "id": "s"})
    drain.start()
    other.until(lambda m: m["op"] == "frame" and m["tick"] >= 50, 20)
    paused, _ = other.ask("pause", 20)
    drain.join(30)
    reply = stepping.log[-1]
    assert reply["op"] == "reply" and reply["re"] == "s", reply
    assert 50 <= reply["result"]["tick"] == reply["result"]["ticks"] < LONG
    assert paused["result"]["tick"] == reply["result"]["tick"]
    assert other.do("info")["tick"] == reply["result"]["tick"]
    stepping.close()
    other.close()


def test_its_own_later_requests_wait_behind_it(held):
    client = held.settled()
    for op in ("step", "info", "ping"):
        client.send({"op": op, "id": op, **({"ticks": 300} if op == "step" else {})})
    answers = []
    while len(answers) < 3:
        message = client.recv()
        if message["op"] == "reply":
            answers.append(message)
    assert [m["re"] for m in answers] == ["step", "info", "ping"]
    assert answers[0]["result"] == {"tick": 300, "ticks": 300}
    assert {m["tick"] for m in answers} == {300}
    client.close()


def test_others_commands_are_done_between_ticks(held):
    stepping, other = held.settled(), held.settled()
    drain = threading.Thread(target=lambda: stepping.until(lambda m: m["op"] == "reply", 30), daemon=True)
    stepping.send({"op": "step", "ticks": LONG, "id": "s"})
    drain.start()
    for _ in range(5):
        result = other.do("env_anim", 20, object=1)
        assert len(result["started"]) == 1
    other.ask("pause", 20)
    drain.join(30)
    starts = [m["run"] for m in stepping.log if m["op"] == "event" and m["type"] == "start" and m["object"] == 1]
    assert starts == [1, 2, 3, 4, 5]
    stepping.close()
    other.close()


def test_whoever_steps_may_leave(held):
    stepping, other = held.settled(), held.settled()
    stepping.send({"op": "step", "ticks": LONG})
    stepping.recv()
    stepping.ws.sock.close()
    assert other.do("ping", 20) == {}
    other.ask("pause", 20)
    tick = other.do("info", 20)["tick"]
    assert other.do("step", 20, ticks=2) == {"tick": tick + 2, "ticks": 2}
    other.close()


def test_every_tick_of_a_step_is_published(held):
    client = held.settled()
    client.do("step", 20, ticks=500)
    frames = [m for m in client.log if m["op"] == "frame"]
    assert [m["tick"] for m in frames] == list(range(1, 501))
    assert not any("skipped" in m for m in frames)
    mirror = daemon.Mirror()
    for message in client.log:
        mirror.take(message)
    assert mirror.scene() == daemon.same_scene(held.state())
    client.close()
