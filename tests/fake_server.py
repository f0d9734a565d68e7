"""A small service for tests of its clients: the same interface, on a socket, without clusters."""

from __future__ import annotations

import contextlib
import json
import re
import socket as sockets
import socketserver
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FINAL = ("COMPLETED", "FAILED", "CANCELED", "TIMED_OUT", "INTERRUPTED", "REJECTED")

CANDIDATES = [
    {"cluster": "alpha", "why_not": "", "wait_time": 720.0, "run_time": 3600.0, "start": 1720.0}
    | {"earliest": 1540.0, "latest": 2200.0, "free": 4, "waiting": 17, "age": 3.2},
    {"cluster": "beta", "why_not": "has 8 processors, the job asks for 16", "wait_time": None}
    | {
        "run_time": None,
        "start": None,
        "earliest": None,
        "latest": None,
        "free": 8,
        "waiting": 0,
        "age": 1.0,
    },
]


class FakeService:
    """What is known: jobs, events, keys; and what is to go wrong."""

    def __init__(self) -> None:
        self.jobs: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.keys: dict[str, dict[str, Any]] = {}
        self.requests: list[tuple[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[Any] = []
        self.lose_answers = 0
        """Of so many requests to come that are done the answer is lost."""
        self.busy = 0
        """So many requests to come are answered with 429."""
        self.refuse: dict[str, Any] | None = None
        """The problem that every request is answered with."""
        self.page = 100
        self.news = threading.Condition()

    def add(self, body: dict[str, Any], key: str | None) -> tuple[dict[str, Any], bool]:
        """Return the job of a body, and whether it is new."""
        if key is not None and key in self.keys:
            return self.keys[key], False
        number = len(self.jobs) + 1
        job = {
            **{"id": f"{number:032x}", "number": number, "owner": "ann", "name": body.get("name", "")},
            **{"state": "QUEUED", "reason": "It waits for a decision.", "wanted": "run", "cluster": ""},
            **{"submitted_at": 1000.0, "assigned_at": None, "started_at": None, "ended_at": None},
            **{"exit_code": None, "signal": None, "processors": body.get("processors", 1)},
            **{"time_limit": body.get("time_limit"), "run": 1, "attempt": 0},
            **{"command": body.get("command"), "application": body.get("application")},
            **{"stale": False, "as_of": None, "forecast": None},
        }
        self.jobs.append(job)
        if key is not None:
            self.keys[key] = job
        return job, True

    def change(self, number: int, **values: Any) -> None:
        """Change a job, and report it."""
        job = self.jobs[number - 1]
        job.update(values)
        with self.news:
            self.events.append(
                {"number": len(self.events) + 1, "at": 1000.0, "kind": "job", "subject": job["id"]}
                | {"state": job["state"], "reason": job["reason"]}
            )
            self.news.notify_all()

    def find(self, word: str) -> dict[str, Any] | None:
        """Return a job by id or number."""
        return next((job for job in self.jobs if word in (job["id"], str(job["number"]))), None)


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    server: Any

    def setup(self) -> None:
        """Keep the connection in mind: a service that ends leaves none open."""
        super().setup()
        self.server.connections.append(self.connection)

    def handle(self) -> None:
        """Answer until the connection ends."""
        with contextlib.suppress(OSError):
            super().handle()

    def finish(self) -> None:
        """Forget the connection."""
        with contextlib.suppress(OSError):
            super().finish()

    @property
    def service(self) -> FakeService:
        return self.server.service

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def do_DELETE(self) -> None:
        self.answer()

    def answer(self) -> None:
        """Answer a request."""
        service, parts = self.service, urlsplit(self.path)
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "null")
        service.requests.append((self.command, self.path))
        service.headers.append(dict(self.headers.items()))
        service.bodies.append(body)
        if service.busy:
            service.busy -= 1
            self.send({"detail": "too many jobs wait"}, 429, {"Retry-After": "0"})
            return
        if service.refuse:
            self.send(service.refuse, service.refuse["status"])
            return
        if parts.path == "/v1/events":
            self.stream(parse_qs(parts.query))
            return
        found = self.found(parts.path, parse_qs(parts.query), body)
        if service.lose_answers:
            service.lose_answers -= 1
            self.close_connection = True
            return
        self.send(*found)

    def found(  # noqa: PLR0911  (a table of paths)
        self, path: str, query: dict[str, list[str]], body: Any
    ) -> tuple[Any, int]:
        """Return the answer and its status."""
        service = self.service
        if path == "/v1/jobs" and self.command == "POST":
            job, is_new = service.add(body, self.headers.get("Idempotency-Key"))
            return job, 201 if is_new else 200
        if path == "/v1/jobs:batch":
            return {"jobs": [service.add(one, one["idempotency_key"])[0] for one in body["jobs"]]}, 200
        if path == "/v1/jobs":
            return self.listed(query), 200
        if match := re.fullmatch(r"/v1/jobs/(\w+)(?:(/decision)|:(cancel|hold|release))?", path):
            return self.of_job(*match.groups())
        if path == "/v1/forecasts":
            return {"candidates": CANDIDATES, "chosen": "alpha"}, 200
        if path == "/v1/clusters":
            return {
                "clusters": [cluster("alpha"), cluster("beta", reachable=False, stale=True, age=75.0)]
            }, 200
        if match := re.fullmatch(r"/v1/clusters/(\w+):(drain|resume)", path):
            return cluster(match[1], mode="drained" if match[2] == "drain" else "open"), 200
        if path == "/v1/tokens":
            made = {"number": 1, "user": "bob", "scopes": ["read"], "label": "ci", "expires": None}
            return ({**made, "token": "ech_secret"}, 201) if body else ({"tokens": [made]}, 200)
        if path == "/v1/tokens/1":
            return None, 204
        return {
            "type": "about:blank",
            "title": "Not Found",
            "status": 404,
            "detail": f"nothing is at {path}",
        }, 404

    def of_job(self, word: str, decision: str | None, wish: str | None) -> tuple[Any, int]:
        job = self.service.find(word)
        if job is None:
            return {"detail": f"there is no job {word}", "status": 404}, 404
        if decision:
            one = {"number": 1, "at": 1000.0, "broker": "ect", "candidates": CANDIDATES, "chosen": "alpha"}
            events = [event for event in self.service.events if event["subject"] == job["id"]]
            return {
                "decisions": [one | {"why": "It is expected to end first there.", "seconds": 0.01}],
                "forecasts": [],
                "attempts": [],
                "events": events,
            }, 200
        if wish == "hold" and job["state"] == "RUNNING":
            return {"detail": f"job {word} runs; only a job that waits can be held", "status": 409}, 409
        if wish:
            state = {"cancel": "CANCELED", "hold": "HELD", "release": "QUEUED"}[wish]
            self.service.change(job["number"], state=state, reason="Its owner wants it.")
        return job, 200

    def listed(self, query: dict[str, list[str]]) -> dict[str, Any]:
        after = int(query.get("cursor", ["0"])[0])
        size = min(int(query.get("limit", ["100"])[0]), self.service.page)
        states = query.get("state", [])
        found = [job for job in self.service.jobs[after:] if not states or job["state"] in states]
        page = found[:size]
        return {"jobs": page, "next": str(page[-1]["number"]) if len(found) > size else None}

    def stream(self, query: dict[str, list[str]]) -> None:
        """Send events until the service is stopped."""
        service = self.service
        given = self.headers.get("Last-Event-ID") or query.get("after", [None])[0]
        sent = len(service.events) if given is None else int(given)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        self.wfile.write(b": here\n\n")
        while not self.server.is_stopped:
            with service.news:
                if len(service.events) <= sent:
                    service.news.wait(0.05)
            for event in service.events[sent:]:
                sent = event["number"]
                if query.get("job", [event["subject"]]) != [event["subject"]]:
                    continue
                self.wfile.write(f"id: {sent}\ndata: {json.dumps(event)}\n\n".encode())

    def send(self, value: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        content = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        for name, one in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, one)
        self.end_headers()
        self.wfile.write(content)


def cluster(name: str, **values: Any) -> dict[str, Any]:
    """Return a cluster as the service shows it."""
    known = {"name": name, "backend": "slurm", "mode": "open", "reachable": True, "stale": False}
    known |= {"looked_at": 1000.0, "age": 3.0, "processors": 64, "busy": 60, "waiting": 17, "running": 9}
    return known | {"own_waiting": 2, "own_running": 1, "problem": "", "policy": "easy"} | values


class _UnixServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def get_request(self) -> Any:
        request, _ = super().get_request()
        return request, ("peer", 0)


class _TcpServer(ThreadingHTTPServer):
    daemon_threads = True


@contextmanager
def serving(service: FakeService, socket: Path | None = None) -> Iterator[str]:
    """Serve on a socket, or on a port; yield the address."""
    if socket is None:
        server: Any = _TcpServer(("127.0.0.1", 0), Handler)
        address = f"http://127.0.0.1:{server.server_address[1]}"
    else:
        socket.unlink(missing_ok=True)
        server, address = _UnixServer(str(socket), Handler), f"unix://{socket}"
    server.service, server.is_stopped, server.connections = service, False, []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield address
    finally:
        server.is_stopped = True
        server.shutdown()
        for one in server.connections:
            with contextlib.suppress(OSError):
                one.shutdown(sockets.SHUT_RDWR)
        server.server_close()
        thread.join()
        if socket is not None:
            socket.unlink(missing_ok=True)
