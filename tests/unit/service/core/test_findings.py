"""Findings: records and claims say how jobs ended, and which have never run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon.backends.claims import OWN_RECORD
from echelon.backends.contract import Accepted, EndRecord, Outcome, Unclear
from served import DONE, PATIENCE, AcceptedRule

BY_SIGNAL = EndRecord(Outcome.FAILED, signal=15)


def ended(served, job, outcome, **more):
    """Let a look list the end of a job, ten seconds later; it asks for evidence."""
    served.after(10).look("alpha", served.own(job, "ended", outcome=outcome, ended_at=served.now, **more))
    assert served.asked() == [served.jobs[job].tag]


def test_a_record_ends_a_job_that_was_never_seen_running():
    """Between two looks it started and ended: its times are those of the record."""
    served = AcceptedRule()
    job = served.accepted()
    served.after(6).look()
    served.found(records={job: DONE}, claimed=[job])
    assert served.state(job) == "COMPLETED"
    assert (served.jobs[job].started_at, served.jobs[job].ended_at, served.jobs[job].exit_code) == (3, 5, 0)
    assert served.told("ended") == [(job, "alpha", 2.0)]
    assert served.attempt(job) == "ENDED"


@pytest.mark.parametrize(
    ("record", "listed", "state"),
    [
        (EndRecord(Outcome.FAILED, exit_code=3), Outcome.FAILED, "FAILED"),
        (EndRecord(Outcome.FAILED, exit_code=75), Outcome.FAILED, "FAILED"),
        (BY_SIGNAL, Outcome.TIMED_OUT, "TIMED_OUT"),
        (BY_SIGNAL, Outcome.CANCELED, "CANCELED"),
        (BY_SIGNAL, Outcome.INTERRUPTED, "INTERRUPTED"),
        (BY_SIGNAL, Outcome.FAILED, "FAILED"),
        (EndRecord(Outcome.FAILED, exit_code=143), Outcome.TIMED_OUT, "TIMED_OUT"),
        (EndRecord(Outcome.CANCELED, signal=15), Outcome.TIMED_OUT, "TIMED_OUT"),
        (EndRecord(Outcome.FAILED, exit_code=3), Outcome.TIMED_OUT, "FAILED"),
        (DONE, Outcome.INTERRUPTED, "COMPLETED"),
    ],
)
def test_an_exit_record_comes_first_and_the_cluster_says_who_killed(record, listed, state):
    """What the payload did is in its record; why a signal ended it, the cluster knows."""
    served = AcceptedRule()
    job = served.running()
    ended(served, job, listed)
    served.found(records={job: record}, claimed=[job])
    assert served.state(job) == state
    assert served.jobs[job].exit_code == record.exit_code


@pytest.mark.parametrize(("source", "state"), [(OWN_RECORD, "INTERRUPTED"), ("accounting", "CANCELED")])
def test_nobody_has_canceled_a_job_that_its_cluster_has_forgotten(source, state):
    """A controller without memory has jobs killed that it finds: stopped, and nothing but the job says so."""
    served = AcceptedRule()
    job = served.running()
    served.after(10).look()
    record = EndRecord(Outcome.CANCELED, signal=15, started_at=5.0, ended_at=8.0, source=source)
    served.found(records={job: record}, claimed=[job])
    assert served.state(job) == state
    assert ("forgotten" in served.reason(job)) is (state == "INTERRUPTED")


def test_a_canceled_job_that_its_cluster_has_forgotten_is_canceled():
    """Its owner wanted that, whatever has stopped it."""
    served = AcceptedRule()
    job = served.running()
    served.wish(job, "cancel")
    served.after(10).look()
    record = EndRecord(Outcome.CANCELED, signal=15, started_at=5.0, ended_at=8.0, source=OWN_RECORD)
    served.found(records={job: record}, claimed=[job])
    assert served.state(job) == "CANCELED"


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        (3, "alpha with exit code 3."),
        (72, "directory"),
        (126, "run"),
        (127, "not there"),
    ],
)
def test_exit_codes_of_the_wrapper_are_explained(code, hint):
    """A missing directory or program is said in a sentence: nobody knows these numbers."""
    served = AcceptedRule()
    job = served.running()
    ended(served, job, Outcome.FAILED)
    served.found(records={job: EndRecord(Outcome.FAILED, exit_code=code)}, claimed=[job])
    assert hint in served.reason(job)


UNSTARTED = EndRecord(Outcome.FAILED, exit_code=2, source="accounting")


def fail_to_start(served, job, record=UNSTARTED):
    """Let the cluster fail a job by its accounting before it has claimed itself."""
    ended(served, job, Outcome.FAILED)
    return served.found(records={job: record} if record else {})


def test_a_job_that_failed_without_a_claim_is_submitted_again_under_another_tag():
    """Its wrapper could not make the claim, as where a node lacks the directory: it has not run."""
    served = AcceptedRule()
    job = served.accepted()
    fail_to_start(served, job, record=None)
    assert (served.state(job), served.revocations()) == ("WAITING", []), "a record may be late"
    served.after(31).look("alpha", served.own(job, "ended", outcome=Outcome.FAILED))
    served.found()
    assert (served.attempt(job), served.revocations()) == ("UNSTARTED", [f"ech-{job}-1"])
    served.revoked(job, is_ours=True)
    assert served.submissions() == [("alpha", f"ech-{job}-2")]
    assert served.told("returned") == [(job, "alpha")]


def test_each_repeat_of_a_job_that_did_not_start_is_an_event():
    """What the cluster said of the attempt, and which repeat this is: the log tells both, each time."""
    served = AcceptedRule()
    job = served.accepted()
    for _ in range(2):
        fail_to_start(served, job)
        served.revoked(job, is_ours=True)
        served.answer(job, Accepted("1"))
    said = [(one.kind, one.reason) for one in served.events if "before its program started" in one.reason]
    failed = "It failed at alpha with exit code 2 before its program started."
    assert said == [
        ("attempt", failed),
        ("job", f"{failed} It is submitted again, time 1 of at most 2."),
        ("attempt", failed),
        ("job", f"{failed} It is submitted again, time 2 of at most 2."),
    ]


@pytest.mark.parametrize(
    ("code", "hint"), [(2, "the node's own log says"), (73, "all nodes share the cluster's directory")]
)
def test_a_job_that_never_starts_fails_with_the_number_of_its_attempts(code, hint):
    """Two repeats by default; then it says how often it was tried where, and what to look at."""
    served = AcceptedRule()
    job = served.accepted()
    record = replace(UNSTARTED, exit_code=code, ended_at=7.0)
    for _ in range(2):
        fail_to_start(served, job, record)
        served.revoked(job, is_ours=True)
        served.answer(job, Accepted("1"))
    fail_to_start(served, job, record)
    assert (served.state(job), served.revocations()) == ("WAITING", [f"ech-{job}-3"])
    served.revoked(job, is_ours=True)
    said = f"It failed before its program started: alpha 3 times, with exit code {code} in the end."
    assert served.state(job) == "FAILED"
    assert served.reason(job).startswith(said)
    assert hint in served.reason(job)
    assert (served.jobs[job].started_at, served.jobs[job].exit_code) == (None, code)
    assert served.told("ended") == [(job, "alpha", None)]
    assert served.submissions() == []


def test_without_launch_retries_a_job_that_did_not_start_fails_at_once():
    """`launch_retries` of 0: one attempt, and its claim is taken before the job is called failed."""
    served = AcceptedRule(launch_retries=0)
    job = served.accepted()
    fail_to_start(served, job)
    served.revoked(job, is_ours=True)
    assert (served.state(job), served.submissions()) == ("FAILED", [])


def test_a_job_that_has_claimed_itself_after_all_is_not_submitted_again():
    """The cluster called it failed, and it started: it keeps its claim, and its own record ends it."""
    served = AcceptedRule()
    job = served.accepted()
    fail_to_start(served, job)
    served.revoked(job, is_ours=False)
    assert served.submissions() == []
    served.after(1).look("alpha", served.own(job, "ended", outcome=Outcome.FAILED))
    served.found(records={job: DONE}, claimed=[job])
    assert served.state(job) == "COMPLETED"


def test_a_failure_waits_until_it_is_known_whether_the_job_has_claimed_itself():
    """The directory of claims is away for 20 s: the cluster's word alone ends nothing; after 30 s it does."""
    served = AcceptedRule()
    jobs = [served.accepted(number, str(number)) for number in (1, 2)]
    records = dict.fromkeys(jobs, UNSTARTED)
    ends = [
        served.own(job, "ended", str(number), outcome=Outcome.FAILED) for number, job in enumerate(jobs, 1)
    ]
    served.after(10).look("alpha", *ends)
    served.found(records=records, is_complete=False)
    assert [served.state(job) for job in jobs] == ["WAITING", "WAITING"]
    served.after(20).found(records=records, tags=[served.jobs[jobs[0]].tag])
    assert (served.attempt(jobs[0]), served.attempt(jobs[1])) == ("UNSTARTED", "ACCEPTED")
    served.after(11).found(records=records, is_complete=False)
    assert (served.state(jobs[1]), served.reason(jobs[1])) == (
        "FAILED",
        "It failed at alpha with exit code 2.",
    )


