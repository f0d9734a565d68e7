"""All models of users' estimates, by the words typed after ``--estimates-model``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.errors import UnknownNameError
from echelon.workloads.synthetic.parameter import Parameter, settled
from echelon.workloads.synthetic.words import split_words
from echelon.workloads.transform.factor_estimates import factor_estimates, multiple_estimates
from echelon.workloads.transform.popular_estimates import popular_estimates
from echelon.workloads.transform.popular_values import HEAD_SHARE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.model import Workload


@dataclass(frozen=True, slots=True)
class EstimatesModel:
    """One model of users' estimates.

    Parameters
    ----------
    name : str
        As typed: ``popular``.
    summary : str
        One sentence.
    source : str
        The paper.
    parameters : tuple of Parameter
        All that can be set.
    draw : callable (workload: Workload, values: Mapping[str, float], seed: int) -> Workload
        Gives every job a requested time.
    """

    name: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...]
    draw: Callable[[Workload, Mapping[str, float], int], Workload]


MODELS: tuple[EstimatesModel, ...] = (
    EstimatesModel(
        name="factor",
        summary="The f-model: uniform between the run time and f + 1 times the run time.",
        source="Mu'alem and Feitelson, IEEE TPDS 2001",
        parameters=(Parameter("f", "1", 1.0, "the badness factor; 0 makes estimates exact", least=0),),
        draw=lambda workload, values, seed: factor_estimates(workload, values["f"], seed=seed),
    ),
    EstimatesModel(
        name="multiple",
        summary="The same multiple of every run time.",
        source="Mu'alem and Feitelson, IEEE TPDS 2001",
        parameters=(Parameter("factor", "1", 2.0, "the multiple; 1 makes estimates exact", least=1),),
        draw=lambda workload, values, _: multiple_estimates(workload, values["factor"]),
    ),
    EstimatesModel(
        name="popular",
        summary="Twenty popular round values and a tail of rare ones, none below a run time up to `longest`.",
        source="Tsafrir, Etsion and Feitelson, JSSPP 2005",
        parameters=(
            Parameter(
                "longest",
                "s",
                0.0,
                "the longest allowed, at least an hour; 0 takes the jobs' longest request, else run time",
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
        If a value is out of its bounds, or the estimates can not be above the run times.
    """
    name, given = split_words(words)
    for model in MODELS:
        if model.name == name:
            return model.draw(workload, settled(model.name, model.parameters, given), seed)
    raise UnknownNameError("model of estimates", name, [model.name for model in MODELS])
