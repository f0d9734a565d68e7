"""The site of an arriving job, by counts and sums: twins of `echelon.policies.broker`, to the last bit."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.grid.strategies import (
    FIRST_FIT,
    FIRST_SITE,
    HOME,
    LBAL_S,
    LBAL_T,
    LBAL_W,
    MAX_AR,
    ML,
    MLB,
    MLP,
    MPL,
    RANDOM,
    ROUND_ROBIN,
)
from echelon.libraries.kernel import kernel


@kernel
def choose(grid, jobs, job):
    """Return the site for `job` by a strategy of counts and sums."""
    strategy, trip = grid.numbers[0].strategy, grid.trips[job]
    if strategy == RANDOM:
        return trip.first + int(trip.draw * (trip.last - trip.first + 1))
    if strategy == HOME:
        return trip.home if trip.first <= trip.home <= trip.last else trip.first
    if LBAL_S <= strategy <= LBAL_W:
        return _most_even(grid, jobs, job)
    best, least = trip.first, np.inf
    for s in range(trip.first, trip.last + 1):
        value = _value(grid, strategy, s, jobs[job].size)
        if value < least:
            best, least = s, value
    if strategy == MAX_AR and grid.machine[best].free == 0:
        return trip.last
    return best


@kernel
def _value(grid, strategy, s, size):
    """Return what site `s` costs; the least wins."""
    site, processors = grid.sites[s], grid.machine[s].processors
    if strategy == MPL:
        return site.sizes / processors
    if strategy == MLB:
        return site.areas / processors
    if strategy == ML:
        return float(site.jobs)
    if strategy == MLP:
        return site.jobs / processors
    if strategy == FIRST_FIT:
        return -1.0 if site.sizes + size <= processors else site.sizes / processors
    if strategy == FIRST_SITE:
        return float(s)
    if strategy == ROUND_ROBIN:
        numbers = grid.numbers[0]
        return float((site.place - numbers.last_place - 1) % numbers.sites)
    return -grid.machine[s].free / processors


@kernel
def _load(grid, strategy, s):
    """Return the load of site `s` a processor, in the unit of the strategy."""
    site, processors = grid.sites[s], grid.machine[s].processors
    if strategy == LBAL_S:
        return site.sizes / processors
    return (site.times if strategy == LBAL_T else site.areas) / processors


@kernel
def _most_even(grid, jobs, job):
    """Return the site whose choice adds least to the variance of the loads over all sites."""
    strategy, trip, sites = grid.numbers[0].strategy, grid.trips[job], grid.numbers[0].sites
    amount, total = float(jobs[job].size), 0.0
    if strategy == LBAL_T:
        amount = jobs[job].planned
    elif strategy == LBAL_W:
        amount = jobs[job].size * jobs[job].planned
    for s in range(sites):
        total += _load(grid, strategy, s)
    mean, rest = total / sites, 1.0 - 1.0 / sites
    best, least = trip.first, np.inf
    for s in range(trip.first, trip.last + 1):
        change = amount / grid.machine[s].processors
        added = change * (2.0 * (_load(grid, strategy, s) - mean) + change * rest)
        if added < least:
            best, least = s, added
    return best