def test_an_unknown_claim_keeps_a_job_that_did_not_start_where_it_is():
    """The shared directory is away: nothing is submitted until the claim is the service's."""
    served = AcceptedRule()
    job = served.accepted()
    fail_to_start(served, job)
    served.revoked(job, is_ours=None)
    assert (served.state(job), served.submissions()) == ("WAITING", [])
    served.after(5).look("alpha", served.own(job, "ended", outcome=Outcome.FAILED))
    assert served.revocations() == [f"ech-{job}-1"]


@pytest.mark.parametrize("is_listed", [True, False])
def test_a_restart_counts_each_failed_start_once(is_listed):
    """Killed before the claim was taken: the attempt is known, whether its end is still listed or not."""
    served = AcceptedRule()
    job = served.accepted()
    fail_to_start(served, job)
    served.restart()
    if is_listed:
        fail_to_start(served, job)
    else:
        served.miss_twice()
        served.found()
    served.revoked(job, is_ours=True)
    assert served.reason(job).endswith("to alpha.")
    assert [one.reason for one in served.events if "time 1 of at most 2" in one.reason]
    assert not [one.reason for one in served.events if "time 2 of" in one.reason]
    assert served.submissions() == [("alpha", f"ech-{job}-2")]


@pytest.mark.parametrize(("wanted", "state"), [("hold", "HELD"), ("cancel", "CANCELED")])
def test_a_job_that_did_not_start_does_what_its_owner_wants(wanted, state):
    """Held or canceled while it failed to start: it is not submitted again."""
    served = AcceptedRule()
    job = served.accepted()
    served.wish(job, wanted)
    fail_to_start(served, job)
    served.revoked(job, is_ours=True)
    served.after(1).look("alpha", served.own(job, "ended", outcome=Outcome.FAILED))
    assert (served.state(job), served.submissions()) == (state, [])


