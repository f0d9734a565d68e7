"""``echelon queue``: which jobs it asks for, and how it shows them."""

from __future__ import annotations

import pytest

OPEN = ["HELD", "QUEUED", "ASSIGNED", "SUBMITTING", "WAITING", "RUNNING"]


@pytest.fixture(autouse=True)
def _now(monkeypatch):
    monkeypatch.setattr("echelon.cli.serving.queue.time.time", lambda: 2000.0)


def three(service):
    """Add a job that waits, one that runs with stale news, and one that has ended."""
    for name in ("heat", "", "old"):
        service.add({"command": ["a"], "name": name, "processors": 16}, None)
    start = {"start": 2720.0, "earliest": None, "latest": None, "run_time": 60.0}
    service.change(1, state="WAITING", cluster="alpha", reason="It waits at alpha.", forecast=start)
    service.change(2, state="RUNNING", cluster="beta", started_at=1400.0, stale=True, as_of=1925.0, reason="")
    service.change(3, state="FAILED", ended_at=1910.0, started_at=1100.0, exit_code=3, reason="It failed.")


def test_your_open_jobs(echelon, service):
    """What has not ended, with the time so far, the forecast start and the age of stale news."""
    three(service)
    said = echelon("queue")
    lines = [line.split("   ") for line in said.out.splitlines() if line.strip()]
    assert [cell.strip() for cell in lines[0] if cell.strip()] == [
        *("job", "name", "state", "cluster", "processors", "for", "starts", "why")
    ]
    assert [[cell.strip() for cell in line if cell.strip()] for line in lines[2:]] == [
        ["1", "heat", "WAITING", "alpha", "16", "16.67 min", "in 12 min", "It waits at alpha."],
        ["2", "-", "RUNNING", "beta", "16", "10 min", "-", "stale, 75 s ago"],
    ]
    assert service.requests[-1][1].startswith("/v1/jobs?state=HELD&state=QUEUED")
    assert "owner=me" in service.requests[-1][1]


def test_what_is_asked_for(echelon, service):
    """Options choose states, a cluster, jobs of others, jobs that have ended."""
    three(service)
    arguments = ("queue", "--all", "--ended", "--cluster", "beta", "--json")
    assert [job["number"] for job in echelon(*arguments).json["jobs"]] == [1, 2, 3]
    assert service.requests[-1][1] == "/v1/jobs?cluster=beta&limit=500"
    assert [
        job["number"] for job in echelon("queue", "--state", "failed,timed-out", "--json").json["jobs"]
    ] == [3]
    said = echelon("queue", "--all", "--state", "FAILED")
    assert "ann" in said.out
    assert "90 s ago" in said.out
    assert "It failed." in said.out


def test_watching(echelon, service, monkeypatch):
    """The queue is read again and again, also after a refusal, until Ctrl-C."""
    three(service)
    drawn = []

    def after_each(seconds):
        drawn.append(seconds)
        service.refuse = {"detail": "it is being started", "status": 503} if len(drawn) == 1 else None
        if len(drawn) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("echelon.cli.serving.queue.time.sleep", after_each)
    monkeypatch.setattr("echelon.client.connection.time.monotonic", iter(range(0, 10**6, 100)).__next__)
    said = echelon("queue", "--watch")
    assert said.code == 130
    assert drawn == [2.0] * 3
    assert len(service.requests) == 3
    # Without a terminal only the last table is printed.
    assert said.out.count("It waits at alpha.") == 1


def test_no_jobs(echelon, service):
    """An empty queue is said to be one."""
    assert echelon("queue") == (0, "No jobs.\n", "")


def test_an_unknown_state(echelon, service):
    """The nearest state is suggested, and nothing is asked."""
    assert echelon("queue", "--state", "runing").sentence == (
        "echelon: --state: no state is named 'RUNING'; did you mean 'RUNNING'?"
    )
    assert service.requests == []


def test_no_text_forges_a_line(echelon, service):
    """A name or reason with line feeds and escape sequences stays in its cell."""
    service.add({"command": ["a"], "name": "x\n2  root  RUNNING\x1b[2J"}, None)
    service.change(1, state="WAITING", reason="a\r\nb\u202e")
    out = echelon("queue").out
    assert "x\\n2" in out
    assert "\x1b" not in out
    assert "\u202e" not in out
    # The empty line, the heads, the rule, the job, and the empty line at the end.
    assert len([line for line in out.splitlines() if line.strip()]) == 3
