"""Grid: what a compiled run of many sites keeps, as records and as lists in arrays that all sites share.

A site has its part of each array, with room for some number of jobs. When it has no room left, it moves to
a larger part behind all others (`echelon.engine.compiled.grid.room`). So a thousand sites and a million
jobs need memory for a million jobs, not for a thousand million.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.compiled.machine.reorder import ACCOUNT_TYPE, KEYED_TYPE
from echelon.engine.compiled.machine.state import (
    JOB_TYPE,
    RESERVATIONS,
    RESERVED,
    fresh_places,
    fresh_reach,
    sample_rules,
)
from echelon.engine.compiled.machine.submissions import Submissions, independent_submissions
from echelon.engine.compiled.structures.blocked_list import BlockedList, empty_list
from echelon.engine.compiled.structures.chain import BOUNDARY_TYPE, FIRST, HEAD, NOWHERE, TAIL
from echelon.engine.compiled.structures.heap import ENTRY_TYPE
from echelon.engine.compiled.structures.openings import LEVEL_TYPE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.compiled.machine.state import Rules
    from echelon.model.jobs.columns import IntColumn

LEAST_ROOM = 64
"""Jobs that every site has room for from the beginning."""
SEGMENTS = 3
"""Boundaries of the profile that there is room for, by job."""

SITE_TYPE = np.dtype(
    [
        ("jobs", np.int64),  # waiting and running
        ("sizes", np.int64),  # sum of their sizes
        ("times", np.float64),  # sum of their planned times
        ("areas", np.float64),  # sum of size x planned time
        ("past_jobs", np.int64),  # jobs that have ended
        ("past_sum", np.float64),  # what they add to the mean that the broker looks at
        ("completion", np.float64),  # when all jobs here are planned to have ended; NaN if not known
        ("at_least", np.float64),  # if not, a time before which they will not have ended
        ("guess", np.float64),  # what the site cost an earlier job
        ("summed", np.int64),  # whether the next four are known
        ("begun", np.float64),  # sum of terms over the past (if needed) and the running jobs
        ("weight", np.float64),  # by how much the terms of the waiting jobs grow each second
        ("base", np.float64),  # and their sum at second 0
        ("slack", np.float64),  # the sum of their sizes then
        ("concerned", np.int64),  # whether it runs a cycle at this instant
        ("first_fresh", np.int64),  # the first job assigned at this instant, -1 without
        ("last_fresh", np.int64),
        ("room", np.int64),  # jobs that its part of the arrays has room for, one more than may be here
        ("entry", np.int64),  # where that part begins, counted in jobs
        ("block", np.int64),  # where it begins in arrays of blocks
        ("blocks", np.int64),  # blocks in it
        ("place", np.int64),  # in the platform's file; sites are kept by size
    ],
    align=True,
)
"""One site."""

GRID_TYPE = np.dtype(
    [
        ("sites", np.int64),
        ("leaves", np.int64),  # of the clock: the sites, filled up to a power of two
        ("strategy", np.int64),  # see `echelon.engine.compiled.grid.strategies`
        ("reading", np.int64),  # what a strategy of schedules reads off them
        ("all_assigned", np.int64),  # whether its mean is over all jobs ever assigned
        ("last_place", np.int64),  # in the file, of the site of the job assigned last, -1 without
        ("is_planned", np.int64),  # whether this is the planned state, beside the actual one
        ("arrived", np.int64),  # jobs assigned
        ("present", np.int64),  # jobs waiting or running anywhere
        ("concerned", np.int64),  # sites that run a cycle at this instant
        ("entries", np.int64),  # of the shared arrays, given to sites so far, counted in jobs
        ("blocks", np.int64),  # and in blocks
        ("room", np.int64),  # entries there are
        ("wanted", np.int64),  # entries that one instant may want, when there are too few
        ("look_aheads", np.int64),  # look-ahead simulations
    ],
    align=True,
)
"""The numbers of the grid."""

TRIP_TYPE = np.dtype(
    [
        ("first", np.int64),  # the first site allowed
        ("last", np.int64),  # the last site allowed
        ("draw", np.float64),  # random number of the broker
        ("home", np.int64),  # the site where it was submitted, -1 if unknown
        ("next", np.int64),  # the next job assigned to the same site at this instant, -1 without
        ("site", np.int64),  # where the job went
    ],
    align=True,
)
"""Data of a job in a grid, in addition to its `JOB_TYPE` record, by rank."""

KEPT_TYPE = np.dtype(
    [
        ("reserved", np.float64),
        ("begin", np.uint32),
        ("end", np.uint32),
        ("next", np.uint32),
        ("previous", np.uint32),
    ],
    align=True,
)
"""A reservation, and its place in the profile."""

ROW_TYPE = np.dtype([("end", np.float64), ("size", np.int64)], align=True)
"""A running job in look-ahead simulation."""


class Grid(NamedTuple):
    """The data that change during the run. Site number m of m is used for look-ahead simulation."""

    numbers: Any  # GRID_TYPE[1]
    sites: Any  # SITE_TYPE[m + 1]
    machine: Any  # MACHINE_TYPE[m + 1]
    clock: Any  # float64[2 * leaves]: a tree of minima over the sites' next events
    concerned: Any  # int64[m]: sites that run a cycle at this instant
    trips: Any  # TRIP_TYPE[n_jobs], by rank
    fresh: Any  # int64[n_jobs]: ranks of the jobs that a site learns of in a cycle
    queue: BlockedList  # of all sites, one behind the other
    candidates: BlockedList
    running: BlockedList
    ends: Any  # ENTRY_TYPE[...]
    profile: Any  # BOUNDARY_TYPE[...]
    line: Any  # int64[n_jobs]: the waiting jobs in look-ahead simulation
    sizes: Any  # int64[n_jobs]: theirs
    planned: Any  # float64[n_jobs]: their planned times
    row: Any  # ROW_TYPE[n_jobs]: the running ones
    kept: Any  # KEPT_TYPE[...]: reservations during look-ahead simulation
    places: Any  # PLACE_TYPE[...]: and so on, shared by all sites, as in `State`
    levels: Any
    reach: Any
    scratch: Any
    ending: Any
    starting: Any
    orders: Any
    traits: Any
    accounts: Any  # ACCOUNT_TYPE[m + 1, 2, users + 1]
    sorting: Any
    ended: Any  # int64[m + 1, 2]: jobs ended at each site so far
    watch: Any  # int64[2]: jobs ended so far; set the second to stop the run


def fresh_grid(sizes: IntColumn, places: IntColumn, trips: NDArray[Any], rules: Rules) -> Grid:
    """Return the grid before the first event.

    Parameters
    ----------
    sizes : IntColumn, shape (m,)
        Processors of each site, ascending.
    places : IntColumn, shape (m,)
        Of each site in the platform's file.
    trips : ndarray of TRIP_TYPE, shape (n_jobs,)
        Which sites are allowed, by rank.
    rules : Rules
        How every site decides.
    """
    m, n_jobs = len(sizes), len(trips)
    leaves = 1 << (m - 1).bit_length() if m > 1 else 1
    sites = np.zeros(m + 1, dtype=SITE_TYPE)
    sites["room"] = LEAST_ROOM
    sites["entry"] = np.arange(m + 1) * LEAST_ROOM
    sites["blocks"] = blocks_for(LEAST_ROOM)
    sites["block"] = np.arange(m + 1) * blocks_for(LEAST_ROOM)
    sites["first_fresh"] = -1
    sites["place"][:m] = places
    sites["completion"] = np.nan
    machines = np.repeat(rules.machine, m + 1)
    machines["processors"] = machines["free"] = np.append(sizes, sizes[-1])
    machines["touched"], machines["spare"], machines["due"] = FIRST, HEAD, TAIL
    kind = int(rules.machine["kind"][0])
    reserved = n_jobs if kind >= RESERVATIONS else 0
    numbers = np.zeros(1, dtype=GRID_TYPE)
    numbers["sites"], numbers["leaves"], numbers["last_place"] = m, leaves, -1
    numbers["entries"], numbers["blocks"] = (m + 1) * LEAST_ROOM, (m + 1) * blocks_for(LEAST_ROOM)
    one = empty_list(1)
    lists = [one._replace(totals=np.repeat(one.totals, m + 1)) for _ in range(3)]
    grid = Grid(
        numbers,
        sites,
        machines,
        clock=np.full(2 * leaves, np.inf),
        concerned=np.empty(m, dtype=np.int64),
        trips=trips,
        fresh=np.empty(n_jobs + 1, dtype=np.int64),
        queue=lists[0],
        candidates=lists[1],
        running=lists[2],
        ends=np.empty(0, dtype=ENTRY_TYPE),
        profile=np.empty(0, dtype=BOUNDARY_TYPE),
        line=np.empty(n_jobs + 1, dtype=np.int64),
        sizes=np.empty(n_jobs + 1, dtype=np.int64),
        planned=np.empty(n_jobs + 1),
        row=np.empty(n_jobs + 1, dtype=ROW_TYPE),
        kept=np.empty(reserved + 1, dtype=KEPT_TYPE),
        places=fresh_places(rules),
        levels=np.empty(len(rules.sizes), dtype=LEVEL_TYPE),
        reach=fresh_reach(rules),
        scratch=np.empty(n_jobs + 1, dtype=np.int64),
        ending=np.empty(n_jobs + 1, dtype=np.int64),
        starting=np.empty(n_jobs + 1, dtype=np.int64),
        orders=rules.orders,
        traits=rules.traits,
        accounts=np.zeros((m + 1, 2, rules.users + 1), dtype=ACCOUNT_TYPE),
        sorting=np.empty((2, n_jobs if rules.orders["rule"].any() else 1), dtype=KEYED_TYPE),
        ended=np.zeros((m + 1, 2), dtype=np.int64),
        watch=np.zeros(2, dtype=np.int64),
    )
    grid = _with_arrays(grid)
    if kind >= RESERVATIONS:
        first = SEGMENTS * sites["entry"]
        for which, time, free in (
            (HEAD, -np.inf, -1),
            (TAIL, np.inf, machines["processors"]),
            (NOWHERE, -np.inf, -1),
        ):
            boundaries = grid.profile[first + which]
            boundaries["time"], boundaries["free"] = time, free
            boundaries["before"], boundaries["behind"], boundaries["line"] = HEAD, TAIL, -1
            grid.profile[first + which] = boundaries
    return grid


def sample() -> tuple[Grid, NDArray[Any], Grid, NDArray[Any], Submissions]:
    """Return arguments of the types that the kernels of grids take."""
    one = np.ones(1, dtype=np.int64)
    grid = fresh_grid(one, one, np.zeros(1, TRIP_TYPE), sample_rules())
    jobs = np.zeros(1, JOB_TYPE)
    return grid, jobs, grid, jobs, independent_submissions(one)


def blocks_for(room: int) -> int:
    """Return how many blocks a list of at most `room` entries needs; at most a quarter of them."""
    return len(empty_list(room).blocks)


def with_more_room(grid: Grid) -> Grid:
    """Return the grid in new arrays, twice as large as the parts of its sites, or as large as is wanted.

    Cost: O(jobs there). Memory behind what is copied is not touched before it is needed.
    """
    from echelon.engine.compiled.grid.room import move_all

    numbers, sites = grid.numbers[0], grid.sites.copy()
    numbers["entries"], numbers["blocks"] = sites["room"].sum(), sites["blocks"].sum()
    larger = _with_arrays(grid._replace(sites=sites))
    move_all(grid, larger)
    return larger


def _with_arrays(grid: Grid) -> Grid:
    """Return the grid with new arrays for what the sites keep."""
    numbers = grid.numbers[0]
    entries = int(numbers["entries"])
    numbers["room"] = room = entries + max(entries, 2 * int(numbers["wanted"]))
    blocks = int(numbers["blocks"]) + (room - entries) // 4
    kind, own_order = int(grid.machine["kind"][0]), bool(grid.machine["own_order"][0])
    return grid._replace(
        queue=_blocks(grid.queue, blocks),
        candidates=_blocks(grid.candidates, blocks if own_order else 1),
        running=_blocks(grid.running, blocks),
        ends=np.empty(room, dtype=ENTRY_TYPE),
        profile=np.empty(SEGMENTS * room if kind >= RESERVED else 1, dtype=BOUNDARY_TYPE),
    )


def _blocks(bl: BlockedList, n_blocks: int) -> BlockedList:
    blocks = np.empty(n_blocks, dtype=bl.blocks.dtype)
    return BlockedList(blocks, np.empty(n_blocks, dtype=np.int64), bl.totals)
