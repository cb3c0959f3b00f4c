# SPDX-License-Identifier: MIT
"""Must show 2 of the limits: clients that never read cost next to nothing, harm nobody, and have all facts when
they come back. OBAND_LONG=1 is the long form."""
import threading
import time

import daemon
import peer
from peer import LONG, Crowd, Peer

STALL_S = 60 if LONG else 12
WARM_S = 4
FACTS_EVERY_S = 0.5
SHARE = 0.98
PATIENCE_S = 30


class Poke:
    """One who asks for something to happen, again and again, and counts what it was told. Its frames are read."""

    def __init__(self, running, op, every, **fields):
        self.running, self.every, self.fields = running, every, dict(fields, op=op)
        self.asked, self.answers, self.stop = 0, [], threading.Event()
        self.peer = Peer(running.host_port, path="/ws?subscribe=none")
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        self.peer.settle()
        while not self.stop.is_set():
            self.asked += 1
            self.peer.send(peer.text(id=self.asked, **self.fields))
            self.answers += self.peer.answers(1)
            self.stop.wait(self.every)

    def end(self):
        self.stop.set()
        self.thread.join(20)
        self.peer.close()
        assert [m["re"] for m in self.answers] == list(range(1, self.asked + 1))
        return self.answers


def test_one_that_never_reads_beside_twenty_that_do(clips, tmp_path):
    scene = peer.write_scene(tmp_path, peer.objects(100), peer.objects(1, "blip", 1001, play=False))
    with daemon.Daemon([clips], scene, manual=False) as running:
        pid = running.process.pid
        slow = Peer(running.host_port, rcvbuf=16384)
        good = Crowd(Peer(running.host_port) for _ in range(20))
        poke = Poke(running, "env_anim", FACTS_EVERY_S, object=1001)
        good.run(WARM_S)
        warm = peer.rss(pid)
        good.forget()
        grown = 0
        end = time.monotonic() + STALL_S
        while time.monotonic() < end:
            good.run(1.0)
            grown = max(grown, peer.rss(pid) - warm)
        shares = good.shares()
        span = max(t[-1] - t[0] + 1 for t in good.ticks)
        print("stalled %d s: RSS grew by %d bytes; ticks of the others %.2f %% at least, %d ticks"
              % (STALL_S, grown, 100 * min(shares), span))
        assert min(shares) >= SHARE, shares
        assert 0.9 * 60 * STALL_S <= span <= 1.05 * 60 * STALL_S + 12
        assert peer.is_sanitized() or grown < 256 << 10, "the stalled client cost %d bytes" % grown
        answers = poke.end()
        told_everything(slow, len(answers), running)
        good.close()
        slow.close()


def told_everything(slow, runs, running):
    """It reads again: the whole of what happened, in order, and soon the present."""
    begun = time.monotonic()
    slow.send(peer.text(op="ping", id="back"))

    def present(messages):
        """The answer has come, and a frame of a later tick with nothing skipped: it is in step again."""
        answer = next((m for m in messages if m.get("re") == "back"), None)
        last = messages[-1] if messages else None
        return answer and last["op"] == "frame" and "skipped" not in last and last["tick"] > answer["tick"] + 30

    messages = slow.objects(present, PATIENCE_S)
    assert time.monotonic() - begun < PATIENCE_S
    first = next(m["seq"] for m in messages if m["op"] == "snapshot_end")
    events = [m for m in messages if m["op"] == "event"]
    assert [m["seq"] for m in events] == list(range(first + 1, first + 1 + len(events)))
    stops = [m["run"] for m in events if m["type"] == "stop" and m["object"] == 1001]
    seen_before = runs - len(stops)
    assert 0 <= seen_before <= 3, "%d stops of %d runs" % (len(stops), runs)
    assert stops == list(range(stops[0], runs + 1))
    mirror, skipped, tick = daemon.Mirror(), 0, None
    for message in messages:
        mirror.take(message)
        if message["op"] == "frame":
            assert tick is None or message["tick"] - tick == 1 + message.get("skipped", 0)
            tick, skipped = message["tick"], skipped + message.get("skipped", 0)
    assert skipped > 60 * STALL_S / 3, "it was never choked: the test showed nothing"


