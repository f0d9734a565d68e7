"""State: all data of a compiled run on a machine that changes, as records.

Every processor is a node with a number. Sets of processors are rows of words of `WORD` bits. Jobs are
numbered by position in the instance.
"""

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
NONE, FIRST_FIT, EASY, CONSERVATIVE, SELECTIVE, RESERVED = 0, 1, 2, 3, 4, 5
# What schedulers know of the end of a failure; ESTIMATED: it takes `repair` seconds.
UNKNOWN, KNOWN, ESTIMATED = 0, 1, 2
# Rows of words. Free: up, and held by no job. Usable: those that a job may start on now. Then: those that are
# planned to be free at the head's earliest start; at: those of them that are open to it. Inside: those of the
# reservations that a job names. Picked: those chosen for a job; spare: those that the head leaves over.
FREE, USABLE, THEN, AT, INSIDE, PICKED, SPARE, ROWS = 0, 1, 2, 3, 4, 5, 6, 7
# When memory of hosts is free: now, at the head's earliest start, and beside the head then.
NOW, LATER, BESIDE = 0, 1, 2
# Node searches.
FIRST, BEST, WORST = 0, 1, 2
WORD, FULL = 32, (1 << 32) - 1
PLACES, LAST = 5, 31
"""Bits of a word. Words are whole numbers of 64 bits, so that no operation overflows. Processor x has bit
``x & LAST`` of word ``x >> PLACES``."""
SHIFT = 2.0**52
"""By this the keys of jobs are less whose reservation is on: all other keys differ by less."""
# Why `run` returns.
DONE, LOG_FULL = 0, 1
VOID = -1
"""Reason of an attempt that was cut short when it began: there was none."""

JOB_TYPE = np.dtype(
    [
        ("submit", np.float64),
        ("planned", np.float64),  # of the next attempt, or of this one
        ("key", np.float64),  # sort key in the queue
        ("candidate", np.float64),  # sort key among backfilling candidates
        ("run", np.float64),  # length of the next attempt, or of this one, if nothing happens to it
        ("planned_end", np.float64),
        ("size", np.int32),
        ("serial", np.int32),  # number of its dispatch, 0 while it does not run
        ("row", np.int32),  # of its last attempt in the log, -1 without
        ("restarts", np.int32),
        ("waits", np.bool_),  # whether it is in the queue
        ("first", np.bool_),  # whether its key says that its reservation is on
        ("killed", np.bool_),  # whether its run time is cut
        ("status", np.int8),  # JobStatus, -1 before it is done
    ],
    align=True,
)
"""One record a job, by position."""

BOND_TYPE = np.dtype(
    [
        ("access", np.int64),  # a bit for each group of jobs that it is in
        ("named", np.int64),  # the reservation that it names, -1 without
        ("behind", np.int64),  # what its keys hold of the jobs that joined before
        ("memory", np.float64),  # bytes set aside for each task
        ("hosts", np.int64),  # in which it has equal shares, 0: as it comes
        ("most", np.int64),  # tasks in one host: of such a share, or the limit; 0: as it comes
        ("need", np.int64),  # what the weights of hosts must add up to; see `weight`
        ("sequential", np.bool_),  # whether all tasks are in one host
        ("plain", np.bool_),  # whether nothing counts but the number of processors
        ("lowest", np.bool_),  # whether it takes the lowest ones, wherever they are
    ],
    align=True,
)
"""What ties a job to reservations, to others that join and to hosts: one record a job, if any needs it."""

SAVING_TYPE = np.dtype(
    [
        ("work", np.float64),  # all its work
        ("left", np.float64),  # the work that is left when an attempt begins
        ("planned", np.float64),  # planned time of its first attempt
        ("used", np.float64),  # time for which attempts that were cut short held processors
        ("interval", np.float64),
        ("cost", np.float64),
        ("restart", np.float64),
        ("limited", np.bool_),  # whether attempts are cut at their planned times
        ("per_job", np.bool_),  # whether all attempts together are
    ],
    align=True,
)
"""How a job writes checkpoints, and what it is allowed: one record a job, if attempts differ in length."""

