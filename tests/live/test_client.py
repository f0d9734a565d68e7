"""The client and a real service over slots of this machine: tokens on TCP, and a service that is killed."""

from __future__ import annotations

import contextlib
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import echelon as ec
from echelon.errors import ServiceError
from live.chaos import ServiceProcess
from live.slurm_clusters import free_ports

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("fastapi")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Return a folder with a short name, as that of a socket must be."""
    with tempfile.TemporaryDirectory(prefix="echelon-") as made:
        yield Path(made)


@pytest.fixture(scope="module")
def tcp(folder: Path) -> str:
    (port,) = free_ports(1)
    (folder / "serve.toml").write_text(
        f'[serve]\nstate = "state"\nlisten = "127.0.0.1:{port}"\n\n'
        '[[cluster]]\nname = "here"\nbackend = "process"\nslots = 2\n'
    )
    return f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def service(folder: Path, tcp: str) -> Iterator[ServiceProcess]:
    made = ServiceProcess(folder / "serve.toml", folder / "log")
    made.start()
    yield made
    made.stop()


@pytest.fixture
def client(folder: Path, service: ServiceProcess) -> Iterator[ec.Client]:
    with ec.Client(str(folder / "state" / "echelon.sock")) as made:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with contextlib.suppress(ServiceError):
                made.clusters()
                break
            time.sleep(0.05)
        yield made


def test_a_token_allows_what_its_scopes_say(client: ec.Client, tcp: str) -> None:
    """Over TCP nothing goes without a token; one allows what it was made for, until it is revoked."""
    with (
        pytest.raises(ServiceError, match=r"a token is needed.*ECHELON_TOKEN") as caught,
        ec.Client(tcp, "") as nobody,
    ):
        nobody.clusters()
    assert caught.value.status == 401
    least = client.new_token("bob", ["read", "submit"], expires_in=600)
    more = client.new_token("bob", ["read", "submit", "script"], label="laptop")
    with ec.Client(tcp, least["token"]) as bob:
        assert [one["name"] for one in bob.clusters()] == ["here"]
        with pytest.raises(ServiceError, match="need the scope script"):
            bob.submit("true")
        with pytest.raises(ServiceError, match="need the scope admin"):
            bob.tokens()
    with ec.Client(tcp, more["token"]) as bob:
        job = bob.submit("true", directory="/tmp")
        assert job["owner"] == "bob"
        assert [one["id"] for one in bob.jobs(owner="me")] == [job["id"]]
        other = client.submit("true", directory="/tmp")
        with pytest.raises(ServiceError) as unseen:
            bob.job(other["id"])
        assert unseen.value.status == 404
        assert [one["state"] for one in bob.wait(job["id"])] == ["COMPLETED"]
        client.revoke_token(more["number"])
        with pytest.raises(ServiceError, match="was revoked"):
            bob.jobs().__next__()


def test_waiting_survives_a_kill(client: ec.Client, service: ServiceProcess, folder: Path) -> None:
    """The service is killed while a job runs and a client waits; the client gets the job's exit code."""
    job = client.submit("sh", "-c", "sleep 1; echo once >> ran; exit 7", directory=str(folder))
    changes: list[str] = []
    found: list[int | None] = []

    def wait() -> None:
        with ec.Client(str(client.address)) as waiting:
            ended = waiting.wait(job["id"], timeout=60, on_change=lambda one: changes.append(one["state"]))
            found.extend(one["exit_code"] for one in ended)

    thread = threading.Thread(target=wait)
    thread.start()
    end = time.monotonic() + 20
    while client.job(job["id"])["state"] != "RUNNING" and time.monotonic() < end:
        time.sleep(0.05)
    service.kill()
    thread.join(60)
    assert found == [7]
    assert changes[-1] == "FAILED"
    assert (folder / "ran").read_text() == "once\n"


def test_a_key_is_known_after_a_kill(client: ec.Client, service: ServiceProcess) -> None:
    """What was answered is kept: the same key is the same job when the service is back."""
    job = client.submit("true", key="night-1", directory="/tmp", hold=True)
    service.kill()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with contextlib.suppress(ServiceError):
            assert client.submit("true", key="night-1", directory="/tmp", hold=True)["id"] == job["id"]
            break
        time.sleep(0.05)
    assert client.job(job["number"])["state"] == "HELD"
    with pytest.raises(ServiceError) as caught:
        client.submit("false", key="night-1", directory="/tmp")
    assert caught.value.status == 422
    client.cancel(job["id"])
    assert [one["state"] for one in client.wait(job["id"])] == ["CANCELED"]
