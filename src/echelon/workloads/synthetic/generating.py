"""Making a workload by a model's name."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.workloads.synthetic.known_models import MODELS, model_named
from echelon.workloads.synthetic.model import made_workload
from echelon.workloads.synthetic.parameter import settled
from echelon.workloads.synthetic.words import split_words

if TYPE_CHECKING:
    from echelon.model import Workload

DEFAULT_JOBS = 10_000


def generate(
    model: str,
    jobs: int = DEFAULT_JOBS,
    *,
    processors: int | None = None,
    seed: int = 0,
    **parameters: float,
) -> Workload:
    """Return a workload drawn from a model.

    Parameters
    ----------
    model : str
        A model's name, with or without parameters: ``"lublin"``, ``"lublin-typeless:pa=0,aarr=11"``.
    jobs : int, default 10,000
        How many, >= 1.
    processors : int, optional
        Machine to scale the sizes to. Default: that of the model's parameters, 128 for ``lublin``.
    seed : int, default 0
        >= 0. The same seed, model and parameters give the same jobs with the same release of numpy.
    **parameters : float
        By name; they come before those in `model`, and these before what `processors` implies.

    Returns
    -------
    Workload
        In the order of submission, times in whole seconds from midnight of the first day. Sizes are allocated
        processors; there are no requested times: see `transform.factor_estimates` and
        `transform.popular_estimates`. The header tells model, parameters, seed and machine.

    Raises
    ------
    UnknownNameError
        If there is no such model or parameter.
    InputError
        If a value is out of its bounds, or two contradict each other.

    Notes
    -----
    Cost: O(n log n); about 0.3 s for a million jobs.
    """
    name, in_words = split_words(model)
    chosen = model_named(name)
    scaled = {} if processors is None else chosen.scaled(_whole(processors, "processors"))
    values = settled(chosen.name, chosen.parameters, scaled, in_words, parameters)
    return made_workload(
        chosen, values, jobs=_whole(jobs, "jobs"), seed=_whole(seed, "seed"), name=chosen.name
    )


def names_model(source: str) -> bool:
    """Return whether `source` is the words of a model, and no file of that name is there."""
    name = source.partition(":")[0].strip().lower()
    return any(name == model.name for model in MODELS) and not Path(source).is_file()


def generate_from_words(words: str) -> Workload:
    """Return the workload that words such as ``lublin:jobs=5000,processors=256,seed=1,pa=0`` describe.

    Parameters
    ----------
    words : str
        A model's name, then settings: ``jobs``, ``processors``, ``seed`` and the model's own parameters, as
        in `generate`.
    """
    name, given = split_words(words)
    own = ("jobs", "processors", "seed")
    arguments: dict[str, Any] = {key: _integer(given.pop(key), key) for key in own if key in given}
    arguments |= given
    return generate(name, **arguments)


def _integer(value: float, name: str) -> int:
    if not value.is_integer():
        raise InputError(f"must be a whole number, got {value:g}", field=name)
    return int(value)


def _whole(value: int, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError as error:
        raise InputError(f"must be a whole number, got {value!r}", field=name) from error
