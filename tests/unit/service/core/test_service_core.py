"""The core of the service: restarts at any moment, equal steps, and what it passes on."""

from __future__ import annotations

import pytest

from echelon.backends.contract import Accepted, EndRecord, OtherJob, Outcome
from echelon.service.messages import Arrived
from echelon.service.records import AttemptState, JobRecord, JobSpec, JobState
from served import DONE, PATIENCE, AcceptedRule


def test_killed_after_the_commit_and_before_the_submission():
    """The intent was kept, the submission never made: absent twice, and submitted under the same tag."""
    served = AcceptedRule()
    job = served.arrive()
    served.restart()
    served.look()
    assert served.attempt(job) == "UNCLEAR"
    served.miss_twice()
    served.found()
    assert served.submissions() == [("alpha", f"ech-{job}-1")]


def test_killed_after_the_submission_and_before_the_answer():
    """The cluster has the job: it is adopted by its tag, and not submitted again."""
    served = AcceptedRule()
    job = served.arrive()
    served.restart()
    served.look("alpha", served.own(job, native_id="8"))
    assert (served.state(job), served.attempts[job, 1].native_id) == ("WAITING", "8")
    assert served.submissions() == []


def test_a_submission_on_its_way_at_the_restart_has_its_time_from_then():
    """It may have been made just before the service was killed, however old the intent is."""
    served = AcceptedRule()
    job = served.arrive()
    served.after(1000).restart()
    served.look()
    served.after(PATIENCE - 1).look()
    served.found()
    assert (served.asked(), served.attempts[job, 1].absences) == ([], 0)


def test_killed_before_a_cancellation_was_carried_out():
    """The wish was kept: the job is canceled after the restart."""
    served = AcceptedRule()
    job = served.accepted()
    served.wish(job, "cancel")
    served.restart()
    served.look()
    assert served.revocations() == [f"ech-{job}-1"]
    assert served.cancellations() == [(f"ech-{job}-1", "1")]


def test_killed_while_evidence_was_looked_for():
    """What was doubted is doubted again by the next look, and absences that were kept count."""
    served = AcceptedRule()
    job = served.accepted()
    served.after(PATIENCE + 1).look()
    served.restart()
    served.after(1).look()
    assert served.asked() == [f"ech-{job}-1"]
    served.found(records={job: DONE}, claimed=[job])
    assert served.state(job) == "COMPLETED"


def test_jobs_that_had_not_been_told_of_are_not_lost():
    """Committed, but the service was killed before it heard of them: decided after the restart."""
    job = JobRecord("a" * 32, 1, "ada", JobSpec(("true",)), 0.0)
    served = AcceptedRule()
    served.jobs[job.id] = job
    served.restart()
    served.look()
    assert served.submissions() == [("alpha", f"ech-{job.id}-1")]
    served.step(Arrived((job,)))
    assert served.actions == (), "and once only"


def test_assigned_jobs_keep_their_order_over_a_restart():
    """By the time of their decision, then by number."""
    served = AcceptedRule(unsettled=1)
    jobs = [served.after(1).arrive(number) for number in (1, 2, 3)]
    served.answer(jobs[0], Accepted("1"))
    served.restart()
    listed = served.own(jobs[0], "running")
    served.look("alpha", listed)
    assert served.submissions() == [("alpha", f"ech-{jobs[1]}-1")]


def test_nothing_is_decided_before_the_first_look():
    """After a start every cluster is closed until it has been seen."""
    served = AcceptedRule()
    served.restart()
    job = served.arrive()
    assert (served.state(job), served.told("closed")) == ("QUEUED", [("alpha", "its news are too old")])
    served.look()
    assert served.state(job) == "SUBMITTING"


def test_a_job_assigned_to_a_cluster_that_is_gone_is_decided_again():
    """The configuration has changed: an assigned job was never submitted there, so it goes elsewhere."""
    job = JobRecord(
        "a" * 32, 1, "ada", JobSpec(("true",)), 0.0, state=JobState.ASSIGNED, cluster="gone", assigned_at=0.0
    )
    served = AcceptedRule()
    served.jobs[job.id] = job
    served.restart()
    served.look()
    assert served.jobs[job.id].cluster == "alpha"


def test_jobs_follow_others_that_have_ended_in_any_way():
    """A job that follows one that failed is decided, as in a simulation; so is one that follows none."""
    served = AcceptedRule()
    first = served.running()
    second = served.arrive(2, after=(first, "f" * 32))
    assert served.state(second) == "QUEUED"
    served.after(5).look()
    served.found(records={first: EndRecord(Outcome.FAILED, exit_code=1)}, claimed=[first])
    assert (served.state(first), served.state(second)) == ("FAILED", "SUBMITTING")


