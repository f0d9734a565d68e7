"""Weekdays: words for the days of a week."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.workloads.grid.weekdays import Weekdays


@pytest.mark.parametrize(
    ("words", "first", "days"),
    [("mon-fri", 0, 5), ("Mon-Thu", 0, 4), ("sat-mon", 5, 3), ("wednesday", 2, 1), ("mon-sun", 0, 7)],
)
def test_words_name_consecutive_days(words: str, first: int, days: int) -> None:
    """A range counts both its ends, and may run over the end of the week."""
    assert Weekdays.parse(words) == (first, days)
    assert Weekdays.parse(words).seconds == days * 86_400


@pytest.mark.parametrize("words", ["", "mon-", "weekday", "mon-tue-wed", "1-5"])
def test_other_words_are_refused(words: str) -> None:
    """What names no weekday is an error that shows the words."""
    with pytest.raises(InputError, match="must be weekdays such as mon-fri"):
        Weekdays.parse(words)
