"""Machines without queues: what holds of every run, and closed forms of processor sharing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.model import EndReason, Instance, Monitoring, Platform, Site, TimeSharedMachine, Workload
from echelon.policies import broker_named, policy

WORDS = ("random", "round-robin", "mlp", "mct", "ptt", "cpu-load", "lottery-load", "wall-time", "olb")
WORDS += ("min-min", "sufferage", "wqr:replicas=2")

MACHINES = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from((1.0, 0.5, 0.25, 0.7))), min_size=1, max_size=4
)


@st.composite
def runs(draw):
    """Return machines, columns of jobs that fit, a broker's spec and rules."""
    machines = draw(MACHINES)
    most = max(cores for cores, _ in machines)
    jobs = draw(
        st.lists(
            st.tuples(
                st.integers(0, 60), st.integers(1, 90), st.integers(1, most), st.integers(1, 2),
                st.sampled_from((0.25, 0.6, 1.0)),
            ), min_size=1, max_size=14,
        )
    )  # fmt: skip
    submit, run, size, code, share = (np.array(column, dtype=float) for column in zip(*jobs, strict=True))
    columns = {
        "submit_time": submit, "run_time": run, "processors": size.astype(int), "requested_time": run * 2,
        "executable": code.astype(int), "average_cpu_time": run * share,
    }  # fmt: skip
    rules = ImmediateRules(
        monitoring=Monitoring(draw(st.sampled_from(("linear", "exponential")))),
        decision_time=draw(st.sampled_from((0.0, 0.0, 0.831))),
        experience=draw(st.sampled_from(("warm", "cold"))),
        cpu_use=draw(st.sampled_from(("full", "log"))),
    )
    return machines, columns, draw(st.sampled_from(WORDS)), rules


def platform(machines, names="m"):
    return Platform(tuple(Site(f"{names}{k}", TimeSharedMachine(c, v)) for k, (c, v) in enumerate(machines)))


def run(machines, columns, spec, rules, *, names="m", scale=1.0, think=None):
    times = {key: columns[key] * scale for key in columns if key.endswith("_time")}
    if think is not None:
        times["think_time"] = think
    workload = Workload.from_columns(**{**columns, **times})
    given = Instance.of(workload, platform(machines, names))
    return simulate(
        Scenario(given, policy("fcfs"), system_model=tree_of_sites(broker_named(spec), rules=rules), seed=5)
    )


def _cpu(columns, rules):
    """Return the CPU time of each job at speed 1, all processes together."""
    share = columns["average_cpu_time"] / columns["run_time"] if rules.cpu_use == "log" else 1.0
    return columns["run_time"] * share * columns["processors"]


@examples(120)
@given(runs())
def test_what_holds_of_every_run(case):
    """Jobs begin after their submission and decision, at machines that hold them, and never run too fast."""
    _, columns, _, rules = case
    found = run(*case)
    made = found.instance.platform
    # A dispatcher may choose a job that came while it was deciding.
    least = 0.0 if found.replicas is not None else rules.decision_time
    assert (found.start_time >= found.instance.submit_time + least).all()
    assert (found.end_time > found.start_time).all()
    assert (found.instance.size <= made.sizes[found.site]).all()
    speed = np.array([site.resource.speed for site in made.sites])[found.site]
    share = columns["average_cpu_time"] / columns["run_time"] if rules.cpu_use == "log" else 1.0
    alone = columns["run_time"] * (share / speed + 1 - share)
    copies = found.attempts
    ran = found.end_time - found.start_time
    assert copies.copies or (ran >= alone * (1 - 1e-9)).all()
    assert copies.job[copies.finished].tolist() == list(range(len(found.instance)))
    assert (copies.reason[~copies.finished] == EndReason.CANCELED).all()
    assert (copies.end <= found.end_time[copies.job]).all()
    assert copies.site[copies.finished].tolist() == found.site.tolist()
    held = [sum((copies.end - copies.start)[copies.job == job]) for job in range(len(found.instance))]
    assert copies.held_time().tolist() == pytest.approx(held)


@examples(120)
@given(runs())
def test_no_machine_gives_more_than_it_has(case):
    """In a busy interval of a machine it serves at most cores x speed x its length, and at least one core."""
    _, columns, _, rules = case
    found = run(*case)
    if found.replicas is not None:
        return
    work = _cpu(columns, rules)
    for place, site in enumerate(found.instance.platform.sites):
        here = np.flatnonzero(found.site == place)
        for first, last in _busy(found.start_time[here], found.end_time[here]):
            inside = here[(found.start_time[here] >= first) & (found.end_time[here] <= last)]
            served = work[inside].sum() / site.resource.speed
            assert served <= site.processors * (last - first) * (1 + 1e-9)
            if rules.cpu_use == "full":
                assert served >= (last - first) * (1 - 1e-9)


def _busy(start, end):
    """Yield the intervals in which at least one of the jobs runs."""
    order = np.argsort(start)
    first = last = None
    for begin, until in zip(start[order].tolist(), end[order].tolist(), strict=True):
        if last is None or begin > last:
            if last is not None:
                yield first, last
            first, last = begin, until
        last = max(last, until)
    if last is not None:
        yield first, last


