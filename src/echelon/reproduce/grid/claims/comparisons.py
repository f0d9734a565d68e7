"""Comparisons: statements about strategies whose weeks are compared pair by pair."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from echelon.reproduce.machinery.statement import (
    Statement,
    above_zero,
    against,
    all_above_zero,
    mean_interval,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Weekly = NDArray[np.float64]
    Scores = Mapping[str, Weekly]
    """Of each strategy, a number each week, of which less is better: its mean is a degradation in percent."""


def scores(names: Sequence[str], values: Weekly) -> dict[str, Weekly]:
    """Return the columns of `values`, shape (n_weeks, n_strategies), by their names."""
    return {name: values[:, place] for place, name in enumerate(names)}


def rank_names(strategy_scores: Scores) -> list[str]:
    """Return the names by their means, the best first; of equals the one named first."""
    return sorted(strategy_scores, key=lambda name: float(strategy_scores[name].mean()))


def is_before(strategy_scores: Scores, name: str, others: Iterable[str]) -> Statement:
    """Return the statement that one is better than each of the others."""
    return _judge(strategy_scores, name, others, sign=1, side="before")


def is_behind(strategy_scores: Scores, name: str, others: Iterable[str]) -> Statement:
    """Return the statement that one is worse than each of the others."""
    return _judge(strategy_scores, name, others, sign=-1, side="behind")


def _judge(strategy_scores: Scores, name: str, others: Iterable[str], *, sign: int, side: str) -> Statement:
    """Return the statement, with by how much one leads, or trails, the one for which that is least."""
    own = strategy_scores[name]
    leads = {other: sign * (strategy_scores[other] - own) for other in others if other != name}
    nearest = min(leads, key=lambda other: float(leads[other].mean()))
    lead = mean_interval(leads[nearest])
    if lead.mean < 0:
        side, lead = {"before": "behind", "behind": "before"}[side], lead.turned
    text = (
        f"{name} ({own.mean():,.1f} %) is {lead.text(' points', 1)} {side} "
        f"{nearest} ({strategy_scores[nearest].mean():,.1f} %)"
    )
    return all_above_zero(text, leads.values())


def is_less(text: str, less: Weekly, more: Weekly, unit: str = "", digits: int = 1) -> Statement:
    """Return the statement that the mean of one is below that of another; the text says what they are of."""
    shown = f"{less.mean():,.{digits}f}{unit} and {more.mean():,.{digits}f}{unit}"
    apart = mean_interval(more - less).text(unit, digits)
    return above_zero(f"{text}: {shown}, apart by {apart}", more - less)


def same_order(text: str, one: Scores, other: Scores) -> Statement:
    """Return the statement that all names have the same order by two kinds of scores.

    A pair that both distinguish in the same way bears it out, and one that they distinguish in opposite ways
    speaks against it; a pair that one of them does not distinguish leaves it open.
    """
    pairs = [
        (one[b] - one[a], other[b] - other[a])
        for a, b in combinations(rank_names(one), 2)
        if (one[a] != one[b]).any() or (other[a] != other[b]).any()
    ]
    borne_out = all(mean_interval(gap).low > 0 for pair in pairs for gap in pair)
    doubt = min((max(against(-first), against(second)) for first, second in pairs), default=1.0)
    return Statement(text, borne_out, min(1.0, doubt * len(pairs)))


def every(text: str, statements: Iterable[Statement]) -> Statement:
    """Return the statement that all of these are so; what speaks against one speaks against it."""
    all_statements = list(statements)
    doubt = min((one.against for one in all_statements), default=1.0)
    return Statement(
        text,
        bool(all_statements) and all(one.supported for one in all_statements),
        min(1.0, doubt * max(1, len(all_statements))),
    )
