"""The client: what it asks, what it makes of answers, and that no job is submitted twice."""

from __future__ import annotations

import socket
import threading
import time
from typing import TYPE_CHECKING

import pytest

import echelon as ec
from echelon.client.client import new_key
from echelon.errors import InputError, ServiceError
from fake_server import FakeService, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def service() -> FakeService:
    return FakeService()


@pytest.fixture
def client(service: FakeService, tmp_path: Path) -> Iterator[ec.Client]:
    with serving(service, tmp_path / "s.sock") as address, ec.Client(address, patience=2.0) as made:
        yield made


def test_a_submission_has_its_fields_and_a_key(client, service):
    """The command and the other fields arrive as given, with a key; the job comes back."""
    job = client.submit("prog", "a b", "c\nd", processors=16, time_limit=3600, environment={"A": "ü"})
    assert (job["number"], job["state"]) == (1, "QUEUED")
    assert service.bodies == [
        {"command": ["prog", "a b", "c\nd"], "processors": 16, "time_limit": 3600, "environment": {"A": "ü"}}
    ]
    assert len(service.headers[0]["Idempotency-Key"]) == 32


def test_two_submissions_are_two_jobs_and_one_key_is_one(client, service):
    """Each submission has another key; the same key given twice is the same job."""
    assert client.submit("a")["number"] == 1
    assert client.submit("a")["number"] == 2
    assert client.submit("a", key="mine")["number"] == client.submit("a", key="mine")["number"] == 3
    assert len(service.jobs) == 3
    assert new_key() != new_key()


@pytest.mark.parametrize("key", ["", "a b", "a\nX-Evil: 1", "ü", "x" * 256])
def test_a_key_cannot_add_a_header(client, service, key):
    """What the service could not take as a key is not sent."""
    with pytest.raises(InputError, match=r"key: got .*, expected 1 to 255 characters of ASCII"):
        client.submit("a", key=key)
    assert service.requests == []


def test_names_cannot_lead_elsewhere(client, service):
    """A name is one part of a path, whatever it holds; an empty one is none."""
    for name in ("../tokens", "1/decision", "1:cancel", "1?x=1"):
        with pytest.raises(ServiceError, match="nothing is at"):
            client.job(name)
    assert all(path.count("/") == 3 and "?" not in path for _, path in service.requests)
    with pytest.raises(InputError, match="got an empty name"):
        client.cancel("")


@pytest.mark.parametrize("losses", [1, 2, 3])
def test_a_lost_answer_submits_nothing_twice(client, service, losses):
    """However often the answer is lost, the service has one job, and the client gets it."""
    service.lose_answers = losses
    job = client.submit("a")
    assert [one["id"] for one in service.jobs] == [job["id"]]
    assert service.requests == [("POST", "/v1/jobs")] * (losses + 1)
    assert len({one["Idempotency-Key"] for one in service.headers}) == 1


def test_lost_batches_are_repeated_with_their_keys(client, service):
    """A batch whose answer was lost is the same batch again; jobs come back in order."""
    service.lose_answers = 1
    jobs = client.submit_batch([{"command": ["a"], "processors": one} for one in (1, 2, 3)])
    assert [job["processors"] for job in jobs] == [1, 2, 3]
    assert len(service.jobs) == 3
    assert service.bodies[0] == service.bodies[1]


def test_what_stays_lost_is_said_to_be_unclear(service, tmp_path):
    """Once patience has ended, the error says that the service may have the job."""
    with serving(service, tmp_path / "s.sock") as address, ec.Client(address, patience=0.15) as client:
        service.lose_answers = 1000
        with pytest.raises(ServiceError, match=r"answer of the service at .* was lost") as caught:
            client.submit("a")
        assert caught.value.is_unclear
        assert caught.value.status is None
        (key,) = service.keys
        assert str(caught.value).endswith(f"submit it again with the key {key}, and it is one job")
        service.lose_answers = 0
        assert client.submit("a", key=key)["number"] == 1
    assert len(service.jobs) == 1


def test_a_new_token_is_never_asked_for_twice(client, service):
    """What is not the same when done twice is not repeated."""
    assert client.new_token("bob", ["read"])["token"] == "ech_secret"
    service.lose_answers = 1
    with pytest.raises(ServiceError, match="was lost"):
        client.new_token("bob", ["read"])
    assert len(service.requests) == 2