LIMIT_TYPE = np.dtype(
    [
        ("deadline", np.float64),  # infinity without
        (
            "minimum",
            np.float64,
        ),  # the shortest planned time that it accepts, infinity if no other than its own
        ("planned", np.float64),  # planned time of each attempt, if it joins in time for that
        ("noted", np.bool_),  # whether its deadline is among the events
        ("shrinks", np.bool_),  # whether it is among those that may be planned with less
    ],
    align=True,
)
"""When a job must have ended: one record a job, if any has a deadline."""
HOST_TYPE = np.dtype(
    [
        ("first", np.int64),  # its processors are first ... stop - 1
        ("stop", np.int64),
        ("memory", np.float64),  # all its memory
        ("now", np.float64),  # its free memory
        ("later", np.float64),  # the same at the head's earliest start
        ("beside", np.float64),  # the same, beside the head then
        ("jobs", np.int64),  # that run there
        ("cores", np.int64),  # in a search: those that are free
        ("weight", np.int64),  # the same: see `weight`
        ("count", np.int64),  # of the processors of an attempt
        ("listed", np.int64),  # the host at this place among those of an attempt
    ],
    align=True,
)
"""One node of several cores, neighbors among the processors. A state of few arrays is passed on faster."""

ATTEMPT_TYPE = np.dtype(
    [
        ("start", np.float64),
        ("end", np.float64),
        ("first", np.int64),  # where the intervals of its processors begin in the log
        ("job", np.int32),
        ("reason", np.int32),  # EndReason, or VOID
    ],
    align=True,
)
"""One attempt, in the order of dispatch."""

SAVED_TYPE = np.dtype([("work", np.float64), ("overhead", np.float64)], align=True)
"""What one attempt leaves, if jobs write checkpoints; see `Saved`."""

INTERVAL_TYPE = np.dtype([("low", np.int32), ("high", np.int32)], align=True)
"""Neighboring processors, both ends included."""

NODE_TYPE = np.dtype(
    [
        ("cover", np.int64),  # failures that cover it now
        ("until", np.float64),  # when it is believed to return, infinity if unknown
        ("host", np.int64),  # the node of several cores that it is of
    ],
    align=True,
)
"""One processor."""

EVENT_TYPE = np.dtype([("time", np.float64), ("what", np.int64), ("row", np.int64)], align=True)
"""One change of capacity: what happens, and to which failure, by row, or closure, by number."""

FAILURE_TYPE = np.dtype(
    [
        ("start", np.float64),
        ("end", np.float64),
        ("first", np.int64),  # its processors are failing[first:stop]
        ("stop", np.int64),
        ("expected", np.float64),  # when schedulers believe that it ends, infinity if they know nothing
        ("place", np.int64),  # among those that last
    ],
    align=True,
)
"""One failure, of one or several processors."""
# What happens, in the order of one instant. BLINK: a failure of no length. The others are of closures.
ENDS, UP, FAIL, BLINK, BEGINS, ANNOUNCED = 0, 1, 2, 3, 4, 5

CLOSURE_TYPE = np.dtype(
    [
        ("start", np.float64),
        ("end", np.float64),
        ("latest", np.float64),  # the latest end of it and all before
        ("known", np.float64),
        ("first", np.int64),  # its processors are closed[first:stop]
        ("stop", np.int64),
        ("group", np.int64),  # of the jobs with access, -1: none
        ("name", np.int64),  # of a reservation that jobs name, -1 without
        ("drains", np.bool_),
        ("evicts", np.bool_),
        ("flex", np.bool_),
        ("overruns", np.bool_),  # whether jobs that name it may go on after its end
        ("number", np.int64),
        ("slide", np.float64),  # how far it is kept ahead, in seconds; 0: it does not move, or no more
    ],
    align=True,
)
"""One drain, maintenance or reservation; see `echelon.engine.resources.closures.Closure`."""

