"""State: all data of a compiled run, as records.

Jobs are numbered by rank: number 0 is first in any queue whose order does not change with time. If it does,
they are numbered by submit time and position, and sorted again before a cycle that may start one. If jobs
wait for others, the order of submissions is unknown before the run: then they are numbered by position, and
their keys define the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.compiled.machine.reorder import ACCOUNT_TYPE, KEYED_TYPE, ORDER_TYPE, TRAIT_TYPE
from echelon.engine.compiled.machine.submissions import Submissions, independent_submissions
from echelon.engine.compiled.structures.blocked_list import BlockedList, empty_list
from echelon.engine.compiled.structures.chain import BOUNDARY_TYPE, NOWHERE
from echelon.engine.compiled.structures.heap import ENTRY_TYPE
from echelon.engine.compiled.structures.openings import (
    COLUMNS,
    KLASSES,
    KNOWN,
    LARGEST,
    LATEST,
    LEVEL_TYPE,
    OPENS,
    SIZE,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

# Kinds of backfilling.
NONE, FIRST_FIT, EASY, RESERVED, CONSERVATIVE, SELECTIVE = 0, 1, 2, 3, 4, 5
RESERVATIONS = CONSERVATIVE
"""Kinds from this one on keep reservations from cycle to cycle, in a persistent profile."""
# Rules for scheduling cycles.
INSTANT, EVENT, PYSS = 0, 1, 2

JOB_TYPE = np.dtype(
    [
        ("submit", np.float64),
        ("run", np.float64),
        ("planned", np.float64),
        ("size", np.int64),
        ("position", np.int64),  # place in the instance, which orders the reservations of one time
        ("key", np.float64),  # sort key in the queue
        ("candidate", np.float64),  # sort key among backfilling candidates
        ("start", np.float64),  # NaN before it starts
        ("planned_end", np.float64),  # set at the start
        ("reserved", np.float64),  # reserved start (from RESERVATIONS on), NaN without
    ],
    align=True,
)
"""One record a job, by rank."""

PLACE_TYPE = np.dtype(
    [
        ("begin", np.uint32),  # the boundary of the profile at its reserved start
        ("end", np.uint32),  # and at the end of its slot, which it keeps when it starts
        ("level", np.uint32),  # of its size, by which is known where slots may begin
        ("klass", np.uint32),  # of its planned time
        ("next", np.uint32),  # job in the line of its reserved start
        ("previous", np.uint32),
    ],
    align=True,
)
"""The place of a job in the profile (from RESERVATIONS on, and RESERVED), by rank."""

MACHINE_TYPE = np.dtype(
    [
        ("processors", np.int64),
        ("free", np.int64),
        ("kind", np.int64),  # NONE ... SELECTIVE
        ("limit", np.int64),  # jobs to reserve for (RESERVED)
        ("own_order", np.int64),  # whether candidates have an order of their own
        ("dynamic_order", np.int64),  # whether the queue's or the candidates' order changes with time
        ("accounting", np.int64),  # whether such an order uses the processor time of users
        ("best_fit", np.int64),  # whether candidates are sorted by size first, the largest first
        ("n_ends", np.int64),  # entries in the heap of ENDs
        ("dispatched", np.int64),  # jobs started so far, which orders the ENDs of one time
        ("n_starting", np.int64),  # jobs started but not yet entered among the running ones
        ("due", np.int64),  # the boundary where the next reservation is due, the end of time without
        ("tightened", np.int64),  # what `examined` was when last was noted what waiting jobs would want
        ("touched", np.int64),  # boundaries of the profile ever used
        ("spare", np.int64),  # the first one out of use again, HEAD without
        ("changed", np.int64),  # whether processors were freed since the last cycle
        ("ended_early", np.int64),  # whether some job ended before its planned end since the last cycle
        ("head", np.int64),  # the blocked head at the last cycle, -1 without
        ("extra", np.int64),  # its extra processors
        ("shadow", np.float64),  # its shadow time, -infinity if not computed
        ("threshold", np.float64),  # expected slowdown for a reservation, NaN for the mean (SELECTIVE)
        ("slowdowns", np.float64),  # sum of bounded slowdowns of the jobs that have ended (SELECTIVE)
        ("events", np.int64),
        ("cycles", np.int64),
        ("examined", np.int64),  # jobs, and blocks of jobs, looked at by backfilling
        ("segments", np.int64),  # boundaries of the profile read or changed
    ],
    align=True,
)
"""The numbers of one machine."""


class State(NamedTuple):
    """The data that change during the run."""

    machine: Any  # MACHINE_TYPE[1]
    arrivals: Any  # int64[n_jobs]: ranks by (submit time, position); see `Submissions`
    queue: BlockedList  # waiting jobs by rank
    candidates: BlockedList  # waiting jobs by candidate key; empty if candidates go in queue order
    running: BlockedList  # running jobs by planned end
    ends: Any  # ENTRY_TYPE[...]: a heap of ENDs by (time, number of the dispatch)
    profile: Any  # BOUNDARY_TYPE[...]
    places: Any  # PLACE_TYPE[...]: by rank
    levels: Any  # LEVEL_TYPE[...]: what is known of slots for jobs of one size, or of similar ones
    reach: Any  # float64[levels + 1, COLUMNS]: see `echelon.engine.compiled.structures.openings`
    scratch: Any  # int64[...]: ranks
    ending: Any  # int64[...]: ranks that end at this instant
    starting: Any  # int64[...]: ranks started but not yet entered among the running ones
    orders: Any  # ORDER_TYPE[2]: of the queue and of the candidates
    traits: Any  # TRAIT_TYPE[...]: by rank, what keys that change are made of
    accounts: Any  # ACCOUNT_TYPE[2, users + 1]: for each order, processor time by user, all together last
    sorting: Any  # KEYED_TYPE[2, ...]: room to sort in
    watch: Any  # int64[2]: jobs ended so far; set the second to stop the run


class Rules(NamedTuple):
    """How a machine decides: a scenario's policy, as arrays."""

    machine: NDArray[Any]  # MACHINE_TYPE[1]: all but its processors
    orders: NDArray[Any]  # ORDER_TYPE[2]
    traits: NDArray[Any]  # TRAIT_TYPE[...]
    users: int
    sizes: IntColumn  # the smallest of each level by which the profile remembers what is free
    largest: IntColumn  # the largest of each
    level: IntColumn  # of each job, by rank
    klass: IntColumn  # of its planned time, by rank
    least: FloatColumn  # the shortest planned time of each class


