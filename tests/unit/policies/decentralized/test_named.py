"""The specs of decentralized protocols."""

from __future__ import annotations

import pytest

from echelon.errors import EchelonError
from echelon.policies import PROTOCOLS, SiteProtocol, broker_named, format_broker


@pytest.mark.parametrize("name", PROTOCOLS)
def test_specs_mean_what_they_say(name):
    """The canonical spec of a protocol names it again, and alone it has its defaults."""
    assert broker_named(name) == PROTOCOLS[name]()
    slow = PROTOCOLS[name](latency=90.0, refresh=0.5)
    assert format_broker(slow).endswith("latency=90:refresh=0.5")
    assert broker_named(format_broker(slow)) == slow


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("stealing:50:60", "takes one value without a key, its threshold, got 50, 60"),
        ("stealing:50:threshold=60", "threshold is set twice"),
        ("stealing:half", "must be a number, got 'half'"),
        ("stealing:101", "from 0 to 100, got 101"),
        ("stealing:latency=-1", "latency: must be from 0 to 1e[+]09 s, got -1"),
        ("stealing:refresh=inf", "refresh: must be from 0 to 1e[+]09 s, got inf"),
        ("common-pool:list", "takes key=value only, got list"),
        ("common-pool:fit=best-fit", "no parameter of common-pool is named 'fit'"),
        ("exchange:conservative", "must be easy or fcfs or list, got 'conservative'"),
        ("stealin:50", "did you mean 'stealing'"),
    ],
)
def test_refused_specs(spec, reason):
    """A wrong spec is refused in one sentence that says what was expected."""
    with pytest.raises(EchelonError, match=reason):
        broker_named(spec)


def test_a_class_may_say_what_communication_costs():
    """A value in the body of a class of one's own is its default, not lost, and checked as any other."""

    class Slow(SiteProtocol):
        name = "slow"
        latency = 60.0

    class Never(SiteProtocol):
        name = "never"
        refresh = -1.0

    assert (Slow().latency, Slow(latency=5.0).latency, Slow().spec) == (60.0, 5.0, "slow:latency=60")
    with pytest.raises(EchelonError, match="refresh: must be from 0"):
        Never()


def test_earlier_names_still_work():
    """Code that imports the base class, the list or the check by its earlier name finds the present one."""
    from echelon import policies, testing

    assert policies.Arrangement is policies.SiteProtocol
    assert policies.ARRANGEMENTS is policies.PROTOCOLS
    assert testing.check_arrangement is testing.check_protocol
