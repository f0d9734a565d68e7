"""The thread that drives a cluster: a back end that raises or answers nonsense loses nothing."""

from __future__ import annotations

import queue
import time
from dataclasses import replace

import pytest

from echelon.backends import Evidence, OtherJob, Outcome, OwnJob, Snapshot, Submission, Unclear
from echelon.backends.contract import Accepted, EndRecord
from echelon.backends.soundness import why_no_answers, why_no_evidence, why_no_look
from echelon.service.clock import Clock
from echelon.service.clusters.worker import Worker
from echelon.service.messages import Answered, FindEvidence, Found, Looked, SubmitJob

GOOD = Snapshot(1.0, is_complete=True, processors=4)


class Odd:
    """A back end that answers what it was given, or raises it."""

    def __init__(self, look=GOOD, submit=(), evidence=None):
        self._look, self._submit, self._evidence = look, submit, evidence

    def look(self):
        return _said(self._look)

    def submit(self, _):
        return _said(self._submit)

    def evidence(self, _):
        return _said(self._evidence)

    def close(self):
        pass


def _said(value):
    if isinstance(value, Exception):
        raise value
    return value


def drive(backend, *actions, interval=60):
    """Drive a cluster for a moment; yield what is observed."""
    seen = queue.SimpleQueue()
    worker = Worker("alpha", backend, interval=interval, post=seen.put, keep=lambda *_: None, clock=Clock())
    for one in actions:
        worker.take(one)
    worker.start()
    try:
        while True:
            yield seen.get(timeout=10)
    finally:
        worker.stop()


def first(found, kind):
    return next(one for one in found if isinstance(one, kind))


SUBMIT = SubmitJob("alpha", "0" * 32, 1, Submission("ech-a-1", ("true",)))


@pytest.mark.parametrize(
    "answers", [None, (), [None], ["5"], [Accepted(5)], [Accepted("5")] * 2, ValueError()]
)
def test_a_submission_without_a_clear_answer_is_unclear(answers):
    """Not lost: it is found again by its tag, or submitted again."""
    answered = first(drive(Odd(submit=answers), SUBMIT), Answered)
    assert isinstance(answered.answer, Unclear)


def test_a_look_that_failed_after_long_is_soon_repeated(monkeypatch):
    """A controller that is down costs seconds a look; when it is back that must not take minutes to see."""
    monkeypatch.setattr("echelon.service.clusters.worker.SHARE", 1000)

    class Slow(Odd):
        def look(self):
            time.sleep(0.02)
            return replace(GOOD, is_complete=False, problem="connect failure")

    seen = drive(Slow(), interval=0.01)
    assert [next(seen).snapshot.is_complete for _ in range(3)] == [False] * 3
    seen.close()


def test_what_comes_after_an_action_that_failed_is_carried_out():
    """The search for evidence raises; the submission behind it is made."""
    backend = Odd(submit=[Accepted("5")], evidence=RuntimeError())
    answered = first(drive(backend, FindEvidence("alpha", ("ech-a-1",)), SUBMIT), Answered)
    assert answered.answer == Accepted("5")


@pytest.mark.parametrize(
    "look",
    [
        *(None, "nothing", RuntimeError()),
        Snapshot(float("nan"), is_complete=True),
        Snapshot(1.0, is_complete=True, processors=-1),
        *(
            Snapshot(1.0, is_complete=True, own=(one,))
            for one in (
                *(None, OwnJob(5, "1", "waiting"), OwnJob("ech-a-1", 1, "waiting")),
                *(OwnJob("ech-a-1", "1", "dancing"), OwnJob("ech-a-1", "1", "ended", outcome="done")),
                OwnJob("ech-a-1", "1", "running", started_at="yesterday"),
            )
        ),
        *(
            Snapshot(1.0, is_complete=True, others=(one,))
            for one in ({}, OtherJob("1", "running", "many"), OtherJob("1", "running", 1, time_limit="1:00"))
        ),
    ],
)
def test_a_look_that_is_none_is_a_look_that_failed(look):
    """Nothing follows from it but the age of what is known."""
    looked = first(drive(Odd(look=look)), Looked)
    assert not looked.snapshot.is_complete
    assert "the back end" in looked.snapshot.problem


@pytest.mark.parametrize(
    "evidence",
    [
        None,
        Evidence(1.0, is_complete=True, records={"ech-a-1": "done"}),
        Evidence(1.0, is_complete=True, records={"ech-a-1": EndRecord("done")}),
        Evidence(1.0, is_complete=True, records={"ech-a-1": EndRecord(Outcome.COMPLETED, "0")}),
    ],
)
def test_evidence_that_is_none_is_not_complete(evidence):
    """Nobody ends a job by it."""
    found = first(drive(Odd(evidence=evidence), FindEvidence("alpha", ("ech-a-1",))), Found)
    assert not found.evidence.is_complete


def test_sound_answers_are_sound_and_that_is_cheap():
    """10,000 jobs listed take a small part of the time of a look at them."""
    own = tuple(OwnJob(f"ech-{number}-1", str(number), "running", 2, 1.0) for number in range(10_000))
    seen = Snapshot(1.0, is_complete=True, own=own, others=(OtherJob("1", "waiting", 2, time_limit=60.0),))
    began = time.process_time()
    assert why_no_look(seen) == ""
    assert time.process_time() - began < 0.5
    assert why_no_answers([Accepted("1"), Unclear("?")], 2) == ""
    assert why_no_evidence(Evidence(1.0, is_complete=True, records={"x": EndRecord(Outcome.FAILED, 3)})) == ""
