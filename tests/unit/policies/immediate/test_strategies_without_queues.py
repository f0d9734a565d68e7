"""The other rules that choose a machine for one job, by hand; their specs, and where they may be used."""

from __future__ import annotations

import pytest

from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.errors import InputError, PolicyError, UnknownNameError
from echelon.policies import (
    DISPATCHERS,
    IMMEDIATE_STRATEGIES,
    STRATEGIES,
    Dispatcher,
    broker,
    broker_named,
    broker_of,
    decision_time_of,
    format_broker,
    incompatibility,
    names_broker,
    policy,
)
from echelon.testing.grids import grid_case

from .machines_by_hand import Machines, job

ALL = [kind.name for kind in (*IMMEDIATE_STRATEGIES, *DISPATCHERS)]


def test_cpu_load_goes_by_published_load_per_core():
    """A load of 3 on 4 cores is less than one of 1 on 1 core; what was estimated does not count."""
    view = Machines((1.0, 1.0), sizes=(1, 4), loads=(1.0, 3.0), estimated=(0.0, 9.0))
    assert broker_named("cpu-load").choose(job(), view) == 1


def test_ties_of_cpu_load():
    """Of machines of least load the first is taken, or with ties=random the one drawn."""
    view = Machines((1.0,) * 4, loads=(1.0, 0.0, 0.0, 0.0), numbers=(0.0, 0.4, 0.99))
    assert [broker_named("cpu-load").choose(job(k), view) for k in range(3)] == [1, 1, 1]
    drawn = broker_named("cpu-load:ties=random")
    assert [drawn.choose(job(k), view) for k in range(3)] == [1, 2, 3]
    assert drawn.ranking(job(1), view) == [2, 1, 3, 0]


def test_baselines_of_planning():
    """MET wants the fastest, OLB the one ready first, MCT the one where the job is done first."""
    view = Machines((4.0, 1.0, 2.0), work=[30.0, 0.0, 2.0])
    chosen = [broker_named(spec).choose(job(planned=10), view) for spec in ("met", "olb", "mct")]
    assert chosen == [0, 1, 2]


def test_execution_times_from_history():
    """With times=history mean CPU times stand for planned ones; a machine without any is tried."""
    view = Machines((4.0, 1.0), cpu_times=(50.0, 20.0), work=[0.0, 10.0])
    assert broker_named("met:times=history").choose(job(), view) == 1
    assert broker_named("mct:times=history").choose(job(), view) == 1
    unknown = Machines((4.0, 1.0), cpu_times=(50.0, None), work=[0.0, 60.0])
    assert broker_named("met:times=history").choose(job(), unknown) == 1
    assert broker_named("mct:times=history").choose(job(), unknown) == 0


@pytest.mark.parametrize("name", ALL)
def test_specs_and_back(name):
    """Every rule is found by its name, with the seconds that it takes, and its spec leads back to it."""
    assert format_broker(broker_named(name)) == name
    slow = broker_named(f"{name}:decision=774e-3")
    assert format_broker(slow) == f"{name}:decision=0.774"
    assert decision_time_of(slow) == 0.774
    assert decision_time_of(broker_named(name)) == 0.0


@pytest.mark.parametrize("kind", STRATEGIES)
def test_brokers_of_grids_say_how_long_they_take_too(kind):
    """Any broker may choose among machines without queues, so each has the parameter."""
    assert decision_time_of(broker_named(f"{kind.name}:decision=320e-3")) == 0.32


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("wall-tme", UnknownNameError, "did you mean 'wall-time'"),
        ("cpu-load:ties=last", InputError, "must be first or random"),
        ("met:times=true", InputError, "must be planned or history"),
        ("min-min:interval=-1", InputError, "min-min, interval: must be a finite number >= 0"),
        ("sufferage:interval=inf", InputError, "must be a finite number >= 0"),
        ("wqr:replicas=0", InputError, "at least 1, got 0"),
        ("wqr:replicas=1.5", InputError, "must be a whole number"),
        ("wqr:order=lifo", InputError, "must be fifo or random"),
        ("olb:decision=-1", InputError, "olb, decision: must be a finite number >= 0"),
        ("random:decision=inf", InputError, "random, decision: must be a finite number >= 0"),
        ("fpltf:times=history", UnknownNameError, "parameter of fpltf"),
    ],
)
def test_wrong_specs(spec, error, said):
    """What is wrong with a spec is said with what would be right."""
    with pytest.raises(error, match=said):
        broker_named(spec)


