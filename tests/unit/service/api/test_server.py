"""Server: sockets, whose user is at their other end, and how it stops."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from echelon.errors import InputError
from echelon.service.api.access.limits import Limits
from echelon.service.api.server import Server
from fake_service import FakeService

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no Unix sockets here")


OPEN = []
"""Connections and answers to be closed."""


@pytest.fixture(autouse=True)
def _closed():
    """Close what a test has opened."""
    yield
    while OPEN:
        OPEN.pop().close()


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=5)
        self.path = str(path)
        OPEN.append(self)

    def getresponse(self):
        OPEN.append(super().getresponse())
        return OPEN[-1]

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(5)
        self.sock.connect(self.path)


def service_at(tmp_path, *, tcp=False):
    """Return a fake service that is configured to listen."""
    service = FakeService()
    service.config = SimpleNamespace(
        applications=(), hosts=(), socket=tmp_path / "s.sock", listen=("127.0.0.1", 0) if tcp else None
    )
    return service


@contextlib.contextmanager
def serving(service, limits=None):
    """Run a server in a thread."""
    server, ready = Server(service, limits), threading.Event()
    thread = threading.Thread(target=server.run, args=(ready.set,))
    thread.start()
    assert ready.wait(5)
    try:
        yield server
    finally:
        server.stop()
        thread.join(10)
        assert not thread.is_alive()


def ask(connection, method, path, body=None, **headers):
    """Return status and content of an answer."""
    sent = {"Content-Type": "application/json", **headers} if body is not None else headers
    connection.request(method, path, None if body is None else json.dumps(body), sent)
    answer = connection.getresponse()
    content = answer.read()
    return answer.status, json.loads(content) if "json" in answer.headers["content-type"] else content


def test_the_user_at_the_other_end_is_the_owner(tmp_path):
    """Over a Unix socket that only its user may open, jobs belong to the user of the calling process."""
    import pwd

    with serving(service_at(tmp_path)):
        assert stat.S_IMODE((tmp_path / "s.sock").stat().st_mode) == 0o600
        status, job = ask(UnixConnection(tmp_path / "s.sock"), "POST", "/v1/jobs", {"command": ["/bin/true"]})
        assert (status, job["owner"]) == (201, pwd.getpwuid(os.geteuid()).pw_name)
    assert not (tmp_path / "s.sock").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be another user")
def test_another_user_is_another_owner(tmp_path):
    """A process of another user is that user, and has no scope but read and submit."""
    tmp_path.chmod(0o711)
    for folder in tmp_path.parents:
        if folder == Path(tempfile.gettempdir()) or len(folder.parts) <= 2:
            break
        folder.chmod(0o711)
    with serving(service_at(tmp_path)) as server:
        (tmp_path / "s.sock").chmod(0o666)
        code = (
            "import os, socket, sys; os.setgid(65534); os.setuid(65534); s = socket.socket(socket.AF_UNIX); "
            's.connect(sys.argv[1]); body = b\'{"command": ["x"]}\'; '
            "s.sendall(b'POST /v1/jobs HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\n"
            "Content-Length: %d\\r\\nConnection: close\\r\\n\\r\\n' % len(body) + body); "
            "data = b''\nwhile (part := s.recv(9999)): data += part\nprint(data.decode())"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, server.addresses[0]], capture_output=True, text=True, check=True
        )
        assert "403 Forbidden" in done.stdout
        assert "nobody has read, submit" in done.stdout


def test_tcp_needs_a_token_and_its_own_name(tmp_path):
    """Over TCP nobody is known without a token, and a page of elsewhere reaches nothing by its own name."""
    with serving(service_at(tmp_path, tcp=True)) as server:
        connection = http.client.HTTPConnection(*server.addresses[1], timeout=5)
        OPEN.append(connection)
        assert ask(connection, "GET", "/v1/healthz")[0] == 200
        status, problem = ask(connection, "GET", "/v1/jobs")
        assert (status, problem["status"]) == (401, 401)
        assert ask(connection, "GET", "/v1/healthz", Host="evil.example:80")[0] == 421


def test_a_live_socket_is_refused_and_a_dead_one_replaced(tmp_path):
    """A second service is refused with a sentence; what a killed one left behind does not matter."""
    path = tmp_path / "s.sock"
    with serving(service_at(tmp_path)):
        with pytest.raises(InputError, match="another service listens"):
            Server(service_at(tmp_path))
        assert ask(UnixConnection(path), "GET", "/v1/healthz")[0] == 200
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(path))
    dead.close()
    with serving(service_at(tmp_path)):
        assert ask(UnixConnection(path), "GET", "/v1/healthz")[0] == 200
    path.write_text("precious")
    with pytest.raises(InputError, match="no socket"):
        Server(service_at(tmp_path))
    assert path.read_text() == "precious"


def test_what_cannot_be_an_address_is_a_sentence(tmp_path):
    """A path that is too long, a port that is taken, and no address at all are errors with the field."""
    service = service_at(tmp_path)
    service.config.socket = tmp_path / ("x" * 120)
    with pytest.raises(InputError, match="too long"):
        Server(service)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        service = service_at(tmp_path)
        service.config.listen = taken.getsockname()
        with pytest.raises(InputError, match="in use") as caught:
            Server(service)
        assert caught.value.field == "listen"
    assert not (tmp_path / "s.sock").exists()
    service.config.socket = service.config.listen = None
    with pytest.raises(InputError, match="needs a Unix socket"):
        Server(service)


def test_streams_give_events_and_end_when_the_service_stops(tmp_path):
    """An open stream gives what happens at once, and does not keep the server from stopping."""
    service = service_at(tmp_path)
    with serving(service):
        connection = UnixConnection(tmp_path / "s.sock")
        connection.request("GET", "/v1/events")
        answer = connection.getresponse()
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.readline() == b"retry: 2000\n"
        answer.readline()
        ask(UnixConnection(tmp_path / "s.sock"), "POST", "/v1/jobs", {"command": ["/bin/true"]})
        assert [answer.readline() for _ in range(2)] == [b"id: 1\n", b"event: job\n"]
        assert json.loads(answer.readline().removeprefix(b"data: "))["state"] == "QUEUED"
        begun = time.monotonic()
    assert time.monotonic() - begun < 3
    assert answer.read().strip() == b""


@pytest.mark.slow
def test_many_streams_leave_threads_for_requests(tmp_path):
    """With more streams than threads, requests are answered and each stream gets its event."""
    service = service_at(tmp_path)
    with serving(service):
        streams = []
        for _ in range(60):
            connection = UnixConnection(tmp_path / "s.sock")
            connection.request("GET", "/v1/events?after=0")
            streams.append(connection.getresponse())
        status, _ = ask(UnixConnection(tmp_path / "s.sock"), "POST", "/v1/jobs", {"command": ["/bin/true"]})
        assert status == 201
        for answer in streams:
            assert answer.readline() == b"retry: 2000\n"
            answer.readline()
            assert answer.readline() == b"id: 1\n"


def test_slow_headers_and_bodies_are_given_up(tmp_path):
    """Who does not send a header, dribbles one, or does not end a body gets 408 while others are served."""
    limits = Limits(header_seconds=0.3, body_seconds=0.3)
    with serving(service_at(tmp_path), limits):
        starts = (
            b"",
            b"GET /v1/healthz HTTP/1.1\r\nHost:",
            b"GET /v1/healthz HTTP/1.1\r\nHost: x\r\n\r\n",
            b"POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: 9\r\n\r\n{",
        )
        slow = []
        for start in starts:
            one = socket.socket(socket.AF_UNIX)
            one.settimeout(5)
            one.connect(str(tmp_path / "s.sock"))
            one.sendall(start)
            if start.endswith(b"\r\n\r\n"):
                # The second request of a connection is slow.
                data = b""
                while b'"ok"' not in data:
                    data += one.recv(9999)
                one.sendall(b"G")
            slow.append(one)
        assert ask(UnixConnection(tmp_path / "s.sock"), "GET", "/v1/healthz")[0] == 200
        for one in slow:
            data = b""
            while part := one.recv(9999):
                data += part
            assert b"HTTP/1.1 408 " in data
            assert b"application/problem+json" in data
            one.close()


def test_what_is_no_http_is_a_problem(tmp_path):
    """Noise, a header that is too long, and a request in two lengths get 400 as a problem."""
    with serving(service_at(tmp_path)):
        for noise in (
            b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 20_000,
            b"POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
            b"POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nabcde",
        ):
            with socket.socket(socket.AF_UNIX) as one:
                one.settimeout(5)
                one.connect(str(tmp_path / "s.sock"))
                with contextlib.suppress(ConnectionError):
                    one.sendall(noise)
                data = b""
                with contextlib.suppress(ConnectionError):
                    while part := one.recv(9999):
                        data += part
                assert data.startswith(b"HTTP/1.1 400 Bad Request"), noise[:40]
                assert b"application/problem+json" in data


PROGRAM = """
import sys; sys.path[:0] = sys.argv[2:]
from pathlib import Path
from pathlib import Path
from types import SimpleNamespace
from fake_service import FakeService
from echelon.service.api.server import Server
service = FakeService(SimpleNamespace(applications=(), hosts=(), socket=Path(sys.argv[1]), listen=None))
Server(service).run(lambda: print("ready", flush=True))
print("stopped", flush=True)
"""


@pytest.mark.slow
def test_sigterm_stops_it_and_the_process_goes_on(tmp_path):
    """After SIGTERM, with a stream open, the server ends and its process can still put things in order."""
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "s.sock"), *sys.path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        connection = UnixConnection(tmp_path / "s.sock")
        connection.request("GET", "/v1/events")
        answer = connection.getresponse()
        process.send_signal(signal.SIGTERM)
        assert process.stdout.readline() == "stopped\n"
        assert process.wait(10) == 0
        answer.read()
    assert not (tmp_path / "s.sock").exists()
