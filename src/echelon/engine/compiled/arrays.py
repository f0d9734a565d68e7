"""From a scenario to arrays: what one machine and a grid have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.dynamic_orders import has_kernel
from echelon.engine.compiled.kinds import KINDS
from echelon.engine.queue.ranking import dense_ranks, levels, ranks
from echelon.errors import UnsupportedError
from echelon.policies.order.one_formula import fcfs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.compiled.machine.state import Rules
    from echelon.engine.compiled.machine.submissions import Submissions
    from echelon.engine.contract import Scenario
    from echelon.model import Instance
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies import Order

LEVELS = 128
"""The most sizes that the profile distinguishes when it records where no slot begins; similar sizes share."""
_SAMPLE = 4096
"""Jobs whose planned times are enough to see, about, how all are spread."""

DYNAMIC = "the order {!r} reads the view, so its keys change with time"
AT_RELEASE = "jobs wait for others, and the order {!r} uses submit times, which are unknown before the run"
COUNTS = ("events", "passes", "examined", "segments")
"""What kernels count at each machine."""

REFUSAL = "the compiled engine cannot run this: {}; use engine='reference'"


def ranks_of(scenario: Scenario, order: Order) -> IntColumn:
    """Return ranks that last: of an order that changes with time, those of its ties."""
    order = fcfs if has_kernel(order) else order
    rank = ranks(scenario.instance, order, scenario.seed)
    if rank is None:
        raise UnsupportedError(REFUSAL.format(DYNAMIC.format(order.name)))
    return rank


def inverse_of(order: IntColumn) -> IntColumn:
    """Return the place in `order` of each of 0, 1, 2 ..., all of which are there."""
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places


def counts_of(records: NDArray[Any], *names: str) -> dict[str, int]:
    """Return these counts of a run, each summed over all records."""
    return {name: int(records[_FIELDS.get(name, name)].sum()) for name in names}


_FIELDS = {"passes": "cycles"}
"""The field of a count whose key is an earlier name."""


def is_dependent(instance: Instance) -> bool:
    """Return whether any job waits for another to end."""
    return instance.dependencies is not None


def numbers_of(scenario: Scenario) -> IntColumn:
    """Return the number by which kernels know the job at each position: its rank, if that is known.

    It is not if jobs wait for others; then their numbers are their positions.
    """
    instance = scenario.instance
    return np.arange(len(instance)) if is_dependent(instance) else ranks_of(scenario, scenario.policy.order)


def submissions_of(instance: Instance, number: IntColumn) -> Submissions:
    """Return the submissions, as far as they are known before the run."""
    from echelon.engine.compiled.machine.submissions import dependent_submissions, independent_submissions

    arrivals = number[np.argsort(instance.submit_time, kind="stable")]
    if instance.dependencies is None:
        return independent_submissions(arrivals)
    return dependent_submissions(arrivals, instance.dependencies)


def earliest_submissions(instance: Instance) -> FloatColumn:
    """Return when each job is submitted at the earliest; one that follows, not before others have ended."""
    if instance.dependencies is None:
        return instance.submit_time
    return np.where(instance.dependencies.follows, -np.inf, instance.submit_time)


def set_submit_times(instance: Instance, submit_time: FloatColumn) -> Instance:
    """Return the instance with the times at which its jobs were submitted in a run."""
    return instance.release_at(submit_time) if is_dependent(instance) else instance


def jobs_of(scenario: Scenario, rank: IntColumn) -> NDArray[Any]:
    """Return the jobs as records, by rank or another numbering."""
    from echelon.engine.compiled.machine.state import JOB_TYPE

    instance, by_rank = scenario.instance, inverse_of(rank)
    jobs = np.empty(len(instance), dtype=JOB_TYPE)
    jobs["submit"] = earliest_submissions(instance)[by_rank]
    jobs["run"] = instance.run_time[by_rank]
    jobs["planned"] = instance.planned_time[by_rank]
    jobs["size"] = instance.size[by_rank]
    jobs["position"] = by_rank
    key = tied_keys(scenario, scenario.policy.order) if is_dependent(instance) else rank
    jobs["key"] = key[by_rank]
    jobs["candidate"] = candidate_keys(scenario, key)[by_rank]
    jobs["start"] = jobs["reserved"] = np.nan
    return jobs


def levels_of(size: IntColumn, most: int = LEVELS) -> tuple[IntColumn, IntColumn, IntColumn]:
    """Return the least and largest size of each of at most `most` levels, and the level of each job."""
    is_size = np.bincount(size) > 0
    step = max(1, -(-int(is_size.sum()) // most))
    level = (np.cumsum(is_size) - 1) // step
    sizes = np.flatnonzero(is_size)
    least = sizes[::step]
    return least, sizes[np.minimum(np.arange(len(least)) * step + step, len(sizes)) - 1], level[size]


def classes_of(planned: FloatColumn) -> FloatColumn:
    """Return the least planned time of each class, ascending; infinity for empty classes.

    About as many jobs are in each. A common time begins a separate class, so that a slot as long as the class
    suffices for these jobs. Shorter times also belong to the first class.
    """
    from echelon.engine.compiled.structures.openings import KLASSES

    least = np.full(KLASSES, np.inf)
    some = np.sort(planned[:: len(planned) // _SAMPLE + 1])
    times = np.unique(some[np.arange(KLASSES) * len(some) // KLASSES]) if len(some) else some
    least[: len(times)] = times
    least[0] = -np.inf
    return least


def klasses_of(duration: FloatColumn, least: FloatColumn) -> IntColumn:
    """Return the class of each planned time, as `klass_of` of `structures.openings` does."""
    return np.searchsorted(least[1:], duration, side="right")


def candidate_order(scenario: Scenario) -> Order:
    """Return the order in which backfilling candidates are tried: their own, or the queue's."""
    own = getattr(scenario.policy.scheduler, "candidates", None)
    return scenario.policy.order if own is None else own


