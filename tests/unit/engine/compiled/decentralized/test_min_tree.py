"""The tree of minima against plain loops."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from echelon.engine.compiled.decentralized import min_tree
from echelon.engine.compiled.decentralized.min_tree import assign, first_at_most, last_at_most, least_value

values = st.integers(0, 6) | st.just(min_tree.NOTHING)


def tree_of(column):
    """Return a tree whose leaves have these values."""
    tree = min_tree.empty_tree(len(column))
    for leaf, value in enumerate(column):
        assign(tree, leaf, value)
    return tree


@given(st.lists(values, min_size=1, max_size=20), st.data())
def test_questions(column, data):
    """The first, last and least value of a range are those of a loop over the values."""
    tree = tree_of(column)
    low = data.draw(st.integers(0, len(column)))
    high = data.draw(st.integers(low, len(column)))
    limit = data.draw(st.integers(-1, 7))
    inside = [leaf for leaf in range(low, high) if column[leaf] <= limit]
    assert first_at_most(tree, low, limit) == next(
        (leaf for leaf in range(low, len(column)) if column[leaf] <= limit), -1
    )
    assert last_at_most(tree, low, high, limit) == (inside[-1] if inside else -1)
    assert least_value(tree, low, high) == min(column[low:high], default=min_tree.NOTHING)


@given(st.lists(values, min_size=1, max_size=20), st.lists(st.tuples(st.integers(0, 19), values)))
def test_changes(column, changes):
    """After any changes the tree is that of the values as they are now."""
    tree, column = tree_of(column), list(column)
    for leaf, value in changes:
        if leaf < len(column):
            assign(tree, leaf, value)
            column[leaf] = value
    assert tree[1:].tolist() == tree_of(column)[1:].tolist()
