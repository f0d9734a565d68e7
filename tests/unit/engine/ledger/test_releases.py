"""Releases: which jobs come when, and nothing that is not known yet."""

from __future__ import annotations

import math

import numpy as np

from echelon.engine.ledger.releases import Releases
from echelon.model import Instance, Workload


def releases(submit, preceding, think):
    """Return the releases of jobs numbered from 1."""
    log = Workload.from_columns(
        submit_time=submit,
        run_time=np.ones(len(submit)),
        processors=np.ones(len(submit), dtype=int),
        preceding_job=preceding,
        think_time=think,
    )
    return Releases(Instance.of(log, 4))


def test_by_submit_time_without_dependencies():
    """Jobs of one instant in the workload's order; afterwards no arrival is left."""
    coming = releases([5, 3, 5], [-1, -1, -1], [-1, -1, -1])
    assert coming.next_time == 3
    assert coming.take(2) == []
    assert coming.take(3) == [1]
    coming.note_end(1, 4)
    assert coming.take(5) == [0, 2]
    assert coming.next_time == math.inf


def test_released_by_the_end_of_others():
    """At its own submit time, or at the end if that is later, or by the end alone if it follows."""
    coming = releases([0, 50, 5, 90], [-1, 1, 1, 1], [-1, -1, -1, 7])
    assert coming.take(0) == [0]
    assert coming.next_time == math.inf
    coming.note_end(0, 20)
    assert coming.next_time == 20
    assert coming.take(20) == [2]
    assert coming.take(27) == [3]
    assert coming.take(50) == [1]
    assert coming.next_time == math.inf


def test_released_and_submitted_at_one_instant():
    """Arrivals by the log and by an end are in the workload's order."""
    coming = releases([0, 1, 8, 3, 8], [-1, 1, -1, 1, -1], [-1, -1, -1, -1, -1])
    coming.take(0)
    coming.note_end(0, 8)
    assert coming.take(8) == [1, 2, 3, 4]
