"""Study: many runs that one file describes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.experiments.study.file.axis import Axis
    from echelon.experiments.study.plan.search import Search

DEFAULT_MEASURES = ("mean_wait", "mean_bounded_slowdown", "utilization")


@dataclass(frozen=True, slots=True)
class Statistics:
    """How the runs of a study are compared.

    Parameters
    ----------
    baseline : mapping of str to str
        By axis the label of what the others are compared with; empty for none.
    level : float, default 0.95
        Of confidence intervals, 0 < level < 1.
    alpha : float, default 0.05
        Of tests: the error of the first kind that is allowed, 0 < alpha < 1.
    warm_up, cool_down : float, default 0
        Share of the jobs of each run, in the order of submission, that measures leave out at its beginning
        and its end; each >= 0, together < 1.
    precision : float, default 0.05
        Half width of an interval over the mean that replications should reach, > 0.
    pareto : tuple of tuples of str, default empty
        Two or three measures each, whose Pareto front is shown.
    """

    baseline: Mapping[str, str] = field(default_factory=dict)
    level: float = 0.95
    alpha: float = 0.05
    warm_up: float = 0.0
    cool_down: float = 0.0
    precision: float = 0.05
    pareto: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Execution:
    """How the runs are done, unless the command line says otherwise.

    Parameters
    ----------
    executor : str or None, default None
        ``"threads"``, ``"processes"`` or ``"dask"``; None leaves it to the runner.
    workers : int or None, default None
        How many runs at once, >= 1; None is one a core.
    dask : str, default ``""``
        Address of a scheduler of Dask; empty for a cluster on this machine.
    """

    executor: str | None = None
    workers: int | None = None
    dask: str = ""


@dataclass(frozen=True, slots=True)
class Study:
    """Many runs that one file describes; made by `read_study`.

    Parameters
    ----------
    name : str
        What reports call it.
    search : Search
        Which cases are run.
    axes : tuple of Choices or Range
        What varies, in the file's order, but for the seeds.
    fixed : mapping of str to object
        What all runs share, as the file says it.
    seeds : tuple of int, default empty
        Of the replications; empty if all runs have one and the same.
    shake : int or None, default None
        Of replications that are shaken copies of a log: most seconds that each submit time is moved by.
    blocks : float or None, default None
        Of replications that are blocks of one run: their length, in s.
    measures : tuple of str
        Metrics that tables and comparisons show, the most important first.
    statistics : Statistics
        How the runs are compared.
    execution : Execution
        How they are done.
    description : str, default ``""``
        What it is about.
    out : str or None, default None
        Folder for its results.
    file : str, default ``""``
        The file, as its user named it.
    text : str, default ``""``
        What the file says.
    """

    name: str
    search: Search
    axes: tuple[Axis, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    shake: int | None = None
    blocks: float | None = None
    measures: tuple[str, ...] = DEFAULT_MEASURES
    statistics: Statistics = Statistics()
    execution: Execution = Execution()
    description: str = ""
    out: str | None = None
    file: str = ""
    text: str = ""
