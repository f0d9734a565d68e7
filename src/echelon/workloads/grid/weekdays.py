"""Weekdays: the days of a week from which an experiment takes its jobs."""

from __future__ import annotations

from typing import NamedTuple

from echelon.errors import InputError

DAY = 86_400.0
WEEK = 7 * DAY
NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class Weekdays(NamedTuple):
    """Consecutive days of the week, from a first midnight on.

    Attributes
    ----------
    first : int
        0 is Monday, 6 Sunday.
    days : int
        How many, 1 to 7; they may run over the end of the week.
    """

    first: int
    days: int

    @property
    def seconds(self) -> float:
        """Length in seconds, on a clock without leaps."""
        return self.days * DAY

    @classmethod
    def parse(cls, words: str) -> Weekdays:
        """Return the days that words such as ``mon-fri``, ``sat-mon`` or ``wed`` name; case matters not.

        Raises
        ------
        InputError
            If a word is no weekday.
        """
        first, dash, last = words.partition("-")
        start = _place(first, words)
        end = _place(last, words) if dash else start
        return cls(start, (end - start) % 7 + 1)


def _place(word: str, words: str) -> int:
    weekday = word.strip().lower()
    for names in (NAMES, _FULL):
        if weekday in names:
            return names.index(weekday)
    raise InputError(f"must be weekdays such as mon-fri, got {words!r}", field="days")
