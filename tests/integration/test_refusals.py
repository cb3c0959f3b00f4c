# SPDX-License-Identifier: MIT
"""What is refused before the upgrade, and on plain HTTP: status and a JSON body {code, message}."""
import base64
import json
import os
import socket
import time

import pytest

import daemon


@pytest.fixture(scope="module")
def running(warehouse):
    with daemon.Daemon([warehouse[0]], warehouse[1], args=["--allow-host", "oban.example", "--allow-origin",
                                                           "https://editor.example"]) as started:
        yield started


def request(running, path="/ws", method="GET", drop=(), **headers):
    """A raw upgrade request; (status, headers, body). Names of headers have _ for -; None drops one."""
    host, port = running.host_port
    fields = {"Host": "%s:%d" % (host, port), "Upgrade": "websocket", "Connection": "Upgrade",
              "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version": "13"}
    for name, value in headers.items():
        fields[name.replace("_", "-")] = value
    text = "%s %s HTTP/1.1\r\n" % (method, path)
    text += "".join("%s: %s\r\n" % (k, str(v).replace("PORT", str(port))) for k, v in fields.items() if v is not None)
    with socket.create_connection((host, port), timeout=5) as sock:
        sock.sendall((text + "\r\n").encode())
        data = b""
        while b"\r\n\r\n" not in data:
            piece = sock.recv(4096)
            assert piece, "closed without an answer: %r" % data
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
        answer = {k.lower(): v for k, v in (line.split(": ", 1) for line in lines[1:] if ": " in line)}
        if status == 101:
            return status, answer, None
        length = answer.get("content-length")
        while (len(body) < int(length)) if length else True:
            piece = sock.recv(4096)
            if not piece:
                break
            body += piece
        return status, answer, body


def refused(answer, status):
    got, headers, body = answer
    assert got == status, answer
    assert headers["content-type"].startswith("application/json")
    said = daemon.strict_loads(body.decode("utf-8"))
    assert isinstance(said["code"], str) and isinstance(said["message"], str) and said["message"]
    return said


def test_plain_upgrade(running):
    status, headers, _ = request(running)
    assert status == 101
    assert "sec-websocket-protocol" not in headers
    assert "sec-websocket-extensions" not in headers


@pytest.mark.parametrize("offer", ["permessage-deflate", "permessage-deflate; client_max_window_bits", "x-webkit-deflate-frame"])
def test_no_extension_is_taken(running, offer):
    status, headers, _ = request(running, Sec_WebSocket_Extensions=offer)
    assert status == 101 and "sec-websocket-extensions" not in headers


@pytest.mark.parametrize("origin", ["http://127.0.0.1:PORT", "https://127.0.0.1:PORT", "https://editor.example"])
def test_origin_allowed(running, origin):
    assert request(running, Origin=origin)[0] == 101


@pytest.mark.parametrize("origin", [
    "https://evil.test", "http://localhost.evil.test", "null", "http://127.0.0.1", "http://127.0.0.1:1", "http://localhost:PORT",
    "http://127.0.0.1:PORT.evil.test", "http://127.0.0.1:PORT/", "http://evil.test@127.0.0.1:PORT", "ftp://127.0.0.1:PORT",
    "http://editor.example", "https://editor.example:444", "file://", "http://127.0.0.1:PORT http://evil.test"])
def test_origin_refused(running, origin):
    assert refused(request(running, Origin=origin), 403)["code"] == "denied"


@pytest.mark.parametrize("host", ["localhost:PORT", "localhost", "127.0.0.1:PORT", "[::1]:PORT", "192.168.1.7:PORT", "oban.example",
                                  "oban.example:PORT"])
def test_host_allowed(running, host):
    assert request(running, Host=host)[0] == 101
    assert request(running, Host=host, Origin="http://" + host)[0] == 101


@pytest.mark.parametrize("host", ["evil.test", "evil.test:PORT", "localhost.evil.test", "127.0.0.1.evil.test:PORT", "127.0.0.1.nip.io",
                                  "xlocalhost", "evil.test:127.0.0.1"])
def test_host_refused_everywhere(running, host):
    """Also with an equal Origin: that is what DNS rebinding looks like."""
    assert refused(request(running, Host=host), 403)["code"] == "denied"
    refused(request(running, Host=host, Origin="http://" + host), 403)
    for path in ("/state", "/healthz", "/nosuch"):
        refused(request(running, path, Host=host, Upgrade=None, Connection="close", Sec_WebSocket_Key=None,
                        Sec_WebSocket_Version=None), 403)


def test_no_host_is_400(running):
    refused(request(running, Host=None), 400)


def test_no_key_is_400(running):
    refused(request(running, Sec_WebSocket_Key=None), 400)


@pytest.mark.parametrize("path", ["/nosuch", "/ws/", "/WS", "/ws2", "/wsx?subscribe=none", "/%77s2"])
def test_other_paths_are_404(running, path):
    assert refused(request(running, path), 404)["code"] == "not_found"


