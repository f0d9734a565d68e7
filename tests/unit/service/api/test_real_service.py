"""The interface before the real service: its store, its driver, and processes of this machine."""

from __future__ import annotations

import threading
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from http.client import HTTPConnection

import pytest

from echelon.client import Client
from echelon.errors import ServiceError
from echelon.service.api.server import Server
from echelon.service.configuration.config import read_config
from echelon.service.refusals import BusyError
from echelon.service.service import Service
from echelon.service.tokens import hash_of, new_token

pytestmark = pytest.mark.slow

CONFIG = """
[serve]
state = "state"
listen = "127.0.0.1:{port}"
hosts = ["grid.site.example"]

[[cluster]]
name = "here"
backend = "process"
slots = 2
look_every = "0.1 s"

[[application]]
name = "teller"
command = ["/bin/echo", "{{what}}"]
parameters = {{ what = "text .*" }}
"""


@contextmanager
def running(tmp_path, free_port, **settings):
    """Run a service with its interface; yield both it and a client on its Unix socket."""
    (tmp_path / "serve.toml").write_text(CONFIG.format(port=free_port))
    service = Service(replace(read_config(tmp_path / "serve.toml"), **settings))
    try:
        service.start()
        server, ready = Server(service), threading.Event()
        thread = threading.Thread(target=server.run, args=(ready.set,))
        thread.start()
        try:
            assert ready.wait(10)
            yield service, Client(str(service.config.socket))
        finally:
            server.stop()
            thread.join(10)
    finally:
        service.stop()


@pytest.fixture
def free_port():
    """Return a port that is free."""
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def test_jobs_from_submission_to_end(tmp_path, free_port):
    """Jobs of all kinds run and end as their programs do, and the stream tells of it as it happens."""
    with running(tmp_path, free_port) as (_, client):
        good = client.submit("/bin/sh", "-c", "echo \"$X\" $0 > out.txt", "a b;c", directory=str(tmp_path),
                             environment={"X": "two\nlines"}, time_limit="1:00")  # fmt: skip
        bad = client.submit("/bin/sh", "-c", "exit 3", directory=str(tmp_path))
        told = client.submit(application="teller", parameters={"what": "$(id) x"}, directory=str(tmp_path))
        held = client.submit("/bin/true", hold=True, directory=str(tmp_path))
        ended = client.wait(good["id"], bad["number"], told["id"], timeout=20)
        assert [(job["state"], job["exit_code"]) for job in ended[:2]] == [("COMPLETED", 0), ("FAILED", 3)]
        assert (tmp_path / "out.txt").read_text() == "two\nlines a b;c\n"
        assert (ended[2]["state"], ended[2]["command"]) == ("COMPLETED", ["/bin/echo", "$(id) x"])
        why = client.decision(good["id"])
        assert [one["chosen"] for one in why["decisions"]] == ["here"]
        assert [event["state"] for event in why["events"] if event["kind"] == "job"][-1] == "COMPLETED"
        assert client.cancel(held["id"])["state"] == "CANCELED"
        assert [job["number"] for job in client.jobs(states=["COMPLETED", "FAILED"])][:2] == [1, 2]
        assert client.forecast("/bin/true", processors=2)["chosen"] == "here"
        with pytest.raises(ServiceError, match="largest cluster"):
            client.submit("/bin/true", processors=3)
        assert client.outlook(1.0)["clusters"][0]["name"] == "here"
        assert client.drain("here")["mode"] == "drained"
        assert client.resume("here")["mode"] == "open"


def test_keys_and_tokens_outlive_the_service(tmp_path, free_port):
    """After a restart the same key is the same job, and a token still works over TCP, until it is revoked."""
    with running(tmp_path, free_port) as (_, client):
        first = client.submit("/bin/true", key="night-1", hold=True)
        token = client.new_token("mara", ["read", "submit"])
    with running(tmp_path, free_port) as (service, client):
        assert client.submit("/bin/true", key="night-1", hold=True)["id"] == first["id"]
        with pytest.raises(ServiceError, match="another job"):
            client.submit("/bin/false", key="night-1", hold=True)
        mara = Client(f"http://127.0.0.1:{free_port}", token=token["token"])
        assert list(mara.jobs()) == []
        for host, status in (("grid.site.example", 200), ("evil.example", 421)):
            with closing(HTTPConnection("127.0.0.1", free_port, timeout=5)) as connection:
                connection.request("GET", "/v1/healthz", headers={"Host": host})
                assert connection.getresponse().status == status
        with pytest.raises(ServiceError, match="scope script"):
            mara.submit("/bin/true")
        told = mara.submit(application="teller", parameters={"what": "two; words"})
        (ended,) = mara.wait(told["id"], timeout=20)
        assert (ended["owner"], ended["state"]) == ("mara", "COMPLETED")
        (printed,) = tmp_path.glob(f"state/**/*{told['id']}*.out")
        assert printed.read_text() == "two; words\n"
        client.revoke_token(token["number"])
        with pytest.raises(ServiceError, match="revoked"):
            list(mara.jobs())
        expired = new_token()
        service.store.add_token(hash_of(expired), "jon", ["read"], 1.0, "")
        with pytest.raises(ServiceError, match="expired"):
            list(Client(f"http://127.0.0.1:{free_port}", token=expired).jobs())


def test_no_more_jobs_wait_than_may(tmp_path, free_port):
    """The last job that may wait is taken and the next is put off, until one has gone."""
    with running(tmp_path, free_port, max_queued=3) as (service, client):
        first = client.submit("/bin/true", hold=True)
        client.submit_batch([{"command": ["/bin/true"], "hold": True}] * 2)
        spec = service.store.job(first["id"]).spec
        with pytest.raises(BusyError, match="3 jobs wait at the service, which takes 3"):
            service.submit("mara", [spec], [None])
        assert client.cancel(first["id"])["state"] == "CANCELED"
        assert client.submit("/bin/true", hold=True)["number"] == 4


def test_a_clock_that_is_set_back_stops_nothing(tmp_path, free_port, monkeypatch):
    """An hour back while a job runs: it ends, and the next one is decided, submitted and ends, too."""
    machine = time.time
    with running(tmp_path, free_port) as (_, client):
        first = client.submit("sleep", "0.3")
        monkeypatch.setattr(time, "time", lambda: machine() - 3600)
        second = client.submit("true")
        for one in (first, second):
            found = next(iter(client.wait(one["id"], timeout=20)))
            assert (found["state"], found["exit_code"]) == ("COMPLETED", 0)
        assert not client.clusters()[0]["stale"]