def test_three_failed_looks_make_a_cluster_unreachable_and_jobs_keep_their_states():
    """Down while its jobs run and end: nothing changes but the cluster; then the records are found."""
    served = AcceptedRule()
    job = served.running()
    for failures in (1, 2, 3):
        assert served.clusters["alpha"].reachable
        served.after(5).look(is_complete=False, problem="Unable to contact slurm controller")
        assert served.clusters["alpha"].failures == failures
    assert not served.clusters["alpha"].reachable
    assert served.state(job) == "RUNNING"
    assert served.told("closed")[-1] == ("alpha", "unreachable")
    event = served.events[-1]
    assert (event.kind, event.state) == ("cluster", "unreachable")
    assert event.reason == "3 looks in a row have failed: Unable to contact slurm controller."
    served.after(5).look()
    assert (served.clusters["alpha"].reachable, served.clusters["alpha"].failures) == (True, 0)
    served.found(records={job: DONE}, claimed=[job])
    assert served.state(job) == "COMPLETED"


def test_controllers_hear_of_the_load_when_it_changes():
    """Jobs of others, processors in service and reserved starts, once each."""
    served = AcceptedRule()
    job = served.accepted()
    tag = served.jobs[job].tag
    other = OtherJob("9", "running", 4)
    for _ in range(2):
        served.after(5).look("alpha", served.own(job), others=(other,), reserved=((tag, 99.0), ("x", 1.0)))
    assert served.told("others") == [("alpha", (other,))]
    assert served.told("resized") == [("alpha", 8)]
    assert served.told("reserved") == [("alpha", ((job, 99.0),))]
    served.after(5).look("alpha", served.own(job))
    assert served.told("others")[1:] == [("alpha", ())]


def test_every_change_of_a_state_is_an_event_with_a_sentence():
    """From arrival to end, each state has its reason, and versions count the changes."""
    served = AcceptedRule()
    job = served.running()
    served.after(5).look()
    served.found(records={job: DONE}, claimed=[job])
    states = [one.state for one in served.events if one.kind == "job"]
    assert states == ["ASSIGNED", "SUBMITTING", "WAITING", "RUNNING", "COMPLETED"]
    assert all(one.reason.endswith(".") for one in served.events)
    assert served.jobs[job].version == 5, "assigned and submitted is one step"


def test_time_does_not_go_back():
    """A step at an earlier time is one at the time of the last step."""
    served = AcceptedRule()
    job = served.after(10).arrive()
    served.now = 5.0
    served.answer(job, Accepted("1"))
    assert served.attempts[job, 1].answered_at == 10.0


def test_equal_observations_give_equal_steps():
    """Two cores that observe the same return the same."""

    def run():
        served = AcceptedRule("alpha", "beta", unsettled=2)
        jobs = [served.accepted(number, str(number)) for number in (1, 2, 3)]
        served.after(5).look("alpha", *[served.own(one, native_id=str(n)) for n, one in enumerate(jobs, 1)])
        return served.jobs, served.attempts, served.events, served.actions

    assert run() == run()


def test_a_look_at_an_unknown_cluster_is_ignored():
    """What is not configured is not followed."""
    assert AcceptedRule().look("nowhere") == ()


def test_answers_for_jobs_that_are_gone_are_ignored():
    """An answer, evidence or a claim that comes after the end of a job changes nothing."""
    served = AcceptedRule()
    job = served.running()
    served.after(5).look()
    served.found(records={job: DONE}, claimed=[job])
    before = dict(served.jobs)
    served.answer(job, Accepted("2"))
    served.found(records={job: EndRecord(Outcome.FAILED)}, claimed=[job])
    served.revoked(job, is_ours=True)
    assert served.jobs == before


def test_unsettled_attempts_count_after_a_restart():
    """Unsettled attempts that the store has count against their clusters' limits after a restart."""
    served = AcceptedRule(unsettled=1)
    first = served.accepted()
    served.restart()
    served.look("alpha", served.own(first))
    second = served.arrive(2)
    assert served.state(second) == "ASSIGNED"
    assert served.attempts[first, 1].state is AttemptState.ACCEPTED


@pytest.mark.parametrize("state", ["accepted", "running"])
def test_times_that_a_clock_has_written_too_far_ahead_do_not_hold_up_a_restart(state):
    """Set back by an hour while the service was away: what ended meanwhile is found at the first looks."""
    served = AcceptedRule()
    served.after(3600).look()
    job = getattr(served, state)()
    served.after(-3600).restart()
    served.after(1).look()
    assert served.asked() == [served.jobs[job].tag]
    served.found(records={job: DONE}, claimed=[job])
    assert served.state(job) == "COMPLETED"
