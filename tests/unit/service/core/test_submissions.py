"""Submissions: intents are committed, answers are taken at their word, and what is unclear is looked for."""

from __future__ import annotations

import pytest

from echelon.backends.contract import Accepted, Refused, Unclear
from echelon.service.core import submission_of
from echelon.service.messages import Answered, LookAgain, SubmitJob
from echelon.service.records import AttemptState, JobRecord, JobSpec
from served import PATIENCE, AcceptedRule

DOWN = Refused("Unable to contact slurm controller", is_permanent=False)
NEVER = Refused("Invalid account", is_permanent=True)


def test_the_intent_is_in_the_changes_of_the_step_that_submits():
    """Before a job is submitted its attempt is committed as INTENDED, under the job's tag."""
    served = AcceptedRule()
    job = served.arrive()
    assert served.state(job) == "SUBMITTING"
    assert served.attempts[job, 1].state is AttemptState.INTENDED
    assert served.submissions() == [("alpha", f"ech-{job}-1")]


def test_a_submission_has_all_that_was_asked_for():
    """A job without a time limit gets that of the service, all else is as its owner said."""
    spec = JobSpec(("a", "b c"), processors=4, environment=(("X", "1"),), options=(("partition", "p"),))
    made = submission_of(JobRecord("0" * 32, 1, "ada", spec, 0.0), 60.0)
    assert (made.command, made.processors, made.time_limit) == (("a", "b c"), 4, 60.0)
    assert (made.environment, made.options) == ((("X", "1"),), (("partition", "p"),))


def test_accepted_jobs_wait_at_their_clusters():
    """An accepted job is WAITING, and its number there is kept."""
    served = AcceptedRule()
    job = served.accepted(native_id="17")
    assert (served.state(job), served.attempts[job, 1].native_id) == ("WAITING", "17")


def test_no_more_than_the_limit_are_unsettled():
    """A cluster gets the third job only when one of two is settled, six seconds after a look had it."""
    served = AcceptedRule(unsettled=2)
    jobs = [served.accepted(number, str(number)) for number in (1, 2)]
    third = served.arrive(3)
    assert served.state(third) == "ASSIGNED"
    listed = [served.own(job, native_id=str(number)) for number, job in enumerate(jobs, 1)]
    served.after(1).look("alpha", *listed)
    served.after(5).look("alpha", *listed)
    assert served.state(third) == "ASSIGNED"
    served.after(2).look("alpha", *listed)
    assert served.attempt(jobs[0]) == "SETTLED"
    assert served.state(third) == "SUBMITTING"


def test_jobs_are_submitted_in_the_order_in_which_they_were_assigned():
    """Jobs that a cluster has put off keep their places before those that came later."""
    served = AcceptedRule(unsettled=2)
    jobs = [served.arrive(number) for number in (1, 2, 3)]
    served.answer(jobs[0], DOWN)
    served.answer(jobs[1], DOWN)
    served.after(1).look()
    assert [tag for _, tag in served.submissions()] == [f"ech-{job}-1" for job in jobs[:2]]


def test_a_cluster_that_is_down_gets_the_job_at_its_next_complete_look():
    """Refused for now, a job stays ASSIGNED; a failed look does not submit it, a complete one does."""
    served = AcceptedRule()
    job = served.arrive()
    served.answer(job, DOWN)
    assert (served.state(job), served.attempt(job), served.submissions()) == ("ASSIGNED", "REFUSED", [])
    served.after(1).look(is_complete=False)
    assert served.submissions() == []
    served.after(1).look()
    assert served.submissions() == [("alpha", f"ech-{job}-1")]
    assert served.jobs[job].attempt == 2


def test_a_look_that_began_before_the_refusal_does_not_submit():
    """Old news of a cluster that has refused since is no sign that it takes jobs."""
    served = AcceptedRule()
    job = served.arrive()
    served.after(2).answer(job, DOWN)
    served.look(began_at=1.0)
    assert served.submissions() == []


def test_a_refusal_for_good_tries_other_clusters_and_then_rejects():
    """Each cluster that will never take a job is left for the next one; events have its message."""
    served = AcceptedRule("alpha", "beta")
    job = served.arrive()
    served.answer(job, NEVER)
    assert served.submissions() == [("beta", f"ech-{job}-1")]
    assert served.told("refused") == [(job, "alpha", "Invalid account")]
    served.answer(job, NEVER)
    assert served.state(job) == "REJECTED"
    assert served.reason(job).startswith("No cluster will run it: ")
    assert any(one.reason == "alpha has refused it: Invalid account." for one in served.events)


def test_a_job_that_was_interrupted_and_is_refused_then_stays_interrupted():
    """Its first run was lost, and nobody takes the second: it has run, so it was not rejected."""
    served = AcceptedRule(grace=0.0)
    job = served.running(retries=1)
    served.after(5).look()
    served.after(5).look()
    served.found(claimed=[job])
    served.answer(job, NEVER)
    assert served.state(job) == "INTERRUPTED"
    assert served.reason(job).startswith("It was interrupted, and no cluster will run it again: ")


