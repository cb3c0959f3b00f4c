# SPDX-License-Identifier: MIT
"""obanctl against the real daemon: what it prints, its exit codes, and what it says when nobody is there."""
import fcntl
import json
import os
import pty
import shlex
import signal
import socket
import struct
import subprocess
import termios
import threading
import time

import pytest

import daemon

CTL = daemon.binary("obanctl")


def ctl(url, *args, timeout=15, env=None, stdin=None):
    command = [CTL] + (["--url", url] if url else []) + list(args)
    given = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=daemon.clean_environment(env), **given)
    assert not daemon.SANITIZER.search(done.stderr), done.stderr
    return done


def test_send_bsl(held):
    client = held.settled()
    done = ctl(held.url, "send", "env_anim 1")
    assert done.returncode == 0, done.stderr
    frame, _ = client.until(lambda m: m["op"] == "frame")
    assert frame["objects"][0]["object"] == 1 and frame["objects"][0]["state"] == "playing"
    client.close()


def test_send_json_and_its_answer(held):
    done = ctl(held.url, "--json", "send", '{"op":"env_anim","id":"mine","object":1,"stop_frame":50}')
    assert done.returncode == 0, done.stderr
    answer = daemon.strict_loads(done.stdout)
    assert answer["re"] == "mine" and answer["result"]["started"][0]["ends"] == 50


def test_send_several_in_order(held):
    done = ctl(held.url, "--json", "send", "obj_kill 1", "obj_create 1", '{"op":"object_get","id":1,"object":1}')
    lines = [daemon.strict_loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and len(lines) == 3
    assert lines[1]["result"]["results"][0]["created"] == [{"object": 1, "part": 0, "life": 2}]


def test_send_from_standard_input(held):
    done = ctl(held.url, "--json", "send", "-", stdin="obj_hide 1\nobj_show 1\n")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 2, (done.stdout, done.stderr)


@pytest.mark.parametrize("text,word", [("env_anim 33", "33"), ("env_amin 1", "env_anim"), ('{"op":"nosuch"}', "nosuch"), ("obj_kill(", "")])
def test_a_refused_request_exits_1_and_says_why(held, text, word):
    done = ctl(held.url, "send", text)
    assert done.returncode == 1
    assert word in done.stderr and done.stderr


def test_a_warning_is_shown_and_exits_0(held):
    done = ctl(held.url, "send", "env_anim 3 1")
    assert done.returncode == 0 and done.stderr


def test_ping(held):
    done = ctl(held.url, "ping")
    assert done.returncode == 0 and done.stdout
    assert len(ctl(held.url, "--count", "3", "ping").stdout.splitlines()) >= 3


def test_state(held):
    done = ctl(held.url, "state")
    assert done.returncode == 0
    for word in ("201", "forklift", "truck"):
        assert word in done.stdout
    state = daemon.strict_loads(ctl(held.url, "--json", "state").stdout)
    assert len(state["objects"]) == 15


def test_follow_json_holds_the_scene(live):
    done = ctl(live.url, "--json", "--count", "30", "follow", "201", "202")
    assert done.returncode == 0, done.stderr
    lines = [daemon.strict_loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 30
    for line in lines:
        assert [o["object"] for o in line["objects"]] == [201, 202]
        assert all(len(o["m"]) == 12 for o in line["objects"])
    ticks = [line["tick"] for line in lines]
    assert ticks == sorted(ticks) and ticks[-1] - ticks[0] >= 28
    assert lines[0]["objects"][0]["frame"] != lines[-1]["objects"][0]["frame"]


def test_follow_shows_a_table_on_a_terminal(live):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 30, 140, 0, 0))
    env = daemon.clean_environment({"TERM": "xterm"})
    process = subprocess.Popen([CTL, "--url", live.url, "--for", "1.5", "follow"], stdout=slave, stderr=subprocess.PIPE,
                               stdin=subprocess.DEVNULL, env=env)
    os.close(slave)
    shown = b""

    def read():
        nonlocal shown
        try:
            while True:
                piece = os.read(master, 65536)
                if not piece:
                    return
                shown += piece
        except OSError:
            return

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        assert process.wait(10) == 0, process.stderr.read()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)
        process.stderr.close()
    reader.join(3)
    os.close(master)
    text = shown.decode("utf-8", "replace")
    for word in ("201", "forklift", "forklift_chassis"):
        assert word in text, text[-2000:]


