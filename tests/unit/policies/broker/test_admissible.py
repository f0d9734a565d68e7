"""Adaptive admissibility: the ranges of the published grids, and what a factor may be."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.model import Platform, SharedCluster, Site, SocialContract, TimeSharedMachine, Workstation
from echelon.policies import Admissible, admissible

GRID1 = (100, 128, 240, 430, 1024, 1152, 1368)
GRID2 = (64, 64, 64, 64, 100, 144, 240, 430, 1024)
GRID3 = (4, 4, 4, 4, 8, 8, 8, 16, 16, 32, 32)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        (
            GRID1,
            {1: (1, 6), 100: (1, 6), 101: (2, 6), 128: (2, 6), 129: (3, 6), 241: (4, 6), 431: (5, 6),
             1024: (5, 6), 1025: (6, 7), 1153: (7, 7), 1368: (7, 7)},
        ),
        (
            GRID2,
            {1: (1, 8), 64: (1, 8), 65: (5, 9), 101: (6, 9), 145: (7, 9), 241: (8, 9), 431: (9, 9)},
        ),
        (GRID3, {1: (1, 9), 4: (1, 9), 5: (5, 10), 9: (8, 10), 17: (10, 10), 32: (10, 10)}),
    ],
    ids=["grid1", "grid2", "grid3"],
)  # fmt: skip
def test_half_of_the_published_grids(sizes, expected):
    """At a = 0.5 jobs of each size may go to the sites that the definition gives, counted from 1."""
    first, last = Admissible(0.5).ranges(Platform.of_sizes(sizes), np.array(list(expected)))
    found = [(f + 1, l + 1) for f, l in zip(first.tolist(), last.tolist(), strict=True)]  # noqa: E741
    assert found == list(expected.values())


def test_equal_sites_stay_together():
    """On Grid 3 the last site is admissible to nobody at a = 0.5, unless equal sites are one group."""
    platform, sizes = Platform.of_sizes(GRID3), np.arange(1, 33)
    assert Admissible(0.5).ranges(platform, sizes)[1].max() == 9
    assert Admissible(0.5, equal_sizes=True).ranges(platform, sizes)[1].max() == 10


def test_sites_of_several_kinds_go_by_the_largest_job():
    """Shared nodes come where their nodes put them; the share counts all tasks that they may hold."""
    lab = SharedCluster((Workstation(),) * 10, SocialContract(mpl=6))
    platform = Platform((Site("large", 40), Site("lab", lab), Site("desk", TimeSharedMachine(20))))
    sizes = np.array([1, 10, 11, 21])
    assert platform.by_size.tolist() == [1, 2, 0]
    first, last = Admissible(0.5).ranges(platform, sizes)
    assert (first.tolist(), last.tolist()) == ([0, 0, 1, 2], [0, 0, 2, 2])
    assert list(map(list, Admissible(0.5).sites(platform, sizes))) == [[1], [1], [2, 0], [0]]


def test_the_extremes():
    """With a = 1 every site that can hold a job is admissible, with a tiny factor the first alone."""
    platform, sizes = Platform.of_sizes(GRID1), np.array([1, 200, 1368])
    first, last = Admissible(1).ranges(platform, sizes)
    assert last.tolist() == [6, 6, 6]
    assert Admissible(1e-9).ranges(platform, sizes)[1].tolist() == first.tolist() == [0, 2, 6]


@pytest.mark.parametrize(
    ("sizes", "factor", "last"), [((7, 93), 0.07, 0), ((27, 28, 45), 0.55, 1), ((28, 28, 44), 0.56, 1)]
)
def test_a_share_that_is_reached_exactly_is_enough(sizes, factor, last):
    """A share is what is written: 7 of 100 processors are 0.07 of them, though 0.07 x 100 > 7 in float64."""
    assert factor * 100 > sum(sizes[: last + 1])
    assert Admissible(factor).last_sites(Platform.of_sizes(sizes))[0] == last


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=12),
    st.floats(0.01, 1.0, allow_nan=False),
    st.booleans(),
)
def test_the_range_is_the_shortest_that_suffices(sizes, factor, together):
    """Processors f to l reach the share a of those from f on, and without site l (its equals) they do not."""
    platform = Platform.of_sizes(sizes)
    ordered = sorted(sizes)
    for f, last in enumerate(Admissible(factor, equal_sizes=together).last_sites(platform).tolist()):
        wanted = Fraction(str(factor)) * sum(ordered[f:])
        assert sum(ordered[f : last + 1]) >= wanted
        before = last - 1
        while together and before >= f and ordered[before] == ordered[last]:
            before -= 1
        if not together:
            assert f == last or sum(ordered[f:last]) < wanted
        elif before >= f:
            assert sum(ordered[f : before + 1]) < wanted


@pytest.mark.parametrize("given_", [0, -0.5, 1.5, float("nan"), True, "half", "0.5:all", "0.5:", "", "2"])
def test_other_factors_are_refused(given_):
    """A factor is a number above 0 and at most 1."""
    with pytest.raises(InputError, match="0 < a <= 1"):
        admissible(given_)


def test_specs():
    """A number, or a number with equal-sizes, is read as it is written."""
    assert admissible("0.5") == admissible(0.5) == Admissible(0.5)
    assert str(admissible("0.25:equal-sizes")) == "0.25:equal-sizes"


def test_numbers_of_numpy():
    """A factor drawn from an array of any kind is that number, and Python's own, as JSON needs."""
    for factor in (np.float32(0.5), np.float64(0.5)):
        assert admissible(factor) == Admissible(0.5)
        assert type(admissible(factor).factor) is float
    assert admissible(np.int64(1)) == Admissible()
