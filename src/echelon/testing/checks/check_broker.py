"""Check a user's own broker: whether it always chooses, the information it needs, and determinism."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller
from echelon.engine.system_model import BrokeredGrid, LeafRules, TreeOfSites, tree_of_sites
from echelon.model import Instance, Platform
from echelon.policies import (
    Admissible,
    Decentralized,
    Dispatcher,
    Information,
    broker_of,
    format_broker,
    policy,
)
from echelon.policies.broker.contract import grid_state_of
from echelon.policies.broker.one_formula import MinimumLoad
from echelon.testing.checks.check_immediate import check_immediate, count_elsewhere
from echelon.testing.checks.check_protocol import check_protocol
from echelon.testing.finding import Check, Finding
from echelon.testing.grids import grid_instances
from echelon.testing.runs import (
    compiled_engine,
    difference,
    double_times,
    finding_of,
    recode_partitions,
    repeat_runs,
    run,
    run_all,
    site_difference,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job, Schedule
    from echelon.policies import Broker, GridView, Metascheduler
    from echelon.policies.broker.contract import GridState

_POLICIES = ("fcfs", "easy")
_HALF = Admissible(0.5)
_INNER = "below"


def check_broker(rule: str | Metascheduler, *, seed: int = 0) -> Check:
    """Check a broker, a dispatcher or a decentralized protocol, in the reference engine, on small grids.

    Parameters
    ----------
    rule : str, Broker, Dispatcher or Decentralized
        A spec (``"mct:of=job"``, ``"my.py:rule"``) or the rule itself. `check_protocol` checks a
        decentralized protocol, `check_immediate` a rule for time-shared machines.
    seed : int, default 0
        Seed of the crowds of jobs and of the runs; equal seeds check the same.

    Returns
    -------
    Check
        The findings. A violation is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `rule` is not a broker, or its file cannot be loaded.

    Notes
    -----
    Checked: every job gets a site that can hold it, an admissible one under admissibility, and a site below
    where the broker decides for an inner site of a tree, under another broker; the same seed gives the same
    sites; a run has no effect on later runs; other job numbers give the same schedule. Notes:
    the lowest information level at which all choices stay the same, next to the declared one; whether its
    choices stay the same when all times double (as for a broker that only compares times), and when
    partitions have other codes (as for a broker that uses ``view.home(job)``; ``job.partition`` is a code,
    not the index of a site); how many jobs leave the smallest site that can hold them; whether the compiled
    engine can run it.

    Cost: some two hundred simulations of up to 60 jobs; a few seconds for strategies of level 4.
    """
    checked = broker_of(rule)
    if isinstance(checked, Decentralized):
        return check_protocol(checked, seed=seed)
    if isinstance(checked, Dispatcher) or getattr(checked, "immediate", False):
        return check_immediate(checked, seed=seed)
    scenarios = [
        Scenario(instance, policy(spec), seed=seed, system_model=tree_of_sites(checked))
        for instance in grid_instances(seed)
        for spec in _POLICIES
    ]
    return Check("broker", format_broker(checked), tuple(_findings(scenarios, checked)))


def _nest(scenario: Scenario, broker: Broker) -> Scenario:
    """Return the run on a tree: all sites but the first are below an inner site where `broker` decides."""
    old, grid = scenario.instance, scenario.instance.sites
    first, *others = grid.sites
    below = tuple(replace(site, name=f"{_INNER}/{site.name}") for site in others)
    instance = Instance.of(old.workload, Platform((first, *below), grid.name), estimates=old.estimates)
    above = Controller(MinimumLoad(), Admissible())
    controllers = {"": above, _INNER: Controller(broker, Admissible())}
    return replace(scenario, instance=instance, system_model=TreeOfSites(controllers, LeafRules()))


def _findings(plain: Sequence[Scenario], broker: Broker) -> Iterator[Finding]:
    filtered = [replace(scenario, system_model=BrokeredGrid(broker, _HALF)) for scenario in plain]
    nested = [_nest(scenario, broker) for scenario in plain if len(scenario.instance.sites) > 2]
    schedules: list[Schedule] = []
    for name, scenarios, sentence in (
        ("sites", plain, "every job gets a site that can hold it"),
        ("admissible", filtered, "and one of the admissible sites (a = 0.5)"),
    ):
        ran = yield from run_all(name, scenarios, sentence)
        if not ran:
            return
        schedules += ran
    sentence = "and one below, where it decides for an inner site of a tree"
    if not (yield from run_all("inner site", nested, sentence)):
        return
    scenarios = [*plain, *filtered]
    steady = list(repeat_runs(schedules, scenarios, "the same seed gives the same sites"))
    yield from steady
    if not all(finding.passed for finding in steady):
        return
    yield _information(broker, schedules, scenarios)
    for name, change, sentence in (
        ("scale", double_times, "doubling all times changes no choice"),
        ("partitions", recode_partitions, "other codes for the same homes change no choice"),
    ):
        pairs = zip(schedules, scenarios, strict=True)
        moved = [site_difference(schedule, run(change(scenario))) for schedule, scenario in pairs]
        yield finding_of(name, moved, sentence, required=False)
    yield _use(schedules)
    yield compiled_engine(plain[0])


def _information(broker: Broker, schedules: Sequence[Schedule], scenarios: Sequence[Scenario]) -> Finding:
    """Return the lowest level at which nothing changes; a run that reads more than a lower level fails."""
    declared = Information(broker.information)
    lowest = next(
        level
        for level in Information
        if level == declared or _suffices(_Knowing(broker, level), schedules, scenarios)
    )
    if lowest == declared:
        return Finding("information", True, f"needs level {declared:d}, as it declares", required=False)
    sentence = f"declares level {declared:d}, but {lowest:d} is enough here; declare information={lowest:d}"
    return Finding("information", False, sentence, required=False)


def _suffices(broker: Broker, schedules: Sequence[Schedule], scenarios: Sequence[Scenario]) -> bool:
    return all(
        difference(schedule, run(replace(scenario, system_model=BrokeredGrid(broker, scenario.admissible))))
        is None
        for schedule, scenario in zip(schedules, scenarios, strict=True)
    )


def _use(schedules: Sequence[Schedule]) -> Finding:
    elsewhere = sum(map(count_elsewhere, schedules))
    jobs = sum(len(schedule.instance) for schedule in schedules)
    sentence = f"{elsewhere} of {jobs} jobs go to another site than the first that can hold them"
    return Finding("use", elsewhere > 0, sentence, required=False)


@dataclass(frozen=True, slots=True)
class _Knowing:
    """A broker that is restricted to an information level."""

    broker: Broker
    information: Information

    @property
    def name(self) -> str:
        return self.broker.name

    @property
    def grid_state(self) -> GridState:
        return grid_state_of(self.broker)

    def choose(self, job: Job, view: GridView) -> int:
        return self.broker.choose(job, view)