def test_a_busy_service_is_asked_again(client, service):
    """429 is an invitation to come back; a submission after it succeeds."""
    service.busy = 3
    assert client.submit("a")["number"] == 1
    assert len(service.requests) == 4


def test_a_service_that_stays_busy_is_an_error(service, tmp_path):
    """After patience has ended, its sentence is the error's."""
    with serving(service, tmp_path / "s.sock") as address, ec.Client(address, patience=0.0) as client:
        service.busy = 1000
        with pytest.raises(ServiceError, match=r"^too many jobs wait$") as caught:
            client.submit("a")
    assert caught.value.status == 429
    assert not caught.value.is_unclear


def test_no_service_is_one_sentence(tmp_path):
    """Where nothing listens, the error says so at once, and how to start a service."""
    for file in (tmp_path / "none.sock", tmp_path / "dead.sock"):
        if file.name == "dead.sock":
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(str(file))
        began = time.monotonic()
        with pytest.raises(ServiceError) as caught:
            ec.Client(str(file)).submit("a")
        assert str(caught.value) == f"no service answers at unix://{file}; start one with: echelon serve"
        assert not caught.value.is_unclear
        assert time.monotonic() - began < 1.0


def test_refusals_are_the_services_sentences(client):
    """The detail of a problem is the message of the error, with its status."""
    with pytest.raises(ServiceError, match=r"^there is no job 99$") as caught:
        client.job(99)
    assert caught.value.status == 404


def test_a_kept_connection_that_was_closed_is_opened_again(service, tmp_path):
    """After a restart of the service the next request finds the new one."""
    with serving(service, tmp_path / "other.sock") as address:
        other = ec.Client(address, patience=2.0)
        other.clusters()
    with serving(service, tmp_path / "other.sock"), other:
        assert [one["name"] for one in other.clusters()] == ["alpha", "beta"]


def test_listings_follow_their_cursors(client, service):
    """All pages are read, a limit ends early, and states are handed on."""
    service.page = 3
    for _ in range(8):
        client.submit("a")
    service.change(2, state="RUNNING")
    assert [job["number"] for job in client.jobs()] == list(range(1, 9))
    assert [job["number"] for job in client.jobs(limit=4)] == [1, 2, 3, 4]
    assert [job["number"] for job in client.jobs(states=["RUNNING", "FAILED"])] == [2]


def test_wishes_and_what_else_is_asked(client, service):
    """Each method asks the path of its own."""
    client.submit("a")
    assert client.hold(1)["state"] == "HELD"
    assert client.release(1)["state"] == "QUEUED"
    assert client.cancel(service.jobs[0]["id"])["state"] == "CANCELED"
    assert client.decision(1)["decisions"][0]["chosen"] == "alpha"
    assert client.forecast("a", processors=16)["chosen"] == "alpha"
    assert client.drain("alpha")["mode"] == "drained"
    assert client.resume("alpha")["mode"] == "open"
    assert client.tokens()[0]["user"] == "bob"
    assert client.revoke_token(1) is None


def test_tokens_go_over_tcp_only(service, monkeypatch, tmp_path):
    """On TCP the token is sent; to a Unix socket only one that was given for it."""
    monkeypatch.setenv("ECHELON_TOKEN", "ech_abc")
    with serving(service) as address, ec.Client(address) as client:
        client.clusters()
    with serving(service, tmp_path / "s.sock") as address:
        with ec.Client(address) as client:
            client.clusters()
        with ec.Client(address, "ech_x") as client:
            client.clusters()
    assert [one.get("Authorization") for one in service.headers] == ["Bearer ech_abc", None, "Bearer ech_x"]


def test_threads_share_a_client(client, service):
    """Submissions of several threads each get their own job."""
    found: list[int] = []

    def work() -> None:
        found.extend(client.submit("a")["number"] for _ in range(20))
        client.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(found) == list(range(1, 81))


def test_what_is_no_service_is_said_to_be_none(tmp_path):
    """An answer that is not JSON is one of another program."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n<html>")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ServiceError, match="is no service of Echelon"):
            ec.Client(f"http://127.0.0.1:{port}").clusters()
        thread.join()


def test_a_service_that_hangs_is_left(tmp_path):
    """A request ends after its time-out."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        client = ec.Client(f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=0.1, patience=0.0)
        with pytest.raises(ServiceError, match="has not come in time"):
            client.clusters()
