"""Tables of ours that the grid study has no printed numbers for, or whose figures are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import friedman_test, t_interval
from echelon.metrics import transfer_percentages
from echelon.reproduce.grid.data import MAIN, NINE, WITH, WITHOUT, read_printed
from echelon.reproduce.grid.load import implied_jobs
from echelon.reproduce.grid.load_listings import load_listings
from echelon.reproduce.grid.one_level import RIVALS, VARIANTS
from echelon.reproduce.grid.readings import Tried, Untried
from echelon.reproduce.grid.two_levels import MAIN_ROWS, degradations
from echelon.reproduce.machinery.listing import Listing, listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.reproduce.grid.experiments import Experiments
    from echelon.reproduce.grid.one_level import OneLevel
    from echelon.reproduce.grid.two_levels import TwoLevels
    from echelon.reproduce.grid.workloads import Character
    from echelon.reproduce.machinery.listing import Row
    from echelon.reproduce.machinery.order_agreement import OrderAgreement
    from echelon.workloads.grid import GridWorkload


def listings(experiments: Experiments) -> list[Listing]:
    """Return all of them, in the order in which they are shown."""
    evidence = experiments.evidence
    return [
        *load_listings(experiments),
        readings_listing(experiments.readings),
        intervals_listing(evidence.two),
        ranks_listing(evidence.two),
        sweep_listing(experiments.sweeps),
        one_level_listing(evidence.one),
        work_listing(evidence.one),
        nearness_listing(evidence.one),
        workloads_listing(evidence.character),
        logs_listing(experiments.grids),
        homes_listing(evidence.character),
    ]


@listing(
    "readings",
    "Alternative readings of the text, each tried alone",
    ("Open", "Reading", "Grid", "Compared with the default", "Kendall's tau", "Spearman's rho", "Log-ratio"),
    "Agreement with tables 10 (Grids 1 and 2) and 12 (Grid 3), mean over the ten metrics: of the "
    "order of strategies (1 is the same), and of the size of degradations (0 is the same, 0.69 a "
    "factor of 2).",
    labels=4,
)
def readings_listing(readings: Sequence[Tried | Untried]) -> Iterator[Row]:
    """Return how each reading agrees with the printed tables, beside the default on the same grid."""
    tried = [one for one in readings if isinstance(one, Tried)]
    defaults = {one.grid: one.agreement for one in tried if one.reading.name == "default"}
    for one in readings:
        where = one.reading.question, one.reading.name, one.grid
        if isinstance(one, Untried):
            yield (*where, f"not tried: {one.why_not}", float("nan"), float("nan"))
        else:
            yield (*where, _better(one, defaults[one.grid]), *one.agreement)


def _better(one: Tried, base: OrderAgreement) -> str:
    if one.reading.name == "default":
        return ""
    order, size = one.agreement.kendall - base.kendall, base.log_ratio - one.agreement.log_ratio
    if abs(order) < 5e-4 and abs(size) < 5e-4:
        return "the same"
    if order >= 0 and size >= 0:
        return "better"
    if order <= 0 and size <= 0:
        return "worse"
    return "better in order, worse in size" if order > 0 else "worse in order, better in size"


_SIZES = (1, 2, 4, 8, 32)
"""Processors of jobs whose shares are shown."""


@listing(
    "workloads",
    "The workloads",
    (
        "Grid",
        "Jobs a week",
        "Load",
        "At most 32, %",
        *(f"{size} processors, %" for size in _SIZES),
        "By day, %",
        "Ended by a single job, %",
    ),
    "Load is work over processors times the days taken. Grid 3 in print: 37, 23, 10, 6 and 5 % of 1, "
    "2, 4, 8 and 32 processors.",
)
def workloads_listing(character: Mapping[str, Character]) -> Iterator[Row]:
    """Return what the workloads are like."""
    for grid, one in character.items():
        shares = (one.small, *(one.sizes[size] for size in _SIZES), one.daytime, one.lone_job)
        yield (grid, one.jobs_a_week, one.load, *(100 * share for share in shares))


@listing(
    "logs",
    "Contribution of each log",
    ("Grid", "Home site", "Log", "Begin of the first week", "Processors", "Jobs", "Dropped", "Jobs a week"),
    "Dropped are jobs that lack a field, or that are too large for Grid 3; experiment k takes week k "
    "of every log from its first full one.",
    labels=4,
)
def logs_listing(grids: Mapping[str, GridWorkload]) -> Iterator[Row]:
    """Return what each log gave."""
    for grid, jobs in grids.items():
        for one in jobs.contributions:
            log = f"{one.log}, a model" if one.stand_in else one.log
            dropped = sum(reason.count for reason in one.dropped)
            yield (grid, one.site, log, one.begins, one.processors, one.jobs, dropped, one.given / len(jobs))


@listing(
    "homes",
    "Jobs of an experiment by the smallest site that holds them",
    ("Grid", "Site", "Implied by tables 8 and 9", "Ours"),
    "Table 8 over table 9 is constant in each row, so that table 9 is of jobs, although its text refers to "
    "work; the constant is the number of jobs of each site in an experiment.",
    labels=2,
)
def homes_listing(character: Mapping[str, Character]) -> Iterator[Row]:
    """Return jobs an experiment by the smallest site that holds them, beside what tables 8 and 9 imply."""
    for letter, grid in (("a", "Grid 1"), ("b", "Grid 2")):
        if grid not in character:
            continue
        both = zip(implied_jobs(letter), character[grid].by_site, strict=True)
        yield from [
            (grid, f"site {place}", theirs, float(ours)) for place, (theirs, ours) in enumerate(both, 1)
        ]


@listing(
    "one-level",
    "Without a broker",
    (
        "Grid",
        "Variant",
        *("rho", "SD_b", "t_w, s", "Std of rho"),
        *(f"{symbol}, % worse" for symbol in MAIN),
        "Rank",
    ),
    "Means over the experiments; the figures 31 to 34 that showed them are lost. ST50 is with first "
    "fit, its sets in the order A, H, B; the rank is among the variants of the study's figures.",
    labels=2,
)
def one_level_listing(experiments: Mapping[str, OneLevel]) -> Iterator[Row]:
    """Return what each variant without a broker gave."""
    for grid, one in experiments.items():
        percent = dict(zip(VARIANTS, degradations(one.values(tuple(VARIANTS)))[MAIN_ROWS].T, strict=True))
        rank = dict(zip(RIVALS, one.ranks().tolist(), strict=True))
        for name in VARIANTS:
            metrics = [one.metric(symbol, (name,)) for symbol in MAIN]
            means, spread = (float(values.mean()) for values in metrics), float(metrics[0].std())
            yield (grid, name, *means, spread, *map(float, percent[name]), rank.get(name, float("nan")))


@listing(
    "migrated-work",
    "ST50: share of the work of a site that migrated, %",
    ("Grid", "From", *(f"To site {place}" for place in range(1, 10)), "Total"),
    "The quantity that table 9 names.",
    labels=2,
)
def work_listing(experiments: Mapping[str, OneLevel]) -> Iterator[Row]:
    """Return the share of work, not of jobs, that migrated under ST50."""
    for grid, one in experiments.items():
        shares = transfer_percentages(one.mean_moves(what="work"))
        for place, row in enumerate(shares, 1):
            lacking = [float("nan")] * (9 - len(row))
            yield (grid, f"site {place}", *map(float, row), *lacking, float(row.sum()))


@listing(
    "stealing",
    "Variants of stealing beside table 9",
    ("Grid", "Variant", "Mean difference", "Largest difference"),
    "In percentage points of a home's jobs, over the pairs of a home and a larger site. The smallest value "
    "shows which reading of the algorithm is nearest to the printed table.",
    labels=2,
)
def nearness_listing(experiments: Mapping[str, OneLevel]) -> Iterator[Row]:
    """Return how far each variant of stealing is from the migration that tables 9 show."""
    for grid, one in experiments.items():
        table = read_printed({"Grid 1": "table9a", "Grid 2": "table9b"}[grid])
        theirs = np.array([list(table.numbers(*labels).values())[:-1] for labels in table.rows])
        counted = np.triu(np.ones_like(theirs, dtype=bool), 1)
        for name in (name for name in VARIANTS if name.startswith("ST")):
            apart = np.abs(transfer_percentages(one.mean_moves(name)) - theirs)[counted]
            yield (grid, name, float(apart.mean()), float(apart.max()))


@listing(
    "intervals",
    "Two levels: means over the experiments and their 95 % intervals",
    ("Grid", "Strategy", "a", *(head for symbol in MAIN for head in (symbol, "from", "to"))),
    "By Student's t. The waits are in seconds. The tests of ranks decide whether two strategies differ: "
    "they compare within each week, whereas intervals over weeks that differ much are wide.",
    labels=3,
)
def intervals_listing(experiments: Mapping[str, TwoLevels]) -> Iterator[Row]:
    """Return what each strategy gave, with the 95 % intervals of the means over the experiments."""
    for grid, one in experiments.items():
        for factor, values in ((WITHOUT, one.without), (WITH, one.with_)):
            triples = np.stack([_mean_and_bounds(values[row]) for row in MAIN_ROWS])
            for place, name in enumerate(NINE):
                yield (grid, name, factor, *map(float, triples[:, :, place].ravel()))


def _mean_and_bounds(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return mean, lower and upper bound of each strategy, shape (3, n_strategies); of one week no bounds."""
    if len(values) < 2:
        return np.stack([values.mean(axis=0), *[np.full(values.shape[1], np.nan)] * 2])
    interval = t_interval(values)
    return np.stack([interval.mean, interval.low, interval.high])


