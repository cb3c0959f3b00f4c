# SPDX-License-Identifier: MIT
"""A client that never reads for twenty seconds: it harms nobody; when it reads again it sees the present
within a second, the gap is told, and not one event is missing."""
import json
import socket
import time

import daemon

STALL_S = 20
OBJECTS = 60


def scene(folder, warehouse_anims):
    rows = [{"object": n, "anim": "crane", "play": True} for n in range(1, OBJECTS + 1)]
    rows += [{"object": n, "anim": "flag_autostart"} for n in range(1001, 1011)]  # ten stops in each half second
    path = folder / "scene.json"
    path.write_text(json.dumps({"objects": rows}))
    return path


def test_never_reads_for_twenty_seconds(warehouse, tmp_path):
    with daemon.Daemon([warehouse[0]], scene(tmp_path, warehouse[0]), manual=False) as running:
        small = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), (socket.SOL_SOCKET, socket.SO_RCVBUF, 65536))
        slow = running.settled(sockopt=small)
        good = running.settled()
        before = good.do("info")["rss_bytes"]
        ticks, gaps, last = [], [], None
        end = time.monotonic() + STALL_S
        while time.monotonic() < end:
            message = good.recv()
            if message["op"] == "frame":
                now = time.monotonic()
                gaps.append(now - (last or now))
                last = now
                ticks.append(message["tick"])
            assert "skipped" not in message or message["skipped"] < 30, "the good client lags"
        assert ticks[-1] - ticks[0] >= 60 * STALL_S - 30
        assert len(ticks) > 0.98 * (ticks[-1] - ticks[0])
        assert max(gaps) < 0.5
        grown = good.do("info")["rss_bytes"] - before
        assert grown < 16 << 20, "the stalled client cost %d bytes" % grown

        began = time.monotonic()
        present = good.do("ping") == {} and good.log[-1]["tick"]
        while True:
            message = slow.recv()
            if message["op"] == "frame" and message["tick"] >= present - 60:
                break
        assert time.monotonic() - began < 1.0, "it took too long to the present"

        slow.do("ping")
        seen = slow.log[-1]["tick"]
        assert seen >= present
        slow.until(lambda m: m["op"] == "frame" and m["tick"] >= seen + 60)
        good.until(lambda m: m["op"] == "frame" and m["tick"] >= seen + 60)
        _told_everything(slow, good, seen)
        good.close()
        slow.close()


def _told_everything(slow, good, seen):
    start = next(m["seq"] for m in slow.log if m["op"] == "snapshot_end")
    events = [m for m in slow.log if m["op"] == "event"]
    assert [m["seq"] for m in events] == list(range(start + 1, start + 1 + len(events)))

    def stops(client):
        return {(m["object"], m["run"], m["tick"]) for m in client.log
                if m["op"] == "event" and m["type"] == "stop" and m["seq"] > start and m["tick"] <= seen}

    assert len(stops(slow)) > 300
    assert stops(good) <= stops(slow)
    before, skipped = None, 0
    mirror = daemon.Mirror()
    for message in slow.log:
        mirror.take(message)
        if message["op"] == "frame":
            assert before is None or message["tick"] - before == 1 + message.get("skipped", 0)
            before = message["tick"]
            skipped += message.get("skipped", 0)
        if message["op"] == "event":
            assert before is None or message["tick"] <= before, "an event before the frame that holds what it tells"
    assert skipped > 300, "it was never choked: the test showed nothing"


def test_one_that_never_comes_back_is_closed_and_costs_nothing(warehouse, tmp_path):
    """Its events overflow: closed with 1013, while the others go on."""
    anims, _ = warehouse
    with daemon.Daemon([anims], scene(tmp_path, anims), manual=False, args=["--events-bytes-max", 65536]) as running:
        small = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), (socket.SOL_SOCKET, socket.SO_RCVBUF, 16384))
        slow = running.settled(sockopt=small)
        good = running.settled()
        # 120 events (about 20 KB) in each ask: choked by frames first, then the events pile up.
        end = time.monotonic() + 20
        while good.do("info")["clients"] > 1 and time.monotonic() < end:
            good.do("env_anim", object=1, to=OBJECTS)
            good.until(lambda m: m["op"] == "frame")
        assert good.do("info")["clients"] == 1
        code, reason = slow.close_code(timeout=15)
        assert code == 1013 and reason
        good.close()
