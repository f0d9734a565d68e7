"""All models of users' estimates, by the words typed after ``--estimates-model``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.workloads.synthetic.parameter import Parameter
from echelon.workloads.transform.column_model import ColumnModel, draw_columns
from echelon.workloads.transform.factor_estimates import factor_estimates, multiple_estimates
from echelon.workloads.transform.popular_estimates import popular_estimates
from echelon.workloads.transform.popular_values import HEAD_SHARE

if TYPE_CHECKING:
    from echelon.model import Workload


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


def draw_estimates(workload: Workload, words: str, *, seed: int = 0) -> Workload:
    """Return the jobs with requested times of a model named by words.

    Parameters
    ----------
    workload : Workload
        Drawn from a model, or read: any. Requests it has are replaced.
    words : str
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
    return draw_columns(workload, words, models=MODELS, kind="model of estimates", seed=seed)
