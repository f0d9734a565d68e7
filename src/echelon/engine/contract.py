"""The contract of both engines: the scenario that they run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from echelon.availability import NO_CHANGES, Changes
from echelon.engine.ledger.observer import check_observers
from echelon.engine.system_model import NodeLevelMachine, OneMachine, TreeOfSites, is_multicluster
from echelon.errors import InputError, UnknownNameError
from echelon.policies.capabilities import estimator_capabilities
from echelon.policies.estimators import Estimator, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.engine.ledger.observer import Observer
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.system_model import SystemModel
    from echelon.model import Instance
    from echelon.policies import Metascheduler, Policy
    from echelon.policies.broker.admissible import Admissible

Cycles: TypeAlias = Literal["instant", "event", "pyss"]
"""When the policy decides; see `Scenario`."""

CYCLES: tuple[str, ...] = get_args(Cycles)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One simulation: the jobs, the policy, and the rules of time.

    Parameters
    ----------
    instance : Instance
        Jobs and machine.
    policy : Policy
        Order and backfilling, or a whole scheduler.
    cycles : {"instant", "event", "pyss"}, default "instant"
        ``instant``: at a time, all ENDs, then all SUBMITs, then one scheduling cycle. ``event``: a cycle
        after every single event, ENDs before SUBMITs. ``pyss``: first every job whose *planned* end is now
        leaves; then each SUBMIT with a cycle, then each END with a cycle. Under each rule the ENDs of one
        time go in the order of dispatch: by start, or by the last start of a preempted job; equal starts as
        they were decided.
    seed : int, default 0
        Seed of all random choices, >= 0.
    estimator : Estimator, default `Request()`
        Predicts run times. An estimator that learns needs the reference engine.
    observers : sequence of Observer, default empty
        Receive all events, in order; reference engine only. See `echelon.engine.ledger.observer.Observer`.
    system_model : SystemModel, default one machine
        The kind of system, with the rules that it needs: the broker of a grid, the placement on nodes, the
        global queue of a multicluster; see `echelon.engine.system_model`.
    changes : Changes, default none
        What changes of the machine in time: outages, reservations, checkpoints.

    Raises
    ------
    UnknownNameError
        If `cycles` has an unknown value.
    InputError
        If `seed` is negative, the estimator is `Exact` but `instance` does not plan with run times, or the
        system model is not that of the instance's machine, or cannot run under the policy or the estimator.
    """

    instance: Instance
    policy: Policy
    cycles: str = "instant"
    seed: int = 0
    estimator: Estimator = field(default_factory=Request)
    observers: Sequence[Observer] = ()
    system_model: SystemModel = field(default_factory=OneMachine)
    changes: Changes = NO_CHANGES

    def __post_init__(self) -> None:
        if self.cycles not in CYCLES:
            raise UnknownNameError("rule of scheduling cycles", self.cycles, CYCLES)
        if not isinstance(self.seed, int) or isinstance(self.seed, bool):
            raise InputError(f"must be a whole number, got {self.seed!r}", field="seed")
        if self.seed < 0:
            raise InputError(f"must be at least 0, got {self.seed}", field="seed")
        knows_run_times = estimator_capabilities(self.estimator).knows_run_times
        if knows_run_times and (self.instance.planned_time != self.instance.run_time).any():
            raise InputError(
                f"{self.estimator.name} needs an instance that plans with run times; make it with "
                "instance.with_known_run_times()",
                field="estimator",
            )
        check_observers(self.observers)
        self.system_model.check(self)
        if self.changes.are_any:
            from echelon.engine.resources.access import check_closures

            check_closures(self)

    @property
    def broker(self) -> Metascheduler | None:
        """What chooses the sites, or the protocol under which they exchange jobs; None on one machine."""
        return self.system_model.broker if isinstance(self.system_model, TreeOfSites) else None

    @property
    def admissible(self) -> Admissible:
        """Which sites a broker may choose from, by the job's size."""
        if isinstance(self.system_model, TreeOfSites):
            return self.system_model.admissible
        from echelon.policies.broker.admissible import Admissible

        return Admissible()

    @property
    def nodes(self) -> NodeRules | None:
        """The rules of nodes that are modeled individually; None elsewhere."""
        if isinstance(self.system_model, TreeOfSites):
            return self.system_model.rules.nodes
        return self.system_model.rules if isinstance(self.system_model, NodeLevelMachine) else None

    @property
    def multicluster(self) -> MulticlusterRules | None:
        """The rules of clusters of shared nodes right below a root with a global queue; None elsewhere."""
        model = self.system_model
        if not isinstance(model, TreeOfSites) or not is_multicluster(model, self.instance.sites):
            return None
        return model.rules.shared

    @property
    def immediate(self) -> ImmediateRules | None:
        """The rules of time-shared machines; None elsewhere."""
        return self.system_model.rules.time_shared if isinstance(self.system_model, TreeOfSites) else None

    @property
    def has_changes(self) -> bool:
        """Whether something was asked for that changes the machine in time, even if it then never does."""
        return self.changes is not NO_CHANGES

    @property
    def machine_changes(self) -> bool:
        """Whether capacity changes in time, or jobs are canceled or must end by a deadline."""
        limits = self.instance.limits
        return self.changes.change_runs or (limits is not None and limits.change_runs)

    @property
    def learns(self) -> bool:
        """Whether planned times come from an estimator that learns during a run."""
        return estimator_capabilities(self.estimator).learns_in_run

    @property
    def ranks_late(self) -> bool:
        """Whether a job's place in the queue is known only when it is submitted, not before the run."""
        submits_again = self.changes.are_any and self.changes.requeueing.effective.order == "back"
        return self.learns or self.instance.dependencies is not None or submits_again


Progress: TypeAlias = "Callable[[int, int], None]"
"""Called now and then with (jobs ended, jobs in all)."""
