"""Words of maintenance, and what they mean on a machine."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest

from echelon.availability.log_clock import LogClock
from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.maintenance import check_maintenance, maintenance_of
from echelon.errors import EchelonError, InputError
from echelon.model.machines.outages import OutageKind

# 2026-12-01 00:00 in Madrid.
CLOCK = LogClock(1796079600.0, "Europe/Madrid")
DAY = 86400.0


def outages(spec, horizon=30 * DAY, nodes=None):
    """Return what specs mean on a machine of four nodes."""
    return maintenance_of(spec, CLOCK).expand(nodes or MachineNodes((4,)), CLOCK, horizon).outages


def test_a_date_and_a_length():
    """Eight hours from eight in the morning, on all nodes, always known."""
    found = outages("2026-12-01T08:00/8h")
    assert (found.start.tolist(), found.end.tolist()) == ([8 * 3600.0], [16 * 3600.0])
    assert found.kind.tolist() == [OutageKind.MAINTENANCE]
    assert found.nodes_of(0).tolist() == [0, 1, 2, 3]
    assert found.announced.tolist() == [-np.inf]


def test_seconds_of_the_log_and_chosen_nodes():
    """Times and nodes may be numbers; nodes are numbered from 1."""
    found = outages("86400/100/nodes=1-2+4/announced=3600")
    assert (found.start.tolist(), found.nodes_of(0).tolist()) == ([DAY], [0, 1, 3])
    assert found.announced.tolist() == [3600.0]


def test_repeats_end_at_the_horizon():
    """Weekly maintenance is there before the horizon, and not at it."""
    assert outages("0/8h/weekly", horizon=14 * DAY).start.tolist() == [0.0, 7 * DAY]
    assert outages("0/8h/every=2d", horizon=5 * DAY).start.tolist() == [0.0, 2 * DAY, 4 * DAY]
    assert outages("100/1h/daily", horizon=2 * DAY).start.tolist() == [100.0, DAY + 100]


def test_repeats_that_began_before_the_log_go_on_in_it():
    """A first date long ago gives the occurrences of the log's time, also one that is on at its start."""
    found = outages("2026-11-23T22:00/4h/weekly", horizon=8 * DAY)
    assert found.start.tolist() == [-2 * 3600.0, 7 * DAY - 2 * 3600]


def test_several_are_parted_by_semicolons():
    """Each has its own nodes; all are in order of start."""
    found = outages("500/10/nodes=3; 100/10/nodes=1 ;")
    assert found.start.tolist() == [100.0, 500.0]
    assert found.node.tolist() == [0, 2]


def test_a_site_is_named_after_an_at_sign():
    """A path with slashes stands anywhere after the start; an inner site means all below it."""
    grid = MachineNodes((2, 3, 1), ("spain/uab", "spain/upc", "italy"), ("spain",))
    found = outages("5/5@spain", nodes=grid)
    assert (found.site.tolist(), found.node.tolist()) == ([0, 1], [0, 1, 0, 1, 2])
    for spec in ("5/5/nodes=2@spain/upc", "5/5@spain/upc/nodes=2", "5@spain/upc/5s/nodes=2"):
        assert outages(spec, nodes=grid).node.tolist() == [1]
    assert outages("0/5@italy/every=100", nodes=grid, horizon=250).start.tolist() == [0, 100, 200]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("", "expected START/LENGTH"),
        ("86400", "says no length"),
        ("86400/8h/often", "has the part 'often'"),
        ("86400/8x", "expected a length of time"),
        ("someday/8h", "expected seconds of the log"),
        ("0/2h/every=1h", "lasts 7200 s and begins again every 3600 s"),
        ("0/2h/daily/weekly", "says how often twice, 'daily' and 'weekly'"),
        ("0/2h/nodes=1/nodes=2", "says its nodes twice, '1' and '2'"),
        ("0/2h@", "names no site with @"),
        ("0/2h@a/daily@b", "names two sites with @"),
        ("0@a/b", "says no length"),
        ("0/2h/nodes=0", "numbers from 1 on"),
        ("0/2d/daily", "begins again every 86400 s"),
    ],
)
def test_wrong_specs_are_refused_with_their_specs(spec, sentence):
    """The message names the specs, what is wrong with them and what is expected."""
    with pytest.raises(InputError, match=sentence) as error:
        maintenance_of(spec, CLOCK)
    assert "maintenance" in str(error.value)


def test_specs_are_checked_before_the_log_is_known():
    """Dates are fine without a clock; what is wrong is refused at once."""
    assert check_maintenance("2026-12-01T08:00/8h") == "2026-12-01T08:00/8h"
    with pytest.raises(InputError):
        check_maintenance("2026-12-41T08:00/8h")


def test_nodes_are_those_of_the_machine_by_name():
    """Where the machine names its nodes, a name is that node, whatever number it ends in; else the number."""
    named = MachineNodes((3, 2), ("a", "b"), names=(("n0", "n1", "n2"), ("m1", "m2")))
    for spec, site, nodes in (("0/5/nodes=n[1-2]", 0, [1, 2]), ("0/5/nodes=m1", 1, [0])):
        found = outages(spec, nodes=named)
        assert (found.site.tolist(), found.node.tolist()) == ([site], nodes)
    with pytest.raises(EchelonError, match="no node is named 'n3'"):
        outages("0/5/nodes=n2+n3", nodes=named)
    assert outages("0/5/nodes=2-3@a", nodes=named).node.tolist() == [1, 2]
    assert outages("0/5/nodes=cn2@a", nodes=named).node.tolist() == [1]
    shared = MachineNodes((1, 1), ("a", "b"), names=(("n1",), ("n1",)))
    with pytest.raises(EchelonError, match="names the node 'n1', which several sites have; say which site"):
        outages("0/5/nodes=n1", nodes=shared)
    assert outages("0/5/nodes=n1@b", nodes=shared).site.tolist() == [1]


def test_nodes_that_there_are_not_are_refused():
    """The number and the size of the machine are told."""
    with pytest.raises(InputError, match="names node 5, but there are 4"):
        outages("0/5/nodes=5")


def test_endless_repeats_are_refused():
    """A second every two seconds in a thousand years is no calendar."""
    with pytest.raises(InputError, match="occurs more than 1,000,000 times"):
        outages("0/1/every=2", horizon=3e10)


def test_garbage_is_refused_or_read():
    """Random specs of the alphabet of maintenance never raise anything else."""
    random = np.random.default_rng(7)
    alphabet = list("0123456789/;=@+-.:Tdhw nodesevrydail")
    for length in random.integers(1, 30, 400).tolist():
        spec = "".join(random.choice(alphabet, length))
        with suppress(EchelonError):
            outages(spec, horizon=DAY)
