"""Wishes: cancel, hold and release come true, whatever the job does meanwhile."""

from __future__ import annotations

import pytest

from echelon.backends.contract import Accepted, EndRecord, Outcome, Refused, Unclear
from served import DONE, AcceptedRule


def test_what_is_at_no_cluster_is_canceled_at_once():
    """HELD, QUEUED and ASSIGNED jobs end in the step of the wish, and those that follow them count it."""
    served = AcceptedRule(unsettled=1)
    held = served.arrive(1, is_held=True)
    served.arrive(2)
    assigned = served.arrive(3)
    queued = served.arrive(4, after=(assigned,))
    for job in (held, queued, assigned):
        served.wish(job, "cancel")
        assert served.state(job) == "CANCELED"
        assert (job,) in served.told("cancel")


def test_a_job_at_its_cluster_is_canceled_at_each_look_until_it_is_gone():
    """A cluster says nothing to a cancellation: it is asked again while it lists the job."""
    served = AcceptedRule()
    job = served.accepted()
    served.wish(job, "cancel")
    tag = f"ech-{job}-1"
    assert (served.cancellations(), served.revocations()) == ([(tag, "1")], [tag])
    for _ in range(2):
        served.after(5).look("alpha", served.own(job))
        assert served.cancellations() == [(tag, "1")]
    served.revoked(job, is_ours=True)
    assert served.state(job) == "WAITING", "it is still in the queue"
    served.after(5).look("alpha", served.own(job, "ended", outcome=Outcome.CANCELED))
    assert (served.state(job), served.reason(job)) == (
        "CANCELED",
        "It was canceled before it started at alpha.",
    )


def test_a_running_job_that_is_killed_is_canceled_and_keeps_its_end():
    """Its record says that a signal ended it; that was the cancellation."""
    served = AcceptedRule()
    job = served.running()
    served.wish(job, "cancel")
    served.revoked(job, is_ours=False)
    served.after(5).look()
    served.found(records={job: EndRecord(Outcome.FAILED, signal=15, ended_at=4.0)}, claimed=[job])
    assert (served.state(job), served.jobs[job].signal) == ("CANCELED", 15)


@pytest.mark.parametrize(
    ("record", "state"), [(DONE, "COMPLETED"), (EndRecord(Outcome.FAILED, exit_code=3), "FAILED")]
)
def test_a_job_that_ended_before_it_was_canceled_has_ended_so(record, state):
    """The cancellation came too late: its end is what really happened."""
    served = AcceptedRule()
    job = served.running()
    served.wish(job, "cancel")
    served.after(5).look()
    served.found(records={job: record}, claimed=[job])
    assert served.state(job) == state


def test_a_killed_job_without_a_record_is_canceled_not_interrupted():
    """Killed so that it could not write its record, and its owner wanted that; it does not run again."""
    served = AcceptedRule(grace=0.0)
    job = served.running(retries=3)
    served.wish(job, "cancel")
    served.after(5).look()
    served.after(5).look()
    served.found(claimed=[job])
    assert served.state(job) == "CANCELED"


def test_an_unclear_job_is_canceled_once_its_claim_is_taken():
    """It may arrive yet, but never start: CANCELED at the next look without it."""
    served = AcceptedRule()
    job = served.arrive()
    served.answer(job, Unclear("killed"))
    served.wish(job, "cancel")
    assert served.state(job) == "SUBMITTING"
    served.revoked(job, is_ours=None)
    served.after(5).look()
    assert served.revocations() == [f"ech-{job}-1"], "it is not known whose the claim is: asked again"
    served.revoked(job, is_ours=True)
    served.after(1).look(began_at=5.0)
    assert served.state(job) == "SUBMITTING", "a look from before says nothing"
    served.look()
    assert served.state(job) == "CANCELED"


def test_without_claims_an_unclear_job_is_canceled_when_it_can_not_arrive_any_more():
    """Absent twice after the patience: there is nothing to cancel, and it is not submitted again."""
    served = AcceptedRule(has_claims=False)
    job = served.arrive()
    served.answer(job, Unclear("killed"))
    served.wish(job, "cancel")
    assert served.revocations() == []
    served.miss_twice()
    served.found()
    assert (served.state(job), served.submissions()) == ("CANCELED", [])


def test_an_answer_after_the_wish_is_canceled_at_once():
    """Accepted after its owner has canceled it: its cluster is asked to cancel it before any look."""
    served = AcceptedRule()
    job = served.arrive()
    served.wish(job, "cancel")
    served.answer(job, Accepted("4"))
    assert served.cancellations() == [(f"ech-{job}-1", "4")]


