# SPDX-License-Identifier: MIT
"""Starting and stopping the real daemon, and talking to it. Used by the conformance and integration tests.

The daemon under test is the path in the environment variable OBAND (default build/oband). Whatever it does,
everything here is bounded in time, and only processes started here are ended, each by its own id.
"""
import http.client
import json
import os
import queue
import re
import signal
import socket
import subprocess
import threading
import time

import websocket
from websocket import _abnf

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SANITIZER = re.compile(r"AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer|ThreadSanitizer|runtime error:")
# The client library of Debian 12 does not know "try again later" yet; IANA's registry of close codes does.
if 1013 not in _abnf.VALID_CLOSE_STATUS:
    _abnf.VALID_CLOSE_STATUS = (*_abnf.VALID_CLOSE_STATUS, 1013)
START_S = 20.0
STOP_S = 3.0
RECV_S = 10.0


def binary(name="oband"):
    """The path of a program under test: OBAND and OBANCTL in the environment, else build/."""
    path = os.environ.get(name.upper(), os.path.join(ROOT, "build", name))
    return os.path.abspath(path)


def clean_environment(more=None):
    """The environment of a child: what the tests are told by OBAND... is no option of the daemon."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("OBAND") and k != "OBANCTL"}
    env.update(more or {})
    return env


def _refuse_constant(word):
    raise AssertionError("not JSON: %s" % word)


def _refuse_twins(pairs):
    keys = [k for k, _ in pairs]
    assert len(keys) == len(set(keys)), "a key twice in one object: %r" % keys
    return dict(pairs)


def strict_loads(text):
    """JSON as the RFC has it: no NaN, no Infinity, no key twice."""
    return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_refuse_twins)


class Daemon:
    """One running daemon. As a context manager it is stopped by SIGTERM at the end and must then exit 0
    within three seconds, with nothing from a sanitizer on stderr."""

    def __init__(self, anims=(), scene=None, manual=True, seed=1, listen=("127.0.0.1:0",), args=(), env=None, program=None,
                 wrapper=(), wait=True):
        self.command = [*wrapper, program or binary()]
        for path in anims:
            self.command += ["--anims", str(path)]
        if scene is not None:
            self.command += ["--scene", str(scene)]
        for address in listen:
            self.command += ["--listen", address]
        if seed is not None:
            self.command += ["--seed", str(seed)]
        if manual:
            self.command += ["--manual-clock"]
        self.command += [str(a) for a in args]
        self.lines = []
        self._fresh = queue.Queue()
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=clean_environment(env), cwd=ROOT)
        self.stdout = b""
        self._readers = [threading.Thread(target=self._read_stderr, daemon=True),
                         threading.Thread(target=self._read_stdout, daemon=True)]
        for reader in self._readers:
            reader.start()
        self.addresses = []
        if wait:
            try:
                for _ in listen or ("default",):
                    self.addresses.append(self.wait_line(r"listening on (\S+)").group(1))
            except BaseException:
                self.kill()
                raise

    def _read_stderr(self):
        for raw in self.process.stderr:
            line = raw.decode("utf-8", "replace").rstrip("\n")
            self.lines.append(line)
            self._fresh.put(line)
        self._fresh.put(None)

    def _read_stdout(self):
        self.stdout = self.process.stdout.read()

    @property
    def stderr(self):
        return "\n".join(self.lines)

    def wait_line(self, pattern, timeout=START_S):
        """The match of the next line of stderr that fits."""
        end = time.monotonic() + timeout
        while True:
            try:
                line = self._fresh.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError("no line %r within %g s; stderr:\n%s" % (pattern, timeout, self.stderr)) from None
            if line is None:
                self.process.wait(5)
                raise AssertionError("no line %r before the end (exit %s); stderr:\n%s"
                                     % (pattern, self.process.returncode, self.stderr))
            found = re.search(pattern, line)
            if found:
                return found

    @property
    def url(self):
        return next(a for a in self.addresses if a.startswith("ws://"))

    @property
    def host_port(self):
        host, port = re.match(r"ws://(.*):(\d+)/ws$", self.url).groups()
        return host.strip("[]"), int(port)

    def client(self, **options):
        return Client(self.url, **options)

    def settled(self, **options):
        """A client that has read everything up to snapshot_end."""
        client = self.client(**options)
        client.settle()
        return client

    def http(self, path, method="GET", headers=None, timeout=RECV_S):
        """(status, headers, body bytes) of a plain HTTP request."""
        host, port = self.host_port
        connection = http.client.HTTPConnection(host, port, timeout=timeout)
        try:
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def state(self):
        status, _, body = self.http("/state")
        assert status == 200, (status, body)
        return strict_loads(body.decode("utf-8"))

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)

    def wait_exit(self, timeout=STOP_S):
        """The exit code; kills and fails when it takes longer."""
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("still there after %g s; stderr:\n%s" % (timeout, self.stderr)) from None
        for reader in self._readers:
            reader.join(5)
        return self.process.returncode

    def stop(self, number=signal.SIGTERM, within=STOP_S):
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.wait_exit(within)
        assert not SANITIZER.search(self.stderr), self.stderr
        assert code == 0, "exit code %s; stderr:\n%s" % (code, self.stderr)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.stop()
        else:
            self.kill()
            if SANITIZER.search(self.stderr) or self.process.returncode not in (0, -signal.SIGKILL):
                raise AssertionError("the daemon died; stderr:\n%s" % self.stderr) from value


class Client:
    """One WebSocket client. Every message is parsed strictly and kept in `log`."""

    def __init__(self, url, timeout=RECV_S, **options):
        options.setdefault("suppress_origin", True)
        if "socket" not in options:
            options.setdefault("sockopt", ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),))
        self.ws = websocket.create_connection(url, timeout=timeout, **options)
        self.log = []
        self.raw = []
        self.hello = None
        self._id = 0

    def recv(self, timeout=None):
        """The next message as an object."""
        if timeout is not None:
            self.ws.settimeout(timeout)
        try:
            text = self.ws.recv()
        finally:
            if timeout is not None:
                self.ws.settimeout(RECV_S)
        assert isinstance(text, str) and text, "closed or binary: %r" % (text,)
        message = strict_loads(text)
        self.raw.append(text)
        self.log.append(message)
        return message

    def settle(self):
        """Reads hello, snapshots and snapshot_end; returns [the snapshots]."""
        self.hello = self.recv()
        assert self.hello["op"] == "hello", self.hello
        snapshots = []
        while True:
            message = self.recv()
            if message["op"] == "snapshot_end":
                return snapshots
            assert message["op"] == "snapshot", message
            snapshots.append(message)

    def send(self, what):
        self.ws.send(what if isinstance(what, (str, bytes)) else json.dumps(what))

    def until(self, wanted, timeout=RECV_S):
        """Reads until wanted(message); returns (that message, those before it)."""
        before = []
        end = time.monotonic() + timeout
        while True:
            left = end - time.monotonic()
            assert left > 0, "nothing that was wanted in %g s; last: %r" % (timeout, before[-3:])
            message = self.recv(left)
            if wanted(message):
                return message, before
            before.append(message)

    def ask(self, op, timeout=RECV_S, **fields):
        """Sends a request and returns (its answer, the messages before it)."""
        self._id += 1
        own = self._id
        self.send({"op": op, "id": own, **fields})
        return self.until(lambda m: m["op"] in ("reply", "error") and m["re"] == own, timeout)

    def do(self, op, timeout=RECV_S, **fields):
        """As ask, must succeed; returns the result."""
        answer, _ = self.ask(op, timeout, **fields)
        assert answer["op"] == "reply", answer
        return answer["result"]

    def close_code(self, timeout=RECV_S):
        """Reads to the server's close frame; (code, reason)."""
        end = time.monotonic() + timeout
        while True:
            self.ws.settimeout(max(0.01, end - time.monotonic()))
            opcode, data = self.ws.recv_data(control_frame=True)
            if opcode == websocket.ABNF.OPCODE_CLOSE:
                return int.from_bytes(data[:2], "big"), data[2:].decode("utf-8")

    def close(self):
        try:
            self.ws.close(timeout=2)
        except (OSError, websocket.WebSocketException):
            pass


