"""Strategies compared week by week."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.reproduce.grid.claims.comparisons import (
    every,
    is_before,
    is_behind,
    is_less,
    rank_names,
    same_order,
)
from echelon.reproduce.grid.data import METRICS, NINE
from echelon.reproduce.grid.two_levels import TwoLevels
from echelon.reproduce.machinery.statement import above_zero

WEEKS = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
SCORES = {
    "a": 10 + WEEKS,
    "b": 20 + 2 * WEEKS,
    "c": np.array([13.0, 13.0, 13.0, 13.0, 25.0]),
    "d": 11 + WEEKS,
}


def test_the_weekly_degradations_are_those_of_the_means():
    """What the weeks add up to is the degradation of the means, metric by metric, better high or low."""
    values = np.random.default_rng(1).uniform(1, 3, (len(METRICS), 6, len(NINE)))
    found = TwoLevels(values, 0.8 * values)
    assert found.weekly().mean(axis=1) == pytest.approx(found.percent())
    assert found.weekly("both").mean(axis=1) == pytest.approx(found.percent("both"))
    assert found.weekly_improvements.mean(axis=0) == pytest.approx(found.improvements.mean(axis=0))


def test_one_is_before_others_if_it_is_so_before_each():
    """A steady lead of 1 over d settles it; a lead over c of weeks apart does not; a deficit refutes it."""
    assert is_before(SCORES, "a", ["b", "d"]).outcome() == "holds"
    assert is_before(SCORES, "a", "abcd").outcome() == "not decided"
    assert is_before(SCORES, "b", ["a"]).outcome() == "does not hold"
    assert (
        is_before(SCORES, "a", "ad").text == "a (12.0 %) is 1.0 points (1.0 to 1.0 points) before d (13.0 %)"
    )
    assert (
        is_before(SCORES, "d", ["a"]).text == "d (13.0 %) is 1.0 points (1.0 to 1.0 points) behind a (12.0 %)"
    )


def test_one_is_behind_others_if_it_is_so_behind_each():
    """The mirror of being before, the nearest shown."""
    assert is_behind(SCORES, "b", "ad").outcome() == "holds"
    assert is_behind(SCORES, "a", "bd").outcome() == "does not hold"
    assert "11.0 points (9.0 to 13.0 points) behind d" in is_behind(SCORES, "b", "abd").text.replace(
        "b (24.0 %) is ", ""
    )


def test_ranked_and_listed():
    """By the means, the best first."""
    assert rank_names(SCORES) == ["a", "d", "c", "b"]


def test_less_and_every():
    """A claimed difference is shown with its interval; several hold together if each does."""
    less = is_less("wait of a and b", SCORES["a"], SCORES["b"], " s", 0)
    assert less.outcome() == "holds"
    assert less.text == "wait of a and b: 12 s and 24 s, apart by 12 s (10 to 14 s)"
    refuted = above_zero("no", -1 - WEEKS)
    assert every("both", [less, refuted]).outcome() == "does not hold"
    assert every("one", [less]).outcome() == "holds"
    assert every("none", []).outcome() == "not decided"


def test_an_order_is_compared_pair_by_pair():
    """Means in another order refute that two orders are the same only if both are told apart."""
    steady = {"a": 10 + WEEKS, "b": 20 + 2 * WEEKS, "c": 40 + WEEKS}
    assert same_order("s", steady, {name: 3 * values for name, values in steady.items()}).outcome() == "holds"
    swapped = {**steady, "b": steady["a"], "a": steady["b"]}
    assert same_order("s", steady, swapped).outcome() == "does not hold"
    # One week puts a behind b on average, four do not: nobody can tell.
    one_week = {**steady, "a": steady["a"] + np.array([0, 0, 0, 0, 100.0])}
    assert rank_names(one_week) != rank_names(steady)
    assert same_order("s", steady, one_week).outcome() == "not decided"