def test_a_claimed_job_without_a_record_waits_for_it_before_it_is_interrupted():
    """Absent and claimed: its record may be late by 30 s; then it has been lost."""
    served = AcceptedRule()
    job = served.running()
    served.after(10).look()
    served.found(claimed=[job])
    served.after(25).look()
    served.found(claimed=[job])
    assert served.state(job) == "RUNNING"
    served.after(5).look()
    served.found(claimed=[job])
    assert served.state(job) == "INTERRUPTED"
    assert served.submissions() == []


def test_a_job_that_claims_itself_long_after_it_was_missed_has_its_time_for_a_record():
    """Absent for minutes, it arrives and starts: its claim is new, so it is not lost yet."""
    served = AcceptedRule()
    job = served.arrive()
    served.answer(job, Unclear("killed"))
    for _ in range(20):
        served.after(5).look()
        served.found(is_complete=False)
    for _ in range(7):
        served.found(claimed=[job])
        assert served.state(job) == "SUBMITTING"
        served.after(5).look()
    served.found(claimed=[job])
    assert served.state(job) == "INTERRUPTED"


def test_a_claim_is_not_lost_before_a_look_has_missed_it():
    """Evidence alone, however late, does not show that a claimed job is not there."""
    served = AcceptedRule()
    job = served.accepted()
    served.after(6).look()
    served.after(1).found(claimed=[job])
    served.after(40).found(claimed=[job])
    assert served.state(job) == "WAITING", "it may have started after the look"
    served.look()
    served.found(claimed=[job])
    assert served.state(job) == "WAITING", "it may have ended just now, and its record is late"
    served.after(30).look()
    served.found(claimed=[job])
    assert served.state(job) == "INTERRUPTED"


