"""Load: what the study's printed ratios imply of it, and how much work each reading of its text offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.reproduce.grid.data import METRICS, read_printed
from echelon.workloads import transform
from echelon.workloads.grid.contribution import NOT_COMPLETED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from echelon.model import Workload
    from echelon.reproduce.grid.two_levels import TwoLevels
    from echelon.workloads.grid import GridWorkload

    Values = NDArray[np.float64]
    Changed = tuple[str, str, Values, Values]
    """A reading, what the text says of it, and each job's processors (0: left out) and run time."""

SILENT = "nothing"
_PROCESSORS_A_NODE = 8
_IN_NODES = ("SDSC-BLUE", "SDSC-DS")


class WaitShares(NamedTuple):
    """How much of the best turnaround is waiting: the larger, the busier a grid is.

    Attributes
    ----------
    jobs : float
        The best mean wait over the best mean turnaround, in percent.
    sizes : float
        The same, jobs weighted by their sizes.
    """

    jobs: float
    sizes: float


class Offered(NamedTuple):
    """How much work a reading of the text offers.

    Attributes
    ----------
    reading : str
        Which.
    quotation : str
        In the text.
    load : float
        Work over the processor time of the experiments' days.
    by_log : ndarray of float, shape (n_logs,)
        What the jobs of each log add to it.
    by_site : ndarray of float, shape (n_sites,)
        Jobs of an experiment by the smallest site that can hold them.
    """

    reading: str
    quotation: str
    load: float
    by_log: Values
    by_site: Values


def implied_shares(grid: str) -> WaitShares:
    """Return the shares that table 10 implies for a grid.

    Turnaround is wait plus a constant, so degradations in both stand in the ratio of the best wait to the
    best turnaround, for all strategies alike; the sums over the strategies are least hurt by rounding.
    """
    return WaitShares(_ratio(grid, "TA", "t_w"), _ratio(grid, "WTA", "WWT_s"))


def _ratio(grid: str, whole: str, wait: str) -> float:
    sums = [sum(read_printed("table10").numbers(symbol, grid).values()) for symbol in (whole, wait)]
    return 100 * sums[0] / sums[1]


def implied_jobs(letter: str) -> list[float]:
    """Return the jobs of an experiment by home that tables 8 and 9 imply: moved, over the share that moved.

    The letter of the tables is ``a`` for Grid 1, ``b`` for Grid 2. NaN where nothing is moved.
    """
    moved, shares = read_printed(f"table8{letter}"), read_printed(f"table9{letter}")
    job_counts = []
    for place in range(1, len(moved.columns) + 1):
        share = shares.number(f"site {place}", column="total")
        jobs = sum(moved.numbers(f"site {place}").values())
        job_counts.append(100 * jobs / share if share else float("nan"))
    return job_counts


def wait_shares(experiment: TwoLevels) -> WaitShares:
    """Return the shares that our values give, without admissibility."""
    best = {symbol: experiment.without[place].mean(axis=0).min() for place, symbol in enumerate(METRICS)}
    return WaitShares(100 * float(best["t_w"] / best["TA"]), 100 * float(best["WWT_s"] / best["WTA"]))


def mean_run(experiment: TwoLevels) -> float:
    """Return the mean run time in seconds: turnaround less wait."""
    places = [METRICS.index(symbol) for symbol in ("TA", "t_w")]
    turnaround, wait = (experiment.without[place].mean() for place in places)
    return float(turnaround - wait)


def offered_loads(grid: GridWorkload, others: Mapping[tuple[str, str], GridWorkload]) -> list[Offered]:
    """Return the offered load of each reading of the workload; nothing is simulated.

    `others` are workloads of other recipes, by their reading and what the text says of it.
    """
    loads = [_offer_of(grid, *change) for change in _changes(grid)]
    for (reading, quotation), other in others.items():
        loads.append(
            _offer_of(
                other, reading, quotation, other.jobs.processors.astype(np.float64), other.jobs.run_time
            )
        )
    return loads


def _offer_of(grid: GridWorkload, reading: str, quotation: str, size: Values, run: Values) -> Offered:
    sizes, weeks = grid.platform.sizes, len(grid)
    fits = (size > 0) & (size <= sizes[-1])
    home = grid.jobs.int_column("partition")
    area = np.where(fits, size * run, 0.0) / (grid.platform.processors * weeks * grid.recipe.weekdays.seconds)
    logs = len(grid.recipe.site_names)
    by_log = np.bincount(home, weights=area, minlength=logs + 1)[1:].astype(np.float64)
    by_site = np.bincount(np.searchsorted(sizes, size[fits]), minlength=len(sizes)).astype(np.float64)
    return Offered(reading, quotation, float(by_log.sum()), by_log, by_site / weeks)


def _changes(grid: GridWorkload) -> Iterator[Changed]:
    """Yield the readings that need no other workload than the default one."""
    jobs = grid.jobs
    size, run = jobs.processors.astype(np.float64), jobs.run_time
    request, used = jobs.requested_time, jobs.float_column("average_cpu_time")
    asked = jobs.int_column("requested_processors")
    yield "by default", "the filters it lists", size, run
    literal = transform.is_complete(jobs, literal=True)
    yield "its filters word for word", "the filters it lists", np.where(literal, size, 0.0), run
    ended = ~np.isin(jobs.int_column("status"), NOT_COMPLETED)
    yield "without jobs that failed or were canceled", SILENT, np.where(ended, size, 0.0), run
    yield "requested processors", "the filters name them", np.where(asked > 0, asked, size), run
    yield "nodes for SDSC-BLUE and SDSC-DS", "sizes in processors", _in_nodes(grid, jobs), run
    yield (
        "jobs are killed at their request",
        SILENT,
        size,
        np.where(request > 0, np.minimum(run, request), run),
    )
    yield "CPU times for run times", SILENT, size, np.where(used > 0, np.minimum(run, used), run)
    yield "run times x 0.5", SILENT, size, 0.5 * run


def _in_nodes(grid: GridWorkload, jobs: Workload) -> Values:
    codes = [code for code, site in enumerate(grid.recipe.site_names, 1) if site in _IN_NODES]
    size = jobs.processors.astype(np.float64)
    there = np.isin(jobs.int_column("partition"), codes)
    return np.where(there, np.ceil(size / _PROCESSORS_A_NODE), size)
