"""Looks: a listed tag proves that a job is there; one that is not listed begins a doubt."""

from __future__ import annotations

from echelon.backends.contract import Accepted, Outcome, OwnJob, Unclear
from served import DONE, AcceptedRule


def test_jobs_settle_six_seconds_after_the_first_look_that_had_them():
    """A job is SETTLED by a later look that still has it, and stays so."""
    served = AcceptedRule()
    job = served.accepted()
    served.after(1).look("alpha", served.own(job))
    served.after(5).look("alpha", served.own(job))
    assert served.attempt(job) == "ACCEPTED"
    served.after(1).look("alpha", served.own(job))
    assert served.attempt(job) == "SETTLED"
    settled = served.attempts[job, 1].settled_at
    served.after(5).look("alpha", served.own(job))
    assert served.attempts[job, 1].settled_at == settled == 7.0


def test_a_job_that_runs_has_its_start_from_the_cluster():
    """RUNNING with the cluster's time of the start; controllers hear of it, and how long it had waited."""
    served = AcceptedRule()
    job = served.accepted()
    served.after(5).look("alpha", served.own(job, "running", started_at=3.5))
    assert (served.state(job), served.jobs[job].started_at) == ("RUNNING", 3.5)
    assert served.told("started") == [(job, "alpha", 3.5)]
    assert served.told("waited") == [(job, 3.5)]


def test_a_job_that_seems_to_run_beyond_its_time_limit_has_ended_if_there_is_a_record():
    """A controller that was killed did not hear of its end: what it still lists is canceled."""
    served = AcceptedRule()
    job = served.running(time_limit=60.0)
    started = served.jobs[job].started_at
    listed = served.own(job, "running", started_at=started)
    served.after(started + 115 - served.now).look("alpha", listed)
    assert served.asked() == []
    served.after(10).look("alpha", listed)
    assert served.asked() == [served.jobs[job].tag]
    served.found(claimed=[job])
    assert served.state(job) == "RUNNING", "its cluster may be late"
    served.after(5).look("alpha", listed)
    served.found(records={job: DONE}, claimed=[job])
    assert (served.state(job), len(served.cancellations())) == ("COMPLETED", 1)


def test_a_start_without_a_time_is_when_it_was_seen_and_stays_so():
    """Where the cluster says no time of the start, later looks do not move it."""
    served = AcceptedRule()
    job = served.running()
    served.after(5).look("alpha", served.own(job, "running"))
    assert served.jobs[job].started_at == 1.0


def test_a_look_that_shows_nothing_new_changes_no_job():
    """A second look like the first one changes the cluster's record only."""
    served = AcceptedRule()
    job = served.running()
    before = len(served.events)
    version = served.jobs[job].version
    served.after(5).look("alpha", served.own(job, "running"))
    assert (len(served.events), served.jobs[job].version) == (before, version)


def test_a_job_that_lost_its_node_and_waits_again_is_waiting():
    """PENDING again under its number after a node failed: WAITING without a start; controllers know."""
    served = AcceptedRule()
    job = served.running()
    served.after(5).look("alpha", served.own(job))
    assert (served.state(job), served.jobs[job].started_at) == ("WAITING", None)
    assert served.told("requeued") == [(job, "alpha")]


def test_an_old_look_says_nothing():
    """A look that began before the last one is ignored, in whichever order they come."""
    served = AcceptedRule()
    job = served.running()
    served.after(5).look("alpha", served.own(job, "running"))
    for _ in range(3):
        served.after(1).look(began_at=2.0)
    assert (served.asked(), served.clusters["alpha"].looked_at) == ([], 6.0)


def test_a_number_without_the_tag_is_not_trusted():
    """A controller that forgot a job gave its number to another one: the job is absent, not that one."""
    served = AcceptedRule()
    job = served.accepted(native_id="7")
    stranger = OwnJob(f"ech-{'f' * 32}-1", "7", "running")
    served.after(5).look("alpha", stranger)
    assert (served.state(job), served.asked()) == ("WAITING", [f"ech-{job}-1"])
    assert served.cancellations() == [], "the job of another service"


def test_a_job_that_the_controller_forgot_is_submitted_again():
    """Kill -9 of a controller after it printed a number: absent twice, nothing found, submitted again."""
    served = AcceptedRule()
    job = served.accepted()
    served.miss_twice()
    assert served.asked() == [f"ech-{job}-1"]
    served.found()
    assert (served.attempts[job, 1].state, served.state(job)) == ("ABSENT", "SUBMITTING")
    assert served.submissions() == [("alpha", f"ech-{job}-1")]