def test_the_record_of_a_job_that_ran_while_looks_failed_is_waited_for():
    """It came late, claimed itself, and ended before the next complete look: its record has its time."""
    served = AcceptedRule()
    job = served.arrive()
    served.answer(job, Unclear("killed"))
    for _ in range(4):
        served.after(12).look()
    served.after(8).found(claimed=[job])
    # For a minute no look is complete.
    served.after(64).look()
    served.found(claimed=[job])
    assert served.state(job) == "SUBMITTING"
    served.after(9).look()
    served.found(records={job: DONE}, claimed=[job])
    assert served.state(job) == "COMPLETED"


def test_one_empty_look_loses_no_claimed_job():
    """It runs; one look is empty by mistake, and its evidence comes late: a second look has to miss it."""
    served = AcceptedRule()
    job = served.running()
    served.after(5).look()
    served.after(40).found(claimed=[job])
    assert served.state(job) == "RUNNING"
    served.after(5).look("alpha", served.own(job, "running"))
    served.after(5).look()
    served.after(40).found(claimed=[job])
    assert served.state(job) == "RUNNING"
    served.look()
    served.found(claimed=[job])
    assert served.state(job) == "INTERRUPTED"


def test_a_job_that_is_seen_again_is_in_no_doubt():
    """Missed once, seen, and missed again after a minute: its record has all its time again."""
    served = AcceptedRule()
    job = served.running()
    served.after(5).look()
    served.found(claimed=[job])
    served.after(5).look("alpha", served.own(job, "running"))
    served.after(60).look()
    served.found(claimed=[job])
    assert served.state(job) == "RUNNING"


def test_an_interrupted_job_runs_again_as_often_as_its_owner_said():
    """One retry: the second run has another tag, and there is no third."""
    served = AcceptedRule(grace=0.0)
    job = served.running(retries=1)
    ended(served, job, Outcome.INTERRUPTED)
    served.found(claimed=[job])
    assert served.submissions() == [("alpha", f"ech-{job}-2")]
    assert served.told("returned") == [(job, "alpha")]
    served.after(1).look("alpha", served.own(job, "running", "2"))
    ended(served, job, Outcome.INTERRUPTED)
    served.found(claimed=[job])
    assert served.state(job) == "INTERRUPTED"


def test_a_job_that_its_node_lost_before_it_claimed_is_submitted_again():
    """NODE_FAIL without a claim: it has not run, whatever the cluster lists."""
    served = AcceptedRule()
    job = served.running()
    ended(served, job, Outcome.INTERRUPTED)
    served.found()
    assert served.submissions() == [("alpha", f"ech-{job}-1")]


def test_a_job_that_its_cluster_could_not_launch_is_submitted_again():
    """Canceled by the cluster after it had given it nodes, without a claim: nobody wanted that."""
    served = AcceptedRule()
    job = served.accepted()
    ended(served, job, Outcome.CANCELED, started_at=5.0)
    served.found()
    assert served.submissions() == [("alpha", f"ech-{job}-1")]


def test_an_operator_cancels_a_job_that_waits():
    """Canceled without a start, and not by its owner: that was an operator, and it ends at once."""
    served = AcceptedRule()
    job = served.accepted()
    ended(served, job, Outcome.CANCELED)
    served.found()
    assert (served.state(job), served.reason(job)) == ("CANCELED", "An operator canceled it at alpha.")


def test_the_cluster_is_believed_when_the_time_for_a_record_is_over():
    """A claimed job that it lists as timed out, without a record after 30 s, is TIMED_OUT."""
    served = AcceptedRule()
    job = served.running()
    ended(served, job, Outcome.TIMED_OUT)
    served.found(claimed=[job])
    assert served.state(job) == "RUNNING"
    served.after(30).look("alpha", served.own(job, "ended", outcome=Outcome.TIMED_OUT))
    served.found(claimed=[job])
    assert served.state(job) == "TIMED_OUT"