NAME_TYPE = np.dtype(
    [
        ("first", np.int64),  # the jobs that name it are naming[first:stop]
        ("stop", np.int64),
        ("on", np.int64),  # reservations of the name that are on
        ("left", np.int64),  # reservations of the name that are not over
    ],
    align=True,
)
"""The name of one or more reservations."""

MACHINE_TYPE = np.dtype(
    [
        ("processors", np.int64),
        ("free", np.int64),  # processors that are up and held by no job
        ("lowest", np.int64),  # no word before this one has a free processor
        ("kind", np.int64),  # NONE ... EASY
        ("own_order", np.bool_),  # whether candidates have an order of their own
        ("ahead", np.float64),  # by this the candidate keys of jobs are less whose reservation is on
        ("back", np.bool_),  # whether requeued jobs wait as if submitted then
        ("ties", np.bool_),  # whether keys are made when jobs join
        ("kills", np.bool_),  # whether jobs that failures hit are not run again
        ("saves", np.bool_),  # whether attempts of a job may differ in length
        ("limits", np.bool_),  # whether any job has a deadline
        ("refuses", np.bool_),  # whether jobs may join in vain: they have deadlines, or name reservations
        ("most", np.int64),  # how often a job is requeued at most
        ("delay", np.float64),  # seconds until a requeued job joins again
        ("knowledge", np.int64),  # UNKNOWN ... ESTIMATED
        ("repair", np.float64),  # estimate of a repair, in seconds
        ("last", np.float64),  # the last instant so far
        ("n_ends", np.int64),  # entries in the heap of ENDs
        ("n_away", np.int64),  # entries in the heap of jobs that join again
        ("n_late", np.int64),  # entries in the heap of failures that are believed to end
        ("n_lasting", np.int64),  # failures that last
        ("n_deadlines", np.int64),  # entries in the heap of deadlines
        ("n_expiries", np.int64),  # entries in the heap of latest starts
        ("n_shrinking", np.int64),  # jobs that may be planned with less
        ("n_sliding", np.int64),  # entries in the heap of reservations that slide
        ("n_slid", np.int64),  # entries in the heap of their begins and ends
        ("moves", np.int64),  # moves of reservations since a job last started
        ("moved", np.int64),  # jobs started by the last move
        ("n_starting", np.int64),  # jobs started but not yet entered among the running ones
        ("n_joining", np.int64),  # jobs that joined at this instant
        ("dispatched", np.int64),
        ("joined", np.int64),  # joins before those of the instant `joining`
        ("joining", np.float64),
        ("joins", np.int64),
        ("taken", np.int64),  # submissions so far
        ("event", np.int64),  # the next change of capacity
        ("canceling", np.int64),  # the next cancellation
        ("first_open", np.int64),  # all closures before this one are over
        ("first_ending", np.int64),  # the same, in order of end
        ("attempts", np.int64),  # rows in the log
        ("intervals", np.int64),
        ("changed", np.bool_),  # whether a job refused by the last cycle could start now
        ("head", np.int64),  # the blocked head at the last cycle, -1 without
        ("extra", np.int64),  # its extra processors
        ("shadow", np.float64),  # its shadow time, -infinity if not computed
        ("events", np.int64),
        ("cycles", np.int64),
        ("examined", np.int64),
        ("failures", np.int64),  # attempts that failures cut short
        ("cuts", np.int64),  # attempts that anything cut short
        ("fit", np.int64),  # FIRST ... WORST
        ("by_tasks", np.bool_),  # whether progress is what tasks have done, to the last bit
        ("remembers", np.bool_),  # whether jobs take memory of hosts
        ("squeezed", np.bool_),  # whether jobs started beside the head that may let others find room
    ],
    align=True,
)
"""The numbers of the machine."""