LISTS = ("objects", "doors", "characters")


def thing_of(entry):
    """(kind, number or name, part or leaf) of an entry, an event or what is gone."""
    if "door" in entry:
        return "door", entry["door"], entry.get("leaf", 0)
    if "character" in entry:
        return "character", entry["character"], 0
    return "object", entry["object"], entry.get("part", 0)


def thing_order(entry):
    kind, number, part = thing_of(entry)
    return kind, isinstance(number, str), number, part


class Mirror:
    """What a client holds that only keeps snapshots and frames, and the rules that frames keep."""

    def __init__(self):
        self.things = {}
        self.camera = None
        self.hidden_refs = []
        self.tick = None

    @property
    def objects(self):
        return {key[1:]: entry for key, entry in self.things.items() if key[0] == "object"}

    def take(self, message):
        if message["op"] == "snapshot":
            self._snapshot(message)
        elif message["op"] == "frame":
            self._frame(message)

    def _snapshot(self, message):
        self.tick = message["tick"]
        for name in LISTS:
            for entry in message.get(name, ()):
                self.things[thing_of(entry)] = dict(entry)
        self.camera = message.get("camera", self.camera)
        self.hidden_refs = message.get("hidden_refs", self.hidden_refs)

    def _frame(self, message):
        assert self.tick is None or message["tick"] >= self.tick, "ticks fall"
        self.tick = message["tick"]
        for name in ("gone", "sectors", *LISTS):
            assert message.get(name, True), "an empty list is left out: %s" % name
        for gone in message.get("gone", ()):
            assert self.things.pop(thing_of(gone))["life"] == gone.get("life", 1), gone
        for name in LISTS:
            for entry in message.get(name, ()):
                assert thing_of(entry)[0] == name[:-1], entry
                self._entry(entry)
        self.camera = message.get("camera", self.camera)
        self.hidden_refs = message.get("hidden_refs", self.hidden_refs)

    def _entry(self, entry):
        key, life = thing_of(entry), entry.get("life", 1)
        held = self.things.get(key)
        if held is None or held["life"] != life:
            assert {"h", "name", "kind", "anim", "frame", "frames", "step", "run", "state", "visible", "stop_frame",
                    "geometry", "m"} <= set(entry), entry
            part = {"object": {"part": key[2]}, "door": {"leaf": key[2]}, "character": {}}[key[0]]
            self.things[key] = {**part, "life": life, **entry}
        else:
            assert {"anim", "frame", "m"} <= set(entry), entry
            assert any(held.get(k) != v for k, v in entry.items()), "nothing of it differs: %r" % entry
            held.update(entry)

    def scene(self):
        """In the shape of same_scene."""
        rows = sorted(self.things.values(), key=thing_order)
        return {**{name: [e for e in rows if thing_of(e)[0] == name[:-1]] for name in LISTS}, "camera": self.camera,
                "hidden_refs": self.hidden_refs}


def same_scene(state):
    """/state or a snapshot, in the shape of Mirror.scene."""
    return {**{name: sorted(state.get(name, ()), key=thing_order) for name in LISTS}, "camera": state["camera"],
            "hidden_refs": state.get("hidden_refs", [])}