def test_incomplete_evidence_says_nothing_of_what_it_leaves_out():
    """Accounting that does not answer: an absent job stays as it is, for as long as that takes."""
    served = AcceptedRule()
    job = served.accepted()
    for _ in range(20):
        served.after(5).look()
        served.found(is_complete=False)
    assert (served.state(job), served.attempts[job, 1].absences) == ("WAITING", 20)
    served.found(records={job: DONE}, is_complete=False)
    assert served.state(job) == "COMPLETED", "but a record is one"


def test_evidence_from_before_the_second_absence_says_nothing():
    """A search that began before the job was missing twice may have missed its claim."""
    served = AcceptedRule()
    job = served.accepted()
    served.miss_twice()
    served.found(began_at=served.now - 1)
    assert served.submissions() == []
    served.found()
    assert served.submissions() == [("alpha", f"ech-{job}-1")]


def test_a_ghost_says_nothing_of_the_job():
    """A copy that found the claim taken ends UNCLAIMED; the job runs on, until its record is there."""
    served = AcceptedRule()
    job = served.running()
    ghost = served.own(job, "ended", outcome=Outcome.UNCLAIMED)
    served.after(5).look("alpha", ghost)
    served.found(records={job: EndRecord(Outcome.UNCLAIMED)}, claimed=[job])
    assert served.state(job) == "RUNNING"
    served.after(5).look("alpha", ghost)
    served.found(records={job: DONE}, claimed=[job])
    assert served.state(job) == "COMPLETED"


def test_a_claim_that_the_service_has_taken_without_knowing_gives_a_new_run():
    """Killed between a revocation and its commit: the job finds its claim taken, and gets a new tag."""
    served = AcceptedRule()
    job = served.accepted()
    ghost = served.own(job, "ended", outcome=Outcome.UNCLAIMED)
    served.miss_twice("alpha", ghost)
    served.found()
    assert (served.submissions(), served.revocations()) == ([], [f"ech-{job}-1"])
    served.revoked(job, is_ours=True)
    assert served.submissions() == [("alpha", f"ech-{job}-2")]


def test_a_job_that_is_lost_twice_goes_on_under_another_tag():
    """Whatever takes its claim or its place in the queue each time, it does not go round for ever."""
    served = AcceptedRule()
    job = served.arrive()
    for answer in (1, 2):
        served.answer(job, Unclear(str(answer)))
        served.miss_twice()
        served.found()
    assert (served.submissions(), served.revocations()) == ([], [f"ech-{job}-1"])
    served.revoked(job, is_ours=False)
    assert served.state(job) == "SUBMITTING", "it has claimed itself meanwhile: it runs or has run"
    served.after(PATIENCE).look()
    served.found(records={job: DONE}, claimed=[job])
    assert served.state(job) == "COMPLETED"


def test_an_end_of_another_number_is_that_of_a_copy():
    """The copy that was canceled is listed for minutes; the job whose number was kept was forgotten."""
    served = AcceptedRule()
    job = served.accepted(native_id="1")
    copy = served.own(job, "ended", "2", outcome=Outcome.CANCELED)
    served.miss_twice("alpha", copy)
    served.found()
    assert served.submissions() == [("alpha", f"ech-{job}-1")]


def test_a_copy_that_could_not_begin_says_nothing_of_the_job():
    """A failure of another number without a claim is not that of the job, which was forgotten."""
    served = AcceptedRule(grace=0.0)
    job = served.accepted(native_id="1")
    copy = served.own(job, "ended", "2", outcome=Outcome.FAILED)
    served.miss_twice("alpha", copy)
    served.found()
    assert served.submissions() == [("alpha", f"ech-{job}-1")]


def test_without_claims_a_canceled_copy_is_not_the_end_of_the_job():
    """The copy that was one too many is listed as canceled; the other one was forgotten."""
    served = AcceptedRule(has_claims=False)
    job = served.accepted(native_id="1")
    copy = served.own(job, "ended", "2", outcome=Outcome.CANCELED)
    served.miss_twice("alpha", copy)
    served.found()
    assert served.submissions() == [("alpha", f"ech-{job}-1")]


