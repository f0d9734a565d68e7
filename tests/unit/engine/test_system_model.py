"""System models: equal ones are one, and each is for a machine of its kind alone."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.reference import simulate
from echelon.engine.system_model import (
    BrokeredGrid,
    LeafRules,
    OneMachine,
    TreeOfSites,
    tree_of_sites,
)
from echelon.errors import InputError
from echelon.model import Instance, Platform, Site, TimeSharedMachine, Workload
from echelon.policies import Admissible, Exact, broker_named, policy

JOBS = Workload.from_columns(submit_time=[0], run_time=[1], requested_time=[1], processors=[1])


def test_models_of_the_same_rules_are_equal():
    """Scenarios can be compared: their system models are values."""
    assert OneMachine() == OneMachine()
    instance = Instance.of(JOBS, 4)
    assert Scenario(instance, policy("easy")) == Scenario(instance, policy("easy"))
    assert tree_of_sites(broker_named("ml")) == BrokeredGrid(broker_named("ml"), Admissible())


@pytest.mark.parametrize(
    ("machine", "needs"),
    [
        (Platform.of_sizes([4]), "a platform needs a broker"),
        (Platform((Site("a", TimeSharedMachine(4)),)), "time-shared machines need rules of their own"),
    ],
)
def test_sites_are_not_one_machine(machine, needs):
    """A platform without what its kind needs is one sentence that says what is lacking."""
    with pytest.raises(InputError, match=needs):
        Scenario(Instance.of(JOBS, machine), policy("easy"))


@dataclass(frozen=True)
class Right:
    """An estimator that predicts what each job will run, by position."""

    times: tuple[float, ...]
    name: str = "right"

    def memory(self):
        return self

    def predict(self, job):
        return self.times[job.position]

    def learn(self, job, run_time):
        assert run_time == self.times[job.position]


@pytest.mark.slow
@pytest.mark.parametrize("below", ["mpl:grid-state=planned", "mwt", "mct"])
def test_planned_schedules_follow_predictions_at_any_level(below):
    """A broker that believes its own plan has one of predicted times, with right ones that of exact times."""
    kinds = {"g/a": 4, "g/b": TimeSharedMachine(6, 0.5), "g/c": 6, "d": 8}
    on = Platform(tuple(Site(name, kind) for name, kind in kinds.items()))
    broker = {"": broker_named(f"{below}"), "g": broker_named("mct")}
    rules = LeafRules(time_shared=ImmediateRules())
    tree = TreeOfSites({path: Controller(one, Admissible()) for path, one in broker.items()}, rules)
    times = [20 + 7 * k % 50 for k in range(60)]
    log = Workload.from_columns(
        submit_time=range(0, 300, 5), run_time=times, requested_time=[500] * 60,
        processors=[1 + 3 * k % 4 for k in range(60)],
    )  # fmt: skip
    given = Instance.of(log, on)
    right = Scenario(given, policy("easy"), estimator=Right(tuple(times)), system_model=tree)
    exact = Scenario(given.with_known_run_times(), policy("easy"), estimator=Exact(), system_model=tree)
    found, expected = simulate(right), simulate(exact)
    assert found.site.tolist() == expected.site.tolist()
    assert found.end_time.tolist() == expected.end_time.tolist()
