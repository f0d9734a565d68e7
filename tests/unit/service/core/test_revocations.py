"""Revocations: jobs leave clusters only when they can never start there."""

from __future__ import annotations

from echelon.backends.contract import Refused, Unclear
from served import DONE, AcceptedRule

NEVER = Refused("Invalid account", is_permanent=True)


def lost(served, name="alpha", seconds=30):
    """Let looks at a cluster fail for some time; those at beta come back."""
    for _ in range(seconds // 5):
        served.after(5).look("beta")
        served.look(name, is_complete=False)


def test_jobs_wait_for_a_lost_cluster_unless_told_otherwise():
    """By default nothing leaves a cluster that does not answer, however long that takes."""
    served = AcceptedRule("alpha", "beta")
    job = served.accepted()
    lost(served, seconds=600)
    assert (served.state(job), served.revocations()) == ("WAITING", [])


def test_a_waiting_job_moves_once_its_claim_is_taken():
    """After on_lost seconds the claim is taken; ours, the job goes to another cluster as its next run."""
    served = AcceptedRule("alpha", "beta", on_lost=20.0)
    job = served.accepted()
    lost(served, seconds=15)
    assert served.revocations() == []
    lost(served, seconds=5)
    assert served.revocations() == [f"ech-{job}-1"]
    served.revoked(job, is_ours=None)
    lost(served, seconds=5)
    assert served.revocations() == [f"ech-{job}-1"], "asked again, since the answer did not come"
    served.revoked(job, is_ours=True)
    assert served.submissions() == [("beta", f"ech-{job}-2")]
    assert (served.attempts[job, 1].state, served.told("returned")) == ("REVOKED", [(job, "alpha")])


def test_a_job_that_has_started_at_a_lost_cluster_stays():
    """The claim is the job's: it runs or has run there."""
    served = AcceptedRule("alpha", "beta", on_lost=20.0)
    job = served.accepted()
    lost(served)
    served.revoked(job, is_ours=False)
    assert (served.state(job), served.submissions()) == ("WAITING", [])


def test_running_jobs_stay_at_a_lost_cluster():
    """What was seen running is not asked for."""
    served = AcceptedRule("alpha", "beta", on_lost=20.0)
    job = served.running()
    lost(served)
    assert (served.state(job), served.revocations()) == ("RUNNING", [])


def test_without_claims_only_what_was_never_submitted_moves():
    """A waiting job could start there; an assigned one could not."""
    served = AcceptedRule("alpha", "beta", on_lost=20.0, has_claims=False, unsettled=1)
    waiting = served.accepted()
    assigned = served.arrive(2)
    assert served.state(assigned) == "ASSIGNED"
    lost(served)
    assert (served.state(waiting), served.jobs[waiting].cluster) == ("WAITING", "alpha")
    assert served.jobs[assigned].cluster == "beta"


def test_a_drained_cluster_keeps_what_it_has_and_gives_back_what_it_has_not():
    """Jobs there stay; assigned ones that were never submitted go elsewhere under the same tag."""
    served = AcceptedRule("alpha", "beta", unsettled=1)
    waiting = served.accepted()
    assigned = served.arrive(2)
    served.drain()
    assert (served.state(waiting), served.jobs[waiting].cluster) == ("WAITING", "alpha")
    assert served.submissions() == [("beta", f"ech-{assigned}-1")]
    assert ("alpha", "drained") in served.told("closed")


def test_a_refused_job_of_which_a_copy_may_arrive_leaves_by_its_claim():
    """An unclear submission was given up, the next one refused: first the claim, then another cluster."""
    served = AcceptedRule("alpha", "beta")
    job = served.arrive()
    served.answer(job, Unclear("killed"))
    served.miss_twice()
    served.look("beta")
    served.found()
    assert served.submissions() == [("alpha", f"ech-{job}-1")]
    served.answer(job, NEVER)
    assert (served.state(job), served.submissions(), served.revocations()) == (
        "ASSIGNED",
        [],
        [f"ech-{job}-1"],
    )
    served.revoked(job, is_ours=True)
    assert served.submissions() == [("beta", f"ech-{job}-2")]
    assert served.told("refused") == [(job, "alpha", "Invalid account")]


def test_a_refused_job_of_which_a_copy_has_started_is_followed():
    """The unclear submission had arrived after all, and has claimed: the refusal does not matter."""
    served = AcceptedRule("alpha", "beta")
    job = served.arrive()
    served.answer(job, Unclear("killed"))
    served.miss_twice()
    served.look("beta")
    served.found()
    served.answer(job, NEVER)
    served.revoked(job, is_ours=False)
    assert (served.state(job), served.attempt(job)) == ("SUBMITTING", "UNCLEAR")
    served.after(1).look("alpha", served.own(job, "running", "3"))
    assert served.state(job) == "RUNNING"


def test_a_recalled_job_goes_where_the_controllers_want_it_once_it_has_left():
    """Recall and a new assignment: the claim is taken first; the decision is kept at once."""
    served = AcceptedRule("alpha", "beta")
    job = served.accepted()
    served.controllers.recall(job, to="beta")
    served.arrive(2)
    assert (served.revocations(), served.state(job)) == ([f"ech-{job}-1"], "WAITING")
    served.revoked(job, is_ours=True)
    assert ("beta", f"ech-{job}-2") in served.submissions()
    assert [one.chosen for one in served.decisions if one.job == job] == ["alpha", "beta"]


def test_a_job_that_is_recalled_twice_goes_nowhere_until_it_is_decided_again():
    """Recalled from where it was to go, before it had left its cluster: the earlier choice counts no more."""
    served = AcceptedRule("alpha", "beta")
    job = served.accepted()
    served.controllers.recall(job, to="beta")
    served.arrive(2)
    served.drain("alpha")
    served.controllers.recall(job)
    served.drain("beta")
    served.revoked(job, is_ours=True)
    assert served.state(job) == "QUEUED"
    served.drain("beta", "open")
    assert ("beta", f"ech-{job}-2") in served.submissions()


def test_a_job_that_is_held_while_it_leaves_its_cluster_runs_once_it_is_released():
    """Its claim may be spent: it has another tag, and the recall is over."""
    served = AcceptedRule("alpha", "beta")
    job = served.arrive()
    served.controllers.recall(job)
    served.arrive(2)
    assert served.revocations() == [f"ech-{job}-1"]
    served.answer(job, Refused("Unable to contact the controller", is_permanent=False))
    served.wish(job, "hold")
    assert served.state(job) == "HELD"
    served.wish(job, "run")
    served.revoked(job, is_ours=True)
    served.after(1).look("alpha")
    assert (served.state(job), served.submissions()[-1]) == ("SUBMITTING", ("alpha", f"ech-{job}-2"))


def test_a_recalled_job_that_has_started_stays_and_the_controllers_hear_of_it():
    """The claim is the job's: it is at its cluster after all, and has started there."""
    served = AcceptedRule("alpha", "beta")
    job = served.accepted()
    served.controllers.recall(job)
    served.arrive(2)
    served.after(1).look("alpha", served.own(job, "running"))
    assert served.told("started") == [], "they do not count it as there"
    served.revoked(job, is_ours=False)
    assert (served.told("stayed"), served.told("started")) == ([(job, "alpha")], [(job, "alpha", 1.0)])


def test_a_recalled_job_that_ends_is_told_as_one_that_stayed():
    """It has run at its cluster before its claim could be taken: the controllers learn where it was."""
    served = AcceptedRule("alpha", "beta")
    job = served.accepted()
    served.controllers.recall(job)
    served.arrive(2)
    served.after(5).look()
    served.found(records={job: DONE}, claimed=[job])
    assert served.state(job) == "COMPLETED"
    calls = [call for call in served.controllers.calls if call[0] in ("stayed", "ended")]
    assert calls == [("stayed", job, "alpha"), ("ended", job, "alpha", 2.0)]


def test_without_claims_a_waiting_job_can_not_be_recalled():
    """It could start at both clusters: it stays where it is, and the controllers hear of it."""
    served = AcceptedRule("alpha", "beta", has_claims=False)
    job = served.accepted()
    served.controllers.recall(job)
    served.arrive(2)
    assert (served.told("stayed"), served.state(job)) == ([(job, "alpha")], "WAITING")
    assert [one.chosen for one in served.decisions if one.job == job] == ["alpha"]


def test_a_job_that_is_to_be_canceled_is_not_recalled():
    """It ends at its cluster, and goes nowhere else."""
    served = AcceptedRule("alpha", "beta")
    job = served.accepted()
    served.wish(job, "cancel")
    served.controllers.recall(job)
    served.arrive(2)
    served.revoked(job, is_ours=True)
    served.after(1).look()
    assert served.state(job) == "CANCELED"
