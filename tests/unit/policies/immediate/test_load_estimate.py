"""Estimated loads: equations 6 and 7 by hand, in the paper's milliseconds and in seconds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.engine.immediate.monitoring import LoadHistory
from echelon.model import Monitoring
from echelon.policies.immediate.load_estimate import estimated_load, exec_ratio, fin_ratio


@pytest.mark.parametrize(("elapsed", "ratio"), [(0, 1), (30_000, 0.5), (60_000, 0), (60_001, 0), (1e9, 0)])
def test_what_is_missing_of_a_new_process(elapsed, ratio):
    """Equation 7: all of it at first, half after 30,000 ms, nothing from 60,000 ms on."""
    assert exec_ratio(elapsed) == ratio
    assert fin_ratio(elapsed, 60_000) == ratio


def test_a_short_process_leaves_no_more_than_it_showed():
    """One that ran for 15 s shows as a quarter from its end on, until it slides out of the window."""
    shown = [fin_ratio(elapsed, 15, window=60) for elapsed in (0, 45, 50, 60, 70)]
    assert shown == [0.25, 0.25, 1 / 6, 0, 0]


def test_a_job_that_shows_as_a_quarter_counts_whole():
    """Started 15 s ago, published 0.25: the estimate is 1, exactly."""
    assert estimated_load(0.25, [(85_000, 1)], [], now=100_000) == 1.0
    assert estimated_load(0.25, [(85, 1)], [], now=100, window=60) == 1.0


def test_every_process_of_a_job_counts():
    """A job of three processes adds three times what one adds."""
    assert estimated_load(0.0, [(0, 3)], [(0, 10, 2)], now=30, window=60) == 1.5 - 2 * 10 / 60


@given(
    st.lists(st.tuples(st.integers(0, 300), st.integers(1, 200), st.integers(1, 4)), max_size=6),
    st.integers(0, 400),
)
def test_fresh_linear_averages_are_corrected_to_the_true_load(jobs, now):
    """With a value of this very moment the estimate is the number of processes, whoever came or went."""
    changes = sorted(
        {*(start for start, _, _ in jobs), *(start + ran for start, ran, _ in jobs)}
        - set(range(now + 1, 502))
    )
    history = LoadHistory(Monitoring())
    for time in changes:
        history.change(time, float(sum(c for start, ran, c in jobs if start <= time < start + ran)))
    running = [(start, c) for start, ran, c in jobs if start <= now < start + ran]
    ended = [(start, start + ran, c) for start, ran, c in jobs if start + ran <= now]
    found = estimated_load(history.average(now), running, ended, now=now, window=60)
    assert found == pytest.approx(sum(c for _, c in running), abs=1e-9)


def test_other_readings_of_the_correction():
    """A job that ended may be taken out as if it had run for a minute, or not at all."""
    shown = {word: fin_ratio(30_000, 15_000, ended=word) for word in ("ran", "full", "none")}
    assert shown == {"ran": 0.25, "full": 0.5, "none": 0}
    ended = [(0.0, 15.0, 2)]
    loads = [
        estimated_load(1, [], ended, now=45, window=60, ended_share=word) for word in ("ran", "full", "none")
    ]
    assert loads == [0.5, 0, 1]