class State(NamedTuple):
    """The data that change during the run."""

    machine: Any  # MACHINE_TYPE[1]
    queue: BlockedList  # waiting jobs by key
    candidates: BlockedList  # waiting jobs by candidate key; empty if candidates go in queue order
    running: BlockedList  # running jobs, and processors that are believed to return, by time
    ends: Any  # ENTRY_TYPE[...]: a heap of ENDs by (time, number of the dispatch)
    away: Any  # ENTRY_TYPE[...]: a heap of jobs that join again by (time, position)
    starting: Any  # int64[...]: jobs started but not yet entered among the running ones
    joining: Any  # int64[...]: jobs that joined at this instant
    words: Any  # int64[ROWS, n_words]
    holder: Any  # int32[n_processors]: the job that holds this one and neighbors above, -1 elsewhere
    nodes: Any  # NODE_TYPE[n_processors]
    events: Any  # EVENT_TYPE[...]: by (time, what, row)
    failures: Any  # FAILURE_TYPE[n_failures]
    failing: Any  # int64[...]: the processors of each
    lasting: Any  # int64[n_failures]: those that last
    late: Any  # ENTRY_TYPE[...]: a heap of those that last longer than believed, by (time, number)
    closures: Any  # CLOSURE_TYPE[...]: by (start, number)
    closed: Any  # INTERVAL_TYPE[...]: the processors of each
    by_end: Any  # int64[n_closures]: closures by end
    place: Any  # int64[n_closures]: rows of closures by number
    sliding: Any  # ENTRY_TYPE[...]: a heap of reservations that slide, by (time, number)
    slid: Any  # ENTRY_TYPE[...]: a heap of those that did, by (time, what happens and number)
    moving: Any  # CLOSURE_TYPE[1]: room for one
    names: Any  # NAME_TYPE[...]
    naming: Any  # int64[...]: jobs by the reservation that they name
    cancels: Any  # ENTRY_TYPE[...]: by (time, position)
    bonds: Any  # BOND_TYPE[...]
    saving: Any  # SAVING_TYPE[...]
    limits: Any  # LIMIT_TYPE[...]
    deadlines: Any  # ENTRY_TYPE[...]: a heap of the deadlines of jobs that have joined, by (time, position)
    expiries: Any  # ENTRY_TYPE[...]: a heap of the latest starts of all that joined, by (time, position)
    shrinking: Any  # int64[...]: waiting jobs that may be planned with less to meet their deadlines
    hosts: Any  # HOST_TYPE[...]: in the resource order, empty if `by_host` is false
    attempts: Any  # ATTEMPT_TYPE[...]: the log
    saved: Any  # SAVED_TYPE[...]: beside it
    intervals: Any  # INTERVAL_TYPE[...]: the processors of each attempt, ascending
    watch: Any  # int64[2]: jobs that are done; set the second to stop the run
    by_host: bool  # whether it matters which processors are of one host


class Course(NamedTuple):
    """What is known of a run before it: the changes of its machine, and how jobs take them."""

    machine: NDArray[Any]  # MACHINE_TYPE[1]
    events: NDArray[Any]  # EVENT_TYPE[...]
    failures: NDArray[Any]  # FAILURE_TYPE[...]
    failing: IntColumn
    closures: NDArray[Any]  # CLOSURE_TYPE[...]
    closed: NDArray[Any]  # INTERVAL_TYPE[...]
    names: NDArray[Any]  # NAME_TYPE[...]
    naming: IntColumn
    sliding: NDArray[Any]  # ENTRY_TYPE[n_closures], `machine` says how many of them are
    cancels: NDArray[Any]  # ENTRY_TYPE[...]
    bonds: NDArray[Any]  # BOND_TYPE[...]
    saving: NDArray[Any]  # SAVING_TYPE[...]
    limits: NDArray[Any]  # LIMIT_TYPE[...]
    hosts: NDArray[Any]  # HOST_TYPE[...]


