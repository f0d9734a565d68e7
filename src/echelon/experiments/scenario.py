"""Scenario: every setting that a run was asked for is read, every default is filled in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from echelon.availability import NO_CHANGES
from echelon.engine.contract import Scenario
from echelon.engine.system_model import LeafRules, NodeLevelMachine, OneMachine, TreeOfSites, tree_of_sites
from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.changes import CHANGES, DRAWING, TIME_LIMIT, WORKLOAD_SEED
from echelon.experiments.settings.jobs import READING
from echelon.experiments.settings.setting import CHANGING, SettingsByName
from echelon.experiments.settings.signature import check_keywords, with_settings
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.settings.values.value_reader import check_type, read_value
from echelon.experiments.settings.values.values_by_site import BySite
from echelon.experiments.systems.grid import choice_of, machine_of
from echelon.experiments.systems.immediate import check_local_policy, immediate_rules_of
from echelon.experiments.systems.multicluster import find_spreading, multicluster_rules_of, with_shared_rules
from echelon.experiments.systems.nodes import node_rules_of
from echelon.experiments.systems.refusals import UNUSED_ALONE, refuse_misplaced, refuse_unasked, refuse_unused
from echelon.experiments.systems.site_trees import Controls, queue_at_root
from echelon.experiments.systems.stays import refuse_idle_stay
from echelon.model import Instance, Workload
from echelon.policies import estimator_capabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from echelon.availability import Changes
    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.engine.ledger.observer import Observer
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.system_model import SystemModel
    from echelon.experiments.settings.keywords import RunSettings
    from echelon.experiments.settings.setting import Setting
    from echelon.experiments.systems.grid import Choice
    from echelon.model import Hardware, Platform
    from echelon.policies import Estimator, Policy

KEYWORDS = SettingsByName(setting for setting in SETTINGS if setting.in_python)
"""The settings that Python takes, by name."""

RUN = SettingsByName(setting for setting in KEYWORDS.values() if setting.name not in READING)
"""Those of jobs that have been read, by name."""

_OF_JOBS = frozenset(setting.name for setting in CHANGES)
"""The settings that change the jobs before they are simulated."""

DEFAULT_POLICY = str(RUN["policy"].default)
"""The policy where none is named, of sites, too."""


@with_settings(RUN.values())
def scenario_of(
    workload: Workload, *, observers: Sequence[Observer] = (), **settings: Unpack[RunSettings]
) -> Scenario:
    """Return what `echelon.simulate` would run: every word read, every default filled in; all as there.

    Nothing is learned from a history yet: only whether there may be one is looked at. The engine and
    user-defined metrics are not part of a scenario.
    """
    options = check_keywords("scenario_of", settings, RUN)
    return ScenarioMaker(workload).scenario(options, observers=observers)


def job_changes_in(settings: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return the settings that change the jobs of a run, in their order, with plain values.

    Raises
    ------
    InputError
        If a setting does not take its value.
    """
    return tuple((one.name, _job_change(one, settings[one.name])) for one in CHANGES if one.name in settings)


def _job_change(setting: Setting, argument: Any) -> Any:  # noqa: ANN401  (what it takes)
    plain = argument.item() if isinstance(argument, np.generic) else argument
    try:
        return read_value(setting, list(plain) if isinstance(plain, tuple) else plain, Path())
    except InputError as error:
        raise InputError(str(error), field=setting.dashed) from error


