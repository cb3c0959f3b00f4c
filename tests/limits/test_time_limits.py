# SPDX-License-Identifier: MIT
"""handshake_s, message_s, silence_s, catch_up_ticks_max, and a daemon that is stopped for seconds."""
import os
import signal
import time

import pytest

import daemon
import peer
from peer import CONT, LONG, PING, PONG, TEXT, Peer, frame


# ---- handshake_s -----------------------------------------------------------------------------------------------------


def drip(target, data, seconds, every=0.25):
    """Sends byte by byte until the other side ends it; after how long that was."""
    began = time.monotonic()
    at = 0
    while time.monotonic() - began < seconds:
        if at < len(data) and not target.send(data[at:at + 1]):
            return time.monotonic() - began
        at += 1
        target.read(every)
        if target.eof:
            return time.monotonic() - began
    return None


def test_handshake_s():
    """In time is in time, also when it comes in pieces; late is late, however diligently bytes come."""
    with daemon.Daemon(args=["--handshake-s", 2]) as running:
        request = peer.handshake(running.host_port)
        slow = Peer(running.host_port, upgrade=False)
        for i in range(0, len(request), len(request) // 3):
            slow.send(request[i:i + len(request) // 3])
            time.sleep(0.3)
        assert slow.answer() == 101
        late = Peer(running.host_port, upgrade=False)
        after = drip(late, request, 8)
        assert after is not None and 1.0 < after < 6.5, after
        assert peer.fds(running.process.pid)
        slow.settle()
        slow.send(peer.text(op="ping", id=1))
        assert slow.answers(1)[0]["re"] == 1, "one that has done its handshake is not meant"
        slow.close()
        late.close()


# ---- message_s --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["bytes of one frame", "fragments", "empty fragments", "pings between", "head of a frame only"])
def test_message_s(way):
    """From the first byte of a message to its last; nothing prolongs it."""
    units = {"bytes of one frame": (frame(b"", declare=1000), b"y"), "fragments": (frame(b"y", TEXT, False), frame(b"y", CONT, False)),
             "empty fragments": (frame(b"", TEXT, False), frame(b"", CONT, False)),
             "pings between": (frame(b"y", TEXT, False), frame(b"still here", PING)),
             "head of a frame only": (frame(b"", declare=1000), None)}
    first, more = units[way]
    with daemon.Daemon(args=["--message-s", 1]) as running:
        client = Peer(running.host_port)
        client.settle()
        began = time.monotonic()
        client.send(first)
        got = None
        while got is None and time.monotonic() - began < 6:
            if more:
                client.send(more)
            got = next((p for o, p in client.read(0.1) if o == peer.CLOSE), None)
        after = time.monotonic() - began
        assert got is not None and int.from_bytes(got[:2], "big") == 1008 and b"message_s" in got, got
        assert 0.9 < after < 3.5, after
        client.close()


def test_a_message_within_message_s_is_done():
    """Also several one behind the other that together take longer."""
    with daemon.Daemon(args=["--message-s", 2]) as running:
        client = Peer(running.host_port)
        client.settle()
        for n in range(3):
            data = peer.text(op="ping", id=n)
            for i in range(0, len(data), 8):
                client.send(data[i:i + 8])
                time.sleep(0.2)
            assert client.answers(1)[0]["re"] == n
        client.close()


# ---- silence_s ----------------------------------------------------------------------------------------------------------


def test_silence_s(clips, tmp_path):
    """Who answers no ping is dropped, whether it reads or not; who answers lives, and so does its neighbour."""
    scene = peer.write_scene(tmp_path, peer.objects(40))
    with daemon.Daemon([clips], scene, manual=False, args=["--silence-s", 5]) as running:
        pid = running.process.pid
        good = Peer(running.host_port)
        good.settle()
        base = peer.fds(pid)
        mute = [Peer(running.host_port) for _ in range(3)]                  # read, and answer no ping
        stuck = [Peer(running.host_port, rcvbuf=16384) for _ in range(3)]  # do not even read
        assert peer.fds(pid) == base + 6
        gone, pinged, began = {}, 0, time.monotonic()
        while time.monotonic() - began < 12:
            for opcode, payload in good.read(0.05):
                if opcode == PING:
                    pinged += 1
                    good.send(frame(payload, PONG))
            assert not good.eof, "the one that answers was dropped"
            for one in mute:
                if one not in gone:
                    one.read(0.0)
                    if one.eof:
                        gone[one] = time.monotonic() - began
        assert pinged >= 2
        assert len(gone) == 3 and all(2.4 < at < 9 for at in gone.values()), gone
        assert peer.eventually(lambda: peer.fds(pid) == base, 3), "those that do not read are still held"
        good.send(peer.text(op="info", id=1))
        assert good.answers(1)[0]["result"]["clients"] == 1
        for one in (good, *mute, *stuck):
            one.close()


# ---- catch_up_ticks_max, and Must show 3 -----------------------------------------------------------------------------------


def stall(running, pid, client, seconds, poke):
    """Stops the daemon for a while; a request is sent to it meanwhile. All messages with their times, until two
    seconds after."""
    got = []

    def read(until):
        while time.monotonic() < until:
            for opcode, payload in client.read(until - time.monotonic()):
                if opcode == TEXT:
                    got.append((time.monotonic(), daemon.strict_loads(payload.decode())))
            assert not client.eof

    read(time.monotonic() + 0.5)
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(0.2)
        read(time.monotonic() + 0.1)
        mark = len(got)
        client.send(poke)
        time.sleep(seconds - 0.3)
    finally:
        os.kill(pid, signal.SIGCONT)
    woken = time.monotonic()
    read(woken + 2.0)
    return got[:mark], got[mark:], woken


@pytest.mark.parametrize("most,seconds", [(6, 5.0 if LONG else 2.0), (1, 0.6), (20, 0.6)])
def test_stopped_for_seconds(clips, tmp_path, most, seconds):
    """At most so many ticks are caught up, in one frame; one `late` event tells the rest; no burst; and the clock
    goes on at its rate."""
    scene = peer.write_scene(tmp_path, peer.objects(100))
    args = [] if most == 6 else ["--catch-up-ticks-max", most]
    with daemon.Daemon([clips], scene, manual=False, args=args) as running:
        client = Peer(running.host_port)
        client.settle()
        before, after, woken = stall(running, running.process.pid, client, seconds, peer.text(op="ping", id="poke"))
        frames = [(at, m) for at, m in after if m["op"] == "frame"]
        last = [m for _, m in before if m["op"] == "frame"][-1]["tick"]
        first = frames[0][1]
        assert 1 <= first["tick"] - last <= most, "too many were caught up"
        assert first["tick"] - last == 1 + first.get("skipped", 0)
        assert first["tick"] - last >= min(most, 6), "too few were"
        late = [m for _, m in after if m["op"] == "event" and m.get("change") == "late"]
        assert len(late) == 1 and late[0]["tick"] == first["tick"]
        lost = seconds * 60 - most
        assert 0.8 * lost - 6 <= late[0]["ticks"] <= 1.5 * lost + 30, late
        ticks = [m["tick"] for _, m in frames]
        assert all(b - a == 1 + m.get("skipped", 0) for a, b, (_, m) in zip(ticks, ticks[1:], frames[1:]))
        # No burst: in any window there are not many more frames than its sixtieths.
        early = sum(at - woken < 0.25 for at, _ in frames)
        assert early <= 15 + 6, "%d frames in the first quarter of a second" % early
        span = ticks[-1] - ticks[0]
        assert 0.85 * 120 <= span <= 1.05 * 120 + 6, "%d ticks in the two seconds after" % span
        assert [m["re"] for _, m in after if m["op"] == "reply"] == ["poke"], "what was asked meanwhile is answered"
        client.close()


@pytest.mark.parametrize("most", [1, 6])
def test_a_short_stall_is_caught_up(clips, tmp_path, most):
    """What is within the limit is caught up and no tick is lost."""
    with daemon.Daemon([clips], peer.write_scene(tmp_path, peer.objects(3)), manual=False,
                       args=["--catch-up-ticks-max", 600]) as running:
        client = Peer(running.host_port)
        client.settle()
        before, after, _ = stall(running, running.process.pid, client, 0.3 + 0.1 * most, peer.text(op="ping", id=1))
        assert not any(m.get("change") == "late" for _, m in before + after)
        frames = [m for _, m in before + after if m["op"] == "frame"]
        assert max(m.get("skipped", 0) for m in frames) >= 10
        assert all(b["tick"] - a["tick"] == 1 + b.get("skipped", 0) for a, b in zip(frames, frames[1:]))
        client.close()
