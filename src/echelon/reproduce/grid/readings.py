"""Readings: where the grid study's text allows several, each tried alone, and how well it fits the tables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.errors import InputError
from echelon.reproduce.grid.data import LEVEL_FOUR, METRICS, NINE, SPECS, WITH, WITHOUT, read_printed
from echelon.reproduce.grid.two_levels import TwoLevels, setups_of, stack_measures
from echelon.reproduce.machinery.order_agreement import mean_agreement, order_agreement
from echelon.workloads.grid import grid_workload

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.reproduce.grid.setups import Laboratory, Setup
    from echelon.reproduce.machinery.experiments import Progress
    from echelon.reproduce.machinery.order_agreement import OrderAgreement


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read what the study's text leaves open.

    Parameters
    ----------
    question : str
        What is open.
    name : str
        The answer; unique in its question.
    specs : mapping of str to str
        The specs of strategies that differ from `SPECS`; default none.
    policy, estimates : str
        Of the sites; default EASY, and the request or, if that is less, the run time.
    factor : str
        The admissibility with a = 0.5.
    average : {"values", "degradations"}
        As of `degradations`.
    recipe : mapping of str to object
        Fields of the workload's recipe that are other; default none.
    """

    question: str
    name: str
    specs: Mapping[str, str] = field(default_factory=dict)
    policy: str = "easy"
    estimates: str = "raise"
    factor: str = WITH
    average: str = "values"
    recipe: Mapping[str, Any] = field(default_factory=dict)

    def setups(self, grid: str) -> list[Setup]:
        """Return what is run on a grid; a = 0.5, last, only on Grid 3, as for others nothing is printed."""
        specs = {**SPECS, **self.specs}
        return [
            setup
            for factor in ((WITHOUT, self.factor) if grid.startswith(_PRINTED_WITH) else (WITHOUT,))
            for setup in setups_of(grid, factor, specs=specs, policy=self.policy, estimates=self.estimates)
        ]


def _in_state(names: Sequence[str], state: str) -> dict[str, str]:
    return {name: f"{SPECS[name]}:grid-state={state}" for name in names}


_COUNTING = ("MLp", "MPL", "LBal_S", "MLB")

_PRINTED_WITH = "Grid 3"

DEFAULT = Reading("default", "default")

LOAD_FACTOR = 0.5
"""On run times: of those tried, the one whose best wait is nearest to the printed share of turnaround."""

READINGS: tuple[Reading, ...] = (
    Reading("local scheduler BEFF", "conservative", policy="conservative"),
    Reading("completion of MCT", "with the job: of=after", specs={"MCT": "mct:of=after"}),
    Reading("completion of MCT", "of the job: of=job", specs={"MCT": "mct:of=job"}),
    Reading("schedule of MCT, MST, MWT, MWWT_S", "grid-state=actual", specs=_in_state(LEVEL_FOUR, "actual")),
    Reading("counts of MLp, MPL, LBal_S, MLB", "grid-state=planned", specs=_in_state(_COUNTING, "planned")),
    Reading(
        "jobs of MWT, MWWT_S",
        "jobs=assigned",
        specs={"MWT": "mwt:jobs=assigned", "MWWT_S": "mwwt-s:jobs=assigned"},
    ),
    Reading(
        "sites of equal size at the end of the admissible range", "all of them", factor=f"{WITH}:equal-sizes"
    ),
    Reading("estimates", "exact", estimates="exact"),
    Reading("estimates", "jobs are killed at their request", estimates="kill"),
    Reading("mean over the weeks", "of degradations, week by week", average="degradations"),
    Reading("hours of the logs", "each site's own", recipe={"hours": "own"}),
    Reading("filters", "literal", recipe={"filters": "literal"}),
    Reading("filters", "completed jobs alone", recipe={"filters": "completed"}),
    *(
        Reading("load", f"run times x {factor:g}", recipe={"run_times": factor})
        for factor in (0.7, LOAD_FACTOR, 0.4)
    ),
    Reading("sizes of jobs", "requested", recipe={"sizes": "requested"}),
    Reading("days", "the whole week", recipe={"days": "mon-sun"}),
    Reading("weeks of the logs", "from the 11th on", recipe={"first_week": 11}),
)
"""Each differs from the default in one thing."""

