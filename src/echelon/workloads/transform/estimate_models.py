"""All models of users' estimates, by the spec typed after ``--estimates-model``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.fields import LARGEST
from echelon.model.streams import stream
from echelon.workloads.synthetic.parameter import Parameter
from echelon.workloads.transform.column_model import ColumnModel, draw_columns
from echelon.workloads.transform.popular_estimates import popular_estimates
from echelon.workloads.transform.popular_values import HEAD_SHARE
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn


def factor_estimates(workload: Workload, f: float, *, seed: int = 0) -> Workload:
    """Return the jobs with requested times drawn between the run time and (f + 1) times the run time.

    Parameters
    ----------
    workload : Workload
        In any order. Requests it has are replaced.
    f : float
        The *badness factor* of the f-model, >= 0: 0 makes estimates exact, 1 up to twice the run time.
    seed : int, default 0
        Of the draws, >= 0.

    Returns
    -------
    Workload
        Requested times, uniform in [run, (f + 1) run], rounded up to whole seconds (run times that are whole
        stay exact with f = 0). A job without a run time is left without a request.

    Raises
    ------
    InputError
        If `f` is negative, not finite, or so large that times are beyond what a column holds.

    Notes
    -----
    Real estimates are round, few and bounded; these are none of it. `popular_estimates` is nearer to users.
    Cost: O(n).

    Source: Mu'alem and Feitelson, IEEE TPDS 2001.
    """
    if not (f >= 0 and math.isfinite(f)):
        raise InputError(f"must be a finite number >= 0, got {f:g}", field="f")
    random = stream(seed, "estimates/factor")
    factors = 1.0 + f * random.random(len(workload))
    return _multiply_run_times(
        workload, factors, f"uniform between 1 and {f + 1:.15g} times the run time, seed {seed}"
    )


def multiple_estimates(workload: Workload, factor: float) -> Workload:
    """Return the jobs with requested times of `factor` times the run time.

    Parameters
    ----------
    workload : Workload
        In any order. Requests it has are replaced.
    factor : float
        >= 1; 1 makes estimates exact, 2 doubles them.

    Returns
    -------
    Workload
        Requested times, rounded up to whole seconds. A job without a run time is left without a request.

    Raises
    ------
    InputError
        If `factor` is below 1, not finite, or so large that times are beyond what a column holds.

    Notes
    -----
    Cost: O(n).

    Source: Mu'alem and Feitelson, IEEE TPDS 2001.
    """
    if not (factor >= 1 and math.isfinite(factor)):
        raise InputError(f"must be a finite number >= 1, got {factor:g}", field="factor")
    return _multiply_run_times(workload, np.full(len(workload), factor), f"{factor:.15g} times the run time")


def _multiply_run_times(workload: Workload, factors: FloatColumn, rule: str) -> Workload:
    run = workload.run_time
    requested = np.where(run > 0, np.maximum(run, np.ceil(run * factors)), -1.0)
    if requested.max(initial=0.0) > LARGEST:
        raise InputError("is too large: requested times would be beyond 2**53 s", field="factor of estimates")
    return record_transform(workload.with_columns(requested_time=requested), f"requested times drawn: {rule}")


MODELS: tuple[ColumnModel, ...] = (
    ColumnModel(
        name="factor",
        summary="The f-model: uniform between the run time and f + 1 times the run time.",
        source="Mu'alem and Feitelson, IEEE TPDS 2001",
        parameters=(Parameter("f", "1", 1.0, "the badness factor; 0 makes estimates exact", least=0),),
        draw=lambda workload, values, seed: factor_estimates(workload, values["f"], seed=seed),
    ),
    ColumnModel(
        name="multiple",
        summary="The same multiple of every run time.",
        source="Mu'alem and Feitelson, IEEE TPDS 2001",
        parameters=(Parameter("factor", "1", 2.0, "the multiple; 1 makes estimates exact", least=1),),
        draw=lambda workload, values, _: multiple_estimates(workload, values["factor"]),
    ),
    ColumnModel(
        name="popular",
        summary="Twenty popular round values and a tail of rare ones, none below a run time up to `longest`.",
        source="Tsafrir, Etsion and Feitelson, JSSPP 2005",
        parameters=(
            Parameter(
                "longest",
                "s",
                0.0,
                "the longest allowed, at least an hour; 0: the longest request of the jobs, else the "
                "longest run time",
                0,
                1e9,
            ),
            Parameter("head", "1", HEAD_SHARE, "share of the jobs with a popular value", 0, 1),
        ),
        draw=lambda workload, values, seed: popular_estimates(
            workload, values["longest"], head=values["head"], seed=seed
        ),
    ),
)


def draw_estimates(workload: Workload, spec: str, *, seed: int = 0) -> Workload:
    """Return the jobs with requested times of the model that a spec names.

    Parameters
    ----------
    workload : Workload
        Drawn from a model, or read: any. Requests it has are replaced.
    spec : str
        A model of estimates, with or without parameters: ``"popular"``, ``"factor:f=3"``.
    seed : int, default 0
        Of the draws, >= 0.

    Raises
    ------
    UnknownNameError
        If there is no such model or parameter.
    InputError
        If a value is out of its bounds, or the estimates cannot be above the run times.
    """
    return draw_columns(workload, spec, models=MODELS, kind="model of estimates", seed=seed)
