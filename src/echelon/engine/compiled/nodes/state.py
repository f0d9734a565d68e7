"""State: all data of a compiled run on nodes, as records. Jobs are numbered by position in the instance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.compiled.machine.submissions import Submissions, independent_submissions
from echelon.engine.compiled.structures.blocked_list import BlockedList, empty_list
from echelon.engine.compiled.structures.heap import ENTRY_TYPE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import IntColumn

# Kinds of backfilling.
NONE, FIRST_FIT, EASY = 0, 1, 2
# Node searches.
FIRST, BEST, WORST = 0, 1, 2
# Rules for scheduling cycles.
INSTANT, EVENT, PYSS = 0, 1, 2
# Rooms: free cores of nodes now, as planned at the shadow time, and beside the head then.
NOW, THEN, LEFT = 0, 1, 2
# Rows of `assignments`: the nodes of the candidate, and the planned nodes of the head.
CANDIDATE, HEAD = 0, 1

JOB_TYPE = np.dtype(
    [
        ("submit", np.float64),
        ("run", np.float64),
        ("planned", np.float64),
        ("size", np.int64),
        ("key", np.float64),  # sort key in the queue
        ("candidate", np.float64),  # sort key among backfilling candidates
        ("memory", np.float64),  # bytes set aside for each task
        ("sequential", np.int64),  # whether all tasks are in one node
        ("nodes", np.int64),  # nodes with equal shares, 0: as it comes
        ("most", np.int64),  # tasks in one node: of such a share, or the limit; 0: as it comes
        ("need", np.int64),  # what the weights of the nodes must add up to; see `weight`
        ("plain", np.int64),  # whether nothing counts but the number of cores
        ("first_group", np.int64),
        ("stop_group", np.int64),
        ("slot", np.int64),  # where its cores stand in `State.held`
        ("first_piece", np.int64),  # of the list of its nodes, -1 without
        ("first_part", np.int64),  # of the list of its parts, -1 without
        ("held", np.int64),  # cores that it still holds
        ("running", np.int64),  # parts that have not ended
        ("is_dirty", np.int64),  # whether a part of it has ended at this instant
        ("number", np.int64),  # of its dispatch, which orders the ENDs of one time
        ("start", np.float64),
        ("planned_end", np.float64),
        ("last_due", np.float64),  # when its last part ends
        ("end", np.float64),
        ("cut", np.int64),  # whether it was cut at its request
    ],
    align=True,
)
"""One record a job, by position."""

GROUP_TYPE = np.dtype([("tasks", np.int64), ("operations", np.float64)], align=True)
"""Equal tasks of one job."""

PART_TYPE = np.dtype(
    [
        ("job", np.int64),
        ("first", np.int64),  # its cores are held[first:stop]
        ("stop", np.int64),
        ("next", np.int64),  # of the job's parts, or of the spare ones
        ("state", np.int64),  # RUNNING ...
    ],
    align=True,
)
"""Tasks of a job on neighbors among its cores that end at the same time."""
RUNNING, ENDED, STALE = 0, 1, 2

PIECE_TYPE = np.dtype(
    [("node", np.int64), ("count", np.int64), ("memory", np.float64), ("next", np.int64)], align=True
)
"""What a job holds in one node."""

NODE_TYPE = np.dtype(
    [
        ("memory", np.float64),  # all its memory
        ("jobs", np.int64),  # that run there
        ("ranked", np.int64),  # the node at this place, by the first of all its cores in the resource order
        ("first_run", np.int64),  # its runs are node_runs[first_run:stop_run]
        ("stop_run", np.int64),
        ("tally", np.int64),  # scratch, 0 between two uses
        ("sequence", np.int64),  # the node at this place in a search
        ("sorted", np.int64),  # room to sort in
    ],
    align=True,
)
"""One record a node. Some fields are columns of their own that only happen to be as long."""

RUN_TYPE = np.dtype(
    [("node", np.int64), ("first", np.int64), ("length", np.int64), ("idle", np.int64)], align=True
)
"""Cores next to each other in one node and in the resource order, in that order; and how many are idle."""

CORE_TYPE = np.dtype([("run", np.int64), ("rate", np.float64), ("idle", np.int64)], align=True)
"""One core. The first so many records of a run's cores hold, in `idle`, its idle ones, the lowest last."""

PICK_TYPE = np.dtype([("run", np.int64), ("count", np.int64)], align=True)
"""So many of a run's idle cores, the lowest ones."""

WHERE_TYPE = np.dtype([("node", np.int64), ("count", np.int64)], align=True)

MACHINE_TYPE = np.dtype(
    [
        ("free", np.int64),
        ("kind", np.int64),  # NONE ... EASY
        ("own_order", np.int64),  # whether candidates have an order of their own
        ("fit", np.int64),  # FIRST ... WORST
        ("fixed", np.int64),  # whether run times are given
        ("kills", np.int64),  # whether jobs are cut at their planned end
        ("whole", np.int64),  # whether every node is one run
        ("n_ends", np.int64),  # entries in the heap of ENDs
        ("dispatched", np.int64),  # jobs started so far
        ("n_starting", np.int64),  # jobs started but not yet entered among the running ones
        ("spare_part", np.int64),  # first of those out of use again, -1 without
        ("spare_piece", np.int64),
        ("parts", np.int64),  # ever used
        ("pieces", np.int64),
        ("changed", np.int64),  # whether a job that was refused by the last cycle could start now
        ("head", np.int64),  # the blocked head at the last cycle, -1 without
        ("shadow", np.float64),  # its shadow time, -infinity if not computed
        ("extra", np.int64),  # cores left over then, for a plain head
        ("weight", np.int64),  # of the nodes for the head then, for any other
        ("head_nodes", np.int64),  # entries in its row
        ("events", np.int64),
        ("cycles", np.int64),
        ("examined", np.int64),
        ("searches", np.int64),  # placements
    ],
    align=True,
)
"""The numbers of the machine."""