@pytest.mark.parametrize("name", ALL)
def test_rules_for_machines_without_queues_are_refused_elsewhere(name):
    """On sites with queues one sentence says what to choose instead, before anything runs."""
    with pytest.raises(InputError, match=f"broker: {name} is for time-shared machines"):
        Scenario(
            grid_case("burst").instance(), policy("fcfs"), system_model=tree_of_sites(broker_named(name))
        )


def test_what_has_no_say_is_refused():
    """Parameters for machines without queues are refused elsewhere, those of queues there."""
    assert "has 'times' for time-shared machines only" in incompatibility(
        broker_named("mct:times=history"), immediate=False
    )
    assert "has 'decision' for time-shared machines" in incompatibility(
        broker_named("ml:decision=1"), immediate=False
    )
    assert "has 'of' for sites with queues only" in incompatibility(
        broker_named("mct:of=job"), immediate=True
    )
    assert "exchanges jobs" in incompatibility(broker_named("stealing"), immediate=True)
    assert incompatibility(broker_named("mct:times=history:decision=1"), immediate=True) is None
    assert incompatibility(broker_named("mct:of=job"), immediate=False) is None


@broker("emptiest", information=0, source="none", immediate=True, decision=0.5)
def emptiest(job, site, view):
    """Load of the machine as it is estimated now."""
    return view.estimated_load(site)


def test_a_rule_of_ones_own():
    """A function may ask what such machines tell; it says so, and how long it takes."""
    assert emptiest.choose(job(), Machines(estimated=(2.0, 1.0))) == 1
    assert decision_time_of(emptiest) == 0.5
    assert "is for time-shared machines" in incompatibility(emptiest, immediate=False)


def test_a_rule_that_does_not_say_so_is_told_to():
    """Asked on sites with queues, the message names what to declare; other faults stay what they are."""

    @broker("curious", information=4, source="none")
    def curious(job, site, view):
        """Load published by the site."""
        return view.load(site)

    @broker("faulty", information=4, source="none")
    def faulty(job, site, view):
        """Misspell a name."""
        return view.lod(site)

    for rule, said in (
        (curious, "declare immediate=True"),
        (faulty, "AttributeError: .*has no attribute 'lod'"),
    ):
        with pytest.raises(PolicyError, match=said):
            simulate(
                Scenario(grid_case("burst").instance(), policy("fcfs"), system_model=tree_of_sites(rule))
            )


def test_times_of_ones_own_are_checked():
    """A broker cannot take less than no time."""
    with pytest.raises(InputError, match="x, decision: must be a finite number >= 0"):
        broker("x", information=0, source="none", decision=-1.0)


DISPATCHER = '''
from dataclasses import dataclass
from typing import ClassVar

from echelon.policies import Dispatch


@dataclass(frozen=True)
class First:
    """All jobs to the first machine that is large enough."""

    patience: float = 0.0

    name: ClassVar[str] = "first"
    dispatches: ClassVar[bool] = True

    def decide(self, view):
        for job in tuple(view.waiting):
            yield Dispatch(job, view.fits(job)[0])


class Nameless(First):
    name = 7


class Unclear(First):
    dispatches = "yes"


class Slow(First):
    decision = -1
'''


def test_a_dispatcher_of_ones_own(tmp_path):
    """A class of a file is found by its name, takes parameters, and is told from a scheduler."""
    file = tmp_path / "rules.py"
    file.write_text(DISPATCHER)
    found = broker_named(f"{file}:First:patience=3")
    assert isinstance(found, Dispatcher)
    assert format_broker(found) == "first:patience=3"
    assert names_broker(f"{file}:First")
    assert broker_of(found) is found
    for name, said in (
        ("Nameless", "broker, name: must be a string, got 7"),
        ("Unclear", "first, dispatches: must be True"),
        ("Slow", "first, decision: must be a finite number >= 0, got -1"),
        ("First:patience=x", "must be a number"),
    ):
        with pytest.raises(InputError, match=said):
            broker_named(f"{file}:{name}")
    with pytest.raises(UnknownNameError, match="did you mean 'First'"):
        broker_named(f"{file}:Frst")
