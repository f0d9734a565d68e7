"""Jobs that are cut at their requests where they run beside others, by hand and at random."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.engine.reference import simulate
from echelon.errors import InputError
from echelon.model import (
    EndReason,
    Instance,
    Platform,
    SharedCluster,
    Site,
    SocialContract,
    TimeSharedMachine,
    Workload,
    Workstation,
)
from echelon.policies import Wake
from echelon.policies.coallocation import co_allocation
from echelon.policies.immediate.contract import Dispatch
from echelon.testing.multiclusters import ClusterCase, cluster_case, random_cluster_case

LENIENT = [HealthCheck.too_slow, HealthCheck.filter_too_much]
check = examples(40, suppress_health_check=LENIENT)
few = examples(15, suppress_health_check=LENIENT)
BLIND = ("random", "mlp", "olb", "wqr:replicas=2")
"""Brokers that do not look at planned ends, which a cut bounds."""
BROKERS = ("random", "mlp", "mct", "ptt", "min-min", "sufferage", "wqr:replicas=2")


def machines(*pairs):
    """Return time-shared machines of (cores, speed)."""
    return Platform(tuple(Site(f"m{k}", TimeSharedMachine(c, v)) for k, (c, v) in enumerate(pairs)))


def jobs_of(*rows):
    """Return jobs of (submit, run, request, processes)."""
    submit, run, request, size = zip(*rows, strict=True)
    return Workload.from_columns(submit_time=submit, run_time=run, requested_time=request, processors=size)


def killed(jobs, platform, broker="mlp", **more):
    return ec.simulate(jobs, platform=platform, broker=broker, estimates="kill", **more).schedule


def test_beside_another_job_a_request_is_too_short():
    """Two jobs of 10 s share a core and are cut after 15 s, having computed for half of that each."""
    schedule = killed(jobs_of((0, 10, 15, 1), (0, 10, 15, 1), (20, 10, 15, 1)), machines((1, 1.0)))
    assert schedule.end_time.tolist() == [15, 15, 30]
    assert schedule.instance.killed.tolist() == [True, True, False]
    assert schedule.cpu_time.tolist() == [7.5, 7.5, 10]
    assert schedule.instance.run_time.tolist() == [15, 15, 10]


def test_who_is_cut_leaves_its_share():
    """The first is cut at 4 s; the other, with 4 of its 5 s left then, has the core to itself."""
    schedule = killed(jobs_of((0, 9, 4, 1), (2, 5, 9, 1)), machines((1, 1.0)))
    assert schedule.end_time.tolist() == [4, 8]
    assert schedule.instance.killed.tolist() == [True, False]


def test_a_fast_machine_saves_a_job_that_asked_for_too_little():
    """What needs 10 s at speed 1, and asked for 6, is done in 5 s at speed 2, and cut at speed 1."""
    jobs = jobs_of((0, 10, 6, 1))
    fast, slow = killed(jobs, machines((1, 2.0))), killed(jobs, machines((1, 1.0)))
    assert (fast.end_time.tolist(), fast.instance.killed.tolist()) == ([5], [False])
    assert (slow.end_time.tolist(), slow.instance.killed.tolist()) == ([6], [True])


def test_dependents_follow_a_cut():
    """A job that waits for one that is cut at 4 s is submitted then."""
    jobs = jobs_of((0, 9, 4, 1), (0, 3, 5, 1)).with_columns(preceding_job=[-1, 1])
    schedule = killed(jobs, machines((1, 1.0)))
    assert schedule.start_time.tolist() == [0, 4]
    assert schedule.end_time.tolist() == [4, 7]


class Twice:
    """A dispatcher that starts a copy on the first machine, and another on the second at the next event."""

    name, dispatches = "twice", True

    def decide(self, view):
        for job in tuple(view.waiting):
            yield Dispatch(job, 0)
        for job in tuple(view.running):
            if view.now >= 3 and view.replicas(job) == (0,):
                yield Dispatch(job, 1)
        if view.now < 3:
            yield Wake(3.0)


def test_a_job_is_killed_when_its_last_copy_is_cut():
    """The copy of 0 s is cut at 5 s, that of 3 s at 8 s, and the job with it."""
    jobs = jobs_of((0, 50, 5, 1))
    schedule = killed(jobs, machines((1, 1.0), (1, 1.0)), Twice())
    found = schedule.attempts
    assert found.start.tolist() == [0, 3]
    assert found.end.tolist() == [5, 8]
    assert found.reason.tolist() == [EndReason.CANCELED, EndReason.KILLED]
    assert schedule.end_time.tolist() == [8]
    assert schedule.instance.killed.tolist() == [True]
    assert schedule.site.tolist() == [1]


def test_a_copy_that_is_complete_saves_the_job():
    """The copy on the slow machine is cut at 5 s; that on the fast one is complete at 7 s."""
    schedule = killed(jobs_of((0, 8, 5, 1)), machines((1, 1.0), (1, 2.0)), Twice())
    assert schedule.attempts.end.tolist() == [5, 7]
    assert schedule.attempts.reason.tolist() == [EndReason.CANCELED, EndReason.COMPLETED]
    assert not schedule.instance.killed.any()


def clusters_killed(case, requests=None, **rules):
    """Return the scenario of a case on shared nodes under kill."""
    scenario = case.scenario(**rules)
    jobs = case.workload if requests is None else case.workload.with_columns(requested_time=requests)
    spanning = scenario.multicluster.co_allocation is not None
    instance = Instance.of(jobs, case.platform, estimates="kill", spanning=spanning)
    if scenario.instance.planned_time is scenario.instance.run_time:
        instance = instance.with_known_run_times()
    return replace(scenario, instance=instance)


TWO_TASKS = SharedCluster((Workstation(),), SocialContract(mpl=2))


def test_beside_another_task_a_request_is_too_short_in_a_cluster():
    """Two jobs of 10 s in one node run at half speed and are cut after 15 s; the next has the node alone."""
    case = cluster_case([(0, 10, 1), (0, 10, 1), (20, 10, 1)], [TWO_TASKS], requests=[15, 15, 15])
    schedule = simulate(clusters_killed(case))
    assert schedule.end_time.tolist() == [15, 15, 30]
    assert schedule.instance.killed.tolist() == [True, True, False]
    assert schedule.instance.run_time.tolist() == [15, 15, 10]


def test_a_co_allocated_job_is_cut_in_all_its_clusters():
    """A job of two tasks in two clusters is cut at 4 s, and both nodes are free for the next."""
    one = SharedCluster((Workstation(),))
    case = cluster_case([(0, 10, 2), (1, 3, 2)], [one, one], requests=[4, 9])
    schedule = simulate(clusters_killed(case, co_allocation=co_allocation("heuristic")))
    assert schedule.start_time.tolist() == [0, 4]
    assert schedule.end_time.tolist() == [4, 7]
    assert schedule.instance.killed.tolist() == [True, False]


WORDS = st.fixed_dictionaries(
    {
        "local": st.sampled_from(("fcfs", "first-fit", "easy", "conservative", "selective")),
        "upper": st.sampled_from(("fcfs", "backfilling", "nb", "requests")),
        "limit": st.sampled_from(("unlimited", "0", "2", "stable")),
        "broker": st.sampled_from(("first-fit", "tat", "ptt:w=0.5", "mct", "random")),
        "estimator": st.sampled_from(("request", "exact", "li", "ibl", "hanzich", "hybrid")),
        "co_allocation": st.sampled_from((None, None, "heuristic", "rule-85")),
        "seed": st.integers(0, 3),
    }
)


def ran(case, settings, *, kill, enough=False):
    """Return the schedule under these rules, or None if no job can run there."""
    spanning = settings["co_allocation"]
    settings = settings | {"co_allocation": None if spanning is None else co_allocation(spanning)}
    if enough:
        case = ClusterCase(
            case.workload.with_columns(requested_time=np.full(len(case.workload), 1e6)),
            case.platform,
            case.users,
        )
    try:
        return simulate(clusters_killed(case, **settings) if kill else case.scenario(**settings))
    except InputError as error:
        if "no job is left to simulate" not in str(error):
            raise
        return None


@few
@given(seed=st.integers(0, 2**32 - 1), settings=WORDS)
def test_nobody_runs_longer_than_asked_in_clusters(seed, settings):
    """On shared nodes with owners every job ends by its request, and those that are cut run for just that."""
    case = random_cluster_case(seed, larger=settings["co_allocation"] is not None, forever=False)
    schedule = ran(case, settings, kill=True)
    if schedule is None:
        return
    instance = schedule.instance
    asked = instance.longest_time
    ran_for = schedule.end_time - schedule.start_time
    assert (ran_for <= asked * (1 + 1e-9)).all()
    assert ran_for[instance.killed] == pytest.approx(asked[instance.killed])


@few
@given(seed=st.integers(0, 2**32 - 1), settings=WORDS)
def test_requests_that_suffice_change_nothing_in_clusters(seed, settings):
    """With requests far above what any job takes, kill is raise in clusters, too."""
    case = random_cluster_case(seed, larger=settings["co_allocation"] is not None, forever=False)
    cut, raised = ran(case, settings, kill=True, enough=True), ran(case, settings, kill=False, enough=True)
    if cut is None:
        assert raised is None
        return
    assert not cut.instance.killed.any()
    assert cut.start_time.tolist() == raised.start_time.tolist()
    assert cut.end_time.tolist() == raised.end_time.tolist()


@st.composite
def runs(draw, brokers=BROKERS):
    """Return machines, and jobs with requests that may be too short."""
    pairs = draw(
        st.lists(st.tuples(st.integers(1, 3), st.sampled_from((0.5, 1.0, 2.0))), min_size=1, max_size=3)
    )
    most = max(cores for cores, _ in pairs)
    row = st.tuples(st.integers(0, 30), st.integers(1, 40), st.integers(1, 60), st.integers(1, most))
    return pairs, draw(st.lists(row, min_size=1, max_size=14)), draw(st.sampled_from(brokers))


@check
@given(run=runs())
def test_nobody_runs_longer_than_asked(run):
    """No copy runs longer than its request, and whoever is not cut has computed all of its work."""
    pairs, rows, broker = run
    jobs = jobs_of(*rows)
    schedule = killed(jobs, machines(*pairs), broker, seed=3)
    instance = schedule.instance
    asked = jobs.requested_time[instance.kept]
    assert (schedule.end_time - schedule.start_time <= asked * (1 + 1e-12) + 1e-9).all() or "wqr" in broker
    found = schedule.attempts
    assert (found.end - found.start <= asked[found.job] * (1 + 1e-12) + 1e-9).all()
    assert found.counts().min() >= 1
    assert set(found.job[found.ended_by(EndReason.KILLED)]) == set(np.flatnonzero(instance.killed))
    speed = np.array([v for _, v in pairs])[schedule.site]
    done = schedule.cpu_time * speed
    work = jobs.run_time[instance.kept]
    assert done[~instance.killed] == pytest.approx(work[~instance.killed])
    assert (done[instance.killed] < work[instance.killed] * (1 + 1e-9)).all()


@check
@given(run=runs(BLIND))
def test_requests_that_suffice_change_nothing(run):
    """With requests as long as the slowest machine may take, kill is raise, start for start."""
    pairs, rows, broker = run
    enough = 1000 * 40
    jobs = jobs_of(*((submit, run, enough, size) for submit, run, _, size in rows))
    cut = killed(jobs, machines(*pairs), broker, seed=3)
    raised = ec.simulate(jobs, platform=machines(*pairs), broker=broker, estimates="raise", seed=3).schedule
    assert not cut.instance.killed.any()
    assert cut.start_time.tolist() == raised.start_time.tolist()
    assert cut.end_time.tolist() == raised.end_time.tolist()
