"""Controllers that are told step by step what happens decide as in a simulation."""

from __future__ import annotations

import math
import random
import sys
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.live.core import Core
from echelon.engine.live.messages import Closed, Opened, Refused, Reject, Submit, Submitted
from echelon.engine.live.simulated_clusters import SimulatedClusters, Submissions, replay
from echelon.engine.reference import simulate
from echelon.engine.tree.queues.membership import drop_misplaced
from echelon.errors import InputError, PolicyError
from echelon.experiments.scenario import scenario_of
from echelon.model.schedules.kept_jobs import without

sys.path.insert(0, str(Path(__file__).parent))
from trees_of_sites import BROKERS, OF_SUMS, cases, leaves_of, platform_of, workload_of

often = examples(40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

FORESEEN = tuple(
    f"{backfill}{order}"
    for backfill in ("", "first-fit:", "easy:", "conservative:")
    for order in ("fcfs", "shortest-first", "largest-first", "random")
)
OTHERS = (
    "plan", "selective", "slack", "relaxed", "easy:reservations=2", "easy:fit=best-fit", "easy:wfp3",
    "first-fit:multifactor", "round-robin:quantum=3", "srtf", "preemptive-priority:shortest-first",
)  # fmt: skip

ANY = cases(kinds=("count",), brokers=BROKERS, policies=FORESEEN) | cases(
    kinds=("count",), brokers=OF_SUMS, policies=OTHERS
)
QUEUES = st.fixed_dictionaries(
    {
        "global_queue": st.sampled_from(
            ("fcfs", "sjf", "fpfs", "b", "nb", "b.rs", "nb.rs", "pull", "backfilling", "requests")
        ),
        "queue_limit": st.sampled_from((1, 2, "held:3", "stable")),
    },
    optional={
        "longest_stay": st.sampled_from((5.0, 15.0)),
        "decision_time": st.just(3),
        "refresh": st.just(5),
        "site_filter": st.just("not-running:same"),
    },
)


def scenario_in(case, **other):
    """Return the scenario of a case under brokers that stand above its clusters; others are drawn again."""
    assume(len(leaves_of(case.tree)) > 1)
    platform = platform_of(case.tree)
    try:
        scenario = scenario_of(
            workload_of(case.jobs, case.homes, platform), platform=platform, **(case.options | other)
        )
        return scenario, simulate(scenario)
    except (InputError, PolicyError):
        assume(False)


def decisions(schedule):
    """Return which jobs a run has, and where and when each ran."""
    starts, ends = schedule.start_time.tolist(), schedule.end_time.tolist()
    return schedule.instance.kept.tolist(), starts, ends, schedule.site.tolist()


def part_of(scenario, jobs):
    """Return a scenario with its first jobs alone."""
    rest = range(jobs, len(scenario.instance))
    if not rest:
        return scenario
    return replace(scenario, instance=without(scenario.instance, {"not yet known": rest}))


def replay_as_they_come(scenario):
    """Return the schedule of a core that takes in each job when it is submitted."""
    scenario = drop_misplaced(scenario, scenario.system_model.controllers, scenario.system_model.rules)
    releases, known = Submissions(scenario.instance), 1
    core, clusters = Core(part_of(scenario, known)), SimulatedClusters(scenario)
    while (now := min(releases.next_time, core.next_time(), clusters.next_time())) < math.inf:
        observations = clusters.begin(now)
        if submitted_now := releases.take(now):
            submitted = submitted_now
            if max(submitted) >= known:
                known = max(submitted) + 1
                core.grow(part_of(scenario, known))
            observations += map(Submitted, submitted)
        clusters.carry_out(core.step(now, observations))
        while core.waits:
            clusters.carry_out(core.step(now, clusters.decide()))
        clusters.settle()
    return clusters.schedule()


@often
@given(ANY)
def test_brokers_decide_as_in_a_simulation(case):
    """Every broker on every tree of counted clusters sends each job where and when the simulation does."""
    scenario, simulated = scenario_in(case)
    assert decisions(replay(scenario)) == decisions(simulated)


@often
@given(ANY, QUEUES)
def test_global_queues_decide_as_in_a_simulation(case, words):
    """Every global queue, with limits, stays, slow decisions, old news and filters, does so, too."""
    scenario, simulated = scenario_in(case, **words)
    assert decisions(replay(scenario)) == decisions(simulated)


@often
@given(ANY, st.just({}) | QUEUES)
def test_jobs_that_become_known_later_change_nothing(case, words):
    """A core that does not know the jobs to come decides as one that does."""
    scenario, simulated = scenario_in(
        replace(case, jobs=[replace(job, after=()) for job in case.jobs]), **words
    )
    assert decisions(replay_as_they_come(scenario)) == decisions(simulated)


@often
@given(ANY, st.just({}) | QUEUES, st.integers(0, 9))
def test_nothing_is_lost_where_clusters_refuse_and_close(case, words, seed):
    """Where clusters refuse jobs, close and open, every job runs once or is rejected with a reason."""
    assume(words.get("global_queue") != "backfilling" or case.options["policy"] in FORESEEN)
    scenario, _ = scenario_in(case, **words)
    scenario = drop_misplaced(scenario, scenario.system_model.controllers, scenario.system_model.rules)
    rng, releases = random.Random(seed), Submissions(scenario.instance)
    core, clusters = Core(scenario), SimulatedClusters(scenario)
    closed, started, rejected = set(), [], []
    times = sorted(rng.choices(range(60), k=8))

    def carry_out(effects):
        refused = []
        for effect in effects:
            if isinstance(effect, Submit) and rng.random() < 0.15:
                refused.append(Refused(effect.job.position, effect.site))
                continue
            assert not (isinstance(effect, Submit) and effect.site in closed)
            rejected.extend([effect.job.position] if isinstance(effect, Reject) else [])
            clusters.carry_out([effect])
        return refused

    while True:
        other = times[0] if times else math.inf
        now = min(releases.next_time, core.next_time(), clusters.next_time(), other)
        if now == math.inf:
            break
        observations = clusters.begin(now)
        if times and now == times[0]:
            times.pop(0)
            site = rng.randrange(len(scenario.instance.sites))
            observations.append(Opened(site) if site in closed else Closed(site))
            closed ^= {site}
            if not times:
                observations += map(Opened, closed)
                closed.clear()
        if submitted_now := releases.take(now):
            observations += map(Submitted, submitted_now)
        again = carry_out(core.step(now, observations))
        while core.waits or again:
            decided = clusters.decide()
            started += [one.position for one in decided if type(one).__name__ == "Started"]
            again = carry_out(core.step(now, decided + again))
        clusters.settle()
    assert sorted({*started, *rejected}) == list(range(len(scenario.instance)))
    assert not {*started} & {*rejected}
