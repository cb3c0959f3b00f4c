# SPDX-License-Identifier: MIT
"""The processes that the benches run: servers, load clients, and what the kernel says of them.

Every process is ended by its own handle. Servers run on the first core and clients on the second, so that
neither disturbs the other's figures. Not here: what is compared with what (live.py).
"""
import os
import socket
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CORES = sorted(os.sched_getaffinity(0))


class WrongAnswer(Exception):
    """A bench whose answer is wrong measured nothing."""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def pin(core):
    """For preexec_fn; with one core there is nothing to choose."""
    return lambda: os.sched_setaffinity(0, {CORES[core % len(CORES)]})


class Process:
    """A child that is ended when its block is left."""

    def __init__(self, args, core, **more):
        self.process = subprocess.Popen(args, preexec_fn=pin(core), **more)
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def cpu_s(self):
        """CPU time of all threads, to the nanosecond (stat counts hundredths)."""
        total = 0
        for thread in os.listdir("/proc/%d/task" % self.pid):
            with open("/proc/%d/task/%s/schedstat" % (self.pid, thread), encoding="ascii") as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def rss_bytes(self):
        with open("/proc/%d/status" % self.pid, encoding="ascii") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) * 1024
        raise WrongAnswer("no VmRSS of process %d" % self.pid)


class Server(Process):
    """A server on a port of 127.0.0.1; ready when it accepts."""

    def __init__(self, args, port):
        super().__init__(args, 0, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.port = port
        for _ in range(200):
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        self.__exit__()
        raise WrongAnswer("%s does not come up" % args[0])


def oband(program, scene=None, *more):
    port = free_port()
    args = [program, "--listen", "127.0.0.1:%d" % port, *more]
    if scene is not None:
        args += ["--anims", os.path.join(scene, "anims"), "--scene", os.path.join(scene, "scene.json")]
    return Server(args, port)


def raw(bin_folder, message_file):
    port = free_port()
    return Server([os.path.join(bin_folder, "raw_server"), str(port), message_file], port)


def node(script, *args):
    port = free_port()
    return Server(["node", os.path.join(HERE, "node", script), str(port), *args], port)


class Marks:
    """What a load client has counted by now."""

    def __init__(self, line):
        self.first, self.least, self.most, self.all, self.frames = (int(word) for word in line.split())


class Clients(Process):
    """A load client; see load_client.c."""

    def __init__(self, bin_folder, port, count):
        super().__init__([os.path.join(bin_folder, "load_client"), str(port), str(count)], 1,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.count = count
        if self.process.stdout.readline() != "ready\n":
            self.__exit__()
            raise WrongAnswer("%d clients do not all get in" % count)

    def mark(self):
        self.process.stdin.write("mark\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise WrongAnswer("the load client has ended")
        return Marks(line)


class Window:
    """What happened between two marks."""

    def __init__(self, server, clients, seconds, settle=0.7):
        time.sleep(settle)
        start, cpu, wall = clients.mark(), server.cpu_s(), time.monotonic()
        time.sleep(seconds)
        end, self.cpu_s, self.wall_s = clients.mark(), server.cpu_s() - cpu, time.monotonic() - wall
        frames, first = end.frames - start.frames, end.first - start.first
        if frames == 0:
            raise WrongAnswer("the server sent nothing in %g seconds" % seconds)
        self.message_bytes = first / frames
        self.messages = (end.all - start.all) / self.message_bytes
        self.hz = self.messages / clients.count / self.wall_s
        # Behind by a message or two at the marks is no fault; missing a tenth of all would be.
        if end.least - start.least < 0.9 * first - 2 * self.message_bytes:
            raise WrongAnswer("one client got %d bytes, the first %d" % (end.least - start.least, first))

    def us_per_message(self):
        return self.cpu_s * 1e6 / self.messages