def test_one_absence_is_forgotten_when_the_job_is_seen_again():
    """Absent, present, absent: only one absence in a row."""
    served = AcceptedRule()
    job = served.accepted()
    for own in ([], [served.own(job)], []):
        served.after(5).look("alpha", *own)
    served.found()
    assert (served.attempts[job, 1].absences, served.state(job)) == (1, "WAITING")


def test_a_ghost_is_adopted_before_it_is_submitted_again():
    """An earlier submission that arrives while the job waits for its next one is the job."""
    served = AcceptedRule(unsettled=1)
    job = served.arrive()
    served.answer(job, Unclear("killed"))
    served.miss_twice()
    other = served.arrive(2)
    served.found()
    assert served.state(job) == "SUBMITTING"
    served.restart()
    served.after(1).look("alpha", served.own(job, native_id="3"))
    assert (served.state(job), served.attempts[job, 2].native_id) == ("WAITING", "3")
    assert served.state(other) == "ASSIGNED"


def test_younger_copies_are_canceled_where_nothing_claims():
    """Without claims two jobs of one tag could both run: the oldest is kept, the others are canceled."""
    served = AcceptedRule(has_claims=False)
    job = served.accepted(native_id="4")
    served.after(1).look("alpha", served.own(job, native_id="3"), served.own(job, native_id="4"))
    assert served.cancellations() == [(f"ech-{job}-1", "3")], "the number that was answered is kept"
    served.after(5).look("alpha", served.own(job, "running", "3"), served.own(job, native_id="4"))
    assert served.cancellations() == [(f"ech-{job}-1", "4")], "the one that runs is kept"
    assert served.attempts[job, 1].native_id == "3"


def test_claimed_jobs_lose_only_copies_that_have_not_the_claim():
    """A copy is canceled once a look that began after the claim was found shows that it waits."""
    served = AcceptedRule()
    job = served.accepted(native_id="1")
    both = served.own(job, "running", "1"), served.own(job, "waiting", "2")
    served.after(1).look("alpha", *both)
    assert (served.cancellations(), served.asked()) == ([], [f"ech-{job}-1"])
    served.found(claimed=[job])
    served.after(5).look("alpha", *both)
    assert served.cancellations() == [(f"ech-{job}-1", "2")]


def test_running_copies_decide_by_their_claim():
    """Two copies that run: one of them will find the claim taken; the service cancels neither."""
    served = AcceptedRule()
    job = served.accepted(native_id="1")
    both = served.own(job, "running", "1"), served.own(job, "running", "2")
    for _ in range(3):
        served.after(5).look("alpha", *both)
        assert served.cancellations() == []
        served.found(claimed=[job])
    ghost = served.own(job, "ended", "1", outcome=Outcome.UNCLAIMED)
    served.after(5).look("alpha", served.own(job, "running", "2"), ghost)
    assert (served.state(job), served.attempts[job, 1].native_id) == ("RUNNING", "2")


def test_what_is_left_of_an_earlier_run_is_canceled():
    """A run whose claim was taken must not stay in the queue; ended ones are nothing to cancel."""
    served = AcceptedRule("alpha", "beta", on_lost=10.0)
    job = served.accepted()
    for _ in range(4):
        served.after(4).look("beta")
        served.look("alpha", is_complete=False)
    tag = f"ech-{job}-1"
    served.revoked(job, is_ours=True)
    assert served.submissions() == [("beta", f"ech-{job}-2")]
    served.after(1).look("alpha", OwnJob(tag, "1", "waiting"))
    assert served.cancellations() == [(tag, "1")]
    served.after(1).look("alpha", OwnJob(tag, "1", "ended", outcome=Outcome.CANCELED))
    assert served.cancellations() == []
    served.answer(job, Accepted("5"))
    assert served.state(job) == "WAITING"


def test_what_is_wrong_at_a_cluster_is_told_although_looks_are_complete():
    """It is with the cluster until a look comes without it, and an event once."""
    served = AcceptedRule()
    for problem in ("its disk is full", "its disk is full", ""):
        served.after(1).look(problem=problem)
        assert (served.clusters["alpha"].problem, served.clusters["alpha"].reachable) == (problem, True)
    reasons = [one.reason for one in served.events if one.kind == "cluster"]
    assert reasons[-2:] == ["its disk is full.", "It answers and takes jobs."]
    assert len(reasons) <= 3
