"""LeafKinds: the leaves of a platform, each of the kind that its resource is."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

from echelon.engine.ledger.observer import Place
from echelon.engine.machine import Machine
from echelon.engine.system import LATEST
from echelon.engine.tree.unable_jobs import shared_clusters

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.multicluster.forecasting.site_view import QueuePredictor
    from echelon.engine.multicluster.parts import Parts
    from echelon.engine.system_model import LeafRules
    from echelon.engine.tree.leaf import Leaf
    from echelon.engine.tree.leaves import Leaves
    from echelon.model import Hardware, Schedule


class LeafKinds:
    """The leaves of one run, by actual or by planned times.

    Parameters
    ----------
    ledger : Ledger
        Shared by all.
    scenario : Scenario
        The run, with the platform.
    rules : LeafRules
        The rules of leaves of each kind.
    replicated : bool, default False
        Whether jobs may have several copies.
    predict_queue : QueuePredictor, optional
        Simulates the queues of shared nodes, if there are some.
    inside : Scenario, optional
        The run as clusters of shared nodes know it; default: as all others.
    """

    def __init__(
        self,
        ledger: Ledger,
        scenario: Scenario,
        rules: LeafRules,
        *,
        replicated: bool = False,
        predict_queue: QueuePredictor | None = None,
        inside: Scenario | None = None,
    ) -> None:
        self._inside = inside or scenario
        self.ledger, self._scenario, self._rules = ledger, scenario, rules
        self._replicated, self._predict_queue = replicated, predict_queue
        self._platform = scenario.instance.sites
        self._nodes: dict[str, Hardware] = self._platform.node_level
        self._node_machines: list[Any] = []
        self._has_time_shared = bool(self._platform.time_shared)

    def leaves(self) -> list[Leaf]:
        """Return the leaves in the platform's order."""
        special: dict[int, Any] = self._time_shared if self._has_time_shared else {}
        if self.shared is not None:
            special |= zip(self.shared.at, self.shared.machines, strict=True)
        leaves: list[Leaf] = []
        for index, site in enumerate(self._platform.sites):
            if index in special:
                leaves.append(special[index])
            elif site.name in self._nodes:
                leaves.append(self._machine_of_nodes(index, site.name))
            else:
                leaves.append(Machine(self.ledger, site.processors, site.name, site=index))
        return leaves

    @property
    def latest(self) -> float:
        """The latest time that all can resolve, in seconds."""
        return LATEST if self._has_time_shared or self.shared is not None else math.inf

    def records(self) -> list[Callable[[Schedule], Schedule]]:
        """Return what adds to a schedule what happened at leaves that say more than start and run time."""
        records: list[Callable[[Schedule], Schedule]] = []
        if self._nodes:
            records.append(self._node_schedule)
        if self._has_time_shared:
            records.append(self._time_shared_schedule)
        return records

    def _time_shared_schedule(self, plain: Schedule) -> Schedule:
        """Return the schedule with what happened at time-shared machines."""
        interrupted = self.ledger.dispatches.interrupted
        record = self._parts.record
        schedule: Schedule = record.schedule(plain, replicated=self._replicated, interrupted=interrupted)
        return schedule

    @cached_property
    def shared(self) -> Parts | None:
        """The shared nodes of the run; None if it has none."""
        if not self._platform.clusters or self._predict_queue is None:
            return None
        from echelon.engine.multicluster.parts import Parts

        alone, at = shared_clusters(self._platform)
        parts = Parts(
            self.ledger,
            self._inside,
            self._rules.shared_rules,
            jobs=self._scenario.instance,
            platform=alone,
            at=at,
            predict_queue=self._predict_queue,
        )
        for machine in parts.machines:
            machine.adds_demands = not self._platform.is_shared
        return parts

    def group(self, leaves: Leaves) -> None:
        """Let the jobs on shared nodes among `leaves` have their ends in common."""
        if self.shared is not None:
            from echelon.engine.multicluster.shared_group import SharedGroup

            leaves.groups.append(SharedGroup(self.shared, leaves))

    @cached_property
    def _parts(self) -> Any:  # noqa: ANN401  (of a package that other platforms do not load)
        from echelon.engine.immediate.machines import parts_of

        return parts_of(self.ledger, self._platform, self._rules.time_shared_rules)

    @cached_property
    def _time_shared(self) -> dict[int, Any]:
        from echelon.engine.immediate.machines import time_shared_sites

        return {**time_shared_sites(self._parts, self._platform, self._rules.time_shared_rules)}

    @cached_property
    def _node_record(self) -> Any:  # noqa: ANN401  (as above)
        from echelon.engine.nodes.progress.record import Record

        return Record(len(self.ledger.jobs))

    def _machine_of_nodes(self, index: int, name: str) -> Leaf:
        from echelon.engine.nodes.machine import NodeMachine
        from echelon.engine.nodes.progress.record import Numbers

        platform = self._platform
        numbers = Numbers(
            int(platform.first_node[index]),
            int(platform.first_processor[index]),
            int(platform.first_core[index]),
        )
        machine = NodeMachine(
            self.ledger, self._nodes[name], self._rules.node_rules,
            record=self._node_record, numbers=numbers, place=Place(index, name),
        )  # fmt: skip
        self._node_machines.append(machine)
        return machine

    def _node_schedule(self, plain: Schedule) -> Schedule:
        for machine in self._node_machines:
            machine.note_sleeps(self.ledger.now)
        schedule: Schedule = self._node_record.schedule(plain)
        return schedule