class ScenarioMaker:
    """Makes the scenarios of one workload; what several of them share is read and taken once.

    Parameters
    ----------
    workload : Workload
        The jobs.
    """

    def __init__(self, workload: Workload) -> None:
        self.workload = workload
        self._read: dict[tuple[str, Any], Any] = {}
        self._machines: list[tuple[tuple[Any, Any], int | Platform | Hardware]] = []
        self._instances: dict[tuple[Any, ...], Instance] = {}
        self._with_canceled: dict[int, Workload] = {}
        self._limited: dict[tuple[Any, ...], Workload] = {}
        self._changed: dict[tuple[Any, ...], ScenarioMaker] = {}

    def read(self, name: str, settings: Mapping[str, Any]) -> Any:  # noqa: ANN401  (what the engine takes)
        """Return the value of a setting as the engine takes it; equal texts give one and the same."""
        setting, value = RUN[name], settings.get(name)
        if not isinstance(value, str | None):
            return setting.value(value)
        if (name, value) not in self._read:
            self._read[name, value] = setting.value(value)
        return self._read[name, value]

    def machine(self, settings: Mapping[str, Any]) -> int | Platform | Hardware:
        """Return the machine of a run; the same text, or the same platform, gives one and the same."""
        asked = RUN["processors"].value(settings.get("processors")), settings.get("platform")
        for earlier, machine in self._machines:
            if earlier[0] == asked[0] and (earlier[1] is asked[1] or _same_spec(earlier[1], asked[1])):
                return machine
        new_machine = machine_of(self.workload, *asked)
        self._machines.append((asked, new_machine))
        return new_machine

    def controls(self, settings: Mapping[str, Any]) -> Controls:
        """Return the settings of what chooses among sites, as the engine takes them."""
        return Controls(
            *(self.read(name, settings) if name in settings else None for name in Controls._fields)
        )

    def scenario(
        self,
        settings: Mapping[str, Any],
        *,
        observers: Sequence[Observer] = (),
        compared: Sequence[object] = (),
    ) -> Scenario:
        """Return the scenario of what was asked for.

        Parameters
        ----------
        settings : mapping of str to object
            By setting, without those that are None.
        observers : sequence of Observer, default empty
            Notified of every event.
        compared : sequence of object, default empty
            All brokers of a comparison, some run of which uses what another may not.

        Raises
        ------
        InputError, UnknownNameError, PolicyError
            As `echelon.simulate`.
        """
        for name, value in settings.items():
            check_type(RUN[name], value)
        if any(name in _OF_JOBS for name in settings):
            rest = {name: value for name, value in settings.items() if name not in _OF_JOBS}
            return self._of_changed(settings).scenario(rest, observers=observers, compared=compared)
        guess = self.read("estimator", settings)
        # Settings of sites or nodes are refused before the size of a machine without them is looked up.
        machine = self.machine(settings) if "platform" in settings else None
        refuse_misplaced(settings, machine)
        choice = choice_of(machine, self.controls(settings), compared=compared)
        rules = node_rules_of(machine, self.workload, settings)
        seconds = choice.decision_time or 0.0
        asked = {**queue_at_root(machine), **settings}
        if choice.controllers:  # whose inner sites have global queues of their own
            asked = {name: value for name, value in asked.items() if not RUN[name].by_site}
        shared = multicluster_rules_of(
            machine, asked, estimator=guess, decision_time=seconds, refresh=choice.refresh
        )
        if "broker" in settings and not compared:
            refuse_unasked("broker", settings["broker"], [shared])
        refuse_idle_stay(settings, choice.controllers, shared)
        immediate = immediate_rules_of(machine, {**settings, "decision_time": seconds}, choice.broker)
        for name in (name for name in ("policy", *UNUSED_ALONE) if name in settings):
            refuse_unused(name, settings[name], [choice.broker])
        policy = self.read("policy", settings)
        machine = self.machine(settings) if machine is None else machine
        local = self._local_policy(policy if "policy" in settings else None, machine, choice)
        check_local_policy(machine, local, DEFAULT_POLICY)
        alone = None if choice.controllers else shared  # only clusters of a multicluster run jobs together
        spanning = find_spreading(machine, choice.controllers, shared)
        jobs = self._planned_by(guess, self._instance(settings, machine, rules, alone, spanning))
        seed = RUN["seed"].value(settings.get("seed"))
        scenario = Scenario(
            jobs,
            local,
            cycles=RUN["cycles"].value(settings.get("cycles")),
            seed=seed,
            estimator=guess,
            observers=observers,
            system_model=_system_model(machine, choice, rules, shared=shared, immediate=immediate),
            changes=self._changes(settings, jobs, seed),
        )
        if scenario.machine_changes:
            from echelon.experiments.changes.idle_changes import refuse_events

            refuse_events(settings)
        if isinstance(scenario.system_model, TreeOfSites) and RUN["strict"].value(settings.get("strict")):
            from echelon.engine.tree.queues.membership import check_strictly

            check_strictly(scenario)
        return scenario

    def _of_changed(self, settings: Mapping[str, Any]) -> ScenarioMaker:
        """Return the maker for the jobs changed as asked for; the same changes give one and the same."""
        from echelon.experiments.job_changes import changed_for_run

        asked = {name: tuple(one) if isinstance(one, list) else one for name, one in job_changes_in(settings)}
        draws = not DRAWING.isdisjoint(asked)
        if (seeded := WORKLOAD_SEED.name) in asked and not draws:
            raise InputError(
                "seeds what changes to the jobs draw, but none draws; give --shake-by, --estimates-model or "
                "--dependencies-model",
                field=WORKLOAD_SEED.dashed,
            )
        if draws:
            asked.setdefault(seeded, RUN["seed"].value(settings.get("seed")))
        key = tuple(asked.items())
        if key not in self._changed:
            self._changed[key] = ScenarioMaker(changed_for_run(self.workload, asked))
        return self._changed[key]

    def _changes(self, settings: Mapping[str, Any], jobs: Instance, seed: int) -> Changes:
        """Return what changes of the machine in a run."""
        if not any(RUN[name].group == CHANGING for name in settings):
            return NO_CHANGES
        from echelon.experiments.changes.machine_changes import changes_of

        return changes_of(settings, self.read, jobs, seed)

    def _local_policy(self, policy: Policy | BySite | None, machine: object, choice: Choice) -> Policy:
        """Return the policy of a run, with those of single sites."""
        usual: Policy = self.read("policy", {})
        if not isinstance(policy, BySite) and isinstance(machine, int):
            return usual if policy is None else policy
        from echelon.experiments.systems.local_policies import local_policy_of

        return local_policy_of(policy, machine, choice.controllers, usual)

    def _instance(
        self,
        settings: Mapping[str, Any],
        machine: int | Platform | Hardware,
        rules: NodeRules | None,
        shared: MulticlusterRules | None,
        spanning: Sequence[str],
    ) -> Instance:
        """Return the jobs that a run takes; runs that take the same share them."""
        options = {
            name: RUN[name].value(settings.get(name)) for name in ("estimates", "strict", "dependencies")
        }
        jobs = self._jobs(settings)
        if options["strict"] and shared is not None:  # which jobs a multicluster takes is asked of its rules
            return instance_of(jobs, machine, rules, shared, spanning=spanning, **options)
        inside = (1, False) if rules is None else (rules.tasks_per_core, rules.straddles)
        key = (id(machine), id(jobs), *options.values(), *inside, spanning)
        if key not in self._instances:
            self._instances[key] = instance_of(jobs, machine, rules, shared, spanning=spanning, **options)
        return self._instances[key]

    def _jobs(self, settings: Mapping[str, Any]) -> Workload:
        """Return the jobs, with those that were canceled while they waited if these are asked for."""
        limited = self._with_limit(settings)
        if "cancellations" not in settings:
            return limited
        rule = RUN["cancellations"].value(settings["cancellations"])
        from echelon.experiments.settings.values.completion import only

        if rule not in (rules := only(RUN["cancellations"])):
            raise UnknownNameError("rule for cancellations", str(rule), rules)
        if rule == RUN["cancellations"].default:
            return limited
        if id(limited) not in self._with_canceled:
            from echelon.workloads.transform import keep_cancellations

            self._with_canceled[id(limited)] = keep_cancellations(limited)
        return self._with_canceled[id(limited)]

    def _with_limit(self, settings: Mapping[str, Any]) -> Workload:
        """Return the jobs under the time limit that is asked for; equal limits give one and the same."""
        asked = {one.name: self.read(one.name, settings) for one in TIME_LIMIT if one.name in settings}
        if not asked:
            return self.workload
        key = tuple(asked.values())
        if key not in self._limited:
            from echelon.experiments.job_changes import apply_changes

            self._limited[key] = apply_changes(self.workload, TIME_LIMIT, asked, seed=0)
        return self._limited[key]

    @staticmethod
    def _planned_by(estimator: Estimator, instance: Instance) -> Instance:
        """Return the instance of a run under `estimator`: one that knows run times plans with them."""
        if not estimator_capabilities(estimator).knows_run_times:
            return instance
        return instance.once("known run times", instance.with_known_run_times)


