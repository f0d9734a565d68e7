"""Number sets: text there and back, and what is not canonical."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.model.schedules.number_sets import number_sets, read_set, read_sets, set_text, unite

numbers = st.sets(st.integers(0, 40))


@given(numbers)
def test_text_and_back(members):
    """What is written is read as the same numbers, ascending."""
    assert read_set(set_text(members)) == sorted(members)


@given(st.lists(numbers, max_size=6))
def test_many_at_once(sets):
    """Sets made together from shuffled, doubled pairs are those made one by one."""
    pairs = [(owner, number) for owner, members in enumerate(sets) for number in members] * 2
    owner, number = np.array(pairs[::-1], dtype=np.int64).reshape(-1, 2).T
    made = number_sets(owner, number, len(sets))
    assert made.texts() == [set_text(members) for members in sets]
    assert made.sizes.tolist() == [len(members) for members in sets]
    again = read_sets(made.texts())
    assert all(np.array_equal(one, other) for one, other in zip(again, made, strict=True))


@given(st.lists(st.tuples(st.integers(0, 3), numbers), max_size=8))
def test_unions(pairs):
    """What owners hold together is the union of their sets, wherever these overlap or touch."""
    made = read_sets([set_text(members) for _, members in pairs])
    together = unite(made, np.array([owner for owner, _ in pairs], dtype=np.int64), 4)
    expected = [set().union(*(members for owner, members in pairs if owner == k)) for k in range(4)]
    assert together.texts() == [set_text(members) for members in expected]


@pytest.mark.parametrize(
    "text", ["1 2", "3-3", "5 1", "4-2", "a", "1,2", "-1", "1-", " 1", "1  3", "٣", "1-2-3"]
)
def test_what_is_not_canonical_is_refused(text):
    """A set that has a shorter way, is out of order or is no set is told with its text and row."""
    with pytest.raises(InputError, match="in row 2") as problem:
        read_sets(["0", text])
    assert repr(text) in str(problem.value)
