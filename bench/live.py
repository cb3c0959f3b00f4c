# SPDX-License-Identifier: MIT
"""The benches of the real daemon over real sockets: fan-out, a share of a core, the whole job against
node, ticks, memory. Each gives {name: figure} and raises WrongAnswer when what it measured is not right.

Rounds are interleaved: each round measures every peer once, and what is compared is the median of the
rounds' ratios of CPU time. Not here: processes (peers.py), the table (run.py).
"""
import os
import resource
import statistics
import subprocess
import tempfile

import peers
import scenes
import wire
from peers import Clients, Window, WrongAnswer

SIZES = {"1kB": 5, "10kB": 52}  # objects that give frames of about this size


class Setup:
    """Where things are, and how long to measure."""

    def __init__(self, bin_folder, program, rounds, window_s, rate_s, idle_clients):
        self.bin_folder = bin_folder
        self.program = program
        self.rounds = rounds
        self.window_s = window_s
        self.rate_s = rate_s
        self.idle_clients = idle_clients


def _window(setup, server, clients):
    with Clients(setup.bin_folder, server.port, clients) as load:
        return Window(server, load, setup.window_s)


def fanout(setup, clients=100):
    """CPU time per message against a bare send() of one shared buffer, and against npm ws."""
    figures = {}
    for size, objects in SIZES.items():
        with tempfile.TemporaryDirectory() as folder:
            scenes.write(folder, objects)
            message_file = os.path.join(folder, "message")
            with peers.oband(setup.program, folder) as ours:
                with wire.Reader(ours.port) as reader:
                    reader.frame()  # entries of things first seen are longer
                    with open(message_file, "wb") as file:
                        file.write(reader.frame())
                with peers.raw(setup.bin_folder, message_file) as raw, peers.node("fanout.js", message_file) as ws:
                    rounds = [tuple(_window(setup, server, clients) for server in (raw, ours, ws))
                              for _ in range(setup.rounds)]
        _check_sizes(rounds)
        us = [tuple(window.us_per_message() for window in row) for row in rounds]
        name = "fanout.%s." % size
        figures[name + "bytes"] = rounds[0][1].message_bytes
        figures[name + "us"] = statistics.median(ours for _, ours, _ in us)
        figures[name + "x_raw"] = statistics.median(ours / raw for raw, ours, _ in us)
        figures[name + "x_ws"] = statistics.median(ours / ws for _, ours, ws in us)
    return figures


def _check_sizes(rounds):
    for raw, ours, ws in rounds:
        for peer in (raw, ws):
            if abs(peer.message_bytes - ours.message_bytes) > 0.03 * ours.message_bytes:
                raise WrongAnswer("a peer's messages are %g bytes, ours %g" % (peer.message_bytes, ours.message_bytes))


def share(setup, objects=1000, clients=100):
    """The share of a core that 1,000 moving objects to 100 clients at 60 Hz take. When the machine is too
    busy for every client to get every tick, what is missing is reckoned in at the cost of the others."""
    with tempfile.TemporaryDirectory() as folder:
        scenes.write(folder, objects)
        with peers.oband(setup.program, folder) as server:
            windows = [_window(setup, server, clients) for _ in range(setup.rounds)]
    return {
        "share.percent": statistics.median(w.us_per_message() * 60 * clients / 1e4 for w in windows),
        "share.percent_measured": statistics.median(100 * w.cpu_s / w.wall_s for w in windows),
        "share.hz_per_client": statistics.median(w.hz for w in windows),
        "share.message_bytes": windows[0].message_bytes,
    }


# ---- the whole job -----------------------------------------------------------------------------------

def _collect(port, until):
    with wire.Reader(port) as reader:
        reader.frame()
        for _ in range(4 * scenes.FRAMES):
            found = wire.matrices(reader.frame())
            if until(found):
                return found
    raise WrongAnswer("no two frames of the servers show the same clip frame")


def _check_matrices(ours, theirs, objects):
    """One frame of the peer against the daemon's frame of the same clip frames: within 1e-4 (of positions,
    which are up to 100: of their size)."""
    want = _collect(theirs.port, lambda found: len(found) == objects)
    first = next(iter(want))
    have = _collect(ours.port, lambda found: first in found and found[first][1] == want[first][1])
    if have.keys() != want.keys():
        raise WrongAnswer("the servers show different objects")
    worst = 0.0
    for key, (anim, frame, m) in want.items():
        if have[key][:2] != (anim, frame):
            raise WrongAnswer("object %d: %s here, %s there" % (key, have[key][:2], (anim, frame)))
        worst = max(worst, max(abs(a - b) / max(1.0, abs(b)) for a, b in zip(have[key][2], m)))
    if worst > 1e-4:
        raise WrongAnswer("the node server's matrices differ by %g" % worst)
    return worst


def _against_node(setup, ours, theirs, clients, name):
    rounds = [(_window(setup, theirs, clients), _window(setup, ours, clients)) for _ in range(setup.rounds)]
    return {name + "us": statistics.median(own.us_per_message() for _, own in rounds),
            name + "x_node": statistics.median(node.us_per_message() / own.us_per_message() for node, own in rounds)}


def whole(setup, objects=1000):
    """All that a daemon does, against node servers that do it all, in three ways (node/whole.js): CPU time
    per message delivered."""
    runs = (("doubles", (1, 10, 100)), ("protocol", (1, 10, 100)), ("each", (10,)))
    figures = {"whole.difference": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        scenes.write(folder, objects)
        scene = os.path.join(folder, "node.json")
        with peers.oband(setup.program, folder) as ours:
            for way, client_counts in runs:
                with peers.node("whole.js", scene, way) as theirs:
                    difference = _check_matrices(ours, theirs, objects)
                    figures["whole.difference"] = max(difference, figures["whole.difference"])
                    for clients in client_counts:
                        name = "whole.%s.%d." % (way, clients)
                        figures.update(_against_node(setup, ours, theirs, clients, name))
    return figures


# ---- ticks and memory --------------------------------------------------------------------------------

def ticks(setup):
    """Lateness and long-term rate, as one client sees them."""
    with tempfile.TemporaryDirectory() as folder:
        scenes.write(folder, 5)
        with peers.oband(setup.program, folder) as server:
            run = subprocess.run([os.path.join(setup.bin_folder, "lateness"), str(server.port), str(setup.rate_s)],
                                 stdout=subprocess.PIPE, text=True, check=False, preexec_fn=peers.pin(1))
    if run.returncode != 0:
        raise WrongAnswer("lateness")
    return read_figures(run.stdout)


def idle(setup):
    """Resident memory per client that is connected and does nothing."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    clients = min(setup.idle_clients, limit - 200 if limit > 0 else setup.idle_clients)
    with peers.oband(setup.program, None, "--clients-max", str(clients + 50)) as server:
        with Clients(setup.bin_folder, server.port, 10) as _:
            before = server.rss_bytes()
        with Clients(setup.bin_folder, server.port, clients) as load:
            load.mark()
            after = server.rss_bytes()
    return {"idle.clients": clients, "idle.bytes": (after - before) / clients}


def read_figures(text):
    return {name: float(value) for name, value in (line.split("\t") for line in text.splitlines())}
