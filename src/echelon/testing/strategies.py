"""Strategies for hypothesis: workloads, instances, policies and scenarios that are hard to schedule."""

from __future__ import annotations

import dataclasses
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.contract import CYCLES, Scenario
from echelon.errors import MissingExtraError
from echelon.extras import HYPOTHESIS
from echelon.model import ESTIMATES, Instance, Platform, Workload
from echelon.policies import (
    ORDERS,
    Conservative,
    Easy,
    FirstFit,
    NoBackfill,
    Plan,
    Policy,
    Relaxed,
    RoundRobin,
    Selective,
    Slack,
)
from echelon.policies.order.multifactor import Multifactor, multifactor
from echelon.policies.order.one_formula import unicef, wfp3
from echelon.policies.order.priorities import Priorities
from echelon.testing.workloads import crowd

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as error:
    raise MissingExtraError(HYPOTHESIS.sentence) from error

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from echelon.policies.contract import Scheduler

_GRAINS = (1.0, 0.5, 1 / 3, 0.1, 1000.0)
"""Seconds that one drawn unit of time stands for: whole, exact and rounded fractions, large."""


# Strategies are values, and each is built once. Building them for every example took longer than drawing.

_CHANGING = (wfp3, unicef, multifactor)


@cache
def fixed_orders() -> SearchStrategy[Any]:
    """Return a strategy for the built-in orders that do not change with time."""
    return st.sampled_from([order for order in ORDERS if order not in _CHANGING])


@cache
def dynamic_orders() -> SearchStrategy[Any]:
    """Return a strategy for the built-in orders that change with time, with all their parameters."""
    weights = st.sampled_from((0.0, 1.0, -3.0, 1000.0))
    spans = st.sampled_from((1.0, 50.0, 604800.0, math.inf))
    weighed = st.builds(
        Multifactor,
        *(weights, weights, weights, weights, spans, spans, weights),
        qos=_priorities(),
        partitions=_priorities(),
    )
    rules = weighed.map(lambda rule: dataclasses.replace(multifactor, rule=rule))
    return st.one_of(st.sampled_from(_CHANGING), rules)


@cache
def _priorities() -> SearchStrategy[Priorities]:
    """Return a strategy for priorities of some of the queues or partitions that workloads here have."""
    names = st.sampled_from(("0", "1", "2", "3", "high", "debug"))
    return st.dictionaries(names, st.sampled_from((0.0, 0.1, 0.5, 1.0)), max_size=4).map(Priorities.of)


@cache
def orders() -> SearchStrategy[Any]:
    """Return a strategy for the built-in orders, with all their parameters."""
    return st.one_of(fixed_orders(), dynamic_orders())


@cache
def backfills() -> SearchStrategy[Scheduler]:
    """Return a strategy for every backfilling that both engines run, with all its parameters."""
    easy = st.builds(
        Easy,
        reservations=st.sampled_from((1, 1, 2, 3, 1000)),
        candidates=st.none() | orders(),
        fit=st.sampled_from(("first-fit", "best-fit")),
    )
    plain: list[Scheduler] = [NoBackfill(), FirstFit(), Easy(), Conservative(), Plan()]
    selective = st.builds(Selective, st.sampled_from((0.0, 1.0, 1.5, 4.0, float("inf"), "adaptive")))
    return st.one_of(st.sampled_from(plain), easy, selective)


@cache
def reference_backfills() -> SearchStrategy[Scheduler]:
    """Return a strategy for every built-in backfilling, including those of the reference engine only."""
    factors = st.sampled_from((0.0, 0.5, 1.0, 10.0))
    return st.one_of(backfills(), st.builds(Slack, factors), st.builds(Relaxed, factors))


@cache
def policies() -> SearchStrategy[Policy]:
    """Return a strategy for any built-in order with any backfilling that both engines run."""
    return st.builds(Policy.of, orders(), backfills())


def scale_free(policy: Policy) -> bool:
    """Return whether no part of `policy` contains times in seconds, so that it scales with time."""
    if policy.scheduler == Selective("adaptive"):
        # Its threshold is a mean of slowdowns bounded with 10 s.
        return False
    orders = (policy.order, getattr(policy.scheduler, "candidates", None))
    if isinstance(policy.scheduler, RoundRobin):
        return False
    return not any(order and order.name in ("f1", "f2", "f3", "f4", "multifactor") for order in orders)


