"""TAT and PTT, by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.errors import InputError
from echelon.model import Forecast, InnerSite, Instance, Job, Platform, Site, Workload
from echelon.policies import broker_named, format_broker, policy

JOB = Job(0, 1, 0.0, 2, 10.0)


@dataclass
class Told:
    """A view that says of each site a turnaround, and how many owners are at work."""

    turnarounds: tuple
    owners: tuple = ()
    weights: tuple = ()

    machines_change = False

    @property
    def allowed(self):
        return range(len(self.turnarounds))

    def forecast(self, job, site):
        return Forecast(self.turnarounds[site], 0.0)

    def weight(self, site):
        return self.weights[site] if self.weights else None

    def occupied(self, job, site):
        return self.owners[site] if self.owners else 0


def chosen(spec, turnarounds, owners=()):
    return broker_named(spec).choose(JOB, Told(turnarounds, owners))


def test_the_shortest_turnaround_wins():
    """Tat takes the least, on ties the lowest site."""
    assert chosen("tat", (30.0, 20.0, 20.0)) == 1


@pytest.mark.parametrize(
    ("spec", "site"),
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
def test_the_formula_by_hand(spec, site):
    """Turnarounds of 100, 80 and 60 s with 4, 2 and 4 owners at work."""
    assert chosen(spec, (100.0, 80.0, 60.0), (4, 2, 4)) == site


@pytest.mark.parametrize(
    ("weights", "site"),
    [
        # Of the rule, 0.5 for both: 100 x 0.5 = 50, and 80 (0.5 x 0.8 + 0.5) = 72.
        ((None, None), 0),
        # 100 x 0.7 = 70, and 80 (0.85 x 0.8 + 0.15) = 66.4.
        ((0.7, 0.85), 1),
        # 100 x 0.66 = 66 is less than 66.4.
        ((0.66, 0.85), 0),
        # What is not said of a cluster is the rule's: 50, and 80 (0.9 x 0.8 + 0.1) = 65.6.
        ((None, 0.9), 0),
        # 80 (0 + 1) = 80 is less than 100 x 0.81.
        ((0.81, 0.0), 1),
    ],
)
def test_each_cluster_has_a_weight_of_its_own(weights, site):
    """Turnarounds of 100 and 80 s with none and 2 owners at work: PTT_k is with w_k."""
    assert broker_named("ptt").choose(JOB, Told((100.0, 80.0), (0, 2), weights)) == site


@pytest.mark.parametrize(("ahead", "site"), [(20, 1), (30, 0)])
def test_the_weights_of_a_platform_reach_the_broker(ahead, site):
    """Of 100 s at a and 100 + ahead at b: 60 x 100 / 120 = 50 > 120 x 0.4 = 48, but 46.2 < 130 x 0.4."""
    sites = (Site("a", 4, ptt_weight=0.6), Site("b", 4, ptt_weight=0.4))
    jobs = Workload.from_columns(
        submit_time=[0, 0], run_time=[ahead, 100], requested_time=[ahead, 100], processors=[4, 4]
    )
    instance = Instance.of(jobs, Platform(sites))
    given = replace(broker_named("ptt"), grid_state="actual")
    # The first job finds both sites empty: 24 x 0.6 and 24 x 0.4, so that it goes to b.
    found = simulate(Scenario(instance, policy("fcfs"), system_model=tree_of_sites(given)))
    assert found.site.tolist() == [1, site]


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), "1", True])
def test_a_weight_is_from_0_to_1(weight):
    """Of a site and of an inner site."""
    with pytest.raises(InputError, match=r"ptt_weight.*must be a number from 0 to 1"):
        Site("a", 4, ptt_weight=weight)
    with pytest.raises(InputError, match=r"ptt_weight.*must be a number from 0 to 1"):
        InnerSite("g", ptt_weight=weight)


def test_without_owners_nothing_is_divided_by_zero():
    """With no owner at work max LT is 1; ties go to the shorter turnaround, and equal ones to the lowest."""
    assert chosen("ptt:w=0", (30.0, 20.0, 20.0)) == 1
    assert chosen("ptt", (0.0, 0.0)) == 0


def test_where_the_job_never_starts():
    """A cluster that would never start the job is passed over; if none would, it is the lowest."""
    for spec in ("tat", "ptt", "ptt:w=0"):
        assert chosen(spec, (math.inf, 50.0), (0, 3)) == 1
        assert chosen(spec, (math.inf, math.inf), (0, 3)) == 0


@given(
    st.lists(st.floats(0, 1e9), min_size=1, max_size=8),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_jobs_alone(turnarounds, product, seed):
    """With w = 1 ptt chooses as tat, whoever is at work."""
    owners = tuple((seed >> 4 * site) % 5 for site in range(len(turnarounds)))
    spec = f"ptt:w=1:product={'yes' if product else 'no'}"
    assert chosen(spec, tuple(turnarounds), owners) == chosen("tat", tuple(turnarounds))


@pytest.mark.parametrize("w", [-0.1, 1.1, math.nan])
def test_weights_out_of_range(w):
    """A weight is from 0 to 1."""
    with pytest.raises(InputError, match="from 0 to 1"):
        type(broker_named("ptt"))(w=w)


def test_specs_and_back():
    """Each is read back from its spec."""
    assert format_broker(broker_named("ptt(w=0.25, product=no)")) == "ptt:w=0.25:product=no"


def test_on_a_grid_of_nobody():
    """There turnarounds are by plan: the job goes where it ends first, and ptt does as tat."""
    jobs = Workload.from_columns(submit_time=[0, 0, 1, 1], run_time=[10, 4, 5, 5], processors=[2, 4, 2, 1])
    instance = Instance.of(jobs, Platform.of_sizes((2, 4)))
    sites = {
        spec: simulate(
            Scenario(instance, policy("fcfs"), system_model=tree_of_sites(broker_named(spec)))
        ).site.tolist()
        for spec in ("tat", "ptt", "ptt:w=0", "ptt:product=no")
    }
    # The second needs 4 processors until 4 s; then the third ends at 9 s there, at 15 s beside the first.
    assert set(map(tuple, sites.values())) == {(0, 1, 1, 1)}
