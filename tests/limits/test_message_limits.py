# SPDX-License-Identifier: MIT
"""message_bytes_max: told by 1009 at the header, in one frame, in fragments added up; nothing is gathered that
will be refused, and no promise of bytes takes memory. (At the default limit: tests/integration.)"""
import time

import pytest

import daemon
import peer
from peer import CONT, PING, TEXT, Peer, closes, frame

MOST = 2048
SLACK = 512 << 10


@pytest.fixture(scope="module")
def small():
    with daemon.Daemon(args=["--message-bytes-max", MOST]) as running:
        yield running


@pytest.fixture(scope="module")
def standard():
    with daemon.Daemon() as running:
        yield running


def ping_of(bytes_):
    head = b'{"op":"ping","id":1,"x-fill":"'
    return head + b"y" * (bytes_ - len(head) - 2) + b'"}'


def flat(running, before):
    assert peer.is_sanitized() or peer.rss(running.process.pid) - before < SLACK


def pieces(message, size, between=b""):
    """The message in fragments of a size, `between` before each but the first."""
    cut = [message[i:i + size] for i in range(0, len(message), size)]
    out = b""
    for i, piece in enumerate(cut):
        out += (between if i else b"") + frame(piece, CONT if i else TEXT, i == len(cut) - 1)
    return out


def answered(running, data):
    client = Peer(running.host_port)
    client.settle()
    client.send(data)
    got = client.answers(1)
    client.send(frame(ping_of(40)))
    assert [m["re"] for m in got + client.answers(1)] == [1, 1], got
    client.close()


def test_at_it_in_one_frame(small):
    answered(small, frame(ping_of(MOST)))


@pytest.mark.parametrize("size", [1, 7, 100, MOST - 1])
def test_at_it_in_fragments(small, size):
    answered(small, pieces(ping_of(MOST), size))
    answered(small, pieces(ping_of(MOST), size, frame(b"between", PING)))


def test_at_it_with_empty_fragments(small):
    answered(small, frame(b"", TEXT, False) + frame(b"", CONT, False) * 50 + frame(ping_of(MOST), CONT, False) + frame(b"", CONT))


def test_one_over_in_one_frame(small):
    assert "message_bytes_max" in closes(small, frame(ping_of(MOST + 1)), 1009)


@pytest.mark.parametrize("size", [1, 100, MOST])
def test_one_over_in_fragments(small, size):
    closes(small, pieces(ping_of(MOST + 1), size), 1009)
    closes(small, pieces(ping_of(MOST + 1), size, frame(b"", PING)), 1009)


def test_fragments_add_up_before_the_last_one_comes(small):
    """1009 at the header of the fragment that would be too much, though its bytes have not come."""
    closes(small, frame(b"y" * (MOST - 200), TEXT, False) + frame(b"", CONT, False, declare=201), 1009, 3)
    closes(small, frame(b"y" * (MOST - 200), TEXT, False) + frame(b"", CONT, True, declare=MOST), 1009, 3)


def test_half_a_ping_is_none_of_the_message(small):
    client = Peer(small.host_port)
    client.settle()
    data = ping_of(MOST)
    client.send(frame(data[:-1], TEXT, False) + frame(b"p" * 125, PING)[:60])
    time.sleep(0.7)  # the daemon looks four times a second
    client.send(frame(b"p" * 125, PING)[60:] + frame(data[-1:], CONT))
    assert client.answers(1)[0]["re"] == 1
    client.close()


@pytest.mark.parametrize("declared", [MOST + 1, 65535, 65536, 64 << 20, 1 << 32, 1 << 62, (1 << 63) - 1])
@pytest.mark.parametrize("sent", [0, 1, 1000])
def test_declared_is_refused_at_the_header(small, declared, sent):
    """No further byte is needed, and none costs memory."""
    before = peer.rss(small.process.pid)
    began = time.monotonic()
    closes(small, frame(b"y" * sent, declare=declared), 1009, 5)
    assert time.monotonic() - began < 4
    flat(small, before)


def test_declared_negative_is_no_message(small):
    """2^63 and more: RFC 6455 forbids it. It ends, however; the daemon lives."""
    for declared in (1 << 63, (1 << 64) - 1):
        client = Peer(small.host_port)
        client.settle()
        client.send(frame(b"yyyy", declare=declared))
        got = client.closed(8)
        assert got is None or got[0] in (1002, 1009), got
        client.close()
    answered(small, frame(ping_of(40)))


def test_64_megabytes_in_one_frame(standard):
    """All of it is thrown at the daemon: refused at the header, the rest is not kept."""
    before = peer.rss(standard.process.pid)
    client = Peer(standard.host_port)
    client.settle()
    client.send(frame(b"", declare=64 << 20))
    chunk = b"y" * 65536
    for _ in range(1024):
        if not client.send(chunk):
            break
    flat(standard, before)
    client.data.clear()
    client.close()
    answered(standard, frame(ping_of(40)))


@pytest.mark.parametrize("piece,count", [(0, 30000), (1, 30000), (4096, 3000)])
def test_endless_fragments(standard, piece, count):
    """Never a final one, with pings between: closed when they add up; those that add up to little cost little."""
    before = peer.rss(standard.process.pid)
    client = Peer(standard.host_port)
    client.settle()
    client.send(frame(b"y" * piece, TEXT, False))
    unit = (frame(b"y" * piece, CONT, False) * 49 + frame(b"", PING)) if piece else frame(b"", CONT, False) * 50
    for _ in range(count // 50):
        if not client.send(unit):
            break
    if piece * count > 1 << 20:
        closed = client.closed(8)  # None: it was reset, for it went on sending
        assert closed is None or closed[0] == 1009
    else:
        client.send(frame(b"", CONT))
        assert client.answers(1)[0]["re"] is None
    client.close()
    assert peer.eventually(lambda: peer.is_sanitized() or peer.rss(standard.process.pid) - before < SLACK + (1 << 20), 5)


def test_at_the_highest_limit():
    """64 MiB are one message; one byte more is not; and the memory comes back."""
    most = 64 << 20
    with daemon.Daemon(args=["--message-bytes-max", most]) as running:
        before = peer.rss(running.process.pid)
        answered(running, frame(ping_of(most)))
        closes(running, frame(ping_of(40), declare=most + 1), 1009)
        assert peer.is_sanitized() or peer.eventually(lambda: peer.rss(running.process.pid) - before < 4 << 20)


def test_many_that_promise(standard):
    """Hundred clients announce a megabyte each and send little of it."""
    before = peer.rss(standard.process.pid)
    clients = [Peer(standard.host_port) for _ in range(100)]
    for client in clients:
        client.settle()
        client.send(frame(b"y" * 100, declare=1 << 20))
    answered(standard, frame(ping_of(40)))
    assert peer.is_sanitized() or peer.rss(standard.process.pid) - before < 100 * 16384
    for client in clients:
        client.close()
