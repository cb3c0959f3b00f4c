# SPDX-License-Identifier: MIT
"""Playing a transcript (README.md beside this file) against the daemon, and matching messages."""
import json
import os

import daemon
import oban_write
from oban_write import Clip, Key


class Mismatch(AssertionError):
    pass


class Matcher:
    """Holds the values that `$save` has taken."""

    def __init__(self):
        self.saved = {}

    def fault(self, pattern, value, path="message"):
        """None when the value fits the pattern, else what is wrong and where."""
        if pattern == "*":
            return None
        if isinstance(pattern, dict):
            special = next((k for k in pattern if k.startswith("$")), None)
            return self._special(special, pattern, value, path) if special else self._object(pattern, value, path)
        if isinstance(pattern, list):
            return self._array(pattern, value, path)
        if isinstance(pattern, bool) or isinstance(value, bool) or pattern is None:
            same = pattern is value
        else:
            same = pattern == value
        return None if same else "%s: expected %r, found %r" % (path, pattern, value)

    def _object(self, pattern, value, path):
        if not isinstance(value, dict):
            return "%s: expected an object, found %r" % (path, value)
        for key, want in pattern.items():
            here = "%s.%s" % (path, key)
            if want == {"$absent": True}:
                if key in value:
                    return "%s: must not be there, is %r" % (here, value[key])
            elif key not in value:
                return "%s: missing; there is %s" % (here, ", ".join(value))
            else:
                fault = self.fault(want, value[key], here)
                if fault:
                    return fault
        return None

    def _array(self, pattern, value, path):
        if not isinstance(value, list) or len(value) != len(pattern):
            return "%s: expected an array of %d, found %r" % (path, len(pattern), value)
        for i, (want, got) in enumerate(zip(pattern, value)):
            fault = self.fault(want, got, "%s[%d]" % (path, i))
            if fault:
                return fault
        return None

    def _special(self, special, pattern, value, path):
        want = pattern[special]
        if special == "$near":
            return self._near(want, value, pattern.get("tolerance", 2e-6), path)
        if special == "$range":
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            ok = number and want[0] <= value <= want[1]
        elif special == "$text":
            ok = isinstance(value, str) and want in value
        elif special == "$count":
            ok = isinstance(value, list) and want[0] <= len(value) <= want[1]
        elif special == "$not":
            ok = self.fault(want, value, path) is not None
        elif special == "$save":
            self.saved[want] = value
            ok = True
        elif special == "$same":
            ok = value == self.saved[want]
        elif special == "$differs":
            ok = value != self.saved[want]
        else:
            raise ValueError("no such pattern: %s" % special)
        return None if ok else "%s: expected %s, found %r" % (path, json.dumps(pattern), value)

    def _near(self, want, value, tolerance, path):
        numbers, got = (want, value) if isinstance(want, list) else ([want], [value])
        if not isinstance(got, list) or len(got) != len(numbers):
            return "%s: expected %d numbers, found %r" % (path, len(numbers), value)
        groups = [range(9), range(9, 12)] if len(numbers) == 12 else [range(len(numbers))]
        for group in groups:
            size = max([1.0] + [abs(numbers[i]) for i in group])
            for i in group:
                if isinstance(got[i], bool) or abs(got[i] - numbers[i]) > tolerance * size:
                    return "%s[%d]: expected %r, found %r in %r" % (path, i, numbers[i], got[i], value)
        return None


def read(path):
    """(header, [(line number, step)])."""
    steps = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                steps.append((number, daemon.strict_loads(line)))
    return steps[0][1], steps[1:]


def inline_clip(row):
    keys = tuple(Key(k["frame"], tuple(k["q"]), tuple(k["p"])) for k in row["keys"])
    return Clip(row["name"], keys, row.get("flags", 0), tuple(row.get("start", oban_write.IDENTITY)),
                tuple(row.get("base", oban_write.IDENTITY)), 1, row.get("frames", -1), row.get("half_stop", 0))


def start(header, here, folder, program=None):
    """The daemon that a header asks for; inline clips and scene are written into `folder`."""
    anims = os.path.join(folder, "anims")
    os.makedirs(anims, exist_ok=True)
    paths = []
    for row in header.get("anims", ()):
        if isinstance(row, str):
            paths.append(os.path.join(here, row))
        else:
            with open(os.path.join(anims, "OBAN%s.xml" % row["name"]), "wb") as file:
                file.write(oban_write.xml_bytes(inline_clip(row)))
    scene = None
    if "scene" in header:
        scene = os.path.join(folder, "scene.json")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(header["scene"], file)
    return daemon.Daemon([anims, *paths], scene, header.get("manual_clock", True), header.get("seed", 1),
                         args=header.get("args", ()), program=program)


class Player:
    def __init__(self, running, header):
        self.daemon = running
        self.clients = {}
        self.ignored = set(header.get("ignore_events", ()))
        self.matcher = Matcher()

    def _next(self, name):
        while True:
            message = self.clients[name].recv()
            if not (message["op"] == "event" and message["type"] in self.ignored):
                return message

    def _expect(self, name, pattern):
        message = self._next(name)
        fault = self.matcher.fault(pattern, message)
        if fault:
            raise Mismatch("%s\n  expected %s\n  found    %s" % (fault, json.dumps(pattern), json.dumps(message)))

    def _until(self, name, pattern, none=()):
        while True:
            message = self._next(name)
            if self.matcher.fault(pattern, message) is None:
                return
            for unwanted in none:
                if self.matcher.fault(unwanted, message) is None:
                    raise Mismatch("must not come before %s: %s" % (json.dumps(pattern), json.dumps(message)))

    def step(self, row):
        if "note" in row:
            return
        name = row["client"]
        if "open" in row:
            self.clients[name] = self.daemon.client()
            if "until" in row:
                self._until(name, row["until"])
        elif "send" in row:
            self.clients[name].send(row["send"])
        elif "expect" in row:
            self._expect(name, row["expect"])
        elif "skip_until" in row:
            self._until(name, row["skip_until"])
        elif "expect_none_until" in row:
            self._until(name, row["expect_none_until"]["until"], row["expect_none_until"]["none"])
        elif "close" in row:
            self.clients.pop(name).close()
        else:
            raise ValueError("no such step: %r" % row)

    def close(self):
        for client in self.clients.values():
            client.close()


def play(path, folder, program=None):
    """Plays a transcript; raises Mismatch with the file's line."""
    header, steps = read(path)
    with start(header, os.path.dirname(path), folder, program) as running:
        player = Player(running, header)
        try:
            for number, row in steps:
                try:
                    player.step(row)
                except Exception as error:
                    raise Mismatch("%s:%d: %s: %s" % (os.path.basename(path), number, type(error).__name__, error)) from error
        finally:
            player.close()
