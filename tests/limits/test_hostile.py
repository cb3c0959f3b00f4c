# SPDX-License-Identifier: MIT
"""What went wrong for others, tried here (facts: traps): a throttled line, a long list while events fire, floods."""
import json
import socket
import threading
import time

import daemon
import peer
from peer import TEXT, Crowd, Peer

RATE = 20 * 1024


class Throttle:
    """A proxy of one connection that lets `rate` bytes a second come down."""

    def __init__(self, host_port, rate):
        self.rate = rate
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(10)
        self.up = socket.socket()
        self.up.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        self.up.connect(host_port)
        self.url = "ws://127.0.0.1:%d/ws" % self.listener.getsockname()[1]
        self.bytes = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        self.down, _ = self.listener.accept()
        threading.Thread(target=self._upwards, daemon=True).start()
        piece = self.rate // 20
        try:
            while True:
                data = self.up.recv(piece)
                if not data:
                    break
                self.down.sendall(data)
                self.bytes += len(data)
                time.sleep(len(data) / self.rate)
        except OSError:
            pass
        self.down.close()

    def _upwards(self):
        try:
            while True:
                data = self.down.recv(4096)
                if not data:
                    break
                self.up.sendall(data)
        except OSError:
            pass

    def close(self):
        self.listener.close()
        for sock in (self.up, self.down):
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            sock.close()


def test_two_hundred_animations_end_behind_a_narrow_line(clips, tmp_path):
    """Exactly 200 stops, none missing, none twice; the last places are right; and it did lag."""
    scene = peer.write_scene(tmp_path, peer.objects(200, "blip", play=False), peer.objects(50, "mover", 1001))
    with daemon.Daemon([clips], scene, manual=False) as running:
        line = Throttle(running.host_port, RATE)
        client = daemon.Client(line.url, timeout=30)
        client.settle()
        control = Peer(running.host_port, path="/ws?subscribe=none")
        control.settle()
        for first in range(1, 201, 20):
            control.send(peer.text(op="env_anim", id=first, object=first, to=first + 19))
            assert len(control.answers(1)[0]["result"]["started"]) == 20
            time.sleep(0.1)
        time.sleep(0.5)
        control.send(peer.text(op="env_stop", id=1, object=1001, to=1050) + peer.text(op="pause", id=2))
        control.answers(2)
        state = running.state()
        client.send({"op": "ping", "id": "end"})
        client.until(lambda m: m["op"] == "event" and m["seq"] >= state["seq"], 40)
        client.do("ping")
        events = [m for m in client.log if m["op"] == "event"]
        assert [m["seq"] for m in events] == list(range(events[0]["seq"], state["seq"] + 1))
        stops = [(m["object"], m["run"], m["reason"]) for m in events if m["type"] == "stop" and m["object"] <= 200]
        assert sorted(stops) == [(n, 1, "end") for n in range(1, 201)]
        mirror = daemon.Mirror()
        for message in client.log:
            mirror.take(message)
        assert mirror.scene() == daemon.same_scene(state)
        assert sum(m.get("skipped", 0) for m in client.log if m["op"] == "frame") > 30, "it never lagged"
        client.close()
        control.close()
        line.close()


def test_a_list_of_5000_while_events_fire(clips, tmp_path):
    """No event overtakes another, none is torn; a list is of one moment."""
    scene = peer.write_scene(tmp_path, peer.objects(4900), peer.objects(100, "blip", 5001, play=False))
    with daemon.Daemon([clips], scene, manual=False) as running:
        client, control = Peer(running.host_port), Peer(running.host_port, path="/ws?subscribe=none")
        first = client.settle()[-1]
        control.settle()
        stop = threading.Event()

        def fire():
            n = 0
            while not stop.is_set():
                n += 1
                control.send(peer.text(op="env_anim", id=n, object=5001 + n % 100))
                control.answers(1)

        thread = threading.Thread(target=fire, daemon=True)
        thread.start()
        seq, tick, lists, events = first["seq"], first["tick"], 0, 0
        end = time.monotonic() + 30
        client.send(peer.text(op="object_list", id=0))
        while (lists < 10 or events < 100) and time.monotonic() < end:
            for opcode, payload in client.read(5):
                if payload.startswith(b'{"op":"frame"'):
                    continue  # some 700 kB each
                message = json.loads(payload)
                if message["op"] == "event":
                    events += 1
                    assert message["seq"] == seq + 1, "seq must rise by one"
                    seq = message["seq"]
                    assert message["tick"] >= tick
                    tick = message["tick"]
                else:
                    assert message["re"] == lists and len(message["result"]["objects"]) == 5000
                    lists += 1
                    client.send(peer.text(op="object_list", id=lists))
        stop.set()
        thread.join(10)
        assert lists >= 10 and events >= 100, (lists, events)
        client.close()
        control.close()


