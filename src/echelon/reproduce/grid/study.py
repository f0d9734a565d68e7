"""The grid study of CICESE: brokers and admissibility on two levels, stealing and exchange on one.

Source: Quezada Pina, doctoral thesis, CICESE, Ensenada 2012. It ran nine strategies of a broker, each with
and without adaptive admissibility, over EASY at the sites, and decentralized protocols, in its simulator
GSimula. How it is read where its text is open is in `readings`; each other reading is tried alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.grid.claims.all_claims import CONCLUSIONS, judge_claims
from echelon.reproduce.grid.consistency import consistency
from echelon.reproduce.grid.data import EIGHTEEN, METRICS, SPECS
from echelon.reproduce.grid.experiments import QUICK_WEEKS, WEEKS, Experiments, GridSettings, experiments
from echelon.reproduce.grid.listings import listings
from echelon.reproduce.grid.load import implied_shares, wait_shares
from echelon.reproduce.grid.pictures import pictures
from echelon.reproduce.grid.readings import LOAD, Tried
from echelon.reproduce.grid.tables import migration_tables, two_level_tables
from echelon.reproduce.machinery.published_study import PublishedStudy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from echelon.reproduce.grid.readings import Untried
    from echelon.reproduce.grid.two_levels import TwoLevels
    from echelon.reproduce.machinery.printed_table import PrintedTable


_MEANS = (
    "Degradations are of the means over the experiments. The text says that the degradations of each "
    "experiment are averaged; but every printed row has a best of 0, which that gives only if one strategy "
    "is best in all 30 experiments, and the printed degradations in WTA and WWT_s stand in one ratio on each "
    "grid, which only those of means do. The other way is among the readings."
)
_EXPECT = (
    "Digits are not expected to agree: the logs are later versions, the weeks are not stated, and ties are "
    "not defined. The agreement of the orders is more informative. The numbers of jobs in the study's tables "
    "1 and 2 do not differ: they are the MaxJobs of the cleaned logs' headers, which count the jobs before "
    "cleaning (HPC2N: 527,371, of which 202,871 are left)."
)


def notes(results: Experiments, settings: GridSettings) -> list[str]:
    """Return the notes, in the order of a reader's questions."""
    cases = results.evidence.cases
    return [
        *(f"{grid} is not testable: {case.missing}." for grid, case in cases.items() if case.missing),
        *(f"{grid} is {_clause(case.apart)}." for grid, case in cases.items() if case.apart),
        *([] if settings.weeks == 30 else [f"Only {settings.weeks} of 30 weekly experiments were run."]),
        _EXPECT,
        _MEANS,
        *_load(results),
        *_fits(results.readings),
        *(one.sentence() for one in consistency()),
    ]


def _load(results: Experiments) -> Iterator[str]:
    """Yield what is known of the load of Grid 1, which no reading of the text explains."""
    loaded = [(one, load) for one, load in results.loads if one.reading is LOAD]
    for one, load in loaded:
        base, first = results.loads[0]
        ours, theirs, other = (
            share.jobs
            for share in (wait_shares(base.means), implied_shares("Grid 1"), wait_shares(one.means))
        )
        yield (
            f"Load of Grid 1: the printed ratios imply a best wait of {theirs:.1f} % of turnaround, ours is "
            f"{ours:.1f} % at a load of {first:.2f}. The text gives no load, and no reason for a lower one: "
            "no filter that it lists and no choice of days changes it by enough, and dropping jobs that did "
            "not complete, or counting nodes for processors, contradicts the numbers of jobs that its tables "
            f"8 and 9 imply. So the literal reading decides. With {LOAD.name}, a load of {load:.2f}, the "
            f"best wait is {other:.1f} %; claims of Grid 1 are judged at that load, too."
        )


def of_sizes(results: Experiments) -> str:
    """Say that the sizes of degradations on Grid 1 depend on a load, if ours is not like the printed one."""
    if not results.loads:
        return ""
    base, _ = results.loads[0]
    if wait_shares(base.means).jobs < _BUSIER * implied_shares("Grid 1").jobs:
        return ""
    return (
        "The size of the differences on Grid 1 depends on the load, which is not printed and, as the printed "
        "ratios imply, was lower than ours."
    )


_BUSIER = 2.0
"""From how many times the printed share of waiting on ours is said to be of another load."""


def _clause(apart: str) -> str:
    return apart if apart.startswith("without") else f"partly of a model: {apart}"


