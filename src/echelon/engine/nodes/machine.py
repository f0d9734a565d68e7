"""NodeMachine: one machine of nodes during a run: its cluster, its scheduler, its tasks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn

from echelon.engine.ledger.observer import NO_SITE
from echelon.engine.machine import Machine
from echelon.engine.nodes.nodes import Nodes
from echelon.engine.nodes.progress.record import ALONE, Numbers, Record
from echelon.engine.nodes.progress.tasks import Tasks
from echelon.engine.queue.cluster import Cluster
from echelon.errors import InputError
from echelon.policies.capabilities import capabilities

if TYPE_CHECKING:
    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.ledger.observer import Place
    from echelon.engine.nodes.rules import NodeRules
    from echelon.model import Hardware, Job, Schedule


_MOST_NAMED = 20


class NodeMachine(Machine):
    """`Machine` with a node-level model, down to the tasks on the cores.

    A job that runs on at its planned end is from then on planned to end when it will at its present speed,
    and all reservations are made again.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run.
    hardware : Hardware
        The nodes.
    rules : NodeRules
        What may run where, and how.
    record : Record, optional
        What happens on the nodes of the run; default: only these.
    numbers : Numbers, default those of one machine
        The numbers of the nodes among those of the run.
    place : Place, default one machine
        The site.
    """

    progress: Tasks

    def __init__(
        self,
        ledger: Ledger,
        hardware: Hardware,
        rules: NodeRules,
        *,
        record: Record | None = None,
        numbers: Numbers = ALONE,
        place: Place = NO_SITE,
    ) -> None:
        instance = ledger.scenario.instance
        begin = instance.first_submission
        self.nodes = Nodes(hardware, rules, seed=ledger.scenario.seed, begin=begin)
        self._record = Record(len(instance)) if record is None else record
        cluster = Cluster(ledger, self.nodes, site=place.name)
        tasks = Tasks(
            ledger, cluster, self.nodes, hardware, rules, record=self._record, numbers=numbers
        )  # fmt: skip
        super().__init__(ledger, hardware.cores, place.name, cluster=cluster, site=place.site, progress=tasks)
        self._numbers = numbers
        self._corrector = ledger.predictions if tasks.keeps_run_times else None
        self._puts_off = self._corrector is not None or not tasks.is_exact
        if capabilities(self._scheduler).preempts:
            cluster.time_left = tasks.time_left
        self._refuse_too_hungry()

    def next_event(self, release: float) -> float:
        """See `System.next_event`; under a power cap jobs wait for nodes that are switched off, too."""
        return super().next_event(min(release, self._next_relief()))

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`."""
        ending = super().take_ends()
        self.has_changed = bool(ending or self.progress.pace.changed) or not self._only_pace(self.cluster.now)
        return ending

    def settle(self) -> None:
        """See `System.settle`."""
        self.progress.settle(self.cluster.now)

    def decide(self) -> None:
        """See `System.decide`."""
        self.cluster.withdraw_late()
        super().decide()

    def raise_deadlock(self) -> NoReturn:
        """Report that jobs can never start here, and whether the placement is the cause."""
        cluster = self.cluster
        if not cluster.running:
            self.nodes.places.check(map(cluster.as_left, cluster.waiting.jobs), cluster.now)
        super().raise_deadlock()

    def schedule(self) -> Schedule:
        """See `System.schedule`."""
        self.note_sleeps(self.cluster.now)
        return self.ledger.finish_schedule(self._record.schedule(self.ledger.schedule()))

    def note_sleeps(self, end: float) -> None:
        """Note when nodes were off in the run that ends at `end`, in seconds."""
        if self.nodes.sleep.is_used:
            first = self._numbers.node
            self._record.note_sleeps((first + node, *off) for node, off in self.nodes.sleep.log(end))

    def _lesson(self, job: Job, run_time: float) -> float | None:
        """See `Machine._lesson`: how long it ran, on a core a task: plans add the turns on shared cores."""
        if self.nodes.rules.keeps_run_times:
            return None
        return run_time / self.nodes.assignments[job.position].share

    def _place_of(self, job: Job) -> Place:
        return self._site._replace(nodes=self.nodes.assignments[job.position].where)

    def _refuse_too_hungry(self) -> None:
        """Refuse, before anything happens, jobs that would exceed the power cap even alone."""
        nodes, cap = self.nodes, self.nodes.power.cap
        if not math.isfinite(cap):
            return
        alone = ((job, nodes.places.power_alone(job)) for job in self.ledger.jobs)
        over = [(job, power) for job, power in alone if power > cap]
        if over:
            named = self.cluster.scenario.instance.label
            shown = "; ".join(f"job {named(job.position)} {power:g} W" for job, power in over[:_MOST_NAMED])
            more = f"; and {len(over) - _MOST_NAMED} more" if len(over) > _MOST_NAMED else ""
            jobs = "1 job" if len(over) == 1 else f"{len(over)} jobs"
            raise InputError(
                f"{jobs} would exceed {cap:g} W even alone on the machine with all nodes on: {shown}{more}; "
                "raise the cap, or let a governor run jobs at a lower frequency level",
                field="power-cap",
            )

    def _next_relief(self) -> float:
        """Return when a node is next switched off, for which jobs may wait under a power cap."""
        cluster = self.cluster
        if not (cluster.waiting and self.nodes.power.is_capped and self.nodes.sleep.is_used):
            return math.inf
        return self.nodes.sleep.next_off(cluster.now)

    def _only_pace(self, now: float) -> bool:
        """Return whether only a turn of tasks or a node that becomes ready causes this event."""
        cluster = self.cluster
        due = any(time == now for time in cluster.reservations.values())
        late = bool(cluster.running) and cluster.running[0].planned_end <= now
        woken = bool(cluster.wakes) and cluster.wakes[0] <= now
        return not (due or late or woken or self.nodes.power.is_capped)
