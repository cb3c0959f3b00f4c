# SPDX-License-Identifier: MIT
"""SIGTERM and SIGINT: facts first, then 1001 to every client, exit 0 within three seconds, nothing leaked."""
import shutil
import signal
import socket
import time

import pytest

import daemon


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("manual", [True, False])
def test_clients_get_1001(warehouse, number, manual):
    with daemon.Daemon([warehouse[0]], warehouse[1], manual=manual) as running:
        clients = [running.settled() for _ in range(3)]
        began = time.monotonic()
        running.process.send_signal(number)
        for client in clients:
            code, reason = client.close_code()
            assert code == 1001 and reason
        running.stop(number)
        assert time.monotonic() - began < daemon.STOP_S


def test_answers_that_are_due_come_before_the_close(held):
    client = held.settled()
    for n in range(200):
        client.send('{"op":"ping","id":%d}' % n)
    while client.recv()["re"] != 0:
        pass
    held.process.send_signal(signal.SIGTERM)
    answered = [0]
    client.ws.settimeout(5)
    while True:
        opcode, data = client.ws.recv_data(control_frame=True)
        if opcode == 8:
            assert int.from_bytes(data[:2], "big") == 1001
            break
        answered.append(daemon.strict_loads(data.decode())["re"])
    assert answered == list(range(len(answered)))
    held.wait_exit()


def test_a_second_signal_and_clients_that_never_answer(warehouse):
    with daemon.Daemon([warehouse[0]], warehouse[1], manual=False) as running:
        mute = running.client(sockopt=((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),))
        half = socket.create_connection(running.host_port, timeout=5)
        half.sendall(b"GET /ws HTTP/1.1\r\nHost: x")
        time.sleep(1.5)
        running.process.send_signal(signal.SIGTERM)
        time.sleep(0.1)
        if running.process.poll() is None:
            running.process.send_signal(signal.SIGTERM)
        running.stop()
        half.close()
        mute.ws.sock.close()


def test_stops_in_the_middle_of_a_long_step(held):
    client = held.settled()
    client.send({"op": "step", "ticks": 1000000})
    client.recv()
    began = time.monotonic()
    held.process.send_signal(signal.SIGTERM)
    held.stop()
    assert time.monotonic() - began < daemon.STOP_S


def is_sanitized():
    with open(daemon.binary(), "rb") as file:
        return b"__asan_init" in file.read()


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="no valgrind here")
def test_nothing_is_leaked(warehouse, tmp_path):
    """A life with everything in it under valgrind: no error, no leak, no descriptor more than at the start."""
    if is_sanitized():
        pytest.skip("a sanitized program cannot run under valgrind")
    report = tmp_path / "valgrind.txt"
    wrapper = ["valgrind", "--leak-check=full", "--show-leak-kinds=definite,indirect,possible",
               "--errors-for-leak-kinds=definite,indirect,possible", "--error-exitcode=99", "--log-file=%s" % report]
    bad = tmp_path / "bad.xml"
    bad.write_text("<Oni><OBAN id=\"0\"><Flags>1</Flags></OBAN></Oni>")
    running = daemon.Daemon([warehouse[0], bad], warehouse[1], wrapper=wrapper)
    try:
        client = running.settled()
        other = running.settled()
        client.do("env_anim", object=1, to=3)
        client.do("obj_kill", object=201, to=205)
        client.do("obj_create", object=201, to=300)
        client.do("obj_define", object=901, name="n", geometry="g", anim="crane", play=True)
        client.do("cm_interpolate", anim="cam_pallet", frames=4)
        client.do("step", ticks=300, timeout=60)
        for text in ('{"op":', '{"op":"nosuch"}', "env_anim(", "env_setanim 30 crane\nobj_kill 30", '{"op":"anim_list","id":1}',
                     '{"op":"anim_path","anim":"crane"}', '{"op":"help"}'):
            client.send(text)
            client.until(lambda m: m["op"] in ("reply", "error"), 30)
        assert running.http("/state")[0] == 200
        assert running.http("/nosuch")[0] == 404
        other.close()
        running.process.send_signal(signal.SIGTERM)
        code = running.wait_exit(20)
    finally:
        running.kill()
    text = report.read_text()
    assert code == 0, text + running.stderr
    assert "ERROR SUMMARY: 0 errors" in text, text
