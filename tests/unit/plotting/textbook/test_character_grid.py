"""Boxes of characters."""

from __future__ import annotations

from echelon.plotting.textbook.character_grid import CharacterGrid, columns_of


def test_edges_that_meet_are_joined():
    """Boxes side by side share their edges; where four meet there is a cross."""
    grid = CharacterGrid(5, 5, is_ascii=False)
    for left, top in ((0, 0), (2, 0), (0, 2), (2, 2)):
        grid.box(left, top, left + 2, top + 2)
    assert grid.lines(colors=False) == ["┌─┬─┐", "│ │ │", "├─┼─┤", "│ │ │", "└─┴─┘"]


def test_ascii_has_plus_minus_and_bar():
    """Where only ASCII may be written, corners and crosses are plus signs."""
    grid = CharacterGrid(4, 3, is_ascii=True)
    grid.box(0, 0, 3, 2)
    grid.write(1, 1, "é▼")
    assert grid.lines(colors=False) == ["+--+", "|?v|", "+--+"]


def test_wide_letters_take_two_columns():
    """East Asian letters take two, marks on letters none."""
    assert [columns_of(text) for text in ("ab", "語", "e\u0301")] == [2, 2, 1]
    grid = CharacterGrid(6, 1, is_ascii=False)
    grid.write(0, 0, "語a")
    assert grid.lines(colors=False) == ["語a"]