@examples(60)
@given(runs())
def test_machines_work_as_long_as_there_is_anything_to_compute(case):
    """On one machine of one core CPU-bound jobs end when their work is done, whatever their order."""
    _, columns, spec, rules = case
    machines = [(1, 0.5)]
    columns = {**columns, "processors": np.ones_like(columns["processors"])}
    found = run(machines, columns, spec, ImmediateRules(monitoring=rules.monitoring))
    done = 0.0
    for position in np.argsort(found.start_time, kind="stable"):
        done = max(done, found.start_time[position]) + columns["run_time"][position] / 0.5
    assert found.end_time.max() == pytest.approx(done)


@examples(60)
@given(runs())
def test_names_do_not_matter_and_the_same_seed_gives_the_same_run(case):
    """Renamed machines run the same jobs at the same times."""
    one, other = run(*case), run(*case, names="z")
    for column in ("start_time", "end_time", "site"):
        assert getattr(one, column).tolist() == getattr(other, column).tolist()


@examples(60)
@given(runs())
def test_twice_the_times_are_twice_as_late(case):
    """Doubling all times, windows, periods and decision times doubles all starts and ends, exactly."""
    machines, columns, spec, rules = case
    told = rules.monitoring
    slow = ImmediateRules(
        monitoring=Monitoring(told.average, 2 * told.window, 2 * told.period),
        decision_time=2 * rules.decision_time, experience=rules.experience, cpu_use=rules.cpu_use,
    )  # fmt: skip
    one, other = run(*case), run(machines, columns, spec, slow, scale=2.0)
    assert (2 * one.start_time).tolist() == other.start_time.tolist()
    assert (2 * one.end_time).tolist() == other.end_time.tolist()


@examples(40)
@given(runs(), st.integers(2, 5))
def test_equal_jobs_of_an_instant_at_one_machine_end_together(case, count):
    """Copies of one job, dispatched at once to one machine among others, end in the same bits."""
    machines, columns, _, rules = case
    columns = {key: np.concatenate([column[:1].repeat(count), column]) for key, column in columns.items()}
    columns["processors"][:] = 1
    still = ImmediateRules(cpu_use=rules.cpu_use)
    found = run(machines[:1], columns, "mlp", still)
    assert len(set(found.end_time[:count].tolist())) == 1


def _responses(run_time, seed, jobs, rate=0.7):
    rng = np.random.default_rng(seed)
    workload = Workload.from_columns(
        submit_time=np.cumsum(rng.exponential(1 / rate, jobs)),
        run_time=run_time(rng, jobs),
        processors=[1] * jobs,
    )
    given = Instance.of(workload, platform([(1, 1.0)]))
    found = simulate(
        Scenario(
            given,
            policy("fcfs"),
            system_model=tree_of_sites(broker_named("first-site"), rules=ImmediateRules()),
        )
    )
    return (found.end_time - found.start_time)[jobs // 10 :]


@pytest.mark.parametrize(
    ("jobs", "run_time"),
    [
        (5_000, lambda rng, jobs: rng.exponential(1.0, jobs)),
        (5_000, lambda rng, jobs: np.ones(jobs)),
        (5_000, lambda rng, jobs: np.where(rng.random(jobs) < 0.5, 0.2, 1.8)),
        (10_000, lambda rng, jobs: rng.gamma(0.5, 2.0, jobs) + 1e-6),
    ],
    ids=["exponential", "constant", "two-valued", "gamma"],
)
def test_the_mean_response_is_that_of_processor_sharing(jobs, run_time):
    """M/G/1-PS: 1 / (mu - lambda) = 1 / 0.3 whatever the distribution of run times of mean 1."""
    found = (_responses(run_time, seed, jobs) for seed in range(2))
    batches = np.concatenate([times.reshape(10, -1).mean(axis=1) for times in found])
    margin = 4 * batches.std(ddof=1) / np.sqrt(len(batches))
    assert batches.mean() == pytest.approx(1 / 0.3, abs=margin)
    assert margin < 0.8


def test_the_mean_response_of_a_job_is_proportional_to_its_time():
    """M/G/1-PS: E[T | x] = x / (1 - rho), for short and long jobs alike."""
    rng = np.random.default_rng(8)
    jobs = 16_000
    run_time = np.where(rng.random(jobs) < 0.5, 0.5, 1.5)
    found = _responses(lambda *_: run_time, 9, jobs)
    kept = run_time[jobs // 10 :]
    for x in (0.5, 1.5):
        assert found[kept == x].mean() == pytest.approx(x / 0.3, rel=0.1)


@examples(80)
@given(runs(), st.data())
def test_jobs_are_submitted_when_those_they_wait_for_have_ended(case, data):
    """With a think time at end + think time, without one not before the end, nor before their own time."""
    machines, columns, spec, rules = case
    jobs = len(columns["run_time"])
    before = [data.draw(st.integers(-1, k - 1)) for k in range(jobs)]
    think = np.array([data.draw(st.sampled_from((-1, 0, 7))) if b >= 0 else -1 for b in before], dtype=float)
    # Positions count from 0, the log's job numbers from 1.
    preceding = [b + 1 if b >= 0 else -1 for b in before]
    found = run(machines, {**columns, "preceding_job": preceding}, spec, rules, think=think)
    submit, end = found.instance.submit_time, found.end_time
    for job, waits_for in enumerate(before):
        own = columns["submit_time"][job]
        if waits_for < 0:
            assert submit[job] == own
        elif think[job] >= 0:
            assert submit[job] == end[waits_for] + think[job]
        else:
            assert submit[job] == max(own, end[waits_for])
    assert (found.start_time >= submit).all()
