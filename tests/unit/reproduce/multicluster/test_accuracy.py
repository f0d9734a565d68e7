"""What is replayed of a run comes in the order in which it happened."""

from __future__ import annotations

import numpy as np

from echelon.reproduce.multicluster import accuracy as replay


class Heard:
    """A contest that writes down what it hears, and always ranks the first estimator first."""

    def __init__(self, rule):
        self.ranking = [0]
        self.real = HEARD

    def add(self, estimates, real):
        self.real.append(real)


HEARD = []


def test_jobs_that_end_together_are_heard_of_by_their_starts(monkeypatch):
    """Three jobs end at 10, in the file against the order in which they started; the fourth hears of all."""
    monkeypatch.setattr(replay, "Contest", Heard)
    HEARD.clear()
    times = replay.Times(
        delivered=np.array([0.0, 0.0, 2.0, 10.0]),
        start=np.array([4.0, 3.0, 2.0, 11.0]),
        end=np.array([10.0, 10.0, 10.0, 12.0]),
    )
    said = [np.array([5.0, 5.0, 5.0, 5.0])]
    assert replay.choose_forecasts(said, times.end - times.start, times).tolist() == [5, 5, 5, 5]
    assert HEARD == [8, 7, 6]
