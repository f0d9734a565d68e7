"""From a scenario on a grid to arrays, through the kernels, and back to a schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.arrays import (
    COUNTS,
    counts_of,
    inverse_of,
    is_dependent,
    jobs_of,
    numbers_of,
    rules_of,
    set_submit_times,
    submissions_of,
)
from echelon.engine.compiled.grid.brokers import Numbers
from echelon.engine.compiled.grid.brokers import numbers_of as broker_as_numbers
from echelon.engine.compiled.kernel_thread import run_watched
from echelon.model import Schedule
from echelon.model.streams import stream
from echelon.policies.broker.contract import grid_state_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from echelon.engine.compiled.grid.state import Grid
    from echelon.engine.compiled.machine.state import Rules, State
    from echelon.engine.compiled.machine.submissions import Submissions
    from echelon.engine.contract import Progress, Scenario
    from echelon.model import Platform
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies import Broker


def simulate_grid(
    scenario: Scenario, broker: Broker, platform: Platform, progress: Progress | None = None
) -> Schedule:
    """Run `scenario`, of many sites under a broker, in the compiled engine.

    A broker with planned information sees nothing of the run times. So all jobs are assigned first, in a grid
    where each runs for its planned time; then every site runs on its own. If jobs wait for others, their
    submit times follow from the actual run: then both grids run side by side.

    Notes
    -----
    Cost: O(log m) per event at one of m sites in addition to its cycle, and one value per allowed site and
    arrival.
    """
    instance, rank = scenario.instance, numbers_of(scenario)
    jobs, rules = jobs_of(scenario, rank), rules_of(scenario, rank)
    submissions = submissions_of(instance, rank)
    grid = _build(scenario, broker, platform, rank, rules)
    planned = jobs
    if grid_state_of(broker) == "planned":
        planned = jobs.copy()
        planned["run"] = planned["planned"]
    if planned is jobs:
        machines = _run((grid, jobs), (grid, jobs), submissions, progress).machine[:-1]
    elif is_dependent(instance):
        real = _build(scenario, broker, platform, rank, rules)
        grid.numbers["is_planned"] = 1
        machines = _run((grid, planned), (real, jobs), submissions, progress).machine[:-1]
    else:
        _run((grid, planned), (grid, planned), submissions, progress)
        machines = _run_sites(platform, jobs, rules, grid.trips["site"])
    start, site = jobs["start"][rank], platform.by_size[grid.trips["site"][rank]]
    counts = counts_of(machines, *COUNTS) | {"foreseen": int(grid.numbers["look_aheads"][0])}
    return Schedule(set_submit_times(instance, jobs["submit"][rank]), start, counts, site=site)


def _build(scenario: Scenario, broker: Broker, platform: Platform, rank: IntColumn, rules: Rules) -> Grid:
    """Return the grid before its first event."""
    from echelon.engine.compiled.grid.state import TRIP_TYPE, fresh_grid
    from echelon.engine.compiled.grid.strategies import RANDOM

    instance = scenario.instance
    trips = np.zeros(len(rank), dtype=TRIP_TYPE)
    trips["first"][rank], trips["last"][rank] = scenario.admissible.ranges(platform, instance.size)
    numbers = broker_as_numbers(broker)
    if numbers is not None and numbers.strategy == RANDOM:  # it draws: a run records which streams are drawn
        trips["draw"][rank] = stream(scenario.seed, "broker").random(len(rank))
    order = platform.by_size
    place_by_size = np.append(inverse_of(order), -1)
    trips["home"][rank] = place_by_size[instance.home_site]
    grid = fresh_grid(platform.sizes[order], order, trips, rules)
    for name, number in zip(Numbers._fields, numbers or (), strict=True):
        grid.numbers[name] = number
    return grid


def _run(
    planned: tuple[Grid, NDArray[Any]],
    real: tuple[Grid, NDArray[Any]],
    submissions: Submissions,
    progress: Progress | None,
) -> Grid:
    """Assign all jobs and run all sites, planned and actual; return the actual grid.

    If both are the same, they are run once.
    """
    from echelon.engine.compiled.grid.run import run_by_schedules, run_by_sums
    from echelon.engine.compiled.grid.state import with_more_room
    from echelon.engine.compiled.grid.strategies import SCHEDULES

    by_schedules = planned[0].numbers["strategy"][0] == SCHEDULES
    run_grid = run_by_schedules if by_schedules else run_by_sums

    def kernel() -> Grid:
        (grid, jobs), (real_grid, real_jobs) = planned, real
        while run_grid(grid, jobs, real_grid, real_jobs, submissions):
            is_one = grid is real_grid
            grid = with_more_room(grid)
            real_grid = grid if is_one else with_more_room(real_grid)
        return real_grid

    return run_watched(kernel, real[0].watch, len(real[1]), progress)


def _run_sites(platform: Platform, jobs: NDArray[Any], rules: Rules, site: IntColumn) -> NDArray[Any]:
    """Run every site separately, with its jobs; return the machines."""
    from echelon.engine.compiled.machine.run import run
    from echelon.engine.compiled.machine.state import INSTANT

    by_site = np.argsort(site, kind="stable")
    sorted_jobs = jobs[by_site]
    parts = list(_parts(np.sort(platform.sizes), sorted_jobs, rules, by_site, site))
    watch = np.zeros(2, dtype=np.int64)

    def kernel() -> None:
        for state, its_jobs, submissions in parts:
            if watch[1]:
                break
            run(state, its_jobs, submissions, INSTANT)

    run_watched(kernel, watch, len(jobs))
    jobs["start"][by_site] = sorted_jobs["start"]
    return np.concatenate([state.machine for state, _, _ in parts])


def _parts(
    sizes: IntColumn, jobs: NDArray[Any], rules: Rules, by_site: IntColumn, site: IntColumn
) -> Iterator[tuple[State, NDArray[Any], Submissions]]:
    """Yield each site that has jobs, as a machine before its first event, its jobs by rank, and when."""
    from echelon.engine.compiled.machine.state import fresh_state
    from echelon.engine.compiled.machine.submissions import independent_submissions

    bounds = np.searchsorted(site[by_site], np.arange(len(sizes) + 1))
    for size, low, high in zip(sizes, bounds, bounds[1:], strict=False):
        if low == high:
            continue
        part = jobs[low:high]
        # Ranks at this site; jobs of one time arrive by position.
        arrivals = np.lexsort((part["position"], part["submit"]))
        traits = rules.traits[by_site[low:high]] if rules.orders["rule"].any() else rules.traits
        here = by_site[low:high] if len(rules.level) else by_site[:0]
        state = fresh_state(
            arrivals,
            int(size),
            rules._replace(traits=traits, level=rules.level[here], klass=rules.klass[here]),
        )
        yield state, part, independent_submissions(arrivals)
