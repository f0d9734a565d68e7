"""Orders that change with time or were learned: keys worked by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from echelon.engine.compiled import simulate as compiled
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate as reference
from echelon.errors import InputError
from echelon.model import Instance, Job, Workload
from echelon.policies import Easy, Policy, policy_named
from echelon.policies.order import order_named

JOB = Job(0, 1, 100.0, 8, 50.0, user=3, queue=1, partition=7)
SERIAL = Job(1, 2, 0.0, 1, 50.0)


class Moment:
    """A machine of 16 processors and 4 users at second 200, of whose time user 3 has used a quarter."""

    now, processors, users = 200.0, 16, 4

    def names(self, column):
        return {"queue": ("low", "normal"), "partition": ()}[column]

    def usage_share(self, job, half_life):
        assert half_life == 604800.0
        return 0.25 if job.user == 3 else 0.0


@pytest.mark.parametrize(
    ("name", "job", "key"),
    [
        ("wfp3", JOB, -(2.0**3) * 8),
        ("unicef", JOB, -100.0 / (3 * 50)),
        ("unicef", SERIAL, -200.0 / (1 * 50)),
        ("f1", JOB, math.log10(50) * 8 + 870 * 2),
        ("f1", SERIAL, math.log10(50)),
        ("f2", JOB, math.sqrt(50) * 8 + 25_600 * 2),
        ("f3", JOB, 50 * 8 + 6_860_000 * 2),
        ("f4", JOB, 50 * math.sqrt(8) + 530_000 * 2),
        ("multifactor", JOB, -(1000 * 100 / 604800 + 1000 / 2 + 10_000 / 2)),
        (
            "multifactor:qos=low=0.25+normal=1:partitions=7=0.5:partition=400",
            JOB,
            -(1000 * 100 / 604800 + 1000 / 2 + 1000 / 4 + 400 / 2 + 10_000 / 2),
        ),
        ("multifactor:qos=1=1", JOB, -(1000 * 100 / 604800 + 1000 / 2 + 10_000 / 2)),
        ("multifactor", SERIAL, -(1000 * 200 / 604800 + 1000 / 16 + 0 + 10_000)),
    ],
)
def test_keys_by_hand(name, job, key):
    """Each formula gives the key that its paper's gives."""
    assert policy_named(name).order(job, Moment()) == pytest.approx(key, rel=1e-14)


def log(**columns):
    """Return a small workload."""
    return Workload.from_columns(**columns)


@pytest.mark.parametrize("engine", [reference, compiled])
def test_the_long_waiting_overtake_with_wfp3(engine):
    """A short job that came later is first as soon as its wait, relative to its length, is the larger.

    One processor is busy until 100. Job 2 (50 s long) waits since 10, job 3 (10 s) since 50: relative waits
    are 1.8 and 5 at 100, so 3 runs first.
    """
    instance = Instance.of(log(submit_time=[0, 10, 50], run_time=[100, 50, 10], processors=[1, 1, 1]), 1)
    schedule = engine(Scenario(instance, policy_named("wfp3")))
    assert schedule.start_time.tolist() == [0.0, 110.0, 100.0]


@pytest.mark.parametrize("engine", [reference, compiled])
@pytest.mark.parametrize(("spec", "starts"), [("multifactor", [0, 130, 100]), ("fcfs", [0, 100, 130])])
def test_fair_share_puts_the_heavy_user_behind(engine, spec, starts):
    """User 1 has used all time so far, so user 2, who submits later, goes first; FCFS would not."""
    instance = Instance.of(
        log(submit_time=[0, 10, 20], run_time=[100, 30, 30], processors=[2, 2, 2], user=[1, 1, 2]), 2
    )
    assert engine(Scenario(instance, policy_named(spec))).start_time.tolist() == starts


@pytest.mark.parametrize("engine", [reference, compiled])
def test_a_weight_of_age_alone_is_fcfs(engine):
    """With all other weights 0 the order is FCFS, until ages are full and ties go by submit time."""
    instance = Instance.of(
        log(submit_time=[0, 3, 1, 2], run_time=[9, 5, 4, 7], processors=[2, 2, 2, 2], user=[1, 2, 3, 3]), 2
    )
    spec = "multifactor:size=0:queue=0:fair-share=0:max-age=4"
    expected = reference(Scenario(instance, policy_named("fcfs"))).start_time
    assert engine(Scenario(instance, policy_named(spec))).start_time.tolist() == expected.tolist()


