"""The tables of a study file, as pydantic checks them; axes and what they set are read by `axis_reading`.

A description up to its semicolon is what error messages expect.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from echelon.experiments.study.plan.study import DEFAULT_MEASURES

SearchKind = Literal["product", "list", "random", "latin-hypercube", "successive-halving"]
KINDS: tuple[str, ...] = get_args(SearchKind)
MEASURE = "x-measure"
"""Marks, in the schema that pydantic makes, the name of a metric."""

_Measure = Annotated[str, Field(min_length=1, json_schema_extra={MEASURE: True})]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SearchTable(_Table):
    """Which combinations of the axes are run; by default all."""

    kind: SearchKind | None = Field(
        default=None, description=f"one of {', '.join(KINDS)}; how combinations are found, default product"
    )
    samples: int | None = Field(
        default=None,
        ge=1,
        description="a whole number >= 1; how many combinations are drawn, of random and latin-hypercube; of "
        "successive-halving how many it begins with, default all",
        examples=[64],
    )
    seed: int | None = Field(default=None, ge=0, description="a whole number >= 0; of the draws, default 0")
    within: list[str] | None = Field(
        default=None,
        description="a list of names of axes; every combination of their values gets the samples, or a "
        "contest, of its own, default the axes that say what is scheduled: workload, platform, load ...",
        examples=[["workload", "load"]],
    )
    measure: _Measure | None = Field(
        default=None,
        description="a metric's name; what successive-halving goes by, default the first of measures",
    )
    goal: Literal["min", "max"] | None = Field(
        default=None,
        description="min or max; whether the measure should be low or high, default as is good for it",
    )
    eta: float | None = Field(
        default=None,
        gt=1,
        description="a number > 1; one in so many combinations goes on after each round, default 3",
    )
    rounds: int | None = Field(
        default=None,
        ge=1,
        description="a whole number >= 1; of successive-halving, default until one is left",
    )
    resource: Literal["seeds", "jobs"] | None = Field(
        default=None,
        description="seeds or jobs; what there is eta times as much of in each round: replications, or "
        "jobs of the workload up to `first`, default seeds",
    )


class StatisticsTable(_Table):
    """How the runs are compared."""

    baseline: str | dict[str, str | int | float | bool] | None = Field(
        default=None,
        description="a label, or a table of axes and labels; what the others are compared with, default none",
        examples=["easy", {"policy": "easy"}],
    )
    level: float | None = Field(
        default=None, gt=0, lt=1, description="a number > 0 and < 1; of confidence intervals, default 0.95"
    )
    alpha: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        description="a number > 0 and < 1; error of the first kind of tests, default 0.05",
    )
    warm_up: float | None = Field(
        default=None,
        ge=0,
        lt=1,
        description="a number >= 0 and < 1; share of a run's jobs that measures leave out at its beginning, "
        "default 0",
    )
    cool_down: float | None = Field(
        default=None,
        ge=0,
        lt=1,
        description="a number >= 0 and < 1; share of a run's jobs left out at its end, default 0",
    )
    precision: float | None = Field(
        default=None,
        gt=0,
        description="a number > 0; half width of an interval over its mean that replications should reach, "
        "default 0.05",
    )
    pareto: list[Annotated[list[_Measure], Field(min_length=2, max_length=3)]] | None = Field(
        default=None,
        description="a list of lists of two or three measures; whose Pareto fronts are shown, default none",
        examples=[[["mean_wait", "utilization"]]],
    )


class ExecutionTable(_Table):
    """How the runs are done, unless the command line says otherwise."""

    executor: Literal["threads", "processes", "dask"] | None = Field(
        default=None,
        description="one of threads, processes, dask; what does the runs, default chosen by the runner",
    )
    workers: int | None = Field(
        default=None, ge=1, description="a whole number >= 1; how many runs at once, default one a core"
    )
    dask: str | None = Field(
        default=None,
        min_length=1,
        description="an address; of a scheduler of Dask, default a cluster on this machine",
    )


class StudyFile(_Table):
    """A study: many runs that one file describes."""

    name: str | None = Field(
        default=None, min_length=1, description="a text; what reports call the study, default the file's name"
    )
    description: str | None = Field(
        default=None, description="a text; what the study is about, default nothing"
    )
    out: str | None = Field(
        default=None,
        min_length=1,
        description="a path; folder for the results, from this file on, default none",
    )
    measures: list[_Measure] | None = Field(
        default=None,
        min_length=1,
        description="a list of names of metrics; what tables and comparisons show, the most important first, "
        f"default {', '.join(DEFAULT_MEASURES)}",
        examples=[["mean_wait", "utilization"]],
    )
    fixed: dict[str, Any] | None = Field(
        default=None, description="a table of settings; what all runs share, default nothing"
    )
    axes: dict[str, Any] | None = Field(
        default=None, description="a table of lists and ranges; what varies from run to run, default nothing"
    )
    case: list[dict[str, Any]] | None = Field(
        default=None, description="a list of tables of settings; runs besides those of the axes, default none"
    )
    exclude: list[dict[str, Any]] | None = Field(
        default=None, description="a list of tables; combinations that are not run, default none"
    )
    search: SearchTable = Field(
        SearchTable(), description="a table; which combinations of the axes are run, default all"
    )
    statistics: StatisticsTable = Field(
        StatisticsTable(), description="a table; how the runs are compared, default as its keys say"
    )
    execution: ExecutionTable = Field(
        ExecutionTable(), description="a table; how the runs are done, default as its keys say"
    )
