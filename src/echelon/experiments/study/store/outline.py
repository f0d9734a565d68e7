"""Outline: what a study is about, kept beside its runs for those who read them."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeGuard

from echelon.errors import InputError
from echelon.experiments.study.file.axis import Choices
from echelon.experiments.study.plan.plan import axes_of_problem
from echelon.experiments.study.plan.study import DEFAULT_MEASURES
from echelon.workloads.files.atomic import replacing
from echelon.workloads.files.json_object import parse_object

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from echelon.experiments.study.plan.study import Study

FILE = "outline.json"
"""Its file in the folder of a study."""

_STATISTICS = ("baseline", "level", "alpha", "precision", "warm_up", "cool_down", "pareto")


@dataclass(frozen=True, slots=True)
class Outline:
    """What a study is about.

    Parameters
    ----------
    name : str
        What reports call it.
    description : str, default ``""``
        What it says of itself.
    axes : tuple of str, default empty
        What varies, in the study file's order, the seeds last.
    values : mapping of str to tuple of str, default empty
        By axis what tables call its values, in the study file's order, without those drawn from a range.
    problem : tuple of str, default empty
        Of the axes, those that say what is to be scheduled, and on what; the others say how, or are drawn.
    measures : tuple of str, default `DEFAULT_MEASURES`
        Metrics that tables show, the most important first.
    cases : int, optional
        How many runs it has in all; None if that is not known.
    baseline : mapping of str to str, default empty
        By axis the value that others are compared with.
    level, alpha : float, default 0.95 and 0.05
        Of intervals, and of tests; above 0 and below 1.
    precision : float, default 0.05
        Half width of an interval over its mean that replications should reach, above 0 and below 1.
    warm_up, cool_down : float, default 0
        Shares of the jobs of each run that measures leave out, see `echelon.metrics.steady_metrics`.
    pareto : tuple of tuples of str, default empty
        Measures whose Pareto fronts are shown, two or three each.
    search : str, default ``"product"``
        Kind of its search.
    replications : int, default 1
        With how many seeds each combination is run that chance enters.
    shake : int, optional
        Most seconds that submit times are moved by, if the replications are shaken copies of a log.
    blocks : float, optional
        Length of the blocks of each run, in s, if they are the replications.
    """

    name: str
    description: str = ""
    axes: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problem: tuple[str, ...] = ()
    measures: tuple[str, ...] = DEFAULT_MEASURES
    cases: int | None = None
    baseline: Mapping[str, str] = field(default_factory=dict)
    level: float = 0.95
    alpha: float = 0.05
    precision: float = 0.05
    warm_up: float = 0.0
    cool_down: float = 0.0
    pareto: tuple[tuple[str, ...], ...] = ()
    search: str = "product"
    replications: int = 1
    shake: int | None = None
    blocks: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return asdict(self) | {"baseline": dict(self.baseline), "values": dict(self.values)}


def outline_of(study: Study) -> Outline:
    """Return the outline of a study."""
    stated = study.statistics
    seeds = ("seed",) if study.seeds else ()
    return Outline(
        name=study.name,
        description=study.description,
        axes=(*(axis.name for axis in study.axes), *seeds),
        values={
            axis.name: tuple(value.label for value in axis.values)
            for axis in study.axes
            if isinstance(axis, Choices)
        },
        problem=tuple(sorted(axes_of_problem(study.fixed, study.axes))),
        measures=study.measures,
        cases=study.search.size,
        search=study.search.kind,
        replications=max(1, len(study.seeds)),
        shake=study.shake,
        blocks=study.blocks,
        **{name: getattr(stated, name) for name in _STATISTICS},
    )


def write_outline(outline: Outline, folder: Path) -> None:
    """Write the outline of a study into its folder.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    with replacing(folder / FILE) as file:
        file.write((json.dumps(outline.to_dict(), indent=2, allow_nan=False) + "\n").encode())


def read_outline(folder: Path) -> Outline | None:
    """Return the outline in the folder of a study; None if there is none.

    Raises
    ------
    InputError
        If its file is no outline.
    """
    path = folder / FILE
    try:
        content = parse_object(path.read_bytes())
        _check(content)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        why = f"is not the outline of a study ({error}); run the study again, which writes it"
        raise InputError(why, file=str(path)) from error
    content |= {name: tuple(content[name]) for name in ("axes", "problem", "measures") if name in content}
    content["pareto"] = tuple(map(tuple, content.get("pareto", ())))
    return Outline(**content)


def _check(content: Mapping[str, Any]) -> None:
    """Refuse the content of an outline that lacks a name, or has an unknown key or another kind of value."""
    if unknown := [key for key in content if key not in _KINDS]:
        raise ValueError(f"unknown key {unknown[0]!r:.40}")
    for key, value in {"name": None, **content}.items():
        expected, is_kind = _KINDS[key]
        if not is_kind(value):
            raise ValueError(f"{key} is {value!r:.40}, expected {expected}")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are(is_kind: Callable[[object], bool], value: object) -> bool:
    return isinstance(value, list) and all(map(is_kind, value))


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return value is None or (isinstance(value, int) and _is_number(value) and value >= 0)


_KINDS: dict[str, tuple[str, Callable[[object], bool]]] = {
    **dict.fromkeys(("name", "description", "search"), ("a string", _is_text)),
    **dict.fromkeys(("axes", "problem", "measures"), ("a list of strings", partial(_are, _is_text))),
    "pareto": ("a list of lists of strings", partial(_are, partial(_are, _is_text))),
    "values": (
        "lists of strings by axis",
        lambda value: isinstance(value, dict) and all(_are(_is_text, texts) for texts in value.values()),
    ),
    "baseline": (
        "strings by axis",
        lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
    ),
    **dict.fromkeys(
        ("level", "alpha", "precision"),
        ("a number above 0 and below 1", lambda value: _is_number(value) and 0 < value < 1),
    ),
    **dict.fromkeys(
        ("warm_up", "cool_down"),
        ("a number of at least 0 and below 1", lambda value: _is_number(value) and 0 <= value < 1),
    ),
    **dict.fromkeys(("cases", "shake"), ("a whole number of at least 0, or null", _is_count)),
    "replications": ("a whole number of at least 1", lambda value: bool(value) and _is_count(value)),
    "blocks": (
        "a finite number above 0, or null",
        lambda value: value is None or (_is_number(value) and 0 < value < math.inf),
    ),
}
"""By key of an outline, what its value must be."""
