"""Node sets against sets of numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.resources.node_set import lowest, mask_of, node_set, numbers_of

NUMBERS = st.sets(st.integers(0, 300))


@examples(60)
@given(NUMBERS)
def test_a_set_has_the_numbers_that_it_was_made_of(numbers):
    """There and back, in any order, and as a mask of at least as many nodes."""
    nodes = node_set([*numbers])
    assert numbers_of(nodes).tolist() == sorted(numbers)
    assert nodes.bit_count() == len(numbers)
    assert mask_of(nodes, 303).nonzero()[0].tolist() == sorted(numbers)


@examples(100)
@given(NUMBERS, st.integers(0, 310))
def test_the_lowest_are_the_first_of_the_sorted_numbers(numbers, count):
    """As many as wanted, or None if there are fewer."""
    found = lowest(node_set([*numbers]), count)
    expected = sorted(numbers)[:count] if count <= len(numbers) else None
    assert (None if found is None else numbers_of(found).tolist()) == expected
