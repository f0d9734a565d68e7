"""TAT and PTT, by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.engine.worlds import world_of_sites
from echelon.errors import InputError
from echelon.model import Forecast, Instance, Job, Platform, Workload
from echelon.policies import broker_named, broker_words, policy

JOB = Job(0, 1, 0.0, 2, 10.0)


@dataclass
class Told:
    """A view that says of each site a turnaround, and how many owners are at work."""

    turnarounds: tuple
    owners: tuple = ()

    @property
    def allowed(self):
        return range(len(self.turnarounds))

    def forecast(self, job, site):
        return Forecast(self.turnarounds[site], 0.0)

    def weight(self, site):
        return None

    def occupied(self, job, site):
        return self.owners[site] if self.owners else 0


def chosen(words, turnarounds, owners=()):
    return broker_named(words).choose(JOB, Told(turnarounds, owners))


def test_the_shortest_turnaround_wins():
    """Tat takes the least, on ties the lowest site."""
    assert chosen("tat", (30.0, 20.0, 20.0)) == 1


@pytest.mark.parametrize(
    ("words", "site"),
    [
        # 100 (0.5 + 0.5) = 100, 80 (0.4 + 0.25) = 52, 60 (0.3 + 0.5) = 48.
        ("ptt", 2),
        # Without the leading factor: 1, 0.65 and 0.8.
        ("ptt:product=no", 1),
        ("ptt:w=1", 2),
        # 100 x 1, 80 x 0.5 and 60 x 1.
        ("ptt:w=0", 1),
    ],
)
def test_the_formula_by_hand(words, site):
    """Turnarounds of 100, 80 and 60 s with 4, 2 and 4 owners at work."""
    assert chosen(words, (100.0, 80.0, 60.0), (4, 2, 4)) == site


def test_without_owners_nothing_is_divided_by_zero():
    """With no owner at work max LT is 1; ties go to the shorter turnaround, and equal ones to the lowest."""
    assert chosen("ptt:w=0", (30.0, 20.0, 20.0)) == 1
    assert chosen("ptt", (0.0, 0.0)) == 0


def test_where_the_job_never_starts():
    """A cluster that would never start the job is passed over; if none would, it is the lowest."""
    for words in ("tat", "ptt", "ptt:w=0"):
        assert chosen(words, (math.inf, 50.0), (0, 3)) == 1
        assert chosen(words, (math.inf, math.inf), (0, 3)) == 0


@given(
    st.lists(st.floats(0, 1e9), min_size=1, max_size=8),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_jobs_alone(turnarounds, product, seed):
    """With w = 1 ptt chooses as tat, whoever is at work."""
    owners = tuple((seed >> 4 * site) % 5 for site in range(len(turnarounds)))
    words = f"ptt:w=1:product={'yes' if product else 'no'}"
    assert chosen(words, tuple(turnarounds), owners) == chosen("tat", tuple(turnarounds))


@pytest.mark.parametrize("w", [-0.1, 1.1, math.nan])
def test_weights_out_of_range(w):
    """A weight is from 0 to 1."""
    with pytest.raises(InputError, match="from 0 to 1"):
        type(broker_named("ptt"))(w=w)


def test_words_and_back():
    """The words of both lead back to them."""
    assert broker_words(broker_named("ptt(w=0.25, product=no)")) == "ptt:w=0.25:product=no"


def test_on_a_grid_of_nobody():
    """There turnarounds are by plan: the job goes where it ends first, and ptt does as tat."""
    jobs = Workload.from_columns(submit_time=[0, 0, 1, 1], run_time=[10, 4, 5, 5], processors=[2, 4, 2, 1])
    instance = Instance.of(jobs, Platform.of_sizes((2, 4)))
    sites = {
        words: simulate(
            Scenario(instance, policy("fcfs"), world=world_of_sites(broker_named(words)))
        ).site.tolist()
        for words in ("tat", "ptt", "ptt:w=0", "ptt:product=no")
    }
    # The second needs 4 processors until 4 s; then the third ends at 9 s there, at 15 s beside the first.
    assert set(map(tuple, sites.values())) == {(0, 1, 1, 1)}
