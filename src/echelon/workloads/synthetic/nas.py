"""Streams of the 18 NAS IS and MG applications, as the M-CISNE thesis ran them on its clusters.

Source: Lérida Monsó, UAB 2009, sections 3.5.1 and D.1.1. Jobs arrive by a Poisson process; each is one of the
applications, drawn with equal probability or as the best fit of what a generator in Feitelson's style draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.applications import Applications
from echelon.model.streams import stream
from echelon.workloads.synthetic.model import Jobs, Model, Programs, draw_submissions
from echelon.workloads.synthetic.nas_applications import NAS_APPLICATIONS
from echelon.workloads.synthetic.parameter import Parameter, check_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

NAME = "nas"
_MIXES = ("balanced", "compute", "communication")
_LIBRARIES = ("mpi", "pvm", "both")
_SELECTIONS = ("uniform", "fitted")

_ORIENTED = 0.75
"""Share of the benchmark that a mix leans to; the thesis says only that there are more of it."""

_LARGEST = max(one.nodes for one in NAS_APPLICATIONS)
_SIZE_ORDER = 1.5
"""Feitelson's order of the harmonic distribution of sizes; powers of 2 alone, as the applications have."""

_REPEAT_ORDER = 2.5
"""Feitelson's order of the distribution of how often in turn the same job is run."""
_NODES_FIRST = 1000.0
"""Weighs a doubling of nodes above any ratio of times, whose logarithm is below 45."""

PARAMETERS: tuple[Parameter, ...] = (
    Parameter("gap", "s", 4.0, "mean time between submissions; 0: all at second 0", 0, 1e9),
    Parameter("mix", "1", 0, "three jobs in four: MG computes, IS communicates", choices=_MIXES),
    Parameter("users", "1", 5, "number of users; each job belongs to a random one", 1, 1e6),
    Parameter("library", "1", 0, "message-passing library; both: one of them at random", choices=_LIBRARIES),
    Parameter("selection", "1", 0, "any, or the best fit to a random size and time", choices=_SELECTIONS),
    Parameter("pnbw", "B/s", 0.0, "bandwidth that a task needs; 0: derived for each application", 0, 1e15),
    Parameter("mean_time", "s", 42.0, "mean of the times drawn for a fit", above=0, most=1e9),
    Parameter("faulty", "1", 0.0, "probability that a job fails, at a random time of its run", 0, 1),
    Parameter("machine", "nodes", 16, "nodes of the machine: larger applications are left out", 1, 2**40),
)  # fmt: skip


def draw(values: Mapping[str, float], jobs: int, seed: int) -> Jobs:
    """Return `jobs` jobs of the applications; each quantity has a stream of its own. Cost: O(n)."""
    _check(values)
    chosen = (_fit_applications if values["selection"] else _uniform)(values, jobs, seed)
    time = np.array([one.time for one in NAS_APPLICATIONS])[chosen]
    nodes = np.array([one.nodes for one in NAS_APPLICATIONS])[chosen]
    failed = _random(seed, "faults").random(jobs) < values["faulty"]
    run = np.where(failed, np.ceil(time * _random(seed, "fault times").random(jobs)), time)
    return Jobs(
        draw_submissions(values["gap"], jobs, _random(seed, "arrivals")),
        np.maximum(run, 1.0),
        nodes,
        np.full(jobs, -1),
        requested_time=time,
        programs=_programs(values, chosen, failed, seed),
    )


def _check(values: Mapping[str, float]) -> None:
    check_whole(values, "users", "machine")
    least = min(one.nodes for one in NAS_APPLICATIONS)
    if values["machine"] < least:
        raise InputError(
            f"must be at least the {least} nodes of the smallest application, got {values['machine']:g}",
            field="parameter machine",
        )