def test_ten_refusals_in_a_row_break_the_circuit_for_a_minute():
    """A cluster that refuses all it gets is closed for 60 s and says why; an accepted job resets that."""
    served = AcceptedRule("alpha", "beta")
    for number in range(1, 10):
        served.answer(served.arrive(number), NEVER)
    served.accepted(10)
    for number in range(11, 21):
        assert ("alpha", "it has refused too many jobs") not in served.told("closed")
        served.answer(served.arrive(number), NEVER)
    assert ("alpha", "it has refused too many jobs") in served.told("closed")
    assert "Invalid account" in served.clusters["alpha"].problem
    assert served.core.next_time() == pytest.approx(15.0, abs=1e-6), "its news are too old"
    served.after(61).look()
    assert served.told("opened")[-1] == ("alpha",)
    assert served.clusters["alpha"].problem == ""


def test_an_unclear_answer_waits_for_looks():
    """A stopped controller that takes the job later: it is adopted by its tag, and never submitted again."""
    served = AcceptedRule()
    job = served.arrive()
    actions = served.answer(job, Unclear("Socket timed out"))
    assert actions == (LookAgain("alpha"),)
    assert (served.state(job), served.attempt(job)) == ("SUBMITTING", "UNCLEAR")
    served.after(1).look()
    served.after(1).look("alpha", served.own(job, native_id="9"))
    assert (served.state(job), served.attempt(job)) == ("WAITING", "ACCEPTED")
    assert served.attempts[job, 1].native_id == "9"
    assert served.submissions() == []


def test_an_unclear_submission_is_made_again_only_when_it_can_not_arrive_any_more():
    """Two complete looks begun after the patience, and evidence of nothing: submitted again, same tag."""
    served = AcceptedRule()
    job = served.arrive()
    served.answer(job, Unclear("killed"))
    for _ in range(4):
        served.after(PATIENCE / 4).look()
        assert served.asked() == []
    served.after(0.5).look()
    served.found()
    assert served.state(job) == "SUBMITTING", "one absence proves nothing"
    served.after(5).look()
    served.found()
    assert served.attempts[job, 1].state is AttemptState.ABSENT
    assert served.submissions() == [("alpha", f"ech-{job}-1")]
    assert served.jobs[job].attempt == 2


def test_failed_and_incomplete_looks_are_no_absences():
    """However many looks fail, an unclear job stays unclear."""
    served = AcceptedRule()
    job = served.arrive()
    served.answer(job, Unclear("killed"))
    served.after(PATIENCE + 1)
    for _ in range(5):
        served.after(5).look(is_complete=False)
        served.found()
    assert (served.state(job), served.attempt(job)) == ("SUBMITTING", "UNCLEAR")


def test_a_look_that_began_before_the_answer_is_no_absence():
    """A job accepted after a look began may be missing in it."""
    served = AcceptedRule()
    job = served.arrive()
    served.after(5).answer(job, Accepted("1"))
    for _ in range(3):
        served.after(1).look(began_at=5.0)
    assert served.asked() == []
    assert served.attempts[job, 1].absences == 0


def test_an_intent_that_has_no_answer_yet_is_not_absent():
    """While its submission may still be made a job is not looked for, however late it is."""
    served = AcceptedRule()
    job = served.arrive()
    served.miss_twice()
    served.found()
    assert (served.attempts[job, 1].state, served.submissions()) == (AttemptState.INTENDED, [])


def test_an_answer_to_an_attempt_that_was_left_cancels_what_it_made():
    """Accepted after its claim was taken: it can not start there, and is removed."""
    served = AcceptedRule()
    job = served.arrive()
    served.wish(job, "hold")
    served.revoked(job, is_ours=True)
    assert served.state(job) == "HELD"
    tag = f"ech-{job}-1"
    served.step(Answered(job, 1, Accepted("5")))
    assert served.cancellations() == [(tag, "5")]


def test_a_late_answer_changes_nothing_that_a_look_has_shown():
    """A job that a look has adopted stays so, whatever the answer is then."""
    served = AcceptedRule()
    job = served.arrive()
    served.after(1).look("alpha", served.own(job, native_id="3"))
    assert served.state(job) == "WAITING"
    for answer in (Unclear("?"), NEVER, Accepted("3")):
        served.answer(job, answer)
        assert (served.state(job), served.attempt(job)) == ("WAITING", "ACCEPTED")


def test_nothing_is_submitted_on_old_news():
    """Three intervals after the last look the cluster is closed, and opened by the next one."""
    served = AcceptedRule()
    assert served.core.next_time() == pytest.approx(15.0, abs=1e-6)
    served.after(15.5)
    job = served.arrive()
    assert served.state(job) == "QUEUED"
    assert ("alpha", "its news are too old") in served.told("closed")
    served.look()
    assert [type(one) for one in served.actions] == [SubmitJob]
