"""Named tiny workloads, small enough to schedule by hand, and larger random crowds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from echelon.errors import UnknownNameError
from echelon.model import Instance, Workload


class TinyJob(NamedTuple):
    """One job of a `Case`: times in seconds; a requested time, user or queue of -1 is unknown."""

    submit_time: float
    run_time: float
    processors: int
    requested_time: float = -1.0
    user: int = -1
    queue: int = -1


@dataclass(frozen=True, slots=True)
class Case:
    """A tiny workload with its machine.

    Parameters
    ----------
    name : str
        Kebab-case.
    processors : int
        The processors of the machine.
    jobs : tuple of TinyJob
        Numbered 1, 2, 3 ... in this order.
    story : str
        What the case shows.
    """

    name: str
    processors: int
    jobs: tuple[TinyJob, ...]
    story: str

    @property
    def workload(self) -> Workload:
        """The jobs as a workload."""
        submit, run, size, request, user, queue = zip(*self.jobs, strict=True)
        return Workload.from_columns(
            name=self.name,
            submit_time=submit,
            run_time=run,
            processors=size,
            requested_time=request,
            user=user,
            queue=queue,
        )

    def instance(self, estimates: str = "raise") -> Instance:
        """Return the instance on this case's machine; `estimates` as in `Instance.of`."""
        return Instance.of(self.workload, self.processors, estimates=estimates)


def _case(name: str, processors: int, story: str, *jobs: tuple[float, ...]) -> Case:
    return Case(name, processors, tuple(TinyJob(*job) for job in jobs), story)  # type: ignore[arg-type]


EASY_CASES: tuple[Case, ...] = (
    _case(
        "easy-a-guarantee",
        4,
        "a long job must not overtake the head it would delay",
        (0, 100, 3, 100),
        (1, 100, 4, 100),
        (2, 1000, 1, 1000),
    ),
    _case(
        "easy-b-early-finish",
        4,
        "the head starts when processors are actually free, not as planned",
        (0, 100, 3, 1000),
        (1, 100, 4, 100),
    ),
    _case(
        "easy-c-extra-processors",
        4,
        "a long job may use what the head will leave over",
        (0, 100, 2, 100),
        (1, 100, 3, 100),
        (2, 1000, 1, 1000),
    ),
    _case(
        "easy-d-estimates-hide-truth",
        4,
        "a job that would end in time, but is not planned to, waits",
        (0, 100, 3, 100),
        (1, 100, 4, 100),
        (2, 10, 1, 1000),
    ),
    _case(
        "easy-e-plain-backfill",
        4,
        "a short job overtakes",
        (0, 100, 3, 100),
        (1, 100, 4, 100),
        (2, 50, 1, 50),
    ),
    _case(
        "easy-g-shadow-order",
        4,
        "the shadow time comes from planned ends, not from the order of starts",
        (0, 1000, 1, 1000),
        (900, 500, 1, 500),
        (901, 100, 3, 100),
        (902, 440, 2, 440),
    ),
)
"""Six cases that distinguish an exact EASY from an approximate one; several simulators fail some of them."""

CASES: tuple[Case, ...] = (
    _case("one-job", 1, "it starts when it is submitted", (5, 3, 1, 3)),
    _case(
        "three-jobs-one-gap",
        2,
        "job 2 needs the whole machine; job 3 fits the processor left idle before it",
        (0, 10, 1, 10),
        (1, 10, 2, 10),
        (2, 5, 1, 5),
    ),
    _case(
        "all-at-once",
        3,
        "five jobs of one instant: only ties decide",
        (0, 4, 2, 4),
        (0, 4, 2, 4),
        (0, 2, 1, 4),
        (0, 2, 1, 2),
        (0, 6, 3, 6),
    ),
    _case(
        "unsorted-submits",
        2,
        "the log is not sorted by submit time",
        (9, 4, 2, 4),
        (3, 5, 1, 9),
        (0, 8, 2, 8),
        (3, 2, 1, -1),
    ),
    _case(
        "end-meets-submit",
        2,
        "job 2 is submitted at the instant job 1 ends",
        (0, 7, 2, 7),
        (7, 3, 2, 3),
        (7, 3, 1, 3),
    ),
    _case(
        "no-estimates",
        4,
        "no job has a requested time",
        (0, 30, 3),
        (1, 10, 4),
        (2, 20, 1),
        (3, 40, 1),
    ),
    _case(
        "fractions",
        3,
        "times that binary numbers cannot represent exactly",
        (0.1, 0.2, 2, 0.3),
        (0.2, 0.1, 3, 0.1),
        (0.3, 0.7, 1, 0.7),
        (0.3, 0.1, 1, 1.1),
    ),
    *EASY_CASES,
)
"""All tiny workloads of this file."""


def case(name: str) -> Case:
    """Return the tiny workload of that name.

    Raises
    ------
    UnknownNameError
        If it does not exist.
    """
    by_name = {tiny.name: tiny for tiny in CASES}
    if name not in by_name:
        raise UnknownNameError("case", name, by_name)
    return by_name[name]


def crowd(seed: int, n_jobs: int = 100, *, processors: int = 16, load: float = 1.2) -> Case:
    """Return a random crowd of jobs: bursts and many ties, wrong and missing estimates.

    Times are whole seconds; a few users (some unknown) submit to a few queues.

    Parameters
    ----------
    seed : int
        Equal seeds give equal crowds.
    n_jobs : int, default 100
        At least 1.
    processors : int, default 16
        Processors of the machine; job sizes are powers of two or any number up to it.
    load : float, default 1.2
        Demand over capacity in processor-seconds while jobs arrive; above 1 the queue grows.
    """
    rng = np.random.default_rng(seed)
    even = np.minimum(2 ** rng.integers(0, processors.bit_length(), n_jobs), processors)
    size = np.where(rng.random(n_jobs) < 0.5, even, rng.integers(1, processors + 1, n_jobs))
    run = rng.choice((1, 2, 5, 10, 10, 30, 60), n_jobs) * rng.integers(1, 4, n_jobs)
    span = max(1, int((run * size).sum() / (processors * load)))
    # Fewer instants than jobs, so that several arrive at once.
    instants = rng.integers(0, span, max(1, n_jobs * 2 // 3))
    submit = np.sort(rng.choice(instants, n_jobs))
    request = np.where(rng.random(n_jobs) < 0.1, -1, run * rng.choice((1, 1, 2, 5, 0.5), n_jobs) // 1)
    user, queue = rng.integers(-1, 6, n_jobs), rng.integers(-1, 4, n_jobs)
    columns = zip(*(column.tolist() for column in (submit, run, size, request, user, queue)), strict=True)
    return _case(f"crowd-{seed}", processors, f"{n_jobs} jobs at offered load {load:g}", *columns)


def small_instances(seed: int) -> list[Instance]:
    """Return the tiny workloads and three crowds on their machines, on which users' own rules are checked."""
    crowds = [crowd(3 * seed + k, processors=4**k + 3) for k in range(3)]
    return [tiny.instance() for tiny in (*CASES, *crowds)]
