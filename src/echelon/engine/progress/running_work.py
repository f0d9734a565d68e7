"""RunningWork: what runs at one pace, which others may change."""

from __future__ import annotations

import math


class RunningWork:
    """What runs at one pace: what is left of it, and when that ends.

    A subclass says in its own units what is left after a time and how long that takes, so that it rounds as
    its model does.

    Parameters
    ----------
    left : float
        Its work, in the unit of its model.
    pace : float
        Its pace at first, in the unit of its model, as if it stood still.
    since : float
        When it begins, in seconds.

    Attributes
    ----------
    left : float
        Work left at `since`.
    since : float
        When its pace last changed, in seconds.
    due : float
        Its end at the present pace, in seconds.
    serial : int
        Number of ends predicted so far.
    """

    __slots__ = ("due", "left", "pace", "serial", "since")

    def __init__(self, left: float, pace: float, since: float) -> None:
        self.left, self.pace, self.since = left, pace, since
        self.due = math.inf
        self.serial = 0

    def left_at(self, now: float) -> float:
        """Return the work left at `now`, in seconds."""
        raise NotImplementedError

    def end_from(self, now: float) -> float:
        """Return the end at the present pace of what is left at `now`, in seconds."""
        raise NotImplementedError

    def run_at(self, pace: float, now: float) -> bool:
        """Set the pace from `now` on; return whether it changes."""
        if pace == self.pace:
            return False
        self.settle(now)
        self.pace = pace
        self.predict(now)
        return True

    def settle(self, now: float) -> None:
        """Take off what has been done by `now`, in seconds."""
        self.left, self.since = self.left_at(now), now

    def predict(self, now: float) -> None:
        """Predict the end from what is left at `now`, in seconds."""
        self.due = self.end_from(now)
        self.serial += 1