def sample_rules() -> Rules:
    """Return rules of the types that every run has."""
    one = np.ones(1, dtype=np.int64)
    return Rules(
        np.zeros(1, MACHINE_TYPE),
        np.zeros(2, ORDER_TYPE),
        np.zeros(1, TRAIT_TYPE),
        0,
        one,
        one,
        one,
        one,
        np.full(KLASSES, np.inf),
    )


def sample() -> tuple[State, NDArray[Any], Submissions, int]:
    """Return arguments of the types that the kernel of one machine takes."""
    arrivals = np.zeros(1, dtype=np.int64)
    state = fresh_state(arrivals, 1, sample_rules())
    return state, np.zeros(1, JOB_TYPE), independent_submissions(arrivals), INSTANT


def fresh_state(arrivals: IntColumn, processors: int, rules: Rules) -> State:
    """Return the state before the first event.

    Parameters
    ----------
    arrivals : IntColumn, shape (n_jobs,)
        Ranks of the jobs by (submit time, position), as far as they are known.
    processors : int
        Of the machine; at most so many jobs run at once.
    rules : Rules
        How it decides.
    """
    n_jobs = len(arrivals)
    most_running = min(n_jobs, processors)
    machine = rules.machine.copy()
    machine["processors"] = machine["free"] = processors
    kind, own_order = int(machine["kind"][0]), bool(machine["own_order"][0])
    boundaries = 2 * (n_jobs + most_running) + 8 if kind >= RESERVED else 1
    return State(
        machine,
        arrivals,
        queue=empty_list(n_jobs),
        candidates=empty_list(n_jobs if own_order else 1),
        running=empty_list(most_running),
        ends=np.empty(most_running + 1, dtype=ENTRY_TYPE),
        profile=np.empty(boundaries, dtype=BOUNDARY_TYPE),
        places=fresh_places(rules),
        levels=np.empty(len(rules.sizes), dtype=LEVEL_TYPE),
        reach=fresh_reach(rules),
        scratch=np.empty(n_jobs, dtype=np.int64),
        ending=np.empty(most_running + 1, dtype=np.int64),
        starting=np.empty(most_running + 1, dtype=np.int64),
        orders=rules.orders,
        traits=rules.traits,
        accounts=np.zeros((2, rules.users + 1), dtype=ACCOUNT_TYPE),
        sorting=np.empty((2, n_jobs if rules.orders["rule"].any() else 1), dtype=KEYED_TYPE),
        watch=np.zeros(2, dtype=np.int64),
    )


def fresh_places(rules: Rules) -> NDArray[Any]:
    """Return where the jobs stand in the profile before the first event."""
    places = np.zeros(len(rules.level), dtype=PLACE_TYPE)
    places["begin"], places["level"], places["klass"] = NOWHERE, rules.level, rules.klass
    return places


def fresh_reach(rules: Rules) -> NDArray[Any]:
    """Return what is known of slots before the first event."""
    reach = np.full((len(rules.sizes) + 1, COLUMNS), -np.inf)
    reach[:-1, SIZE], reach[:-1, LARGEST], reach[:, KNOWN] = rules.sizes, rules.largest, 0.0
    reach[-1, OPENS:LATEST] = rules.least
    return reach