def _fits(readings: Sequence[Tried | Untried]) -> Iterator[str]:
    """Yield a sentence a grid: which readings are nearer to what was printed than the default is."""
    tried = [one for one in readings if isinstance(one, Tried)]
    for base in (one for one in tried if one.reading.name == "default"):
        others = [one for one in tried if one.grid == base.grid and one is not base]
        order = [one for one in others if one.agreement.kendall > base.agreement.kendall + 5e-4]
        size = [one for one in others if one.agreement.log_ratio < base.agreement.log_ratio - 5e-4]
        yield (
            f"{base.grid}, default: Kendall's tau {base.agreement.kendall:.3f}, log-ratio "
            f"{base.agreement.log_ratio:.3f}. Nearer in order: {_name_readings(order, 0)}. Nearer in size: "
            f"{_name_readings(size, 2)}."
        )


def _name_readings(readings: list[Tried], number: int) -> str:
    descriptions = [
        f"{one.reading.question}, {one.reading.name} ({one.agreement[number]:.3f})"
        for one in sorted(readings, key=lambda one: one.agreement[number], reverse=number == 0)
    ]
    return "; ".join(descriptions) or "none"


def values_file(experiment: TwoLevels) -> Callable[[], bytes]:
    """Return what writes the file: a line a week and strategy, times in seconds."""

    def write() -> bytes:
        lines = [",".join(("week", "strategy", *METRICS))]
        for week, strategies in enumerate(experiment.both.transpose(1, 2, 0).tolist(), 1):
            for name, metrics in zip(EIGHTEEN, strategies, strict=True):
                lines.append(",".join((str(week), name, *map(repr, metrics))))
        return ("\n".join(lines) + "\n").encode()

    return write


def _place(table: PrintedTable) -> tuple[int, str]:
    _, number, *letter = table.name.split()
    return int(number), "".join(letter)


def _setting(results: Experiments, settings: GridSettings) -> dict[str, object]:
    return {
        "weeks": settings.weeks,
        "stand_ins": settings.stand_ins,
        "grids": {
            grid: f"{len(jobs.jobs)} jobs, {len(jobs.platform)} sites, {jobs.platform.processors} "
            "processors, "
            f"{jobs.recipe.days}, clock of {jobs.recipe.time_zone}"
            for grid, jobs in results.grids.items()
        },
        "local_scheduler": "easy",
        "estimates": "raise",
        "strategies": dict(SPECS),
        "metrics": list(METRICS),
        "sweep": list(settings.sweep),
        "simulations": results.runs,
        "seconds_by_part": dict(results.seconds),
    }


def _settings(*, weeks: int | None = None, quick: bool = False, stand_ins: bool = False) -> GridSettings:
    """Return how much is run: by default 30 weeks, the study's number; if `quick` 2, and fewer readings."""
    chosen = weeks if weeks is not None else QUICK_WEEKS if quick else WEEKS
    return GridSettings(chosen, quick, stand_ins)


def _tables(results: Experiments) -> list[PrintedTable]:
    evidence = results.evidence
    tables = [
        *two_level_tables(evidence.two, evidence.cases),
        *migration_tables(evidence.one, evidence.cases),
    ]
    return sorted(tables, key=_place)


PUBLISHED = PublishedStudy(
    name="grid",
    title="Nine strategies of a broker with and without admissibility, stealing and exchange without one",
    source="Quezada Pina, doctoral thesis on scheduling in hierarchical and decentralized grids, CICESE, "
    "Ensenada 2012",
    needs="kth-sp2, sdsc-sp2, hpc2n, ctc-sp2, lanl-cm5, sdsc-blue, sdsc-ds; for Grid 2 the five DAS-2 logs, "
    "das2-fs0 to das2-fs4, or --stand-ins; the extra stats",
    takes="6 min",
    # The study's versions of the logs and its weeks are not to be had.
    to_the_digit=False,
    options=("weeks", "quick", "stand_ins"),
    settings=_settings,
    experiments=experiments,
    judged=lambda study: judge_claims(study.evidence),
    points=CONCLUSIONS,
    remark=of_sizes,
    setting=_setting,
    tables=_tables,
    listings=lambda study, _: listings(study),
    pictures=lambda study: pictures(study.evidence.two, study.evidence.one, study.sweeps),
    notes=notes,
    files=lambda study: {
        f"{grid.lower().replace(' ', '-')}-two-levels.csv": values_file(values)
        for grid, values in study.evidence.two.items()
    },
)
GRID = PUBLISHED.study
