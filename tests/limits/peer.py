# SPDX-License-Identifier: MIT
"""A WebSocket client of bare sockets that does what no library would: reads nothing, stops in mid-frame, vanishes.
And what tests of limits ask of a daemon's process: descriptors, memory."""
import base64
import json
import os
import re
import selectors
import socket
import struct
import time

import daemon

LONG = os.environ.get("OBAND_LONG") == "1"
TEXT, CONT, CLOSE, PING, PONG = 1, 0, 8, 9, 10
TICK = re.compile(rb'^\{"op":"frame","tick":(\d+)(?:,"skipped":(\d+))?')
RST = struct.pack("ii", 1, 0)


def is_sanitized():
    """Whether the daemon is built with ASan: its memory says nothing then."""
    with open(daemon.binary(), "rb") as file:
        return b"__asan_init" in file.read()


def fds(pid):
    return len(os.listdir("/proc/%d/fd" % pid))


def rss(pid):
    """Counted page by page: statm may be off by 64 pages."""
    with open("/proc/%d/smaps_rollup" % pid) as file:
        return int(re.search(r"(?m)^Rss: +(\d+) kB", file.read()).group(1)) << 10


def eventually(wanted, seconds=10.0):
    """Whether wanted() comes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if wanted():
            return True
        time.sleep(0.05)
    return wanted()


def objects(count, anim="mover", first=1, play=True):
    """A scene of objects in a row."""
    return {"objects": [{"object": first + i, "anim": anim, "play": play, "matrix": [1, 0, 0, 0, 1, 0, 0, 0, 1, 2.5 * i, 0, 0]}
                        for i in range(count)]}


def write_scene(folder, *scenes):
    path = folder / "scene.json"
    path.write_text(json.dumps({"objects": [o for s in scenes for o in s["objects"]]}))
    return path


def handshake(host_port, path="/ws"):
    return ("GET %s HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: %s\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n" % (path, *host_port, base64.b64encode(os.urandom(16)).decode())).encode()


def frame(payload, opcode=TEXT, final=True, declare=None):
    """A masked frame; the mask is 0, so that the payload stands in it as it is. `declare`: another length."""
    length = len(payload) if declare is None else declare
    head = bytes([(0x80 if final else 0) | opcode])
    if length < 126:
        head += bytes([0x80 | length])
    elif length < 65536:
        head += bytes([0xfe]) + struct.pack(">H", length)
    else:
        head += bytes([0xff]) + struct.pack(">Q", length)
    return head + b"\0\0\0\0" + payload


def text(**fields):
    return frame(json.dumps(fields, separators=(",", ":")).encode())


class Peer:
    """One connection. `messages` takes the (opcode, payload) that have been read and not taken yet."""

    def __init__(self, host_port, rcvbuf=None, upgrade=True, path="/ws"):
        self.sock = socket.socket()
        if rcvbuf:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, rcvbuf)
        self.sock.settimeout(10)
        self.sock.connect(host_port)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = bytearray()
        self.status, self.body = None, b""
        self.eof = False
        if upgrade:
            self.sock.sendall(handshake(host_port, path))
            self.answer()

    def answer(self):
        """Reads the answer to the handshake; its status."""
        while b"\r\n\r\n" not in self.data:
            piece = self.sock.recv(4096)
            assert piece, "closed without an answer: %r" % bytes(self.data)
            self.data += piece
        head, _, rest = bytes(self.data).partition(b"\r\n\r\n")
        self.status = int(head.split()[1])
        self.data = bytearray(rest)
        if self.status != 101:
            length = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
            while len(self.data) < length:
                piece = self.sock.recv(4096)
                assert piece, "cut short"
                self.data += piece
            self.body = bytes(self.data)
        return self.status

    def send(self, data):
        """False when the other side has gone."""
        try:
            self.sock.sendall(data)
            return True
        except OSError:
            return False

    def _take(self):
        data = self.data
        if len(data) < 2:
            return None
        length, head = data[1] & 0x7f, 2
        if length == 126:
            length, head = int.from_bytes(data[2:4], "big"), 4
        elif length == 127:
            length, head = int.from_bytes(data[2:10], "big"), 10
        if len(data) < head or len(data) < head + length:
            return None
        opcode, payload = data[0] & 0x0f, bytes(data[head:head + length])
        assert data[0] & 0x80 and not data[1] & 0x80, "servers send whole unmasked frames"
        del data[:head + length]
        return opcode, payload

    def taken(self):
        """What has been read already."""
        got = []
        while True:
            message = self._take()
            if message is None:
                return got
            got.append(message)

    def read(self, seconds):
        """One read from the socket, and the messages in it; [] when nothing comes in time. Sets eof at its end."""
        got = self.taken()
        if got:
            return got
        self.sock.settimeout(max(seconds, 0.001))
        try:
            piece = self.sock.recv(1 << 18)
        except TimeoutError:
            return []
        except OSError:
            piece = b""
        self.eof = not piece
        self.data += piece
        return self.taken()

    def objects(self, wanted, seconds=10.0):
        """Reads text messages until wanted(them); all of them, parsed."""
        got = []
        end = time.monotonic() + seconds
        while not wanted(got):
            assert time.monotonic() < end and not self.eof, "not in %g s; last: %r" % (seconds, got[-2:])
            got += [daemon.strict_loads(p.decode()) for o, p in self.read(end - time.monotonic()) if o == TEXT]
        return got

    def settle(self):
        return self.objects(lambda m: m and m[-1]["op"] == "snapshot_end")

    def answers(self, count, seconds=10.0):
        """That many replies and errors."""
        def ours(messages):
            return [m for m in messages if m["op"] in ("reply", "error")]
        return ours(self.objects(lambda m: len(ours(m)) >= count, seconds))

    def closed(self, seconds=10.0):
        """Reads to the close frame; (code, reason), or None when the line just ends."""
        end = time.monotonic() + seconds
        while True:
            assert time.monotonic() < end, "not closed in %g s" % seconds
            for opcode, payload in self.read(end - time.monotonic()):
                if opcode == CLOSE:
                    return int.from_bytes(payload[:2], "big"), payload[2:].decode()
            if self.eof:
                return None

    def close(self):
        self.sock.close()

    def reset(self):
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RST)
        self.sock.close()


def closes(running, data, code, seconds=10.0):
    """A new client sends these bytes and is closed with the code; the reason."""
    peer = Peer(running.host_port)
    peer.settle()
    peer.send(data)
    got = peer.closed(seconds)
    assert got is not None and got[0] == code and got[1], got
    peer.close()
    return got[1]


class Crowd:
    """Peers that are read all the time, by one loop; of each the ticks of its frames, nothing else parsed."""

    def __init__(self, peers):
        self.peers = list(peers)
        self.ticks = [[] for _ in self.peers]
        self.selector = selectors.DefaultSelector()
        for i, peer in enumerate(self.peers):
            self.selector.register(peer.sock, selectors.EVENT_READ, i)

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for key, _ in self.selector.select(max(0.0, end - time.monotonic())):
                peer = self.peers[key.data]
                for opcode, payload in peer.read(1):
                    self._note(key.data, opcode, payload)
                assert not peer.eof, "a good client was dropped"

    def _note(self, i, opcode, payload):
        if opcode == PING:
            self.peers[i].send(frame(payload, PONG))
        found = TICK.match(payload)
        if found:
            self.ticks[i].append(int(found.group(1)))

    def shares(self):
        """Of each, the ticks that it got out of those that there were."""
        return [len(t) / (t[-1] - t[0] + 1) if t else 0.0 for t in self.ticks]

    def forget(self):
        self.ticks = [[] for _ in self.peers]

    def close(self):
        self.selector.close()
        for peer in self.peers:
            peer.close()
