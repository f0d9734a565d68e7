"""Combinations of axes: drawn ones are spread as they should be."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.experiments.study.file.axis import Choices, Range, Value
from echelon.experiments.study.plan.combinations import MOST_DRAWS, all_of, latin_hypercube, random_samples


def choices(name: str, count: int) -> Choices:
    return Choices(name, tuple(Value({name: k}, str(k)) for k in range(count)))


def drawn(rows, place: int) -> list[float]:
    return [next(iter(row[place].settings.values())) for row in rows]


def test_all_combinations_with_the_last_axis_fastest():
    """The product of the lists, in order."""
    rows = list(all_of([choices("a", 2), choices("b", 3)]))
    assert [(drawn([row], 0)[0], drawn([row], 1)[0]) for row in rows] == [
        (a, b) for a in (0, 1) for b in (0, 1, 2)
    ]


@given(samples=st.integers(1, 60), seed=st.integers(0, 50), count=st.integers(1, 9))
@examples(40)
def test_each_part_of_a_hypercube_is_used_once(samples, seed, count):
    """Of a range one number is in each part; of a list each value comes equally often, give or take one."""
    rows = list(latin_hypercube([Range("x", 0.0, 1.0), choices("c", count)], samples, seed=seed))
    numbers, edges = np.sort(drawn(rows, 0)), np.arange(samples + 1) / samples
    # Six digits may round a number over the edge of its part.
    assert (numbers >= edges[:-1] - 1e-6).all()
    assert (numbers <= edges[1:] + 1e-6).all()
    often = np.bincount(np.array(drawn(rows, 1), dtype=int), minlength=count)
    assert often.max() - often.min() <= 1
    assert len(rows) == samples


@pytest.mark.parametrize("log", [False, True])
def test_whole_numbers_have_equal_chances(log):
    """Both bounds come, and each number as often as its interval says."""
    rows = islice(random_samples([Range("k", 1, 4, log=log)], 4000, seed=1), 4000)
    share = np.bincount(drawn(rows, 0), minlength=5)[1:] / 4000
    edges = np.log(np.arange(1, 6)) if log else np.arange(1, 6)
    expected = np.diff(edges) / (edges[-1] - edges[0])
    assert np.abs(share - expected).max() < 0.03


@given(st.floats(0, 1, exclude_max=True), st.integers(1, 1000), st.integers(1, 1000), st.booleans())
def test_a_range_is_never_left(share, low, width, log):
    """Whatever is drawn lies between the bounds; between whole numbers only whole ones."""
    whole = Range("k", low, low + width, log=log).at(share).settings["k"]
    assert isinstance(whole, int)
    assert low <= whole <= low + width
    real = Range("x", low / 7, (low + width) / 7, log=log).at(share).settings["x"]
    assert low / 7 <= real <= (low + width) / 7


def test_an_axis_more_changes_no_other():
    """Each axis draws from a stream of its own name."""
    x, y = Range("x", 0.0, 1.0), Range("y", 0.0, 1.0)
    for draw in (random_samples, latin_hypercube):
        alone = drawn(islice(draw([x], 9, seed=3), 9), 0)
        assert drawn(islice(draw([y, x], 9, seed=3), 9), 1) == alone
        assert drawn(islice(draw([x], 9, seed=4), 9), 0) != alone


def test_draws_come_to_an_end():
    """If nothing new comes the search stops."""
    assert sum(1 for _ in random_samples([choices("a", 1)], 2, seed=0)) == 2 * MOST_DRAWS
