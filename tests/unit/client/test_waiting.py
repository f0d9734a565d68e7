"""Waiting for jobs: by events, over restarts, without events, and no longer than asked."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

import echelon as ec
from echelon.client.answers import FINAL
from echelon.errors import ServiceError
from echelon.service.records import FINAL as FINAL_STATES
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


def later(service: FakeService, seconds: float, number: int, **values: object) -> threading.Thread:
    """Change a job in a moment."""
    thread = threading.Timer(seconds, service.change, (number,), values)
    thread.start()
    return thread


def test_final_states_are_those_of_the_service():
    """The client has a list of its own, as it imports no service: both are the same."""
    assert FINAL == FINAL_STATES


def test_the_end_of_a_job_comes_as_an_event(client, service):
    """Waiting ends soon after the job, with what is known then; changes are reported on the way."""
    client.submit("a")
    client.submit("b")
    seen: list[str] = []
    threads = [
        later(service, 0.1, 2, state="COMPLETED", exit_code=0),
        later(service, 0.2, 1, state="RUNNING", cluster="alpha"),
        later(service, 0.3, 1, state="FAILED", exit_code=3),
    ]
    began = time.monotonic()
    (job,) = client.wait(1, on_change=lambda one: seen.append(one["state"]))
    assert (job["state"], job["exit_code"]) == ("FAILED", 3)
    assert time.monotonic() - began < 2.0
    assert seen == ["RUNNING", "FAILED"]
    for one in threads:
        one.join()


def test_several_jobs_are_waited_for_together(client, service):
    """The last end counts, whatever their order; events of other jobs do not matter."""
    for _ in range(4):
        client.submit("a")
    threads = [
        later(service, 0.1 + 0.05 * place, number, state="COMPLETED")
        for place, number in enumerate((3, 4, 1))
    ]
    assert [(job["number"], job["state"]) for job in client.wait(1, 3)] == [
        (1, "COMPLETED"),
        (3, "COMPLETED"),
    ]
    for one in threads:
        one.join()


def test_jobs_that_have_ended_need_no_waiting(client, service):
    """Nothing is waited for where all have ended; a job named twice is one."""
    client.submit("a")
    service.change(1, state="COMPLETED")
    assert [job["number"] for job in client.wait(1, "1", service.jobs[0]["id"])] == [1]
    assert not [path for _, path in service.requests if path.startswith("/v1/events")]


def test_a_restart_of_the_service_does_not_matter(service, tmp_path):
    """A job that ends while no service runs is found to have ended when one runs again."""
    ended: list[str] = []
    with serving(service, tmp_path / "s.sock") as address:
        client = ec.Client(address, patience=0.0)
        client.submit("a")
        thread = threading.Thread(target=lambda: ended.extend(job["state"] for job in client.wait(1)))
        thread.start()
        while not [path for _, path in service.requests if path.startswith("/v1/events")]:
            time.sleep(0.01)
    service.change(1, state="COMPLETED")
    time.sleep(0.3)
    assert ended == []
    with serving(service, tmp_path / "s.sock"):
        thread.join(5.0)
    assert ended == ["COMPLETED"]


def test_waiting_ends_where_it_is_to_end(client):
    """After the time-out the job is returned as it is."""
    client.submit("a")
    began = time.monotonic()
    (job,) = client.wait(1, timeout=0.3)
    assert job["state"] == "QUEUED"
    assert 0.3 <= time.monotonic() - began < 1.5


def test_a_service_without_events_is_looked_at(client, service, monkeypatch):
    """Where the stream says nothing, jobs are looked at again and again."""
    monkeypatch.setattr("echelon.client.waiting._QUIET", 0.1)
    monkeypatch.setattr(
        FakeService, "change", lambda self, number, **values: self.jobs[number - 1].update(values)
    )
    client.submit("a")
    thread = later(service, 0.2, 1, state="TIMED_OUT")
    (job,) = client.wait(1)
    thread.join()
    assert job["state"] == "TIMED_OUT"


def test_an_unknown_job_is_refused(client):
    """A job that the service does not know cannot end."""
    with pytest.raises(ServiceError, match="there is no job 5"):
        client.wait(5)


def test_events_are_handed_on_in_order(client, service):
    """From the number on that is known, each once; a stream that breaks is resumed after the last one."""
    client.submit("a")
    for state in ("ASSIGNED", "SUBMITTING", "WAITING"):
        service.change(1, state=state)
    stream = client.events(after=1)
    assert [next(stream)["state"], next(stream)["state"]] == ["SUBMITTING", "WAITING"]
    thread = later(service, 0.1, 1, state="RUNNING")
    assert next(stream)["state"] == "RUNNING"
    thread.join()
    stream.close()


def test_events_go_on_after_a_restart(service, tmp_path):
    """What happened while the service was away comes once it is back, and nothing comes twice."""
    with serving(service, tmp_path / "s.sock") as address:
        client = ec.Client(address)
        client.submit("a")
        stream = client.events(after=0)
        service.change(1, state="ASSIGNED")
        assert next(stream)["number"] == 1
    service.change(1, state="WAITING")
    with serving(service, tmp_path / "s.sock"):
        assert next(stream)["number"] == 2
        stream.close()
        client.close()


def test_events_of_no_service_are_an_error(tmp_path):
    """Where no service has ever answered, the stream does not wait for one."""
    with pytest.raises(ServiceError, match="no service answers"):
        next(ec.Client(str(tmp_path / "s.sock")).events())
