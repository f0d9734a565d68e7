"""How experiments of a study are run: part by part; setups with several seeds in several processes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, TypeVar

import numpy as np

from echelon.errors import InputError
from echelon.quantities import is_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.experiments.processes import Processes

    Progress: TypeAlias = Callable[[int, int | None], None]
    """Called with how much of a part is done and how much there is, if that is known."""
    Step: TypeAlias = Callable[[str], Progress | None]
    """Called with what is done next; returns the progress callable of that step, or None."""

    FloatTable: TypeAlias = NDArray[np.float64]
    """A row a seed, a column a measure."""

Case = TypeVar("Case", bound="Hashable")
Setup = TypeVar("Setup", bound="Hashable")
Outcome = TypeVar("Outcome")


class Parts:
    """Announces each part of a study, runs it, and notes how long it took.

    Parameters
    ----------
    step : callable, optional
        As for `echelon.reproduce.reproduce`.

    Attributes
    ----------
    step : callable or None
        The same, for what announces parts of its own.
    seconds : dict of str to float
        What each part took, in wall-clock seconds.
    """

    def __init__(self, step: Step | None = None) -> None:
        self.step = step
        self.seconds: dict[str, float] = {}

    def __call__(self, what: str, work: Callable[[Progress | None], Outcome]) -> Outcome:
        """Return what `work` gives, a part of this name."""
        began = perf_counter()
        outcome = work(self.step(what) if self.step else None)
        self.seconds[what] = round(perf_counter() - began, 1)
        return outcome

    def each(
        self, what: str, cases: Iterable[str], work: Callable[[str, Progress | None], Outcome]
    ) -> dict[str, Outcome]:
        """Return what `work` gives on each case, each a part of its own."""
        return {case: self(f"{case}, {what}", partial(work, case)) for case in cases}


def check_count(count: object, *, least: int, most: int, field: str) -> None:
    """Refuse a number of seeds, weeks ... that is no whole number within its bounds.

    Raises
    ------
    InputError
        If `count` is not a whole number from `least` to `most`; `field` says of what.
    """
    if not is_whole(count) or not least <= count <= most:
        raise InputError(f"must be a whole number from {least} to {most}, got {count!r}", field=field)


@dataclass(frozen=True, slots=True)
class SeedSettings:
    """How much of a study with repetitions is run.

    Parameters
    ----------
    seeds : int
        Repetitions of each case, 2 to `most`: two are the fewest that have an interval.
    quick : bool, default False
        Fewer cases of what is only set beside the study's own.

    Raises
    ------
    InputError
        If `seeds` is out of its bounds.
    """

    seeds: int
    quick: bool = False

    usual: ClassVar[int] = 100
    preview: ClassVar[int] = 5
    most: ClassVar[int] = 10_000
    """Seeds by default, if quick, and at most."""

    def __post_init__(self) -> None:
        check_count(self.seeds, least=2, most=self.most, field="seeds")

    @classmethod
    def of(cls, *, seeds: int | None = None, quick: bool = False) -> Self:
        """Return them from what is said: by default the usual number of seeds, if `quick` a preview."""
        return cls((cls.preview if quick else cls.usual) if seeds is None else seeds, quick)


def measure_by_seed(
    setups: Mapping[Case, Setup],
    seeds: int,
    measure: Callable[[Setup, int], Sequence[float]],
    processes: Processes,
    *,
    progress: Progress | None = None,
    tasks_a_setup: int | None = None,
) -> dict[Case, FloatTable]:
    """Return the measures of every setup by seed, shape (n_seeds, n_measures).

    Parameters
    ----------
    setups : mapping of case to setup
        What is run; setups that are alike are run once.
    seeds : int
        Each is run with the seeds from 0, so that all have the same random numbers in common.
    measure : callable (setup, seed) -> sequence of float
        Runs a setup once; a function of a module, as it is sent to other processes.
    processes : Processes
        Where it is run.
    progress : callable, optional
        Called with how many tasks are done, and how many there are.
    tasks_a_setup : int, optional
        Into how many tasks the seeds of a setup are split, where a run is short against what it costs to
        send it. Default: a task a seed.
    """
    different = list(dict.fromkeys(setups.values()))
    parts = [range(first, seeds, tasks_a_setup or seeds) for first in range(tasks_a_setup or seeds)]
    tasks = [(measure, setup, part) for setup in different for part in parts if part]
    rows: dict[Setup, dict[int, Sequence[float]]] = {setup: {} for setup in different}
    for (_, setup, part), measures in zip(tasks, processes.each(_measure_task, tasks, progress), strict=True):
        rows[setup].update(zip(part, measures, strict=True))
    tables = {setup: np.array([by_seed[seed] for seed in range(seeds)]) for setup, by_seed in rows.items()}
    return {case: tables[setup] for case, setup in setups.items()}


def _measure_task(
    task: tuple[Callable[[Setup, int], Sequence[float]], Setup, range],
) -> list[Sequence[float]]:
    measure, setup, seeds = task
    return [measure(setup, seed) for seed in seeds]


def tables_of(cases: Mapping[Any, FloatTable], **fields: object) -> list[FloatTable]:
    """Return the tables of the cases that have these values in these fields, in order.

    Parameters
    ----------
    cases : mapping of a named tuple to array of shape (n_seeds, n_measures)
        As of `measure_by_seed`.
    **fields
        Values by the names of fields of the cases: ``broker="TAT"``.
    """
    return [
        table
        for case, table in cases.items()
        if all(getattr(case, name) == value for name, value in fields.items())
    ]


def mean_table(cases: Mapping[Any, FloatTable], **fields: object) -> FloatTable:
    """Return the mean over these cases, by seed and measure; see `tables_of`."""
    return np.asarray(np.mean(tables_of(cases, **fields), axis=0))
