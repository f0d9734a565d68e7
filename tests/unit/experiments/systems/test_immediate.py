"""What runs on machines without queues are told: specs, defaults, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.engine.immediate.rules import ImmediateRules
from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.experiments.systems.immediate import (
    check_local_policy,
    format_monitoring,
    immediate_rules_of,
    immediate_settings,
    monitoring,
)
from echelon.experiments.systems.refusals import refuse_misplaced
from echelon.model import Monitoring, Platform
from echelon.platforms import platform_named
from echelon.policies import policy as as_policy

DESKS = platform_named("sinapad-rau")
GRID = Platform.of_sizes([4, 8])


@dataclass(frozen=True)
class Slow:
    """A broker that says how long it takes."""

    decision: float = 0.5


def test_what_is_not_said_is_as_by_default():
    """Without a word there are the usual rules; the broker's own time counts; elsewhere there are none."""
    assert immediate_rules_of(DESKS, {}, None) == ImmediateRules()
    assert immediate_rules_of(DESKS, {}, Slow()).decision_time == 0.5
    assert immediate_rules_of(GRID, {}, None) is None
    assert immediate_rules_of(None, {}, None) is None


@pytest.mark.parametrize(
    ("given", "seconds"), [("own", 0.5), ("0.25", 0.25), (3, 3.0), ("equal", 2.0), (0, 0.0), (None, 0.5)]
)
def test_decision_times(given, seconds):
    """A time is that of the broker, of the slowest one compared, or one for all."""
    compared = [Slow(), Slow(2.0), object()]
    choice = {"decision_time": given}
    assert immediate_rules_of(DESKS, choice, Slow(), compared=compared).decision_time == seconds


@pytest.mark.parametrize("given", ["-1", -1, "soon", "inf", "nan", True, [3]])
def test_what_is_no_decision_time(given):
    """The sentence says what may stand there."""
    with pytest.raises(InputError, match=r"decision-time: must be own, equal or a time in seconds >= 0"):
        immediate_rules_of(DESKS, {"decision_time": given}, Slow())


def test_equal_is_for_comparisons():
    """One broker alone has nobody to be equal to."""
    with pytest.raises(InputError, match="a comparison of brokers"):
        immediate_rules_of(DESKS, {"decision_time": "equal"}, Slow())


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("linear", Monitoring()),
        ("exponential", Monitoring("exponential")),
        ("exponential:period=30:window=2min:phase=zero", Monitoring("exponential", 120.0, 30.0, "zero")),
    ],
)
def test_specs_of_monitoring(spec, expected):
    """The average stands first, then what differs from one minute every 15 s."""
    assert monitoring(spec) == expected
    assert monitoring(expected) is expected


@pytest.mark.parametrize("spec", ["", "x", "linear:x=3", "linear:period=0", "linear:period=x", "period=3"])
def test_what_is_no_monitoring(spec):
    """Words that name nothing are refused in one sentence."""
    with pytest.raises(EchelonError):
        monitoring(spec)


def test_an_average_stands_first():
    """It is no parameter, and other things are no monitoring."""
    with pytest.raises(UnknownNameError, match="no parameter of linear is named 'average'"):
        monitoring("linear:average=exponential")
    with pytest.raises(InputError, match="must be a spec"):
        monitoring(3)


@given(
    st.builds(
        Monitoring,
        st.sampled_from(["linear", "exponential"]),
        st.floats(1e-3, 1e6),
        st.floats(1e-3, 1e6),
        st.sampled_from(["random", "zero"]),
    )
)
def test_specs_are_read_back(one):
    """What the manifest says of monitoring is the same monitoring."""
    assert monitoring(format_monitoring(one)) == one


def test_specs_for_the_manifest():
    """Every option has its canonical word, and none where there are queues."""
    choice = {
        "monitoring": "exponential:period=15",
        "decision_time": "2",
        "experience": "cold",
        "cpu_use": "log",
    }
    assert immediate_settings(immediate_rules_of(DESKS, choice, None)) == {
        "monitoring": "exponential",
        "decision_time": 2.0,
        "experience": "cold",
        "cpu_use": "log",
    }
    assert set(immediate_settings(None).values()) == {None}


@pytest.mark.parametrize(
    "choice",
    [
        {"monitoring": "linear"},
        {"experience": "warm"},
        {"cpu_use": "full"},
    ],
)
@pytest.mark.parametrize("machine", [GRID, 4, None])
def test_sites_with_queues_refuse_all_of_it(choice, machine):
    """Each is named, and where it belongs."""
    with pytest.raises(InputError, match="applies to time-shared machines"):
        refuse_misplaced(choice, machine)


@pytest.mark.parametrize("machine", [4, None])
def test_where_no_broker_is_asked_no_decision_takes_time(machine):
    """One machine has no broker; sites with queues have one, whose decisions may take time as well."""
    with pytest.raises(InputError, match="decision-time: 0 applies to several sites"):
        refuse_misplaced({"decision_time": 0}, machine)
    refuse_misplaced({"decision_time": 0}, GRID)


def test_a_wrong_word_is_an_unknown_name():
    """Experience and CPU use have names of their own."""
    for choice in ({"experience": "hot"}, {"cpu_use": "half"}):
        with pytest.raises(UnknownNameError):
            immediate_rules_of(DESKS, choice, None)


def test_a_local_policy_has_no_queue_to_order():
    """Another policy than the usual one is refused without queues, and there alone."""
    check_local_policy(DESKS, as_policy("fcfs"), "fcfs")
    check_local_policy(GRID, as_policy("easy"), "fcfs")
    with pytest.raises(InputError, match="every job starts at once"):
        check_local_policy(DESKS, as_policy("easy"), "fcfs")
