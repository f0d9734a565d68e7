"""check_immediate: sound rules for time-shared machines pass, and each rule has one that breaks it."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from itertools import count

import pytest

from echelon.errors import InputError
from echelon.policies import DISPATCHERS, IMMEDIATE_STRATEGIES, Cancel, Dispatch, broker, broker_of
from echelon.testing import check_broker, check_immediate, immediate_instances, machines
from echelon.testing.grids import grid_crowd


class Rule:
    """A dispatcher made of a function."""

    name, dispatches = "rule", True

    def __init__(self, decide):
        self._decide = decide

    def decide(self, view):
        """Yield decisions."""
        yield from self._decide(view)


def failed(rule):
    return [one.name for one in check_immediate(rule).findings if one.required and not one.passed]


def at_once(view):
    for job in tuple(view.waiting):
        yield Dispatch(job, view.fits(job)[0])


NAMES = [kind.name for kind in (*IMMEDIATE_STRATEGIES, *DISPATCHERS)]


@pytest.fixture
def small_crowds(monkeypatch):
    """Have rules checked on crowds of 20 jobs in place of 60."""
    monkeypatch.setattr(
        import_module("echelon.testing.machines"), "grid_crowd", partial(grid_crowd, n_jobs=20)
    )


@pytest.mark.slow
@pytest.mark.usefixtures("small_crowds")
@pytest.mark.parametrize("name", NAMES)
def test_those_of_the_package_keep_the_rules(name):
    """Every rule for such machines passes."""
    assert failed(name) == []


def test_check_broker_hands_them_on(monkeypatch):
    """Each rule for such machines is checked here, with the seed given, whoever asks."""
    module = import_module("echelon.testing.checks.check_broker")
    monkeypatch.setattr(module, "check_immediate", lambda rule, *, seed: (rule, seed))
    for name in NAMES:
        assert check_broker(name, seed=3) == (broker_of(name), 3), name


@pytest.mark.slow
@pytest.mark.usefixtures("small_crowds")
def test_brokers_of_grids_keep_them_too():
    """Any broker may choose among time-shared machines."""
    assert failed("mct") == failed("round-robin") == []


@pytest.mark.slow
def test_a_sound_dispatcher():
    """It passes; that it never uses a second machine is noted."""
    checked = check_immediate(Rule(at_once))
    assert checked.passed
    assert not checked.findings[-1].passed
    assert checked.findings[-1].sentence.startswith("0 of 290 jobs run on other machines")


@pytest.mark.slow
@pytest.mark.usefixtures("small_crowds")
def test_copies_are_counted():
    """The note on use tells of further copies."""
    assert "further copies" in check_immediate("wqr").findings[-1].sentence


def never(view):
    yield from ()


def too_small(view):
    for job in tuple(view.waiting):
        yield Dispatch(job, 0)


def last_copy(view):
    for job in tuple(view.waiting):
        yield Dispatch(job, view.fits(job)[0])
        yield Cancel(job, view.fits(job)[0])


def nonsense(view):
    yield "go"


def fails(view):
    yield from at_once(view)
    raise ZeroDivisionError


@pytest.mark.parametrize("decide", [never, too_small, last_copy, nonsense, fails])
def test_what_breaks_a_run(decide):
    """Jobs that wait forever, do not fit, lose their last copy; no decision; an exception: all findings."""
    assert failed(Rule(decide)) == ["runs"]


@pytest.mark.slow
def test_what_remembers():
    """A rule that counts its calls is found by running again."""
    calls = count()
    rule = broker("counting", information=0, source="none", immediate=True)
    checked = check_immediate(rule(lambda_with_docstring(calls)))
    assert not checked.passed
    assert {"same again", "fresh start"} & {one.name for one in checked.findings if not one.passed}


def lambda_with_docstring(calls):
    def value(job, site, view):
        """Return another number each time."""
        return next(calls) * 7919 % 101

    return value


def test_a_rule_that_needs_other_levels():
    """What asks for more than it declares fails as on grids."""

    @broker("curious", information=0, source="none", immediate=True)
    def curious(job, site, view):
        """Work that is planned at the site."""
        return view.ready_time(site)

    assert failed(curious) == ["runs"]


def test_arrangements_are_for_queues():
    """Sites that exchange jobs are checked elsewhere."""
    with pytest.raises(InputError, match="stealing: is a decentralized protocol; use check_protocol"):
        check_immediate("stealing")


def test_what_is_checked_on():
    """Six cases of equal and unequal machines, the same again for the same seed."""
    found = immediate_instances(4)
    assert [len(one.platform) for one in found] == [3, 3, 3, 2, 3, 5]
    assert all(one.platform.is_immediate for one in found)
    again = immediate_instances(4)
    assert [one.size.tolist() for one in found] == [one.size.tolist() for one in again]
    assert machines([2, 1], [1.0, 0.5]).names == ("m1", "m2")
