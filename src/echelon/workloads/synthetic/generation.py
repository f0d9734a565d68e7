"""Making a workload by a model's name."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.user_file import is_file, is_in_file
from echelon.workloads.synthetic.known_models import MODELS, model_named

if TYPE_CHECKING:
    from echelon.model import Workload

_OWN: tuple[str, ...] = ("jobs", "processors", "seed")


def generate(
    model: str,
    jobs: int | None = None,
    *,
    processors: int | None = None,
    seed: int | None = None,
    **parameters: float | str,
) -> Workload:
    """Return a workload drawn from a model.

    Parameters
    ----------
    model : str
        A model's name, alone or with settings: ``"lublin"``, ``"poisson:jobs=500,mean_gap=60"``; these are
        ``jobs``, ``processors``, ``seed`` and the model's own parameters.
    jobs : int, optional
        How many, >= 1. Default: as in `model`, else 10,000, of ``sinapad`` 40.
    processors : int, optional
        Machine to scale the sizes to. Default: as in `model`, else that of the model's parameters, 128 for
        ``lublin``.
    seed : int, optional
        >= 0. Default: as in `model`, else 0. The same seed, model and parameters give the same jobs with the
        same release of numpy.
    **parameters : float or str
        By name; they come before those in `model`, and these before what `processors` implies.

    Returns
    -------
    Workload
        In the order of submission, times in whole seconds (``sinapad``: milliseconds) from midnight of the
        first day. Sizes are allocated processors; but for models of jobs with tasks or applications there are
        no requested times: see `transform.factor_estimates` and `transform.popular_estimates`. The header
        tells model, parameters, seed and machine.

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
    from echelon.workloads.synthetic.spec import parse_spec

    name, settings = parse_spec(model)
    whole: dict[str, int] = {key: _parse_integer(settings.pop(key), key) for key in _OWN if key in settings}
    counts: dict[str, int | None] = {"jobs": jobs, "processors": processors, "seed": seed}
    whole |= {key: _check_integer(value, key) for key, value in counts.items() if value is not None}
    chosen = model_named(name)
    scaled = chosen.scaled(whole["processors"]) if "processors" in whole else {}
    from echelon.workloads.synthetic.parameter import settle_values

    values = settle_values(chosen.name, chosen.parameters, scaled, settings, parameters, besides=_OWN)
    count = whole.get("jobs", chosen.jobs)
    from echelon.workloads.synthetic.model import draw_workload

    return draw_workload(chosen, values, jobs=count, seed=whole.get("seed", 0))


def names_model(source: str) -> bool:
    """Return whether `source` is the spec of a model, and no file of that name is there."""
    if is_in_file(source):
        from echelon.workloads.families import MODEL
        from echelon.workloads.synthetic.spec import parse_spec

        return MODEL.in_file(parse_spec(source)[0])
    name = source.partition(":")[0].strip().lower()
    return (name in MODELS.names or _is_declared(name)) and not is_file(source)


def _is_declared(name: str) -> bool:
    """Return whether another package declares a model of that name, which means nothing else."""
    from echelon.workloads.files.datasets import DATASETS
    from echelon.workloads.grid.spec import RECIPES

    # Names of files have other signs: of theirs the installed packages are not looked through.
    if name in DATASETS or name in RECIPES or not name.replace("-", "").replace("_", "").isalnum():
        return False
    from echelon.workloads.families import MODEL

    return MODEL.declares(name)


def _parse_integer(value: float | str, name: str) -> int:
    if isinstance(value, str) or not value.is_integer():
        got = repr(value) if isinstance(value, str) else f"{value:g}"
        raise InputError(f"must be a whole number, got {got}", field=name)
    return int(value)


def _check_integer(value: int, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError as error:
        raise InputError(f"must be a whole number, got {value!r}", field=name) from error
