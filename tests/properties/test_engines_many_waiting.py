"""Promises to thousands of jobs, or to jobs of very many sizes: the two engines agree, start for start."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from budgets import IN_FULL
from echelon.engine import compiled, reference
from echelon.engine.compiled.arrays import LEVELS
from echelon.engine.contract import Scenario
from echelon.model import Instance, Workload
from echelon.policies import policy

WAITING = 2000 if IN_FULL else 1200
"""In full the readable engine compresses promises for minutes."""


class Queue(NamedTuple):
    """A machine, and of what sizes and run times (s) the jobs are that are submitted to it at once."""

    processors: int
    sizes: range
    run_times: tuple[int, ...]


QUEUES = {
    "few run times": Queue(256, range(1, 65), (10, 20, 30, 60)),
    "many run times": Queue(64, range(1, 17), tuple(range(1, 80))),
    "jobs of one processor": Queue(40, range(1, 2), (10, 20, 30, 60)),
    "jobs up to the whole machine": Queue(50, range(1, 51), (10, 20)),
}


def crowded(queue, seed, most_early):
    """Return jobs of three instants, of whose first tenth some end earlier than planned, long or shortly."""
    rng, jobs = np.random.default_rng(seed), WAITING + 200
    run = rng.choice(queue.run_times, jobs)
    request = run.copy()
    early = rng.choice(jobs // 10, int(rng.integers(5, most_early)), replace=False)
    request[early] = run[early] * rng.integers(2, 30, len(early))
    table = Workload.from_columns(
        submit_time=np.sort(rng.integers(0, 3, jobs)),
        run_time=run,
        processors=rng.choice(queue.sizes, jobs),
        requested_time=request,
    )
    return Instance.of(table, queue.processors)


def most_waiting(instance, start):
    """Return how many jobs wait, at most, when one ends before it was planned to."""
    end = (start + instance.run_time)[instance.planned_time > instance.run_time]
    return int((start > end[:, None]).sum(axis=1).max())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30 if IN_FULL else 1))
@pytest.mark.parametrize("shape", QUEUES)
def test_engines_agree_where_thousands_wait(shape, seed):
    """Every start is the same when more than a thousand promises are compressed again and again."""
    instance = crowded(QUEUES[shape], seed, most_early=200 if IN_FULL else 12)
    scenario = Scenario(instance, policy("conservative"))
    expected, found = reference.simulate(scenario), compiled.simulate(scenario)
    moved = np.flatnonzero(expected.start_time != found.start_time)
    assert not len(moved), f"first {moved[0]} of {len(moved)}"
    assert most_waiting(instance, expected.start_time) >= WAITING


@pytest.mark.parametrize("spec", ["conservative", "selective", "conservative:shortest-first"])
@pytest.mark.parametrize("seed", range(30 if IN_FULL else 3))
def test_engines_agree_on_more_sizes_than_levels(spec, seed):
    """Jobs of many sizes, of which several share a level of the profile, start alike in both engines."""
    rng = np.random.default_rng(seed)
    jobs, processors = 400, 1000
    size = (processors ** rng.uniform(0.3, 1, jobs)).astype(int)
    run = np.ceil(rng.lognormal(4, 1.5, jobs))
    requested = np.ceil(run * rng.choice([1, 1.5, 3, 10], jobs))
    submit = np.floor(np.sort(rng.random(jobs)) * (run * size).sum() / processors / 3)
    workload = Workload.from_columns(
        submit_time=submit, run_time=run, requested_time=requested, processors=size
    )
    assert len(np.unique(size)) > LEVELS
    scenario = Scenario(Instance.of(workload, processors), policy(spec))
    starts = [engine.simulate(scenario).start_time for engine in (reference, compiled)]
    np.testing.assert_array_equal(*starts)
