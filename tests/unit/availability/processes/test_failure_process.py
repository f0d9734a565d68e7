"""Failure processes: their specs, their streams, and the counts that theory has of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.availability.laws import Constant, Exponential, Weibull
from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.merging import node_intervals
from echelon.availability.processes import FailureProcess, draw_failures
from echelon.errors import InputError, UnknownNameError
from echelon.model import Platform, Site
from echelon.model.streams import record_streams

DAY, YEAR = 86400.0, 365.25 * 86400.0
REPAIR = Exponential(DAY)


def down(spec, machine, *, horizon=YEAR, seed=0, repair=REPAIR):
    """Return the outages of a process, node by node."""
    process = FailureProcess.of_spec(spec)
    return node_intervals(draw_failures(process, repair, machine, horizon=horizon, seed=seed))


def listed(intervals, *, below=math.inf, nodes=math.inf):
    """Return node, start and end of the outages of the first nodes that begin before a time."""
    columns = (intervals.site, intervals.node, intervals.start, intervals.end)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return sorted(row for row in rows if row[2] < below and row[1] < nodes)


@pytest.mark.parametrize(
    "spec",
    [
        "exponential:mean=1780h",
        "weibull:shape=0.48,scale=817h,of=machine,start=stationary,burst=2.5",
        "constant:3d,of=site",
        "gamma:shape=2:scale=1d:of=link",
    ],
)
def test_specs_come_back(spec):
    """The canonical specs of a process read back as the same process, and have no defaults in them."""
    process = FailureProcess.of_spec(spec)
    assert FailureProcess.of_spec(process.spec) == process
    assert "start=new" not in process.spec


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("exponential:mean=1d,of=rack", UnknownNameError, "no part that fails is named 'rack'"),
        ("exponential:mean=1d,start=old", UnknownNameError, "no start of a failure process is named 'old'"),
        ("exponential:mean=1d,burst=0.5", InputError, "must be a finite number >= 1, got 0.5"),
        ("exponential:mean=1d,burst=many", InputError, "must be a number >= 1, got 'many'"),
        ("exponential:mean=1d,of=site,burst=2", InputError, "is for failures of nodes, got of=site"),
        ("exponential:mean=1d,of=node,of=site", InputError, "of is set twice"),
        ("constant:0", InputError, "must have a mean > 0"),
        ("of=node", InputError, "must be parts joined by single colons"),
    ],
)
def test_wrong_specs_are_named(spec, error, said):
    """What is wrong with a process is said with what was got."""
    with pytest.raises(error) as found:
        FailureProcess.of_spec(spec)
    assert said in str(found.value)


def test_constant_times_give_the_failures_that_one_counts_by_hand():
    """Up 10 s, down 5 s: failures at 10, 25, 40 ... of every node, each as one row of both nodes."""
    process = FailureProcess(Constant(10.0))
    found = draw_failures(process, Constant(5.0), MachineNodes((2,)), horizon=41.0, seed=7)
    assert found.start.tolist() == [10.0, 25.0, 40.0]
    assert found.end.tolist() == [15.0, 30.0, 45.0]
    assert [found.nodes_of(row).tolist() for row in range(3)] == [[0, 1]] * 3


@pytest.mark.parametrize("extra", ["", ",burst=2", ",start=stationary"])
def test_more_nodes_and_a_longer_horizon_change_nothing_before(extra):
    """The first five nodes fail as before beside ten, and until the old horizon as before with twice that."""
    spec = f"weibull:shape=0.5,scale=20d{extra}"
    # A burst of a lower node may reach a further one, but never goes down in number.
    few = listed(down(spec, MachineNodes((12,)), horizon=YEAR), nodes=5)
    many = listed(down(spec, MachineNodes((40,)), horizon=YEAR), nodes=5)
    assert few == many
    assert len(few) > 20
    longer = listed(down(spec, MachineNodes((12,)), horizon=4 * YEAR), nodes=5, below=YEAR)
    assert [row[:3] for row in longer] == [row[:3] for row in few]
    if "burst" not in extra:
        assert longer == few


def test_sites_have_streams_of_their_own():
    """A further site changes no failure of the first one, and equal sites fail at different times."""
    one = Platform((Site("a", 4),))
    two = Platform((Site("a", 4), Site("b", 4)))
    spec = "exponential:mean=10d"
    alone, both = (down(spec, MachineNodes.of(platform)) for platform in (one, two))
    assert listed(alone) == [row for row in listed(both) if row[0] == 0]
    first, second = ([row[1:] for row in listed(both) if row[0] == site] for site in (0, 1))
    assert not set(first) & set(second)


def test_streams_are_named_by_purpose():
    """Failures, repairs and bursts draw from named streams, of which the run's record keeps the purposes."""
    with record_streams() as names:
        down("exponential:mean=1d,burst=2", MachineNodes((3,)))
    assert names == {"failures/machine", "repairs/machine", "bursts/machine"}