EXACT = next(reading for reading in READINGS if reading.estimates == "exact")
LOADS = tuple(
    reading for reading in READINGS if reading.question == "load" or "completed" in reading.recipe.values()
)
"""Those that change how busy a grid is by much: tried on all weeks of Grid 1."""
LOAD = next(reading for reading in LOADS if reading.recipe.get("run_times") == LOAD_FACTOR)
"""The one under which claims of Grid 1 are judged once more."""


class Tried(NamedTuple):
    """A reading on one grid, and what it gave.

    Attributes
    ----------
    reading : Reading
        Which.
    grid : str
        Where.
    agreement : OrderAgreement
        With the tables of the grid: mean over the ten metrics.
    means : TwoLevels
        Its result.
    """

    reading: Reading
    grid: str
    agreement: OrderAgreement
    means: TwoLevels


class Untried(NamedTuple):
    """A reading that could not be tried on one grid, and why not, as a clause."""

    reading: Reading
    grid: str
    why_not: str


def agreement_with_print(grid: str, experiment: TwoLevels) -> OrderAgreement:
    """Return how like the printed degradations ours are: table 12 on Grid 3, else table 10's rows."""
    percent = experiment.percent("both" if grid == "Grid 3" else WITHOUT)
    rows = []
    for place, symbol in enumerate(METRICS):
        texts = (
            read_printed("table12").rows[(symbol,)]
            if grid == "Grid 3"
            else read_printed("table10").rows[symbol, grid]
        )
        rows.append(order_agreement([float(text) for text in texts], percent[place]))
    return mean_agreement(rows)


def try_reading(
    laboratory: Laboratory,
    grid: str,
    reading: Reading,
    weeks: int | None = None,
    progress: Progress | None = None,
) -> Tried:
    """Run a reading on the first `weeks` weeks of a grid, and say how it agrees.

    Raises
    ------
    InputError
        If the logs do not suffice for it.
    """
    name = name_workload(laboratory, grid, reading, weeks=weeks) if reading.recipe else grid
    setups = reading.setups(name)
    measures = laboratory.measures(setups, weeks=weeks, progress=progress)
    nine = len(NINE)
    without, with_ = (stack_measures(measures, part) for part in (setups[:nine], setups[-nine:]))
    experiment = TwoLevels(without, with_, reading.average)
    return Tried(reading, grid, agreement_with_print(grid, experiment), experiment)


def attempt_reading(
    laboratory: Laboratory, grid: str, reading: Reading, weeks: int, progress: Progress | None = None
) -> Tried | Untried:
    """Run a reading as `try_reading` does, or say why the logs do not suffice for it."""
    if reading.recipe:
        try:
            name_workload(laboratory, grid, reading, weeks=weeks)
        except InputError as error:
            return Untried(reading, grid, str(error))
    return try_reading(laboratory, grid, reading, weeks, progress)


def name_workload(laboratory: Laboratory, grid: str, reading: Reading, *, weeks: int | None = None) -> str:
    """Return the name under which the laboratory has a reading's own workload; it is made if it is not there.

    Raises
    ------
    InputError
        If the logs do not suffice for it.
    """
    name = f"{grid}, {reading.question}: {reading.name}"
    recipe = laboratory.grids[grid].recipe
    wanted = min(weeks or recipe.weeks, recipe.weeks)
    if name not in laboratory.grids or len(laboratory.grids[name]) < wanted:
        laboratory.grids[name] = grid_workload(replace(recipe, **reading.recipe, weeks=wanted))
    return name


def applies(reading: Reading, grid: str) -> bool:
    """Return whether a reading can matter on a grid: of factors that differ, what is printed is of Grid 3."""
    return reading.factor == WITH or grid == "Grid 3"