def test_events_json(live):
    """It follows while something ends."""
    process = subprocess.Popen([CTL, "--url", live.url, "--json", "--for", "4", "events"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, env=daemon.clean_environment())
    try:
        time.sleep(0.7)
        assert ctl(live.url, "send", '{"op":"env_anim","object":1,"stop_frame":30}').returncode == 0
        out, err = process.communicate(timeout=15)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)
    assert process.returncode == 0, err
    events = [daemon.strict_loads(line) for line in out.splitlines()]
    mine = [(e["type"], e.get("reason")) for e in events if e.get("object") == 1]
    assert mine == [("start", None), ("stop", "stop_frame")]


def test_an_interrupted_follow_ends_quietly(live):
    process = subprocess.Popen([CTL, "--url", live.url, "--json", "follow"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               stdin=subprocess.DEVNULL, env=daemon.clean_environment())
    try:
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=5)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)
    assert process.returncode in (0, 130, -signal.SIGINT)


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


@pytest.mark.parametrize("command", [["ping"], ["send", "obj_kill 1"], ["follow"], ["events"], ["state"]])
def test_nobody_there(command):
    url = "ws://127.0.0.1:%d/ws" % free_port()
    done = ctl(url, *command)
    assert done.returncode == 3
    assert url in done.stderr or "127.0.0.1" in done.stderr
    assert "oband" in done.stderr, done.stderr  # how to start one


def test_nobody_at_the_unix_socket(tmp_path):
    done = ctl("unix:%s" % (tmp_path / "none.sock"), "ping")
    assert done.returncode == 3 and "none.sock" in done.stderr


def test_something_else_is_there():
    """An HTTP server that is no oband."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.settimeout(10)

        def answer():
            try:
                sock, _ = server.accept()
            except OSError:
                return
            with sock:
                sock.settimeout(5)
                sock.recv(4096)
                sock.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        done = ctl("ws://127.0.0.1:%d/ws" % server.getsockname()[1], "ping")
        thread.join(5)
    assert done.returncode in (3, 4) and done.stderr


def test_over_a_unix_socket_and_by_the_environment(tmp_path):
    path = tmp_path / "o.sock"
    with daemon.Daemon(listen=("unix:%s" % path,)):
        assert ctl("unix:%s" % path, "send", "obj_create 1").returncode == 0
        done = ctl(None, "--json", "state", env={"OBANCTL_URL": "unix:%s" % path})
        assert done.returncode == 0 and len(daemon.strict_loads(done.stdout)["objects"]) == 1


def test_the_daemon_goes_away(live):
    process = subprocess.Popen([CTL, "--url", live.url, "--json", "follow"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               stdin=subprocess.DEVNULL, env=daemon.clean_environment(), text=True)
    try:
        assert process.stdout.readline()
        live.stop()
        _, err = process.communicate(timeout=10)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)
    assert process.returncode == 4 and err


@pytest.mark.parametrize("args", [["nosuch"], ["--nosuch"], [], ["--url", "ftp://x", "ping"], ["ping", "x"], ["--rate", "5", "ping"]])
def test_misuse_exits_64(args):
    done = ctl(None, *args)
    assert done.returncode == 64 and done.stderr


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["send", "--help"]])
def test_help_exits_0(args):
    done = ctl(None, *args)
    assert done.returncode == 0 and done.stdout and not done.stderr


def test_every_command_of_the_example_s_readme_works(held):
    with open(os.path.join(daemon.ROOT, "examples", "warehouse", "README.md"), encoding="utf-8") as file:
        lines = [shlex.split(line, comments=True) for line in file if line.startswith("    build/obanctl send")]
    assert len(lines) >= 10
    for words in lines:
        done = ctl(held.url, *words[1:])
        assert done.returncode == 0 and not done.stderr, (words, done.stderr)


def test_json_output_is_one_object_a_line(held):
    done = ctl(held.url, "--json", "--count", "2", "ping")
    for line in done.stdout.splitlines():
        assert isinstance(json.loads(line), dict)