def _system_model(
    machine: object,
    choice: Choice,
    nodes: NodeRules | None,
    *,
    shared: MulticlusterRules | None,
    immediate: ImmediateRules | None,
) -> SystemModel:
    """Return the model of a machine, or of sites, under these rules."""
    if choice.broker is None:
        return OneMachine() if nodes is None else NodeLevelMachine(nodes)
    if choice.controllers:
        sites = cast("Platform", machine)
        controllers = with_shared_rules(sites, choice.controllers, shared)
        return TreeOfSites(controllers, LeafRules(nodes, immediate, shared))
    return tree_of_sites(choice.broker, choice.admissible, shared or immediate, choice.information)


def _same_spec(one: object, other: object) -> bool:
    return isinstance(one, str) and one == other


def instance_of(
    workload: Workload,
    machine: int | Platform | Hardware,
    rules: NodeRules | None = None,
    shared: MulticlusterRules | None = None,
    *,
    spanning: Sequence[str] = (),
    estimates: str,
    strict: bool,
    dependencies: str = "keep",
) -> Instance:
    """Return the jobs that a run on `machine` takes, under rules of its nodes or of a multicluster.

    At the inner sites `spanning` jobs may have nodes of several clusters.

    Raises
    ------
    InputError
        As `Instance.of`; if `strict`, also for jobs that no cluster could ever run.
    """
    crowd = 1 if rules is None else rules.tasks_per_core
    instance = Instance.of(
        workload,
        machine,
        estimates=estimates,
        strict=strict,
        tasks_per_core=crowd,
        spanning=spanning,
        straddle=rules is not None and rules.straddles,
        dependencies=dependencies,
    )
    if strict and shared is not None:
        from echelon.engine.multicluster.sharing.admission import admit_jobs
        from echelon.model import Platform

        if isinstance(machine, Platform):
            co_allocation = shared.co_allocation
            return admit_jobs(
                instance, machine, spanning=bool(spanning), strict=True, co_allocation=co_allocation
            )
    return instance
