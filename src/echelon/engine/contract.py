"""The contract of both engines: the scenario that they run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from echelon.engine.observer import check_observers
from echelon.errors import InputError, UnknownNameError
from echelon.policies.broker.admissible import Admissible
from echelon.policies.capabilities import estimator_capabilities
from echelon.policies.estimators import Estimator, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.observer import Observer
    from echelon.model import Instance
    from echelon.policies import Policy
    from echelon.policies.broker.contract import Broker
    from echelon.policies.decentralized.contract import Decentralized
    from echelon.policies.immediate.contract import Dispatcher

Passes: TypeAlias = Literal["instant", "event", "pyss"]
"""When the policy decides; see `Scenario`."""

PASSES: tuple[str, ...] = get_args(Passes)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One simulation: the jobs, the policy, and the rules of time.

    Parameters
    ----------
    instance : Instance
        Jobs and machine.
    policy : Policy
        Order and backfilling, or a whole scheduler.
    passes : {"instant", "event", "pyss"}, default "instant"
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
        Receive all events, in order; reference engine only. See `echelon.engine.observer.Observer`.
    broker : Broker, Decentralized or Dispatcher, optional
        Chooses the site of each job, or the protocol of decentralized scheduling; needed if and only if the
        instance has a platform. With a protocol, and on time-shared machines, `policy` is not used.
        A dispatcher, and a broker that uses loads or CPU times, needs such machines.
    admissible : Admissible, default all sites
        Which sites a broker may choose from, by the job's size.
    nodes : NodeRules, optional
        The settings of the node-level model; needed if and only if the instance has hardware.
    multicluster : MulticlusterRules, optional
        The settings of the multicluster; needed if and only if the platform has workstations.
    immediate : ImmediateRules, optional
        The settings of time-shared machines; needed if and only if the platform has such sites.

    Raises
    ------
    UnknownNameError
        If `passes` has an unknown value.
    InputError
        If `seed` is negative, or the estimator is `Exact` but `instance` does not plan with run times; if a
        platform lacks a broker or a broker its platform, sites decide other than once an instant, or
        admissibility or an estimator that learns is used with a protocol; if hardware lacks its
        rules, they lack hardware or cannot work on it, or an estimator is to learn run times that vary; if
        jobs on nodes are to be preempted; if time-shared machines are to cut jobs at their requests, or
        an estimator is to learn their run times.
    """

    instance: Instance
    policy: Policy
    passes: str = "instant"
    seed: int = 0
    estimator: Estimator = field(default_factory=Request)
    observers: Sequence[Observer] = ()
    broker: Broker | Decentralized | Dispatcher | None = None
    admissible: Admissible = field(default_factory=Admissible)
    nodes: NodeRules | None = None
    multicluster: MulticlusterRules | None = None
    immediate: ImmediateRules | None = None

    def __post_init__(self) -> None:
        if self.passes not in PASSES:
            raise UnknownNameError("passes rule", self.passes, PASSES)
        if not isinstance(self.seed, int) or isinstance(self.seed, bool):
            raise InputError(f"must be a whole number, got {self.seed!r}", field="seed")
        if self.seed < 0:
            raise InputError(f"must be at least 0, got {self.seed}", field="seed")
        known = estimator_capabilities(self.estimator).knows_run_times
        if known and (self.instance.planned_time != self.instance.run_time).any():
            raise InputError(
                f"{self.estimator.name} needs an instance that plans with run times; make it with "
                "instance.with_known_run_times()",
                field="estimator",
            )
        check_observers(self.observers)
        self._check_multicluster()
        self._check_immediate()
        self._check_grid()
        self._check_nodes()

    def _check_multicluster(self) -> None:
        platform = self.instance.platform
        if (platform is not None and platform.is_shared) != (self.multicluster is not None):
            needs = "shared nodes need" if self.multicluster is None else "rules of a multicluster need"
            lacks = "rules of a multicluster" if self.multicluster is None else "shared nodes"
            raise InputError(f"{needs} {lacks}, got none", field="multicluster")
        if self.multicluster is None:
            return
        from echelon.policies.broker.contract import Broker

        if not isinstance(self.broker, Broker):
            raise InputError(
                f"needs a broker that chooses among clusters, got {getattr(self.broker, 'name', None)!r}",
                field="broker",
            )
        from echelon.policies import capabilities

        if capabilities(self.policy.scheduler).preempts:
            raise InputError(
                f"{self.policy.scheduler.name} suspends jobs, but on shared nodes they run on beside others; "
                "choose an order with or without a backfilling",
                field="policy",
            )
        if self.admissible != Admissible():
            raise InputError(
                "is for grids; on a multicluster every cluster may be chosen", field="admissible"
            )
        if self.instance.estimates == "kill":
            raise InputError(
                "kill would cut jobs that run slower beside others than alone; choose raise or exact",
                field="estimates",
            )
        from echelon.policies.estimators.forecast import ForecastingEstimator

        if not isinstance(self.estimator, ForecastingEstimator):
            raise InputError(
                f"{self.estimator.name!r} does not forecast waits, which clusters need; "
                "implement forecaster(past)",
                field="estimator",
            )

    def _check_immediate(self) -> None:
        platform = self.instance.platform
        if (platform is not None and platform.is_immediate) != (self.immediate is not None):
            lacks = "need rules of their own" if self.immediate is None else "are not what the platform has"
            raise InputError(f"time-shared machines {lacks}", field="immediate")
        if self.immediate is None:
            return
        from echelon.policies.immediate.contract import Dispatcher

        if isinstance(self.broker, Dispatcher) and self.admissible != Admissible():
            raise InputError(
                f"is for brokers; {self.broker.name} may choose every machine that is large enough",
                field="admissible",
            )
        if self.instance.estimates == "kill":
            raise InputError(
                "kill would cut jobs that run slower beside others than alone; choose raise or exact",
                field="estimates",
            )
        if self.learns:
            raise InputError(
                f"{self.estimator.name} learns from run times, which depend on what runs beside a job here; "
                "use request or exact",
                field="estimator",
            )

    def _check_grid(self) -> None:
        platform = self.instance.platform
        on_grid = platform is not None
        if on_grid != (self.broker is not None):
            needs, lacks = ("platform", "broker") if on_grid else ("broker", "platform")
            raise InputError(f"a {needs} needs a {lacks}, got none", field=lacks)
        if platform is not None and self.broker is not None:
            from echelon.policies import incompatibility

            reason = incompatibility(self.broker, immediate=platform.is_immediate, shared=platform.is_shared)
            if reason is not None:
                raise InputError(reason, field="broker")
        if on_grid and self.passes != "instant":
            raise InputError(f"{self._why_once()}; choose 'instant', got {self.passes!r}", field="passes")
        if self.broker is None:
            return
        from echelon.policies.broker.contract import Broker
        from echelon.policies.decentralized.contract import Decentralized

        if not isinstance(self.broker, Decentralized):
            alone = self.multicluster is None
            if not isinstance(self.broker, Broker):
                return
            if alone and self.learns and self.broker.belief == "allocation":
                raise InputError(
                    f"{self.broker.name} uses planned information, so it plans with request or exact, "
                    f"got {self.estimator.name!r}",
                    field="estimator",
                )
            return
        if self.admissible != Admissible():
            raise InputError(
                f"{self.broker.name} has no broker, which admissibility is for", field="admissible"
            )
        if self.learns:
            raise InputError(
                f"{self.broker.name} plans with request or exact, got {self.estimator.name!r}",
                field="estimator",
            )

    def _why_once(self) -> str:
        """Return why a platform allows no other `passes`."""
        if self.immediate is not None:
            return "on time-shared machines every job starts at once, and no local policy decides"
        if self.multicluster is not None:
            return (
                "the global queue and the clusters decide in turn until no event is left at an instant, "
                "and jobs continue at their new speeds afterwards"
            )
        from echelon.policies.decentralized.contract import Decentralized

        if isinstance(self.broker, Decentralized):
            return "sites decide together under a protocol, after all events of an instant"
        return "a broker assigns all jobs of an instant before their sites decide"

    def _check_nodes(self) -> None:
        hardware = self.instance.hardware
        if (hardware is not None) != (self.nodes is not None):
            needs, lacks = ("hardware", "rules") if self.nodes is None else ("rules", "hardware")
            raise InputError(f"{needs} of nodes need {lacks} of nodes, got none", field="nodes")
        if hardware is None or self.nodes is None:
            return
        self.nodes.check(hardware)
        scheduler = self.policy.scheduler
        from echelon.policies import capabilities

        if capabilities(scheduler).preempts:
            raise InputError(
                f"{scheduler.name} suspends jobs, but on nodes they keep their cores until they end; choose "
                "an order with or without a backfilling, or a machine of --processors N",
                field="policy",
            )
        if self.nodes.sharing is not None and capabilities(scheduler).plans:
            raise InputError(
                f"{self.nodes.sharing.name} lets jobs start on fewer cores than tasks, which "
                f"{scheduler.name!r} cannot plan with; choose none, first-fit or easy",
                field="sharing",
            )
        if self.instance.estimates == "request" and self.learns:
            raise InputError(
                f"{self.estimator.name} plans no job beyond its limit, but with --estimates request jobs run "
                "longer than that; use the estimator request",
                field="estimator",
            )
        if self.learns and not self.nodes.keeps_run_times:
            raise InputError(
                f"{self.estimator.name} learns from run times, which depend on what runs beside a job here; "
                "use request or exact, or --execution fixed",
                field="estimator",
            )

    @property
    def learns(self) -> bool:
        """Whether planned times come from an estimator that learns during a run."""
        return estimator_capabilities(self.estimator).learns_in_run

    @property
    def ranks_late(self) -> bool:
        """Whether a job's place in the queue is known only when it is submitted, not before the run."""
        return self.learns or self.instance.dependencies is not None


Progress: TypeAlias = "Callable[[int, int], None]"
"""Called now and then with (jobs ended, jobs in all)."""
