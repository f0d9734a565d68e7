"""``echelon wait`` and ``submit --wait``: exit codes, and that Ctrl-C leaves jobs alone."""

from __future__ import annotations

import threading

import pytest


def ended(service, number, state, **values):
    """Add jobs up to a number and end this one."""
    while len(service.jobs) < number:
        service.add({"command": ["a"]}, None)
    service.change(number, state=state, reason="It ended.", **values)


@pytest.mark.parametrize(
    ("state", "values", "code"),
    [
        ("COMPLETED", {"exit_code": 0}, 0),
        ("FAILED", {"exit_code": 3}, 3),
        ("FAILED", {"signal": 9}, 137),
        ("CANCELED", {}, 1),
        ("TIMED_OUT", {"signal": 15}, 143),
        ("REJECTED", {}, 1),
        ("INTERRUPTED", {"exit_code": 0}, 1),
    ],
)
def test_the_exit_code_is_the_jobs(echelon, service, state, values, code):
    """Its own, 128 and its signal, else 1 if it did not complete."""
    ended(service, 1, state, **values)
    assert echelon("wait", 1).code == code


def test_several_jobs_must_all_complete(echelon, service):
    """0 only if all have completed."""
    ended(service, 1, "COMPLETED", exit_code=0)
    ended(service, 2, "COMPLETED", exit_code=0)
    ended(service, 3, "FAILED", exit_code=7)
    assert echelon("wait", 1, 2).code == 0
    said = echelon("wait", "--json", 1, 2, 3)
    assert said.code == 1
    assert [job["state"] for job in said.json["jobs"]] == ["COMPLETED", "COMPLETED", "FAILED"]


def test_changes_are_reported_on_the_way(echelon, service):
    """With --wait, submit prints the number, notes what happens, and exits with the job's code."""
    timers = [
        threading.Timer(
            0.15, lambda: service.change(1, state="RUNNING", cluster="alpha", reason="It started.")
        ),
        threading.Timer(0.3, lambda: service.change(1, state="FAILED", exit_code=5, reason="")),
    ]
    for one in timers:
        one.start()
    said = echelon("submit", "--wait", "--", "a")
    for one in timers:
        one.join()
    assert (said.code, said.out) == (5, "Submitted job 1\n")
    assert said.err.splitlines() == [
        "echelon: job 1 is RUNNING at alpha: It started.",
        "echelon: job 1 is FAILED at alpha",
    ]


def test_waiting_may_have_an_end(echelon, service):
    """After --timeout the exit code is that of the program timeout, and the job is left alone."""
    service.add({"command": ["a"]}, None)
    assert echelon("wait", "--timeout", "0.1s", 1).code == 124
    assert service.jobs[0]["state"] == "QUEUED"


def test_ctrl_c_leaves_jobs_alone(echelon, service, monkeypatch):
    """Only the waiting ends."""
    service.add({"command": ["a"]}, None)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("echelon.client.event_stream.EventStream.next", interrupt)
    assert echelon("wait", 1) == (130, "", "echelon: stopped waiting; the jobs are left alone\n")
    assert [method for method, _ in service.requests] == ["GET"]
    assert service.jobs[0]["state"] == "QUEUED"