def tied_keys(scenario: Scenario, order: Order) -> IntColumn:
    """Return a key for each job, in the instance's order, for queues of jobs of which some wait for others.

    Jobs that are equal but for when they are submitted have the same, a multiple of the number of jobs. When
    one is submitted, the number of those before it is added, so that earlier jobs go first.
    """
    instance = scenario.instance
    level = levels(instance, fcfs if has_kernel(order) else order, scenario.seed)
    if level is None:
        raise UnsupportedError(REFUSAL.format(AT_RELEASE.format(order.name)))
    return level * len(instance)


def candidate_keys(scenario: Scenario, queue_key: IntColumn) -> IntColumn:
    """Return a key for each job, in the instance's order, by which backfilling candidates are tried.

    `queue_key` is by which the queue is sorted.
    """
    scheduler, instance, order = scenario.policy.scheduler, scenario.instance, candidate_order(scenario)
    keys = queue_key
    if order is not scenario.policy.order:
        keys = (tied_keys if is_dependent(instance) else ranks_of)(scenario, order)
    if getattr(scheduler, "fit", "") == "best-fit":
        keys = dense_ranks(-instance.size, keys) * (len(instance) if is_dependent(instance) else 1)
    return keys


def rules_of(scenario: Scenario, rank: IntColumn) -> Rules:
    """Return how every machine of `scenario` decides.

    Cost: O(n log n) if an order changes with time.
    """
    from echelon.engine.compiled.dynamic_orders import order_records, traits
    from echelon.engine.compiled.machine import state
    from echelon.engine.compiled.machine.reorder import MULTIFACTOR

    scheduler: Any = scenario.policy.scheduler
    n_jobs, name = len(scenario.instance), KINDS.name_of(type(scheduler))
    limit, own_order = 1, False
    match name:
        case "first-fit":
            kind = state.FIRST_FIT
        case "easy":
            kind = state.EASY if scheduler.reservations == 1 else state.RESERVED
            limit = scheduler.reservations
            own_order = scheduler.candidates is not None or scheduler.fit == "best-fit"
        case "conservative":
            kind = state.CONSERVATIVE
        case "selective":
            kind = state.SELECTIVE
        case "plan":
            kind, limit = state.RESERVED, n_jobs
        case _:
            kind = state.NONE
    rules = (scenario.policy.order, candidate_order(scenario) if own_order else None)
    orders = order_records(rules)
    machine = np.zeros(1, dtype=state.MACHINE_TYPE)
    machine["kind"], machine["limit"], machine["own_order"] = kind, min(limit, n_jobs), own_order
    machine["head"] = -1
    if name == "selective":
        # Not a number stands for the threshold that adapts.
        machine["threshold"] = np.nan if scheduler.threshold == "adaptive" else scheduler.threshold
    machine["dynamic_order"] = orders["rule"].any()
    machine["accounting"] = accounting = (orders["rule"] == MULTIFACTOR).any()
    machine["best_fit"] = name == "easy" and scheduler.fit == "best-fit"
    users = scenario.instance.users if accounting else 0
    # Jobs that start beside reservations have places in the profile, too.
    placed = kind >= state.RESERVED
    sizes, largest, level = levels_of(scenario.instance.size if placed else np.zeros(0, dtype=np.int64))
    by_rank = np.empty_like(level)
    by_rank[rank[: len(level)]] = level
    klass = np.zeros_like(by_rank)
    planned = scenario.instance.planned_time[: len(level)]
    least = classes_of(planned)
    klass[rank[: len(level)]] = klasses_of(planned, least)
    return state.Rules(
        machine, orders, traits(scenario.instance, rank, rules), users, sizes, largest, by_rank, klass, least
    )