def test_root_is_no_place_for_an_upgrade(running):
    assert request(running, "/")[0] in (404, 400, 426)


def test_a_query_is_taken(running):
    assert request(running, "/ws?subscribe=none")[0] == 101


@pytest.mark.parametrize("version", ["8", "12", "14", "0", "x", "13, 8"])
def test_other_versions_are_426(running, version):
    got = request(running, Sec_WebSocket_Version=version)
    refused(got, 426)
    assert "13" in got[1]["sec-websocket-version"]


def test_no_version_is_426(running):
    assert request(running, Sec_WebSocket_Version=None)[0] in (426, 400)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_other_methods_are_405(running, method):
    refused(request(running, method=method, Content_Length="0"), 405)


@pytest.mark.parametrize("offer,chosen", [("oban.v1", "oban.v1"), ("foo, oban.v1", "oban.v1"), ("foo,oban.v1,bar", "oban.v1")])
def test_subprotocol_chosen(running, offer, chosen):
    status, headers, _ = request(running, Sec_WebSocket_Protocol=offer)
    assert (status, headers["sec-websocket-protocol"]) == (101, chosen)


@pytest.mark.parametrize("offer", ["foo", "oban.v2", "OBAN.V1", "oban.v1x", "xoban.v1", "oban", "oban v1"])
def test_only_unknown_subprotocols_are_400(running, offer):
    said = refused(request(running, Sec_WebSocket_Protocol=offer), 400)
    assert said["code"] == "bad_subprotocol"
    assert "oban.v1" in json.dumps(said)


def test_plain_http(running):
    assert running.http("/healthz")[0] == 200
    status, headers, body = running.http("/state")
    assert status == 200 and headers["Content-Type"].startswith("application/json")
    state = daemon.strict_loads(body.decode("utf-8"))
    assert {"session", "tick", "seq", "paused", "objects", "camera"} <= set(state)
    assert len(state["objects"]) == 15
    status, headers, body = running.http("/nosuch")
    assert status == 404 and daemon.strict_loads(body.decode())["code"] == "not_found"
    status, _, body = running.http("/state", method="POST")
    assert status == 405 and daemon.strict_loads(body.decode())["message"]


def test_web_pages_of_others_cannot_read_state(running):
    status, headers, _ = running.http("/state", headers={"Origin": "https://evil.test"})
    assert status == 403 or "Access-Control-Allow-Origin" not in headers


def test_state_equals_the_snapshot(running):
    client = running.client()
    mirror = daemon.Mirror()
    for snapshot in client.settle():
        mirror.take(snapshot)
    state = running.state()
    assert mirror.scene() == daemon.same_scene(state)
    assert (state["session"], state["tick"]) == (client.hello["session"], client.hello["tick"])
    client.close()


def test_garbage_instead_of_http(running):
    for data in (b"\0\1\2\3\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET /ws HTTP/1.1\r\n" + b"X: y\r\n" * 5000):
        with socket.create_connection(running.host_port, timeout=5) as sock:
            try:
                sock.sendall(data + b"\r\n")
                sock.shutdown(socket.SHUT_WR)
                while sock.recv(4096):
                    pass
            except OSError:  # reset is an answer, too
                pass
    assert running.http("/healthz")[0] == 200


def test_one_client_too_many_is_503(warehouse):
    with daemon.Daemon([warehouse[0]], args=["--clients-max", 2]) as running:
        clients = [running.settled(), running.settled()]
        said = refused(request(running), 503)
        assert said["code"] == "limit"
        clients[0].close()
        end = time.monotonic() + 5
        while request(running)[0] != 101 and time.monotonic() < end:
            time.sleep(0.05)
        assert time.monotonic() < end
        clients[1].close()


def test_two_hundred_that_come_and_go_at_once(warehouse):
    with daemon.Daemon([warehouse[0]], warehouse[1], manual=False) as running:
        good = running.settled()
        for _ in range(200):
            assert request(running)[0] == 101
        assert good.do("ping") == {}
        good.close()


@pytest.mark.parametrize("name", ["pipelined.bin", "health.bin", "post.bin", "huge.bin"])
def test_bytes_that_fuzzing_found_leave_the_daemon_well(name, warehouse):
    """Requests behind one another once made libwebsockets turn for ever."""
    with open(os.path.join(daemon.ROOT, "tests", "fuzz", "seeds", "handshake", name), "rb") as file:
        parts = file.read().split(b"\x1e", 1)
    with daemon.Daemon() as running:
        with socket.create_connection(running.host_port, timeout=5) as raw:
            for part in parts:
                try:
                    raw.sendall(part)
                except OSError:
                    break
                time.sleep(0.1)
            assert running.http("/healthz", timeout=3)[0] == 200
        assert running.http("/healthz", timeout=3)[0] == 200
