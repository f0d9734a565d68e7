"""IRMASim's public program in short: its event loop, its first model, and three of its managers.

Written from the description of the program's behavior, to be compared with Echelon; it shares no code with
either. Time goes from event to event; at one instant arrivals come before completions; a job completes when
all its tasks are done, and only then are its cores free; speeds are recomputed when a task starts on a
processor or is removed from it; a processor draws nothing before its first task.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass
class Job:
    """A job of equal tasks: so many in so many nodes; GHz-free numbers: operations, seconds, MB."""

    submit: float
    tasks: int
    nodes: int
    operations: float
    requested: float
    memory: float
    volume: float
    start: float = math.nan
    end: float = math.nan
    cores: list[Core] = field(default_factory=list)


@dataclass
class Core:
    """A core and the job of the task on it, with the operations left of that task."""

    processor: Processor
    job: Job | None = None
    left: float = 0.0
    asked: float = 0.0
    factor: float = 1.0


@dataclass
class Processor:
    """Cores of one rate, with powers and the constants of the first model."""

    rate: float
    static: float
    dynamic: float
    curve: dict[str, float]
    cores: list[Core] = field(default_factory=list)
    used: bool = False

    def refresh(self) -> None:
        """Work out the factors of the tasks here."""
        going = [core for core in self.cores if core.job is not None and core.left > 0]
        total, others = sum(core.asked for core in going), len(going) - 1
        for core in going:
            core.factor = round(self.factor(total, core.asked, others), 9)

    def factor(self, total: float, own: float, others: int) -> float:
        """Return the speed factor of a task that asks for `own` of `total` MB/s."""
        k = self.curve
        if total < k["c"]:
            return 1.0
        along = (own - (k["da"] - others) * k["db"]) / (k["dc"] - others * k["dd"])
        step = 1 - 10 * along**3 + 15 * along**4 - 6 * along**5 if 0 <= along <= 1 else float(along < 0)
        least = (1 + 0.6 * others * step) / (1 + 0.6 * others)
        return max(least, 1 + k["b"] * (total - k["c"]))

    @property
    def power(self) -> float:
        """Watts drawn now."""
        busy = sum(core.job is not None for core in self.cores)
        if busy:
            return self.static + busy * self.dynamic
        return 0.05 * self.static if self.used else 0.0


class Program:
    """One run under a manager: minimal, heuristic or backfill, and an order of nodes."""

    def __init__(self, nodes: list[list[Processor]], jobs: list[Job], manager: str, order: str) -> None:
        self.nodes, self.jobs, self.manager, self.order = nodes, jobs, manager, order
        self.future = sorted(jobs, key=lambda job: job.submit)
        self.queue: list[Job] = []
        self.now, self.energy = 0.0, 0.0

    def run(self) -> Program:
        """Go from event to event until nothing is left to happen."""
        while (step := min(self._arrival(), self._completion())) < math.inf:
            arriving, completing = step == self._arrival(), step == self._completion()
            self._advance(step)
            if arriving:
                while self.future and self.future[0].submit <= self.now:
                    self.queue.append(self.future.pop(0))
                self._schedule()
            if completing:
                for job in [one for one in self.jobs if one.cores and not any(c.left > 0 for c in one.cores)]:
                    self._complete(job)
                self._schedule()
        return self

    def _cores(self, node: int) -> list[Core]:
        return [core for processor in self.nodes[node] for core in processor.cores]

    def _idle(self, node: int) -> list[Core]:
        return [core for core in self._cores(node) if core.job is None]

    def _arrival(self) -> float:
        return self.future[0].submit - self.now if self.future else math.inf

    def _completion(self) -> float:
        going = (core for node in range(len(self.nodes)) for core in self._cores(node) if core.left > 0)
        return min((core.left / (core.processor.rate * core.factor) for core in going), default=math.inf)

    def _advance(self, step: float) -> None:
        self.energy += step * sum(processor.power for node in self.nodes for processor in node)
        self.now += step
        for node in range(len(self.nodes)):
            for core in self._cores(node):
                if core.left > 0:
                    left = core.left - step * core.processor.rate * core.factor
                    core.left = left if left >= 1 else 0.0

    def _start(self, job: Job, cores: list[Core]) -> None:
        job.start, job.cores = self.now, cores
        self.queue.remove(job)
        for core in cores:
            core.job, core.left = job, job.operations
            core.asked = job.volume / (job.operations / core.processor.rate)
            core.processor.used = True
        for core in cores:
            core.processor.refresh()

    def _complete(self, job: Job) -> None:
        job.end = self.now
        for core in job.cores:
            core.job = None
        for core in job.cores:
            core.processor.refresh()
        job.cores = []

    def _schedule(self) -> None:
        while self.queue and (cores := self._place(self.queue[0])):
            self._start(self.queue[0], cores)
        if self.queue and self.manager == "backfill":
            self._backfill()

    def _place(self, job: Job) -> list[Core]:
        """Return where the head of the queue goes, or nothing."""
        if self.manager == "minimal":
            idle = [core for node in range(len(self.nodes)) for core in self._idle(node)]
            return idle[: job.tasks] if len(idle) >= job.tasks else []
        wanted = 1 if self.manager == "backfill" else job.nodes
        share = -(-job.tasks // wanted)
        viable = [node for node in self._ordered() if len(self._idle(node)) >= share][:wanted]
        if len(viable) < wanted:
            return []
        idle = {node: self._idle(node) for node in viable}
        return [idle[viable[task % wanted]].pop(0) for task in range(job.tasks)]

    def _backfill(self) -> None:
        """Start those behind the head that end, by request, before it could start in the node they take."""
        head = self.queue[0]
        for node in self._ordered():
            if len(self._cores(node)) < head.tasks or not self._idle(node):
                continue
            latest = self._start_of(head, node)
            for job in self.queue[1:]:
                if len(self._idle(node)) >= job.tasks and self.now + job.requested <= latest:
                    self._start(job, self._idle(node)[: job.tasks])

    def _start_of(self, head: Job, node: int) -> float:
        here = {id(core.job): core.job for core in self._cores(node) if core.job is not None}
        free = len(self._idle(node))
        for job in sorted(here.values(), key=lambda one: one.start + one.requested):
            free += job.tasks
            if free >= head.tasks:
                return job.start + job.requested
        return self.now

    def _ordered(self) -> list[int]:
        """Return the nodes in the manager's order, ties as the platform lists them."""
        held = [
            sum(core.job.memory for core in self._cores(node) if core.job is not None)
            for node in range(len(self.nodes))
        ]
        key = {
            "first": lambda _: 0.0,
            "high-gigaflops": lambda node: -self.nodes[node][0].rate,
            "high-cores": lambda node: -len(self._idle(node)),
            "low-cores": lambda node: len(self._idle(node)),
            "high-memory": lambda node: -held[node],
            "low-power": lambda node: sum(
                one.static + one.dynamic * len(one.cores) for one in self.nodes[node]
            ),
        }[self.order]
        return sorted(range(len(self.nodes)), key=key)