@cache
def _rows(
    horizon: int, longest: int, max_processors: int, max_jobs: int
) -> SearchStrategy[list[tuple[int, ...]]]:
    """Return a strategy for jobs: submission, run, processors, request, user, queue and partition of each."""
    job = st.tuples(
        st.integers(0, horizon),
        st.integers(1, longest),
        st.integers(1, max_processors),
        st.one_of(st.just(-1), st.integers(1, longest), st.integers(1, 10 * longest)),
        st.integers(-1, 3),
        st.integers(-1, 3),
        st.integers(-1, 3),
    )
    return st.lists(job, min_size=1, max_size=max_jobs)


@st.composite
def workloads(
    draw: DrawFn, *, max_jobs: int = 25, max_processors: int = 8, exact_times: bool = False
) -> Workload:
    """Return a strategy for workloads of 1 to `max_jobs` jobs that hold 1 to `max_processors` processors.

    Submit times come in bursts and unsorted, times have many ties, some requests are missing, too short or
    far too long. With `exact_times`, sums of times are exact in binary.
    """
    grain = draw(st.sampled_from(_GRAINS[:2] if exact_times else _GRAINS))
    horizon = draw(st.sampled_from((0, 3, 12, 60)))
    longest = draw(st.sampled_from((2, 6, 25)))
    rows = np.array(draw(_rows(horizon, longest, max_processors, max_jobs)), dtype=np.float64)
    submit, run, size, request, user, queue, partition = rows.T
    jobs = Workload.from_columns(
        submit_time=submit * grain,
        run_time=run * grain,
        processors=size,
        requested_time=np.where(request > 0, request * grain, -1),
        user=user,
        queue=queue,
        partition=partition,
    )
    # Queue 2 has no name: it uses its number, as all do in logs without names.
    named = {"queue": ("high", "", "debug")} if draw(st.booleans()) else {}
    return dataclasses.replace(jobs, names=named)


@st.composite
def instances(
    draw: DrawFn,
    *,
    max_jobs: int = 25,
    max_processors: int = 8,
    estimates: tuple[str, ...] = ESTIMATES,
    exact_times: bool = False,
) -> Instance:
    """Return a strategy for small instances; every job of the workload fits the machine."""
    processors = draw(st.integers(1, max_processors))
    table = draw(workloads(max_jobs=max_jobs, max_processors=processors, exact_times=exact_times))
    return Instance.of(table, processors, estimates=draw(st.sampled_from(estimates)))


@st.composite
def grids(
    draw: DrawFn, *, max_jobs: int = 40, max_sites: int = 6, estimates: tuple[str, ...] = ESTIMATES
) -> Instance:
    """Return a strategy for jobs on 1 to `max_sites` small sites, some of equal size.

    Each job fits the largest site; its home is a site or unknown.
    """
    sizes = draw(st.lists(st.sampled_from((1, 2, 3, 4, 4, 6, 8)), min_size=1, max_size=max_sites))
    platform = Platform.of_sizes(sizes)
    jobs = draw(workloads(max_jobs=max_jobs, max_processors=platform.largest))
    homes = st.lists(st.integers(-1, len(sizes)), min_size=len(jobs), max_size=len(jobs))
    names = {**jobs.names, "partition": platform.names}
    jobs = dataclasses.replace(jobs.with_columns(partition=draw(homes)), names=names)
    return Instance.of(jobs, platform, estimates=draw(st.sampled_from(estimates)))


@st.composite
def crowded_instances(
    draw: DrawFn,
    *,
    min_jobs: int = 300,
    max_jobs: int = 1500,
    processors: tuple[int, ...] = (1, 5, 16, 64, 300),
) -> Instance:
    """Return a strategy for instances with long queues, drawn by a seed: see `echelon.testing.crowd`.

    Small ones hold more conflicts than those of `instances`, which shrink better.
    """
    packed = crowd(
        draw(st.integers(0, 2**32 - 1)),
        draw(st.integers(min_jobs, max_jobs)),
        processors=draw(st.sampled_from(processors)),
        load=draw(st.sampled_from((0.9, 1.5, 4.0, 40.0))),
    )
    return packed.instance(draw(st.sampled_from(ESTIMATES)))


@st.composite
def scenarios(draw: DrawFn, /, strategy: SearchStrategy[Instance] | None = None, **fixed: Any) -> Scenario:  # noqa: ANN401
    """Return a strategy for scenarios: instances (default `instances()`) under any policy, `cycles` and seed.

    Keywords (``policy``, ``cycles``, ``seed``) fix a part instead of drawing it.
    """
    instance = draw(instances() if strategy is None else strategy)
    return Scenario(
        instance,
        fixed["policy"] if "policy" in fixed else draw(policies()),
        cycles=fixed["cycles"] if "cycles" in fixed else draw(st.sampled_from(CYCLES)),
        seed=fixed["seed"] if "seed" in fixed else draw(st.integers(0, 3)),
    )