@pytest.mark.parametrize("engine", [reference, compiled])
@pytest.mark.parametrize("names", [(), ("normal", "high")])
@pytest.mark.parametrize(
    ("given", "starts"),
    [
        ({}, [0, 100, 130, 160]),
        ({2: 1.0, 1: 0.4}, [0, 160, 100, 130]),
        ({1: 1.0, 2: 0.4}, [0, 100, 130, 160]),
    ],
)
def test_a_queue_has_the_priority_given_to_it(engine, names, given, starts):
    """Who is in the queue of the higher priority goes first, wherever that queue first appears in the log.

    By order of first appearance the queue of the last two jobs would have the lower priority forever.
    """
    jobs = log(
        submit_time=[0, 10, 20, 30],
        run_time=[100, 30, 30, 30],
        processors=[2] * 4,
        user=[1, 2, 2, 2],
        queue=[1, 1, 2, 2],
    )
    jobs = replace(jobs, names={"queue": names} if names else {})
    qos = {names[code - 1] if names else code: factor for code, factor in given.items()}
    rule = order_named("multifactor").with_parameters(age=1.0, fair_share=0, max_age=1e6, qos=qos)
    found = engine(Scenario(Instance.of(jobs, 2), Policy.of(rule)))
    assert found.start_time.tolist() == starts


def test_the_candidates_have_priorities_of_their_own():
    """The order of the queue and that of the candidates keep their priorities apart, in both engines.

    One processor is left beside the first job: at 42 queue 3 goes before queue 1, as candidates are tried.
    """
    jobs = log(
        submit_time=[0, 1, 2, 3, 4],
        run_time=[100, 50, 40, 40, 40],
        processors=[2, 3, 1, 1, 1],
        user=[1, 2, 3, 4, 5],
        queue=[1, 2, 1, 2, 3],
    )
    policy = policy_named("multifactor:fair-share=0:qos=2=1+1=0.5")
    own = order_named("multifactor").with_parameters(fair_share=0.0, qos={"3": 1.0, "1": 0.5})
    policy = Policy.of(policy.order, Easy(candidates=own))
    scenario = Scenario(Instance.of(jobs, 3), policy)
    starts = reference(scenario).start_time.tolist()
    assert starts == compiled(scenario).start_time.tolist() == [0, 100, 2, 150, 42]


def test_priorities_in_specs_read_back():
    """Priorities are part of the canonical spec of a policy, which names the same policy again."""
    policy = policy_named("multifactor:partitions=fast=0.3:qos=high=1.0+2=1e-3")
    assert policy.name == "multifactor:qos=high=1+2=0.001:partitions=fast=0.3"
    assert policy_named(policy.name) == policy
    rule = order_named("multifactor").with_parameters(qos={"high": 1, 2: 0.001}, partitions={"fast": 0.3})
    assert Policy.of(rule) == policy


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "multifactor:qos=high",
            "multifactor, qos: priorities must be names and factors such as high=1.normal=0.5, got 'high'",
        ),
        ("multifactor:qos=high=1.5", "multifactor, qos: priorities must be from 0 to 1, got 1.5 of high"),
        ("multifactor:qos=high=nan", "multifactor, qos: priorities must be from 0 to 1, got nan of high"),
        ("multifactor:qos=high=1+high=0", "multifactor, qos: priorities name high twice"),
        (
            "multifactor:partitions==1",
            "multifactor, partitions: priorities must be of names without .* got ''",
        ),
        ("multifactor:age=inf", "multifactor, age: must be finite"),
        ("multifactor:age=1e308:size=-1e308", "multifactor, weights: must have a finite sum"),
        ("multifactor:max-age=0", "multifactor, max-age: must be above 0 s, got 0"),
        ("multifactor:half-life=-1d", "multifactor, half-life: must be above 0 s, got -86400"),
    ],
)
def test_weights_out_of_range(spec, message):
    """A weight that is not finite and a time not above 0 are refused."""
    with pytest.raises(InputError, match=message):
        policy_named(spec)


@pytest.mark.parametrize("given", [{"high": "much"}, {"high": None}, {"high": 2}, "high=1"])
def test_priorities_in_python_that_are_none(given):
    """What is no mapping of names to factors from 0 to 1 is refused as such, not by Python."""
    with pytest.raises(InputError, match="priorities must be"):
        order_named("multifactor").with_parameters(qos=given)
