"""One machine whose jobs run on beyond their requests, by hand: planned ends are put off when they pass."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.engine import compiled
from echelon.engine.contract import Scenario
from echelon.engine.system_model import tree_of_sites
from echelon.errors import UnsupportedError
from echelon.model import Instance, Platform, Workload
from echelon.policies import Conservative, Policy, Reserve, broker_named, policy
from echelon.testing import case


def jobs(*rows):
    """Return jobs of (submit, run, request, processors)."""
    submit, run, request, size = zip(*rows, strict=True)
    return Workload.from_columns(submit_time=submit, run_time=run, requested_time=request, processors=size)


# The second waits for all four processors, which by request are free at 10 s, and really at 20 s.
THREE = jobs((0, 20, 10, 3), (1, 5, 5, 4), (2, 9, 9, 1))


def starts(workload, how, **more):
    return ec.simulate(workload, processors=4, policy=how, **more).schedule.start_time.tolist()


@pytest.mark.parametrize(
    ("estimates", "expected"), [("raise", [0, 20, 2]), ("kill", [0, 10, 15]), ("request", [0, 20, 25])]
)
def test_easy_takes_requests_at_their_word(estimates, expected):
    """The third job, until 11 s, would delay the head by its first request, and from 10 s on again."""
    late = jobs((0, 20, 10, 3), (1, 5, 5, 4), (2, 15, 15, 1))
    assert starts(late, "easy", estimates=estimates) == expected


def test_an_overtaking_job_starts_when_the_shadow_is_put_off():
    """At 10 s the first is planned until 20 s, and nine seconds fit before that."""
    assert starts(THREE, "easy", estimates="request") == [0, 20, 10]


def test_reservations_are_made_again():
    """The second is promised 10 s, and when the first runs on, 20 s; the third, promised 15 s, then 10 s."""
    seen = []

    class Told(Conservative):
        def decide(self, view):
            for decision in super().decide(view):
                if isinstance(decision, Reserve) and decision.time > view.now:
                    seen.append((view.now, decision.job.job_id, decision.time))
                yield decision

    told = Policy.of(backfill=Told())
    assert starts(THREE, told, estimates="request") == [0, 20, 10]
    assert seen == [(1, 2, 10), (2, 3, 15), (10, 2, 20)]


def test_a_suspended_job_that_ran_on_has_its_real_time_left():
    """Put off at 4 s to its end at 20 s, the first has 14 s left at 6 s and waits for the one with 5 s."""
    two = jobs((0, 20, 4, 4), (6, 5, 5, 4))
    schedule = ec.simulate(two, processors=4, policy="srtf", estimates="request").schedule
    assert schedule.end_time.tolist() == [25, 11]


@pytest.mark.parametrize("machine", [4, Platform.of_sizes([4])])
def test_the_compiled_engine_leaves_such_jobs_to_the_reference_engine(machine):
    """It says so, and runs whatever never runs on."""
    more = {} if machine == 4 else {"system_model": tree_of_sites(broker_named("mpl"))}
    scenario = Scenario(Instance.of(THREE, machine, estimates="request"), policy("easy"), **more)
    reason = "run times beyond their requests are in the reference engine only"
    assert compiled.supports(scenario) == reason
    with pytest.raises(UnsupportedError, match=reason):
        compiled.simulate(scenario)
    assert compiled.supports(Scenario(case("three-jobs-one-gap").instance(), policy("easy"))) is None
