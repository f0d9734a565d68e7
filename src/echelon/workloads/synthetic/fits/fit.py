"""Fitting a model to a log: its jobs in, the parameters out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.local_time import local_time
from echelon.workloads.synthetic.fits.fit_arrivals import fit_arrivals
from echelon.workloads.synthetic.fits.fit_run_times import fit_hyper_gamma, fit_lognormal
from echelon.workloads.synthetic.fits.fit_sizes import fit_sizes
from echelon.workloads.synthetic.fitted_model import FittedModel
from echelon.workloads.synthetic.known_models import model_named
from echelon.workloads.transform.popular_estimates import known_popular

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.synthetic.parameter import Parameter

FEWEST_JOBS = 10
"""Jobs of a stream below which nothing can be fitted."""

_DAY = 86_400.0


class _Log(NamedTuple):
    """The jobs of a log that can be fitted, in the order of submission."""

    submit: FloatColumn
    since_midnight: FloatColumn
    time_of_day: FloatColumn
    run: FloatColumn
    size: IntColumn
    interactive: NDArray[np.bool_]

    def of(self, chosen: NDArray[np.bool_]) -> _Log:
        """Return the chosen jobs."""
        return _Log._make(column[chosen] for column in self)


def fit_model(
    workload: Workload, model: str = "lublin-typeless", *, processors: int | None = None
) -> FittedModel:
    """Return the parameters with which a model's jobs come nearest to those of a log.

    Parameters
    ----------
    workload : Workload
        In any order. Jobs without a submit time, a run time > 0 or a size on the machine are left out.
    model : str, default "lublin-typeless"
        A model's name. ``lublin`` needs a log that tells interactive jobs (queue 0) from others.
    processors : int, optional
        Of the machine. Default: the header's MaxProcs, else the largest size.

    Returns
    -------
    FittedModel
        To be written, read and drawn from. With the popular requested times of the log, if it has requests.

    Raises
    ------
    UnknownNameError
        If there is no such model.
    InputError
        If the log has fewer than 10 jobs to fit, or the model is one of tasks, of which no log tells enough.

    Notes
    -----
    How each group of parameters is found, and what of a log no parameter can hold (weeks, users, repeated
    jobs), is described in the how-to page. Numbers are kept to 6 digits. Cost: O(n log n); some seconds for
    60,000 jobs.

    Source: Lublin and Feitelson, JPDC 2003, for what is fitted; the methods are our own.
    """
    chosen = model_named(model)
    if not chosen.can_be_fitted:
        raise InputError("cannot be fitted: a log does not have the demand of tasks", field=chosen.name)
    if processors is not None and processors < 1:
        raise InputError(f"must be at least 1, got {processors}", field="processors")
    machine = processors or workload.header.max_procs or int(workload.processors.max(initial=1))
    log = _take_usable(workload, machine)
    if chosen.name == "lublin":
        values = _fit_both_types(log, machine, workload.name)
    else:
        _check_count(log, f"{chosen.name} needs", workload.name)
        values = _fit_one_stream(chosen.name, log, machine)
    kept = {one.name: _round_value(one, values[one.name]) for one in chosen.parameters if one.name in values}
    return FittedModel(
        model=chosen.name,
        parameters=kept,
        jobs=len(log.run),
        popular=known_popular(workload),
        fitted_to=workload.name,
    )


def _fit_one_stream(name: str, log: _Log, machine: int) -> dict[str, float]:
    sizes = fit_sizes(log.size, machine)
    if not name.startswith("lublin"):
        return {**sizes, **fit_lognormal(log.run), **_plain_gaps(log.submit)}
    return {
        **sizes,
        **fit_hyper_gamma(log.run, log.size),
        **fit_arrivals(log.time_of_day, log.since_midnight),
    }


def _fit_both_types(log: _Log, machine: int, name: str) -> dict[str, float]:
    values: dict[str, float] = {}
    for kind, mine in (("batch", ~log.interactive), ("interactive", log.interactive)):
        part = log.of(mine)
        _check_count(part, f"lublin needs batch jobs and interactive ones (queue 0): of {kind} jobs,", name)
        largest = machine if kind == "batch" else int(part.size.max())
        own = _fit_one_stream("lublin", part, largest)
        values |= {f"{kind}_{key}": value for key, value in own.items()}
    return values


def _plain_gaps(submit: FloatColumn) -> dict[str, float]:
    """Return mean gap, and the spread of ln(gap) with half a second for the rounding down."""
    gaps = np.diff(submit)
    return {
        "mean_gap": max(float(gaps.mean()), 1e-3),
        "gap_spread": float(np.log(gaps + 0.5).std()),
    }


def _take_usable(workload: Workload, machine: int) -> _Log:
    size = workload.processors
    is_complete = (workload.submit_time >= 0) & (workload.run_time > 0) & (size > 0) & (size <= machine)
    order = np.argsort(workload.submit_time, kind="stable")
    kept = order[is_complete[order]]
    submit = workload.submit_time[kept]
    header = workload.header
    wall = local_time(submit, unix_start_time=header.unix_start_time, time_zone=header.time_zone).seconds
    began = wall[0] % _DAY - submit[0] if len(wall) else 0.0
    return _Log(
        submit=submit,
        since_midnight=submit + began,
        time_of_day=wall % _DAY,
        run=workload.run_time[kept],
        size=size[kept],
        interactive=workload.int_column("queue")[kept] == 0,
    )


def _check_count(log: _Log, who: str, name: str) -> None:
    if len(log.run) < FEWEST_JOBS:
        raise InputError(
            f"{who} at least {FEWEST_JOBS} jobs with submit time, run time and a size on the machine, got "
            f"{len(log.run)}",
            file=name,
        )


def _round_value(parameter: Parameter, value: float) -> float:
    """Return `value` to 6 digits; those that name the machine, and defaults, stay exact."""
    exact = parameter.name.endswith("uhi") or value == parameter.default
    return parameter.check(value if exact else float(f"{value:.6g}"))
