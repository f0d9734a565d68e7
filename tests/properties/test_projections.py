"""What a kernel plans for an observed cluster is what the look-ahead simulation plans, to the last bit."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon import Platform, Site, Workload
from echelon.engine.live import Core, Ended, Resized, Started, Submitted
from echelon.engine.queue.look_ahead import simulate_ahead
from echelon.experiments.scenario import scenario_of
from echelon.policies import Running

POLICIES = tuple(
    f"{fill}{order}"
    for fill in ("", "first-fit:", "easy:")
    for order in ("fcfs", "shortest-first", "largest-first", "random")
)
JOBS = st.lists(
    st.tuples(
        st.integers(1, 8),
        st.sampled_from((1, 2, 2.5, 0.1, 7, 19 / 3, 40)),
        st.booleans(),
        st.integers(-50, 0),
    ),
    min_size=1,
    max_size=90,
)


def stepwise(leaf, job):
    """Return the planned schedule by simulation, late ends put off, and the jobs too large to start."""
    now, twin = leaf.cluster.now, leaf.cluster.copy()
    running = [one._replace(planned_end=now + 60) if one.planned_end < now else one for one in twin.running]
    twin.run_until(sorted(Running(*one) for one in running))
    late = [one for one in (*twin.waiting.jobs, job) if one is not None and one.processors > leaf.processors]
    for one in late:
        if twin.waiting.has(one):
            twin.drop(one)
    plan = simulate_ahead(twin, None if job in late else job)
    return [tuple(one) for one in plan], {one.position for one in late}


@examples(200)
@given(
    JOBS, st.sampled_from(POLICIES), st.integers(1, 8), st.integers(0, 3), st.sampled_from((0, 3, 41, 1000.5))
)
def test_kernels_plan_what_simulations_plan(drawn, policy, size, seed, later):
    """Any queue, order and load does, with more running than fits, too large jobs and late ends, too."""
    table = Workload.from_columns(
        submit_time=[0] * len(drawn),
        run_time=[planned for _, planned, _, _ in drawn],
        requested_time=[planned for _, planned, _, _ in drawn],
        processors=[processors for processors, _, _, _ in drawn],
    )
    platform = Platform((Site("a", 8),))
    core = Core(scenario_of(table, platform=platform, broker="first-site", policy=policy, seed=seed))
    last = len(drawn) - 1
    core.step(0.0, [Submitted(position) for position in range(last)])
    started = [position for position, (*_, runs, _) in enumerate(drawn[:last]) if runs]
    core.step(1.0, [Started(position, 0, 0.0, float(drawn[position][3])) for position in started])
    core.step(1.0 + later, [Resized(0, size), *(Ended(position, 0) for position in started[::3])])
    (leaf,) = core.clusters
    job = replace_position(core, last)
    for one in (None, job):
        expected, late = stepwise(leaf, one)
        assert leaf._projection.is_exact
        plan = leaf.planned_schedule(one)
        assert [tuple(planned) for planned in plan if planned.job.position not in late] == expected
        assert {planned.job.position for planned in plan if planned.start == math.inf} == late
    start = next(one.start for one in plan if one.job.position == last)
    forecast = leaf.forecast(job)
    assert forecast.wait == start - core.now
    assert leaf.forecast(job) is forecast


def replace_position(core, position):
    """Return the job at a position, which joins next."""
    return core._ledger.jobs[position]._replace(submit_time=core.now)