def test_fifty_that_never_read_a_large_scene(clips, tmp_path):
    """Each may cost the one frame that libwebsockets keeps for it, but no more of them; a good one keeps its rate."""
    scene = peer.write_scene(tmp_path, peer.objects(1000))
    with daemon.Daemon([clips], scene, manual=False) as running:
        pid = running.process.pid
        good = Crowd([Peer(running.host_port)])
        good.run(1)
        stuck = [Peer(running.host_port, rcvbuf=16384) for _ in range(50)]
        good.run(WARM_S)
        warm = peer.rss(pid)
        good.forget()
        good.run(60 if LONG else 6)
        grown = peer.rss(pid) - warm
        print("50 stalled: RSS %d kB, grew by %d bytes; ticks of the good one %.2f %%"
              % (peer.rss(pid) >> 10, grown, 100 * good.shares()[0]))
        assert good.shares()[0] >= (0.9 if peer.is_sanitized() else SHARE)
        assert peer.is_sanitized() or (grown < 1 << 20 and warm < 64 << 20), (warm, grown)
        for p in stuck:
            p.close()
        good.run(1)
        good.close()


def test_events_bytes_max_and_a_fresh_start(clips, tmp_path):
    """Who lets its events overflow is closed with 1013 and told why; who holds less is not; a new connection has
    the whole state."""
    scene = peer.write_scene(tmp_path, peer.objects(60), peer.objects(20, "blip", 1001, play=False))
    with daemon.Daemon([clips], scene, manual=False, args=["--events-bytes-max", 65536]) as running:
        control = Peer(running.host_port, path="/ws?subscribe=none")
        control.settle()
        slow, brief = Peer(running.host_port, rcvbuf=16384), Peer(running.host_port, rcvbuf=16384)
        good = Peer(running.host_port)
        good.settle()
        clients = 4

        def pass_time(seconds):
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                good.read(end - time.monotonic())
                assert not good.eof

        pass_time(2)  # choked by frames
        for n in range(2):  # 80 events, some 12 kB: within the bound
            control.send(peer.text(op="env_anim", id=n, object=1001, to=1020))
            assert control.answers(1)[0]["op"] == "reply"
            pass_time(0.3)
        back = brief.objects(lambda m: m and sum(x["op"] == "event" and x["type"] == "stop" for x in m) >= 40, 15)
        assert [m["seq"] for m in back if m["op"] == "event"] == list(range(1, 1 + sum(m["op"] == "event" for m in back)))
        for n in range(200):
            control.send(peer.text(op="env_anim", id=n, object=1001, to=1020) + peer.text(op="info", id="i"))
            clients = control.answers(2)[1]["result"]["clients"]
            brief.read(0.0)
            if clients < 4:
                break
            pass_time(0.1)
        assert clients == 3, "it was never closed, or others were"
        code, reason = slow.closed(15)
        assert code == 1013 and "events_bytes_max" in reason
        slow.close()
        control.send(peer.text(op="pause", id="p"))
        control.answers(1)
        fresh = Peer(running.host_port)
        mirror = daemon.Mirror()
        for message in fresh.settle():
            mirror.take(message)
        state = running.state()
        assert mirror.scene() == daemon.same_scene(state) and len(mirror.objects) == 80
        for p in (fresh, brief, good, control):
            p.close()


def test_one_that_asks_and_never_reads(clips, tmp_path):
    """Small answers pile up to the bound: 1013. Large ones block its further requests and then its reading: it is
    held, costs no more than the bounds, and harms nobody."""
    scene = peer.write_scene(tmp_path, peer.objects(600))
    for op, small in (("help", True), ("object_list", False)):
        with daemon.Daemon([clips], scene, manual=False,
                           args=["--events-bytes-max", 262144, "--commands-per-s-max", 100000]) as running:
            pid = running.process.pid
            good = Crowd([Peer(running.host_port)])
            good.run(1)
            before = peer.rss(pid)
            greedy = Peer(running.host_port, rcvbuf=16384, path="/ws?subscribe=none")
            greedy.settle()
            ask = peer.text(op=op, id=1) if not small else peer.text(op="object_get", id=1, object=1)
            greedy.sock.settimeout(0.5)
            good.forget()
            for _ in range(400):
                if not greedy.send(ask * 200):
                    break  # its own socket is full, or it is closed: both will do
                good.run(0.005)
            good.run(2)
            assert good.shares()[0] >= 0.9, good.shares()
            assert peer.is_sanitized() or peer.rss(pid) - before < 24 << 20
            if small:
                closed = greedy.closed(15)
                assert closed is None or closed[0] == 1013
            greedy.close()
            good.run(1)
            control = running.settled()
            assert control.do("info")["clients"] == 2
            control.close()
            good.close()
