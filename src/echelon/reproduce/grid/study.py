"""The grid study of CICESE: brokers and admissibility on two levels, stealing and exchange on one.

Source: Quezada Pina, doctoral thesis, CICESE, Ensenada 2012. It ran nine strategies of a broker, each with
and without adaptive admissibility, over EASY at the sites, and arrangements without a broker, in its
simulator GSimula. How it is read where its text is open is in `readings`; each other reading is tried alone.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from echelon.analysis.scipy_stats import scipy_stats
from echelon.reproduce.grid.claims import CONCLUSIONS, judged
from echelon.reproduce.grid.experiments import experiments
from echelon.reproduce.grid.listings import listings
from echelon.reproduce.grid.migration import migration_tables
from echelon.reproduce.grid.notes import notes, of_sizes
from echelon.reproduce.grid.pictures import pictures
from echelon.reproduce.grid.settings import QUICK_WEEKS, WEEKS, GridSettings
from echelon.reproduce.grid.strategies import METRICS, WORDS
from echelon.reproduce.grid.tables import two_level_tables
from echelon.reproduce.grid.values_file import values_file
from echelon.reproduce.machinery.conclusion import conclude
from echelon.reproduce.machinery.study import Reproduction, Study

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.grid.experiments import Experiments
    from echelon.reproduce.machinery.parts import Step
    from echelon.reproduce.machinery.printed_table import PrintedTable


def run(
    step: Step | None = None, *, weeks: int | None = None, quick: bool = False, stand_ins: bool = False
) -> Reproduction:
    """Run the study's experiments and set its tables and claims beside ours.

    Parameters
    ----------
    step : callable, optional
        As for `echelon.reproduce.reproduce`.
    weeks : int, optional
        Weekly experiments of each grid, 1 to 30. Default 30, the study's number; 2 if `quick`.
    quick : bool, default False
        Few weeks and factors of admissibility, and other readings only on Grid 3, the fastest.
    stand_ins : bool, default False
        Let jobs of the Lublin-Feitelson model stand in for logs that are missing, those of DAS-2. By default
        Grid 2 is not testable then, and Grid 3 is of the logs that are there.

    Raises
    ------
    InputError
        If `weeks` is out of its bounds, or no grid's logs are to be had.
    MissingExtraError
        If scipy, whose tests claims are judged by, is not installed.
    """
    began = perf_counter()
    scipy_stats()
    chosen = weeks if weeks is not None else QUICK_WEEKS if quick else WEEKS
    settings = GridSettings(chosen, quick, stand_ins)
    found = experiments(settings, step)
    evidence = found.evidence
    claims = judged(evidence)
    tables = [
        *two_level_tables(evidence.two, evidence.cases),
        *migration_tables(evidence.one, evidence.cases),
    ]
    return Reproduction(
        study=GRID,
        setting={**_setting(found, settings), "seconds": perf_counter() - began},
        printed=(),
        claims=claims,
        tables=sorted(tables, key=_place),
        listings=listings(found),
        conclusion=f"{conclude(claims, CONCLUSIONS)} {of_sizes(found)}".rstrip(),
        pictures=pictures(evidence.two, evidence.one, found.sweeps),
        notes=notes(found, settings),
        files={
            f"{grid.lower().replace(' ', '-')}-two-levels.csv": values_file(values)
            for grid, values in evidence.two.items()
        },
    )


def _place(table: PrintedTable) -> tuple[int, str]:
    _, number, *letter = table.name.split()
    return int(number), "".join(letter)


def _setting(found: Experiments, settings: GridSettings) -> Mapping[str, object]:
    return {
        "weeks": settings.weeks,
        "stand_ins": settings.stand_ins,
        "grids": {
            grid: f"{len(jobs.jobs)} jobs, {len(jobs.platform)} sites, {jobs.platform.processors} "
            "processors, "
            f"{jobs.recipe.days}, clock of {jobs.recipe.time_zone}"
            for grid, jobs in found.grids.items()
        },
        "local_scheduler": "easy",
        "estimates": "raise",
        "strategies": dict(WORDS),
        "metrics": list(METRICS),
        "sweep": list(settings.sweep),
        "simulations": found.runs,
        "seconds_by_part": dict(found.seconds),
    }


GRID = Study(
    name="grid",
    title="Nine strategies of a broker with and without admissibility, stealing and exchange without one",
    source="Quezada Pina, doctoral thesis on scheduling in hierarchical and decentralized grids, CICESE, "
    "Ensenada 2012",
    needs="kth-sp2, sdsc-sp2, hpc2n, ctc-sp2, lanl-cm5, sdsc-blue, sdsc-ds; for Grid 2 the five DAS-2 logs, "
    "das2-fs0 to das2-fs4, or --stand-ins; the extra stats",
    run=run,
    takes="6 min",
    settings=("weeks", "quick", "stand_ins"),
    # The study's versions of the logs and its weeks are not to be had.
    to_the_digit=False,
)