def test_the_times_that_a_record_leaves_out_are_those_of_the_cluster():
    """Accounting may know the outcome before the times; the look had them."""
    served = AcceptedRule()
    job = served.accepted()
    ended(served, job, Outcome.COMPLETED, started_at=4.0)
    served.found(records={job: EndRecord(Outcome.COMPLETED, exit_code=0)}, claimed=[job])
    assert (served.jobs[job].started_at, served.jobs[job].ended_at) == (4.0, 10.0)


def test_a_copy_that_has_run_ends_the_job_though_another_one_waits():
    """A record of a claimed run is the end, whatever is listed; what is left is canceled."""
    served = AcceptedRule()
    job = served.accepted(native_id="2")
    first = served.own(job, "ended", "1", outcome=Outcome.COMPLETED)
    served.after(5).look("alpha", served.own(job, native_id="2"), first)
    served.found(records={job: DONE}, claimed=[job])
    assert served.state(job) == "COMPLETED"
    assert served.cancellations() == [(f"ech-{job}-1", "")]


@pytest.mark.parametrize("outcome", [Outcome.COMPLETED, Outcome.TIMED_OUT])
def test_without_claims_the_cluster_is_believed_at_once(outcome):
    """Where nothing else tells a job that has run from one that has not, a listed end must not get lost."""
    served = AcceptedRule(has_claims=False)
    job = served.running()
    ended(served, job, outcome)
    served.found()
    assert served.jobs[job].state.name == outcome.name


def test_without_claims_a_failure_waits_for_its_exit_code():
    """Accounting is late by seconds; without it the job has failed all the same."""
    served = AcceptedRule(has_claims=False)
    first, second = served.running(1, "1"), served.accepted(2, "2")
    listed = [served.own(first, "ended", "1", outcome=Outcome.FAILED)]
    listed += [served.own(second, "ended", "2", outcome=Outcome.FAILED)]
    served.after(5).look("alpha", *listed)
    served.found()
    assert (served.state(first), served.state(second)) == ("RUNNING", "WAITING")
    served.after(5).look("alpha", *listed)
    served.found(records={first: EndRecord(Outcome.FAILED, exit_code=3)})
    assert (served.state(first), served.jobs[first].exit_code) == ("FAILED", 3)
    served.after(25).look("alpha", *listed)
    served.found()
    assert (served.state(second), served.jobs[second].exit_code) == ("FAILED", None)


def test_an_end_that_only_the_cluster_knows_has_no_exit_code():
    """Records cannot be read for 30 s: the job has failed as its cluster says; its exit code is not known."""
    served = AcceptedRule(has_claims=False)
    job = served.running()
    failed = served.own(job, "ended", outcome=Outcome.FAILED)
    served.after(5).look("alpha", failed)
    served.found(is_complete=False)
    assert served.state(job) == "RUNNING"
    served.after(30).look("alpha", failed)
    served.found(is_complete=False)
    assert (served.state(job), served.jobs[job].exit_code) == ("FAILED", None)
    assert served.jobs[job].reason == "It failed at alpha."


def test_without_claims_a_job_that_may_have_run_is_interrupted():
    """NODE_FAIL where there are no claims: whether it had begun is not known, so it is not run again."""
    served = AcceptedRule(has_claims=False)
    job = served.running()
    ended(served, job, Outcome.INTERRUPTED)
    served.found()
    assert served.state(job) == "INTERRUPTED"


def test_without_claims_a_copy_does_not_run_after_the_job():
    """The copy that was followed has completed: the one that still waits is canceled at once."""
    served = AcceptedRule(has_claims=False)
    job = served.running()
    first = served.own(job, "ended", "1", outcome=Outcome.COMPLETED)
    served.after(5).look("alpha", first, served.own(job, native_id="2"))
    assert served.cancellations() == [(f"ech-{job}-1", "2")]
    served.found()
    assert served.state(job) == "COMPLETED"


def test_a_doubt_of_one_run_says_nothing_of_the_next():
    """What was listed of the first run is not taken for the end of the second."""
    served = AcceptedRule(grace=0.0)
    job = served.running(retries=1)
    ended(served, job, Outcome.TIMED_OUT)
    lost = EndRecord(Outcome.INTERRUPTED)
    served.found(records={job: replace(lost, ended_at=9.0)}, claimed=[job])
    assert served.jobs[job].run == 2
    served.miss_twice()
    served.found()
    assert served.state(job) == "SUBMITTING"