def test_a_refused_job_that_is_not_wanted_ends():
    """The cluster has refused it, so there is nothing left to cancel."""
    served = AcceptedRule()
    job = served.arrive()
    served.wish(job, "cancel")
    served.answer(job, Refused("down", is_permanent=False))
    assert served.state(job) == "CANCELED"


def test_a_canceled_job_at_an_unreachable_cluster_ends_when_its_claim_is_taken():
    """Whether it is still in the queue there can not be seen, but it will never start."""
    served = AcceptedRule()
    job = served.accepted()
    for _ in range(3):
        served.after(5).look(is_complete=False)
    served.wish(job, "cancel")
    assert served.state(job) == "WAITING"
    served.revoked(job, is_ours=True)
    assert served.state(job) == "CANCELED"


def test_nothing_undoes_a_cancellation():
    """Hold and release after a cancellation change nothing."""
    served = AcceptedRule()
    job = served.accepted()
    served.wish(job, "cancel")
    for wanted in ("hold", "run", "cancel"):
        assert served.wish(job, wanted) == ()
        assert served.jobs[job].wanted == "cancel"


def test_a_queued_job_is_held_and_released():
    """HELD at once, forgotten by the controllers without having ended, and back when it is released."""
    served = AcceptedRule()
    served.drain()
    job = served.arrive()
    served.wish(job, "hold")
    assert (served.state(job), served.told("hold")) == ("HELD", [(job,)])
    served.drain(mode="open")
    assert served.state(job) == "HELD"
    served.wish(job, "run")
    assert served.submissions() == [("alpha", f"ech-{job}-1")]


def test_a_job_arrives_held():
    """What is submitted as held is no matter of the controllers until it is released."""
    served = AcceptedRule()
    job = served.arrive(is_held=True)
    assert served.told("arrive") == []
    served.wish(job, "run")
    assert served.state(job) == "SUBMITTING"


def test_a_waiting_job_is_held_by_its_claim_and_released_as_another_run():
    """The claim is taken before anything is canceled; released, it has a new tag since its claim is spent."""
    served = AcceptedRule()
    job = served.accepted()
    served.wish(job, "hold")
    assert (served.cancellations(), served.revocations()) == ([], [f"ech-{job}-1"])
    served.revoked(job, is_ours=True)
    assert (served.state(job), served.cancellations()) == ("HELD", [(f"ech-{job}-1", "1")])
    served.wish(job, "run")
    assert served.submissions() == [("alpha", f"ech-{job}-2")]


def test_a_job_that_started_before_it_was_held_runs_on():
    """The claim is the job's: the wish is over, and says so; nothing is canceled."""
    served = AcceptedRule()
    job = served.accepted()
    served.wish(job, "hold")
    served.revoked(job, is_ours=False)
    assert (served.jobs[job].wanted, served.cancellations()) == ("run", [])
    assert served.reason(job) == "It had started before it could be held."
    served.look("alpha", served.own(job, "running"))
    assert served.state(job) == "RUNNING"


def test_a_running_job_is_not_held():
    """Hold is a wish for jobs that wait."""
    served = AcceptedRule()
    job = served.running()
    served.wish(job, "hold")
    assert (served.jobs[job].wanted, served.actions) == ("run", ())


def test_released_before_it_was_held_it_goes_on_as_another_run():
    """The claim was taken although its owner wants the job again: it is queued at once."""
    served = AcceptedRule()
    job = served.accepted()
    served.wish(job, "hold")
    served.wish(job, "run")
    served.revoked(job, is_ours=True)
    assert served.submissions() == [("alpha", f"ech-{job}-2")]


def test_without_claims_a_waiting_job_is_held_by_its_cancellation():
    """Canceled at the cluster before it started: HELD, not CANCELED."""
    served = AcceptedRule(has_claims=False)
    job = served.accepted()
    served.wish(job, "hold")
    assert served.cancellations() == [(f"ech-{job}-1", "1")]
    served.after(5).look("alpha", served.own(job, "ended", outcome=Outcome.CANCELED))
    served.found()
    assert (served.state(job), served.jobs[job].run) == ("HELD", 2)


def test_without_claims_a_job_that_started_is_canceled_by_its_hold():
    """It ran when the cancellation reached it: it has ended, and can not be held any more."""
    served = AcceptedRule(has_claims=False)
    job = served.accepted()
    served.wish(job, "hold")
    served.after(5).look("alpha", served.own(job, "ended", outcome=Outcome.CANCELED, started_at=2.0))
    served.found()
    assert served.state(job) == "CANCELED"


def test_a_wish_for_a_job_that_has_ended_changes_nothing():
    """Nobody knows it any more."""
    served = AcceptedRule()
    job = served.arrive(is_held=True)
    served.wish(job, "cancel")
    before = len(served.events)
    assert served.wish(job, "run") == ()
    assert (served.state(job), len(served.events)) == ("CANCELED", before)
