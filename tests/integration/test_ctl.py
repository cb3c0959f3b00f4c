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


def test_doors_and_characters_are_shown(held):
    """held plays the warehouse: it has a door; a character comes with chr_envanim."""
    assert ctl(held.url, "send", "door_open 1").stdout.startswith("started door 1 (run 1), stops at tick ")
    assert "started character foreman (run 1)" in ctl(held.url, "send", "chr_envanim foreman foreman_walk").stdout
    assert ctl(held.url, "send", "door_jam 1").stdout == "jammed door 1\n"
    text = ctl(held.url, "state").stdout
    assert text.splitlines()[0].endswith(", 1 door, 1 character")
    rows = [line.split() for line in text.splitlines()]
    assert ["door", "1", "office", "door", "door_slide"] in [row[:5] for row in rows]
    assert any(row[:3] == ["chr", "foreman", "foreman_walk"] for row in rows)
    assert "jammed" in next(line for line in text.splitlines() if "door_slide" in line and "office" in line)
    state = daemon.strict_loads(ctl(held.url, "--json", "state").stdout)
    whole = held.state()
    for name in ("doors", "characters"):
        assert len(state[name]) == 1 and state[name][0].items() == whole[name][0].items(), name


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


def on_a_terminal(url, *args):
    """(what a terminal of 140 x 30 was sent, stderr) of an obanctl that ends by itself."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 30, 140, 0, 0))
    env = daemon.clean_environment({"TERM": "xterm", "NO_COLOR": "1"})
    process = subprocess.Popen([CTL, "--url", url, *args], stdout=slave, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=env)
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
        _, err = process.communicate(timeout=10)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)
    reader.join(3)
    os.close(master)
    assert process.returncode == 0, err
    return shown.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def redraws(text):
    """The lines of each redraw of a live table."""
    return [[line.replace("\033[2K", "").rstrip() for line in one.split("\033[E")] for one in text.split("\033[H")[1:]]


def test_follow_shows_a_table_on_a_terminal(live):
    text, _ = on_a_terminal(live.url, "--for", "1.5", "follow")
    for word in ("201", "forklift", "forklift_chassis"):
        assert word in text, text[-2000:]


def test_follow_knows_no_speed_before_the_second_tick(live):
    text, err = on_a_terminal(live.url, "--for", "2.5", "follow", "1", "201")
    tables = redraws(text)
    assert not err and len(tables) > 2
    speeds = [{line.split()[0]: line.split()[-1] for line in table if line.split()[:1] in (["1"], ["201"])} for table in tables]
    assert any(line.endswith(" SPEED") for line in tables[0]), tables[0]
    assert speeds[0] == {"1": "-", "201": "-"}
    assert any(float(one["201"]) > 0.0 for one in speeds[1:]), speeds
    assert speeds[-1]["1"] == "0.00"  # at rest: known by the daemon's empty frames


def test_state_is_one_moment_and_has_no_speed(live):
    done = ctl(live.url, "state")
    assert done.returncode == 0 and " Z" in done.stdout and "SPEED" not in done.stdout


WAITING = "no object %d now; waiting for it"


def test_follow_says_once_which_objects_are_missing(live):
    done = ctl(live.url, "--json", "--count", "20", "follow", "99", "201,98", "99", "300-400")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 20
    assert done.stderr.splitlines() == ["obanctl: " + WAITING % 99, "obanctl: " + WAITING % 98]
    done = ctl(live.url, "--json", "--count", "2", "follow", "201", "1-5")
    assert done.returncode == 0 and not done.stderr


def test_follow_waits_for_a_missing_object(live):
    process = subprocess.Popen([CTL, "--url", live.url, "--json", "--for", "8", "follow", "99"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=daemon.clean_environment(), text=True)
    try:
        assert daemon.strict_loads(process.stdout.readline())["objects"] == []
        define = {"op": "obj_define", "object": 99, "name": "late", "matrix": [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]}
        done = ctl(live.url, "send", json.dumps(define), "obj_create 99")
        assert done.returncode == 0, done.stderr
        for line in process.stdout:
            if daemon.strict_loads(line)["objects"]:
                break
        else:
            pytest.fail("it never came")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=5)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)
    assert err.splitlines() == ["obanctl: " + WAITING % 99]


def test_the_live_table_says_what_is_missing_too(live):
    text, err = on_a_terminal(live.url, "--for", "0.5", "follow", "99")
    assert err.splitlines() == ["obanctl: " + WAITING % 99]
    assert "nothing of what was asked for is there now" in redraws(text)[-1]
    # The line is not said into the table's screen, and the terminal is given back.
    assert text.count("\033[?1049h") == text.count("\033[?1049l") == 2


@pytest.mark.parametrize("word", ["3-1", "7,3-1", "03-1"])
def test_follow_says_that_a_range_is_reversed(word):
    done = ctl(None, "follow", word)
    assert done.returncode == 64
    assert done.stderr.splitlines() == ["obanctl: follow: 3-1 ends below its start; write 1-3"]


@pytest.mark.parametrize("word", ["x", "1-", "-1", "1,", "1;2", "3-1x", "1" * 16])
def test_follow_says_what_is_no_number(word):
    done = ctl(None, "follow", "--", word)
    assert done.returncode == 64
    assert done.stderr.splitlines() == ["obanctl: follow: expected numbers such as 7 or 1-5, found '%s'" % word]


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


@pytest.mark.parametrize("name", ["o.sock", "with:/a colon.sock"])
def test_the_url_that_the_daemon_announces_for_a_unix_socket(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    with daemon.Daemon(listen=("unix:%s" % path,)) as running:
        url = "ws+unix://%s:/ws" % path
        assert url.startswith(running.addresses[0])  # which ends at a blank
        assert ctl(url, "ping").returncode == 0
        assert ctl("ws+unix://%s" % path if ":" not in name else url, "--json", "state").returncode == 0


@pytest.mark.parametrize("url,word", [("ws+unix://", "unix:"), ("ws+unix://:/ws", "unix:"), ("ws+unix:///%s:/ws" % ("x" * 107), "107"),
                                      ("ws+unix:///tmp/u:/w s", "blanks")])
def test_no_good_announced_url(url, word):
    done = ctl(url, "ping")
    assert done.returncode == 64 and word in done.stderr, done.stderr


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


@pytest.mark.parametrize("command", ["send", "follow", "events", "state", "ping", "info", "help"])
def test_the_help_of_a_command_has_no_blanks_at_the_end_of_a_line(command):
    lines = ctl(None, command, "--help").stdout.split("\n")
    assert lines[0].startswith("Usage: obanctl ") and command in lines[0].split()
    assert [line for line in lines if line != line.rstrip()] == []


def test_help_about_nothing_says_see_help_once(held):
    done = ctl(held.url, "help", "nope")
    assert done.returncode == 1 and done.stderr.count("see help") == 1, done.stderr
    done = ctl(held.url, "send", "nope")  # here only the advice says it
    assert done.returncode == 1 and done.stderr.count("see help") == 1, done.stderr


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
