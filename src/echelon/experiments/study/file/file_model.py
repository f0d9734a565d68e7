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
        default=None, description=f"one of {', '.join(KINDS)}; how combinations are chosen, default product"
    )
    samples: int | None = Field(
        default=None,
        ge=1,
        description="a whole number >= 1; number of combinations that random and latin-hypercube draw, or "
        "with which successive-halving begins, default all",
        examples=[64],
    )
    seed: int | None = Field(
        default=None, ge=0, description="a whole number >= 0; seed of the draws, default 0"
    )
    within: list[str] | None = Field(
        default=None,
        description="a list of names of axes; each combination of their values gets separate samples, or a "
        "separate contest, default the axes that define the problem: workload, platform, load "
        "...",
        examples=[["workload", "load"]],
    )
    measure: _Measure | None = Field(
        default=None,
        description="a metric's name; the metric by which successive-halving selects, default the first of "
        "measures",
    )
    goal: Literal["min", "max"] | None = Field(
        default=None,
        description="min or max; whether a low or a high value is better, default the direction of the "
        "metric",
    )
    eta: float | None = Field(
        default=None,
        gt=1,
        description="a number > 1; one combination in so many survives each round, default 3",
    )
    rounds: int | None = Field(
        default=None,
        ge=1,
        description="a whole number >= 1; number of rounds of successive-halving, default until one "
        "combination is left",
    )
    resource: Literal["seeds", "jobs"] | None = Field(
        default=None,
        description="seeds or jobs; what grows by the factor eta in each round: replications, or jobs of the "
        "workload up to `first`, default seeds",
    )


class StatisticsTable(_Table):
    """How the runs are compared."""

    baseline: str | dict[str, str | int | float | bool] | None = Field(
        default=None,
        description="a label, or a table of axes and labels; the value with which the others are compared, "
        "default none",
        examples=["easy", {"policy": "easy"}],
    )
    level: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        description="a number > 0 and < 1; confidence level of intervals, default 0.95",
    )
    alpha: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        description="a number > 0 and < 1; significance level of tests, default 0.05",
    )
    warm_up: float | None = Field(
        default=None,
        ge=0,
        lt=1,
        description="a number >= 0 and < 1; share of a run's first jobs that measures leave out, default 0",
    )
    cool_down: float | None = Field(
        default=None,
        ge=0,
        lt=1,
        description="a number >= 0 and < 1; share of a run's last jobs that measures leave out, default 0",
    )
    precision: float | None = Field(
        default=None,
        gt=0,
        description="a number > 0; half width of an interval, relative to the mean, that replications should "
        "reach, default 0.05",
    )
    pareto: list[Annotated[list[_Measure], Field(min_length=2, max_length=3)]] | None = Field(
        default=None,
        description="a list of lists of two or three measures; the measures of each Pareto front to show, "
        "default none",
        examples=[[["mean_wait", "utilization"]]],
    )


class ExecutionTable(_Table):
    """How the runs are done, unless the command line says otherwise."""

    executor: Literal["threads", "processes", "dask"] | None = Field(
        default=None,
        description="one of threads, processes, dask; executor of the runs, default chosen by the runner",
    )
    workers: int | None = Field(
        default=None, ge=1, description="a whole number >= 1; number of runs at once, default one per core"
    )
    dask: str | None = Field(
        default=None,
        min_length=1,
        description="an address; address of a Dask scheduler, default a cluster on this machine",
    )


class StudyFile(_Table):
    """A study: many runs that one file describes."""

    name: str | None = Field(
        default=None,
        min_length=1,
        description="a string; name of the study in reports, default the file's name",
    )
    description: str | None = Field(default=None, description="a string; purpose of the study, default empty")
    out: str | None = Field(
        default=None,
        min_length=1,
        description="a path; folder for the results, relative to this file, default none",
    )
    measures: list[_Measure] | None = Field(
        default=None,
        min_length=1,
        description="a list of names of metrics; measures that tables and comparisons show, the most "
        f"important first, default {', '.join(DEFAULT_MEASURES)}",
        examples=[["mean_wait", "utilization"]],
    )
    fixed: dict[str, Any] | None = Field(
        default=None, description="a table of settings; settings of all runs, default none"
    )
    axes: dict[str, Any] | None = Field(
        default=None,
        description="a table of lists and ranges; settings that vary from run to run, default none",
    )
    case: list[dict[str, Any]] | None = Field(
        default=None,
        description="a list of tables of settings; runs in addition to those of the axes, default none",
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
        ExecutionTable(), description="a table; how the runs are executed, default as its keys say"
    )
