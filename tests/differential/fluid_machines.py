"""Machines without queues once more, in exact fractions and as slowly as can be: a second opinion.

Written from the definitions alone. It is told where each job went and checks each choice with what was known
then; it finds by itself when jobs are dispatched and end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction as F  # noqa: N817  (numbers are all there is here)

WINDOW = F(60)


@dataclass
class Copy:
    """A job at a machine: when it began and ended, and the work its processes have left."""

    job: int
    processes: int
    start: F
    left: F
    end: F | None = None


@dataclass
class Machine:
    """Cores of one speed that all processes share evenly."""

    cores: int
    speed: F
    running: list[Copy] = field(default_factory=list)
    ended: list[Copy] = field(default_factory=list)
    # (from when, how many processes): what the load average is made of.
    processes: list[tuple[F, int]] = field(default_factory=lambda: [(F(-1000), 0)])
    published: F = F(0)

    def rate(self) -> F:
        there = sum(copy.processes for copy in self.running)
        return self.speed * min(F(1), F(self.cores, there)) if there else F(0)

    def next_end(self, now: F) -> F | None:
        rate = self.rate()
        return min((now + copy.left / rate for copy in self.running), default=None)

    def advance(self, elapsed: F) -> None:
        rate = self.rate()
        for copy in self.running:
            copy.left -= rate * elapsed

    def note(self, now: F) -> None:
        self.processes.append((now, sum(copy.processes for copy in self.running)))

    def load(self, now: F) -> F:
        """Mean number of processes over the last window."""
        total = F(0)
        for place, (begin, count) in enumerate(self.processes):
            end = self.processes[place + 1][0] if place + 1 < len(self.processes) else now
            seen = min(end, now) - max(begin, now - WINDOW)
            total += count * max(F(0), seen)
        return total / WINDOW

    def estimated_load(self, now: F) -> F:
        """Correct what was published by what it cannot show yet of recent starts and ends."""
        load = self.published
        for copy in self.running:
            load += copy.processes * max(F(0), WINDOW - (now - copy.start)) / WINDOW
        for copy in self.ended:
            assert copy.end is not None
            visible = min(WINDOW - (now - copy.end), copy.end - copy.start)
            load -= copy.processes * max(F(0), visible) / WINDOW
        return load


@dataclass
class Choice:
    """A decision: when, for which job, and what was known of every machine."""

    time: F
    job: int
    published_per_core: list[F]
    cpu_time: list[F | None]
    estimated_time: list[F | None]


@dataclass
class Found:
    """When each job was dispatched and ended, and every decision in order."""

    start: list[F]
    end: list[F]
    choices: list[Choice]


def play(
    jobs: list[tuple[F, int, F, int]],
    machines: list[tuple[int, F]],
    went: list[int],
    *,
    decision_time: F,
    period: F,
    phases: list[F],
    warm: bool,
) -> Found:
    """Play jobs of (submit, processes, work, application) that `went` to these machines of (cores, speed).

    Everything happens in the order: ends, publications, submissions, decisions.
    """
    there = [Machine(cores, speed) for cores, speed in machines]
    cpu: list[dict[int, F]] = [{} for _ in machines]
    if warm:
        for application in {job[3] for job in jobs}:
            works = [job[2] for job in jobs if job[3] == application]
            for place, (_, speed) in enumerate(machines):
                cpu[place][application] = sum(works, F(0)) / len(works) / speed
    order = sorted(range(len(jobs)), key=lambda j: (jobs[j][0], j))
    decided: list[tuple[F, int]] = []
    free = F(0)
    for job in order:
        free = max(free, jobs[job][0]) + decision_time
        decided.append((free, job))
    next_publication = list(phases)
    start, end = [F(0)] * len(jobs), [F(0)] * len(jobs)
    choices: list[Choice] = []
    now = F(0)
    while decided or any(machine.running for machine in there):
        times = [time for machine in there if (time := machine.next_end(now)) is not None]
        times += next_publication + [time for time, _ in decided[:1]]
        later = min(times)
        for machine in there:
            machine.advance(later - now)
        now = later
        for place, machine in enumerate(there):
            gone = [copy for copy in machine.running if copy.left == 0]
            # In the order of dispatch.
            for copy in gone:
                machine.running.remove(copy)
                copy.end = end[copy.job] = now
                machine.ended.append(copy)
                _, _, work, application = jobs[copy.job]
                taken, before = work / machine.speed, cpu[place].get(application)
                cpu[place][application] = taken if before is None else before * F(3, 4) + taken * F(1, 4)
            if gone:
                machine.note(now)
        for place, machine in enumerate(there):
            if next_publication[place] == now:
                machine.published = machine.load(now)
                next_publication[place] = now + period
        while decided and decided[0][0] == now:
            _, job = decided.pop(0)
            _, processes, work, application = jobs[job]
            known = [times.get(application) for times in cpu]
            per_core = [(machine.estimated_load(now) + processes) / machine.cores for machine in there]
            estimated = [
                None if time is None else time * max(F(1), load)
                for time, load in zip(known, per_core, strict=True)
            ]
            published = [machine.published / machine.cores for machine in there]
            choices.append(Choice(now, job, published, known, estimated))
            machine = there[went[job]]
            start[job] = now
            machine.running.append(Copy(job, processes, now, work))
            machine.note(now)
    return Found(start, end, choices)
