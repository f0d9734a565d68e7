"""Some cases of a study alone."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.study.plan.all_cases import AllCases

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.experiments.study.plan.study import Study


def only(study: Study, words: Sequence[str]) -> Study:
    """Return the study with those of its cases alone that all axes named say.

    Parameters
    ----------
    study : Study
        Any but a contest in rounds.
    words : sequence of str
        Each ``AXIS=LABEL``, where ``*`` and ``?`` in the label stand for anything; of one axis named twice
        either label will do. ``seed`` is an axis as well.

    Raises
    ------
    InputError
        If a word is not ``AXIS=LABEL``, nothing is left, or the study is a contest.
    UnknownNameError
        If there is no such axis.
    """
    search = study.search
    if not isinstance(search, AllCases):
        raise InputError(
            "selects among cases that are known in advance, unlike those of a search of kind "
            f"{search.kind!r}",
            field="--only-case",
        )
    wanted = _wanted(words)
    seeds = tuple(seed for seed in search.seeds if _fits({"seed": str(seed)}, wanted, {"seed"}))
    axes = {axis for point in search.points for axis in point.labels}
    for axis in wanted:
        if axis not in axes | {"seed"}:
            raise UnknownNameError("axis", axis, axes | {"seed"})
    points = tuple(point for point in search.points if _fits(point.labels, wanted, wanted.keys() - {"seed"}))
    if not points or not seeds:
        raise InputError(f"leaves no case: {', '.join(words)}", field="--only-case")
    return replace(study, search=replace(search, points=points, seeds=seeds))


def _wanted(words: Sequence[str]) -> dict[str, list[str]]:
    labels_by_axis: dict[str, list[str]] = {}
    for word in words:
        axis, equals, label = word.partition("=")
        if not equals or not axis.strip() or not label.strip():
            raise InputError(f"must be AXIS=LABEL, got {word!r}", field="--only-case")
        labels_by_axis.setdefault(axis.strip(), []).append(label.strip())
    return labels_by_axis


def _fits(labels: Mapping[str, str], wanted: Mapping[str, list[str]], axes: set[str]) -> bool:
    return all(
        axis in labels and any(fnmatchcase(labels[axis], label) for label in wanted[axis])
        for axis in axes & wanted.keys()
    )