@pytest.mark.slow
def test_a_stationary_process_has_the_same_rate_from_the_first_second_on():
    """In each tenth of a year the failures are nodes x length / (mean up + mean down), within 4 sigma."""
    nodes, law = 2000, Weibull(0.5, 10 * DAY)
    found = down("weibull:shape=0.5,scale=10d,start=stationary", MachineNodes((nodes,)), horizon=YEAR / 4)
    begun = found.start[found.start > 0]
    counts = np.histogram(begun, bins=10, range=(0.0, YEAR / 4))[0]
    expected = nodes * (YEAR / 40) / (law.mean + REPAIR.mean)
    # Times of a Weibull law of shape 0.5 have a variance of 5 x mean², so counts have one of 5 x expected.
    sigma = math.sqrt(expected * 6)
    assert np.abs(counts - expected).max() < 4 * sigma
    assert abs(counts[0] - expected) < 4 * sigma
    new = down("weibull:shape=0.5,scale=10d", MachineNodes((nodes,)), horizon=YEAR / 4)
    assert np.histogram(new.start, bins=10, range=(0.0, YEAR / 4))[0][0] > expected + 8 * sigma


@pytest.mark.slow
def test_a_stationary_process_finds_nodes_down_as_often_as_they_are():
    """At second 0, as at any other, the share of nodes that are down is MTTR / (MTBF + MTTR)."""
    nodes = 4000
    found = down("gamma:shape=2,scale=2d,start=stationary", MachineNodes((nodes,)), horizon=20 * DAY)
    share = 1.0 / 5.0
    for instant in (0.0, 7 * DAY, 19 * DAY):
        is_down = np.count_nonzero((found.start <= instant) & (found.end > instant))
        assert abs(is_down - share * nodes) < 4 * math.sqrt(nodes * share * (1 - share))


def test_a_law_of_the_machine_hits_all_its_nodes_alike():
    """Failures follow each other by the law whatever the repairs, and hit each of 8 nodes equally often."""
    machine = MachineNodes((8,))
    process = FailureProcess.of_spec("constant:100s,of=machine")
    found = draw_failures(process, Constant(1.0), machine, horizon=80_001.0, seed=3)
    assert found.start.tolist() == [100.0 * k for k in range(1, 801)]
    hits = np.bincount(found.node, minlength=8)
    assert np.abs(hits - 100).max() < 4 * math.sqrt(100 * 7 / 8)


@pytest.mark.slow
def test_a_burst_takes_the_nodes_that_follow():
    """The nodes of a failure are neighbors, come back together, and are 3 on average, within 4 sigma."""
    process = FailureProcess(Exponential(YEAR), burst=3.0)
    found = draw_failures(process, Constant(1.0), MachineNodes((5000,)), horizon=YEAR / 2, seed=5)
    sizes = np.diff(found.first)
    for row in range(0, len(found), 97):
        nodes = found.nodes_of(row)
        assert nodes.tolist() == list(range(nodes[0], nodes[0] + len(nodes)))
    sigma = math.sqrt(3.0 * 2.0 / len(found))
    assert abs(sizes.mean() - 3.0) < 4 * sigma
    assert sizes.max() > 8


def test_a_burst_ends_at_the_last_node():
    """The last node takes no node that is not there."""
    process = FailureProcess(Exponential(DAY), burst=50.0)
    found = draw_failures(process, Constant(1.0), MachineNodes((3, 4), ("a", "b")), horizon=YEAR, seed=5)
    assert set(
        zip(np.repeat(found.site, np.diff(found.first)).tolist(), found.node.tolist(), strict=True)
    ) == {
        *((0, node) for node in range(3)),
        *((1, node) for node in range(4)),
    }


def test_a_site_goes_down_as_a_whole():
    """Every outage has all nodes of one site, and the two sites fail at times of their own."""
    found = draw_failures(
        FailureProcess.of_spec("exponential:mean=20d,of=site"),
        REPAIR,
        MachineNodes((3, 2), ("a", "b")),
        horizon=YEAR,
        seed=1,
    )
    nodes = {site: [0, 1, 2][: 3 - site] for site in (0, 1)}
    assert all(found.nodes_of(row).tolist() == nodes[int(found.site[row])] for row in range(len(found)))
    assert not set(found.start[found.site == 0]) & set(found.start[found.site == 1])


def test_a_link_takes_all_that_is_below_it():
    """In a tree the link above an inner site takes both its sites at once; each site's own takes that one."""
    platform = Platform((Site("x/a", 2), Site("x/b", 1), Site("c", 1)))
    found = draw_failures(
        FailureProcess.of_spec("exponential:mean=30d,of=link"),
        Constant(60.0),
        MachineNodes.of(platform),
        horizon=YEAR,
        seed=2,
    )
    together = {}
    for row in range(len(found)):
        together.setdefault(float(found.start[row]), set()).add(int(found.site[row]))
    assert {frozenset(sites) for sites in together.values()} == {
        frozenset({0}),
        frozenset({1}),
        frozenset({2}),
        frozenset({0, 1}),
    }


@pytest.mark.slow
def test_what_never_ends_is_refused(tmp_path):
    """Too many failures are refused before they are drawn, and so is a law that says less than its mean."""
    with pytest.raises(InputError, match="expects 31,557,600 failures"):
        down("exponential:mean=1s", MachineNodes((1,)), repair=Constant(0.0))
    with pytest.raises(InputError, match="must be a finite number of seconds"):
        down("exponential:mean=1d", MachineNodes((1,)), horizon=math.inf)
    file = tmp_path / "mine.py"
    file.write_text(
        "class Still:\n    mean = 1e9\n\n    def sample(self, rng, n):\n        return [0.0] * n\n"
    )
    with pytest.raises(InputError, match="many more failures of one part"):
        down(f"{file}:Still", MachineNodes((1,)), repair=Constant(0.0), horizon=10.0)