def _programs(
    values: Mapping[str, float], chosen: IntColumn, failed: NDArray[np.bool_], seed: int
) -> Programs:
    """Return the applications of each user, with their library."""
    n = len(chosen)
    library = np.full(n, int(values["library"]))
    if _LIBRARIES[int(values["library"])] == "both":
        library = _random(seed, "libraries").integers(0, 2, n)
    bandwidth = values["pnbw"] or None
    catalog = tuple(one.application(name, bandwidth) for name in _LIBRARIES[:2] for one in NAS_APPLICATIONS)
    users = int(values["users"])
    return Programs(
        Applications(catalog, library * len(NAS_APPLICATIONS) + chosen),
        executable=chosen + 1,
        user=_random(seed, "users").integers(1, users, n, endpoint=True),
        failed=failed,
        names={
            "executable": tuple(one.name for one in NAS_APPLICATIONS),
            "user": tuple(f"user-{k}" for k in range(1, users + 1)),
        },
    )


def _weights(values: Mapping[str, float]) -> FloatColumn:
    """Return the probability of each application, by the benchmark that the mix leans to."""
    mix = _MIXES[int(values["mix"])]
    mg = {"balanced": 0.5, "compute": _ORIENTED, "communication": 1 - _ORIENTED}[mix]
    fits = np.array([one.nodes <= values["machine"] for one in NAS_APPLICATIONS])
    is_mg = np.array([one.benchmark == "mg" for one in NAS_APPLICATIONS])
    each = np.where(is_mg, mg / (fits & is_mg).sum(), (1 - mg) / (fits & ~is_mg).sum())
    return np.asarray(each * fits, dtype=np.float64)


def _uniform(values: Mapping[str, float], n: int, seed: int) -> IntColumn:
    return _random(seed, "applications").choice(len(NAS_APPLICATIONS), n, p=_weights(values))


def _fit_applications(values: Mapping[str, float], n: int, seed: int) -> IntColumn:
    """Return the applications nearest to sizes and times drawn, of a benchmark drawn by the mix.

    A simplified generator in Feitelson's style: sizes are harmonic, times exponential about one of two means,
    of which large jobs have the longer more often, and a job is run several times in turn, by a power law.
    Nearest is first the number of nodes, then the time by its ratio; ties go to the first in the table.
    """
    random = _random(seed, "fits")
    sizes = np.array([k for k in (1, 2, 4, 8) if k <= min(values["machine"], _LARGEST)])
    size = random.choice(sizes, n, p=sizes**-_SIZE_ORDER / (sizes**-_SIZE_ORDER).sum())
    longer = random.random(n) < np.log2(2 * size) / 5
    time = random.exponential(values["mean_time"] * np.where(longer, 1.5, 0.5))
    mg = random.random(n) < _weights(values)[[one.benchmark == "mg" for one in NAS_APPLICATIONS]].sum()
    return _repeat_jobs(_find_nearest(size, time, mg), random)


def _find_nearest(size: IntColumn, time: FloatColumn, mg: NDArray[np.bool_]) -> IntColumn:
    """Return the application of each job's benchmark that is nearest to its size, and then to its time."""
    best, least = np.zeros(len(size), dtype=np.int64), np.full(len(size), np.inf)
    for place, one in enumerate(NAS_APPLICATIONS):
        apart = abs(np.log2(one.nodes / size)) * _NODES_FIRST + abs(np.log(one.time / np.maximum(time, 1e-9)))
        nearer = (mg == (one.benchmark == "mg")) & (apart < least)
        best[nearer], least[nearer] = place, apart[nearer]
    return best


def _repeat_jobs(jobs: IntColumn, random: np.random.Generator) -> IntColumn:
    """Return as many jobs, of which each is run several times in turn before the next is."""
    times = random.zipf(_REPEAT_ORDER, len(jobs))
    return np.repeat(jobs, np.minimum(times, len(jobs)))[: len(jobs)]


def _random(seed: int, what: str) -> np.random.Generator:
    return stream(seed, f"{NAME}/{what}")


MODEL = Model(
    name=NAME,
    summary="The 18 NAS IS and MG applications of 2, 4 and 8 tasks, with Poisson arrivals.",
    source="Lérida Monsó, UAB 2009, table D.1",
    parameters=PARAMETERS,
    draw=draw,
    machine=lambda values: int(values["machine"]),
    scaled=lambda processors: {"machine": processors},
    can_be_fitted=False,
)