def test_5000_commands_a_second(clips, tmp_path):
    """For two seconds, from one client: each is answered once and in order, what is too much by `rate_limited`; the
    rate of ticks holds for another."""
    scene = peer.write_scene(tmp_path, peer.objects(50), peer.objects(1, "blip", 1001, play=False))
    with daemon.Daemon([clips], scene, manual=False) as running:
        flood, good = Peer(running.host_port, path="/ws?subscribe=none"), Crowd([Peer(running.host_port)])
        flood.settle()
        good.run(0.5)
        good.forget()
        asked = [{"op": "ping"}, *({"op": op, "object": 1001} for op in ("object_get", "env_anim", "obj_hide", "nosuch"))]
        sent, answers, began = 0, [], time.monotonic()

        def take(seconds):
            answers.extend(json.loads(p) for o, p in flood.read(seconds) if o == TEXT)

        while sent < 10000:
            flood.send(b"".join(peer.text(id=n, **asked[n % len(asked)]) for n in range(sent, sent + 50)))
            sent += 50
            good.run(max(0.0, began + sent / 5000 - time.monotonic()))
            take(0.0)
        wall = time.monotonic() - began
        end = time.monotonic() + 10
        while len(answers) < sent and time.monotonic() < end:
            take(0.05)
            good.run(0.01)
        assert [m["re"] for m in answers] == list(range(sent))
        limited = sum(m.get("code") == "rate_limited" for m in answers)
        # A bucket of 1000, filled by 1000 a second.
        assert sent - 1000 - 1000 * (wall + 1) - 200 <= limited <= sent - 1000 - 1000 * (wall - 1) + 200, (limited, wall)
        ticks = good.ticks[0]
        span = time.monotonic() - began
        assert 0.85 * 60 * span <= ticks[-1] - ticks[0] <= 1.05 * 60 * span + 12
        assert good.shares()[0] >= 0.9, good.shares()
        flood.close()
        good.close()


def test_a_long_message_in_fragments_of_one_byte(clips, tmp_path):
    """20,000 of them, while frames stream; another client's rate holds."""
    scene = peer.write_scene(tmp_path, peer.objects(20))
    with daemon.Daemon([clips], scene, manual=False) as running:
        client, good = Peer(running.host_port), Crowd([Peer(running.host_port)])
        client.settle()
        good.run(0.3)
        message = b'{"op":"ping","id":"slow","x-fill":"' + b"y" * 20000 + b'"}'
        for at in range(0, len(message), 500):
            unit = b"".join(peer.frame(message[i:i + 1], peer.CONT if i else TEXT, i == len(message) - 1)
                            for i in range(at, min(at + 500, len(message))))
            client.send(unit)
            good.run(0.01)
        got = client.answers(1)
        assert got[0]["re"] == "slow" and got[0]["op"] == "reply"
        assert good.shares()[0] >= 0.9
        client.close()
        good.close()


def events_of(client, count):
    """So many events, in order; nothing else is lost on the way."""
    seen = []
    while len(seen) < count:
        message = client.recv(30)
        if message["op"] == "event":
            seen.append(message["seq"])
    assert seen == list(range(seen[0], seen[0] + count))
    return seen


def test_the_largest_range_does_not_close_its_own_sender():
    """Its answer and its events are more than events_bytes_max, but it reads."""
    with daemon.Daemon() as running:
        client, other = running.settled(), running.settled()
        for text in ("obj_create 0 65535", "obj_kill 0 65535"):
            client.send(text)
            assert events_of(client, 65536) == events_of(other, 65536)
        client.close()
        other.close()


def test_a_small_text_cannot_do_without_bound():
    """A hundred times all numbers created and killed, in 3.7 kB: what is too much for one tick is refused."""
    with daemon.Daemon() as running:
        client = running.settled()
        client.send("\n".join(["obj_create 0 65535", "obj_kill 0 65535"] * 100))
        answer, _ = client.until(lambda m: m["op"] in ("reply", "error"), 30)
        assert any("pass_events_max" in w for w in answer["warnings"])
        assert sum(1 for r in answer["result"]["results"] if r is not None) <= 16  # of 200
        assert peer.is_sanitized() or client.do("info", timeout=30)["rss_bytes"] < 512 << 20
        client.close()
