"""State: all data of a compiled run of a decentralized protocol, as records.

Jobs are numbered by arrival: by submit time, then position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.compiled.decentralized.min_tree import empty_tree
from echelon.engine.compiled.machine.submissions import Submissions, independent_submissions
from echelon.engine.compiled.structures.heap import ENTRY_TYPE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import IntColumn

# How a site picks from the jobs that it knows of.
FCFS, EASY, LIST, STEALING = 0, 1, 2, 3

PEER_JOB_TYPE = np.dtype(
    [
        ("submit", np.float64),
        ("run", np.float64),
        ("planned", np.float64),
        ("published", np.float64),  # when sites other than its home first know of it
        ("size", np.int64),
        ("position", np.int64),  # place in the instance
        ("home", np.int64),
        ("shape", np.int64),  # place of its size among all different ones (STEALING)
        ("next", np.int64),  # the next waiting job of the same size, -1 without (STEALING)
        ("start", np.float64),  # NaN before it starts
        ("planned_end", np.float64),  # set at the start
        ("site", np.int64),  # set at the start
    ],
    align=True,
)
"""One record a job, by arrival."""

SITE_TYPE = np.dtype(
    [
        ("size", np.int64),
        ("free", np.int64),
        ("first_running", np.int64),  # its running jobs are `running` from here on (EASY)
        ("n_running", np.int64),
        ("quiet_head", np.int64),  # a head beside which nothing could start, -1 once that is not known (EASY)
        ("quiet_known", np.int64),  # of the jobs that wait below
    ],
    align=True,
)
"""One record a site."""

NUMBERS_TYPE = np.dtype(
    [
        ("algorithm", np.int64),  # FCFS ... STEALING
        ("local_first", np.int64),  # whether sites try their own arrivals before the global queue
        ("takes_always", np.int64),  # whether one that has started a local job turns to it, too
        ("best_fit", np.int64),  # whether the largest job that fits is stolen, not the first
        ("first_list", np.int64),  # whether a thief looks at the first list only that is not empty
        ("latency", np.float64),
        ("refresh", np.float64),  # seconds from one publication to the next, 0 if all is known at once
        ("arrived", np.int64),  # jobs below have been submitted,
        ("new", np.int64),  # those from here on at this instant
        ("known", np.int64),  # jobs below are known to all sites
        ("unpublished", np.int64),  # jobs below have been published, or no longer wait
        ("waiting", np.int64),
        ("n_ends", np.int64),  # entries in the heap of ENDs
        ("dispatched", np.int64),  # jobs started so far
        ("events", np.int64),
        ("cycles", np.int64),
        ("examined", np.int64),  # queries of the queue
    ],
    align=True,
)
"""The numbers of all sites together."""


class KernelState(NamedTuple):
    """The data that change during the run, and the rules of the run."""

    numbers: Any  # NUMBERS_TYPE[1]
    jobs: Any  # PEER_JOB_TYPE[n_jobs]; of jobs of which some wait for others, those submitted so far
    sites: Any  # SITE_TYPE[n_sites]
    started: Any  # int64[n_sites]: local jobs started at this instant
    tree: Any  # min_tree: size by job, 'nothing' if it does not wait; of STEALING the first job by shape
    shapes: Any  # int64[...]: the different sizes, ascending (STEALING)
    last: Any  # int64[...]: the last waiting job of each (STEALING)
    lists: Any  # int64[n_sites, 3, 3]: first shape, end of shapes, whether all are its own (STEALING)
    running: Any  # int64[...]: running jobs of each site by planned end (EASY)
    ends: Any  # ENTRY_TYPE[...]: a heap of ENDs by (time, number of the dispatch)
    ending: Any  # int64[...]: jobs that end at this instant
    watch: Any  # int64[2]: jobs ended so far; set the second to stop the run


def fresh_state(
    jobs: NDArray[Any], sizes: IntColumn, numbers: NDArray[Any], shapes: IntColumn, lists: IntColumn
) -> KernelState:
    """Return the state before the first event.

    Parameters
    ----------
    jobs : ndarray of PEER_JOB_TYPE, shape (n_jobs,)
        By arrival.
    sizes : IntColumn, shape (n_sites,)
        Processors of each site, ascending.
    numbers : ndarray of NUMBERS_TYPE, shape (1,)
        The parameters; the rest is zero.
    shapes : IntColumn
        The different sizes, ascending (STEALING).
    lists : IntColumn, shape (n_sites, 3, 3)
        The sets of each site, in the order in which the site considers them: first shape, end of shapes,
        whether all their jobs are its own (STEALING).
    """
    stealing = numbers["algorithm"][0] == STEALING
    most_running = min(len(jobs), int(sizes.sum()))
    sites = np.zeros(len(sizes), dtype=SITE_TYPE)
    sites["size"] = sites["free"] = sizes
    sites["quiet_head"] = -1
    room = np.minimum(sizes, len(jobs))
    sites["first_running"] = np.cumsum(room) - room
    return KernelState(
        numbers,
        jobs,
        sites,
        started=np.zeros(len(sizes), dtype=np.int64),
        tree=empty_tree(len(shapes) if stealing else len(jobs)),
        shapes=shapes,
        last=np.full(len(shapes), -1, dtype=np.int64),
        lists=lists,
        running=np.empty(int(room.sum()) if numbers["algorithm"][0] == EASY else 1, dtype=np.int64),
        ends=np.empty(most_running + 1, dtype=ENTRY_TYPE),
        ending=np.empty(most_running + 1, dtype=np.int64),
        watch=np.zeros(2, dtype=np.int64),
    )


def sample() -> tuple[KernelState, NDArray[Any], Submissions]:
    """Return arguments of the types that the kernel of decentralized protocols takes."""
    one, jobs = np.ones(1, dtype=np.int64), np.zeros(1, PEER_JOB_TYPE)
    lists = np.zeros((1, 3, 3), dtype=np.int64)
    return fresh_state(jobs, one, np.zeros(1, NUMBERS_TYPE), one, lists), jobs, independent_submissions(one)