class State(NamedTuple):
    """The data that change during the run."""

    machine: Any  # MACHINE_TYPE[1]
    arrivals: Any  # int64[n_jobs]: positions by (submit time, position)
    queue: BlockedList  # waiting jobs by rank
    candidates: BlockedList  # waiting jobs by candidate key; empty if candidates go in queue order
    running: BlockedList  # running jobs by (planned end, position)
    ends: Any  # ENTRY_TYPE[...]: a heap of the ends of parts by (time, number of the dispatch)
    parts: Any  # PART_TYPE[...]
    pieces: Any  # PIECE_TYPE[...]
    cores: Any  # int64[3, n_nodes]: of each room
    memory: Any  # float64[3, n_nodes]
    nodes: Any  # NODE_TYPE[n_nodes]
    runs: Any  # RUN_TYPE[n_runs]
    node_runs: Any  # int64[n_runs]: runs by node, in the resource order in each
    table: Any  # CORE_TYPE[n_cores]
    groups: Any  # GROUP_TYPE[n_groups]
    picks: Any  # PICK_TYPE[n_runs]
    assignments: Any  # WHERE_TYPE[2, n_nodes]
    counts: Any  # int64[most cores of a node + 2]: to sort with
    held: Any  # int64[all sizes]: the cores of each job, in the order its tasks are dealt
    ended: Any  # float64[all sizes]: when the task on each ended; of fixed run times, one number
    ending: Any  # int64[...]: jobs that end at this instant
    starting: Any  # int64[...]: jobs started but not yet entered among the running ones
    watch: Any  # int64[2]: jobs ended so far; set the second to stop the run


class Ranked(NamedTuple):
    """An idle machine; see the types of these records."""

    nodes: NDArray[Any]  # NODE_TYPE[n_nodes]
    runs: NDArray[Any]  # RUN_TYPE[n_runs], in the resource order
    node_runs: IntColumn
    table: NDArray[Any]  # CORE_TYPE[n_cores]


def fresh_state(
    arrivals: IntColumn, ranked: Ranked, machine: NDArray[Any], groups: NDArray[Any], *, slots: int
) -> State:
    """Return the state before the first event.

    Parameters
    ----------
    arrivals : IntColumn, shape (n_jobs,)
        Positions of the jobs by (submit time, position).
    ranked : Ranked
        The machine.
    machine : ndarray of MACHINE_TYPE, shape (1,)
        How it decides.
    groups : ndarray of GROUP_TYPE
        Of all jobs.
    slots : int
        Sizes of all jobs together.
    """
    n_jobs, n_cores, n_nodes = len(arrivals), len(ranked.table), len(ranked.nodes)
    most_running = min(n_jobs, n_cores)
    fixed, kills = bool(machine["fixed"][0]), bool(machine["kills"][0])
    # Parts of jobs that are cut stay in the heap until they would have ended.
    parts = most_running if fixed else slots if kills else min(slots, n_cores)
    machine["free"], machine["whole"] = n_cores, len(ranked.runs) == n_nodes
    machine["head"] = machine["spare_part"] = machine["spare_piece"] = -1
    cores = np.zeros((3, n_nodes), dtype=np.int64)
    memory = np.zeros((3, n_nodes))
    np.add.at(cores[NOW], ranked.runs["node"], ranked.runs["length"])
    memory[NOW] = ranked.nodes["memory"]
    return State(
        machine,
        arrivals,
        queue=empty_list(n_jobs),
        candidates=empty_list(n_jobs if machine["own_order"][0] else 1),
        running=empty_list(most_running),
        ends=np.empty(parts + 1, dtype=ENTRY_TYPE),
        parts=np.empty(parts + 1, dtype=PART_TYPE),
        pieces=np.empty(min(slots, n_cores) + 1, dtype=PIECE_TYPE),
        cores=cores,
        memory=memory,
        nodes=ranked.nodes,
        runs=ranked.runs,
        node_runs=ranked.node_runs,
        table=ranked.table,
        groups=groups,
        picks=np.empty(len(ranked.runs), dtype=PICK_TYPE),
        assignments=np.empty((2, n_nodes), dtype=WHERE_TYPE),
        counts=np.zeros(int(cores[NOW].max()) + 2, dtype=np.int64),
        held=np.empty(slots, dtype=np.int64),
        ended=np.empty(1 if fixed else slots),
        ending=np.empty(most_running + 1, dtype=np.int64),
        starting=np.empty(most_running + 1, dtype=np.int64),
        watch=np.zeros(2, dtype=np.int64),
    )


def sample() -> tuple[State, NDArray[Any], Submissions, int]:
    """Return arguments of the types that the kernel of nodes takes."""
    one, runs = np.zeros(1, dtype=np.int64), np.ones(1, RUN_TYPE)
    runs["node"] = 0
    machine = Ranked(np.zeros(1, NODE_TYPE), runs, one, np.zeros(1, CORE_TYPE))
    state = fresh_state(one, machine, np.zeros(1, MACHINE_TYPE), np.zeros(1, GROUP_TYPE), slots=1)
    return state, np.zeros(1, JOB_TYPE), independent_submissions(one), INSTANT