@listing(
    "sweep",
    "Factors of admissibility: mean of the degradations by rho, SD_b and t_w, %",
    ("Grid", "a", *NINE),
    "Against the best of all strategies and factors on the grid.",
    labels=2,
)
def sweep_listing(sweeps: Mapping[str, Mapping[float, Sequence[float]]]) -> Iterable[Row]:
    """Return the mean degradation by the three metrics for each factor of admissibility."""
    return [
        (grid, f"{factor:g}", *values) for grid, sweep in sweeps.items() for factor, values in sweep.items()
    ]


@listing(
    "ranks",
    "Mean ranks over the experiments, without admissibility",
    ("Grid", "Metric", *NINE, "Friedman's p", "Critical difference"),
    "Strategies whose mean ranks differ by more than the critical difference are different at the "
    "level 0.05 (Nemenyi). A rank counts each experiment alike, unlike a degradation of means.",
    labels=2,
)
def ranks_listing(two: Mapping[str, TwoLevels]) -> Iterator[Row]:
    """Return mean ranks and what Friedman's test says of them."""
    for grid, experiment in two.items():
        for symbol, place in zip(MAIN, MAIN_ROWS, strict=True):
            values = experiment.without[place]
            if len(values) > 1:
                test = friedman_test(values)
                yield (grid, symbol, *test.mean_ranks.tolist(), test.p_value, test.critical_difference)