def fresh_state(n_jobs: int, processors: int, course: Course) -> State:
    """Return the state before the first event, with a log that has room for an attempt of each job."""
    most = min(n_jobs, processors)
    machine = course.machine
    machine["processors"] = machine["free"] = processors
    machine["head"], machine["joining"], machine["last"] = -1, -np.inf, -np.inf
    words = np.zeros((ROWS, -(-processors // WORD)), dtype=np.int64)
    words[FREE] = FULL
    if processors % WORD:
        words[FREE, -1] = (1 << processors % WORD) - 1
    nodes = np.zeros(processors, dtype=NODE_TYPE)
    if len(hosts := course.hosts):
        nodes["host"] = np.repeat(np.arange(len(hosts)), hosts["stop"] - hosts["first"])
    rows = n_jobs + n_jobs // 8 + most + 64
    limited = n_jobs if machine["limits"][0] else 0
    return State(
        machine,
        queue=empty_list(n_jobs),
        candidates=empty_list(n_jobs if machine["own_order"][0] else 1),
        running=empty_list(processors),
        ends=np.empty(2 * most + 64, dtype=ENTRY_TYPE),
        away=np.empty(n_jobs + 1, dtype=ENTRY_TYPE),
        starting=np.empty(most + 1, dtype=np.int64),
        joining=np.empty(n_jobs + 1, dtype=np.int64),
        words=words,
        holder=np.full(processors, -1, dtype=np.int32),
        nodes=nodes,
        events=course.events,
        failures=course.failures,
        failing=course.failing,
        lasting=np.empty(len(course.failures), dtype=np.int64),
        late=np.empty(len(course.failures) + 1, dtype=ENTRY_TYPE),
        closures=course.closures,
        closed=course.closed,
        by_end=np.argsort(course.closures["end"], kind="stable"),
        place=np.argsort(course.closures["number"]),
        sliding=course.sliding,
        slid=np.empty(2 * len(course.closures) + 1, dtype=ENTRY_TYPE),
        moving=np.zeros(1, dtype=CLOSURE_TYPE),
        names=course.names,
        naming=course.naming,
        cancels=course.cancels,
        bonds=course.bonds,
        saving=course.saving,
        limits=course.limits,
        deadlines=np.empty(limited + 1, dtype=ENTRY_TYPE),
        expiries=np.empty(most_expiries(limited, rows), dtype=ENTRY_TYPE),
        shrinking=np.empty(limited + 1, dtype=np.int64),
        hosts=course.hosts,
        attempts=np.empty(rows, dtype=ATTEMPT_TYPE),
        saved=np.empty(rows if machine["saves"][0] else 1, dtype=SAVED_TYPE),
        intervals=np.empty(5 * n_jobs + 2 * processors + 64, dtype=INTERVAL_TYPE),
        watch=np.zeros(2, dtype=np.int64),
        by_host=len(course.hosts) > 0,
    )


def most_expiries(limited: int, attempts: int) -> int:
    """Return how often jobs may have joined that have deadlines, if the log has room for so many attempts."""
    return limited + attempts if limited else 1


def sample() -> tuple[State, NDArray[Any], Submissions]:
    """Return arguments of the types that the kernel of a machine that changes takes."""
    none = np.zeros(1, dtype=np.int64)
    course = Course(
        np.zeros(1, MACHINE_TYPE),
        np.zeros(1, EVENT_TYPE),
        np.zeros(1, FAILURE_TYPE),
        none,
        np.zeros(1, CLOSURE_TYPE),
        np.zeros(1, INTERVAL_TYPE),
        np.zeros(1, NAME_TYPE),
        none,
        np.zeros(1, ENTRY_TYPE),
        np.zeros(1, ENTRY_TYPE),
        np.zeros(1, BOND_TYPE),
        np.zeros(1, SAVING_TYPE),
        np.zeros(1, LIMIT_TYPE),
        np.zeros(0, HOST_TYPE),
    )
    return fresh_state(1, 1, course), np.zeros(1, JOB_TYPE), independent_submissions(none)
