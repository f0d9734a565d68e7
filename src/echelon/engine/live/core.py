"""Core: brokers and global queues as a function of what is reported, without a clock and without I/O."""

from __future__ import annotations

import math
from contextlib import contextmanager, suppress
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from echelon.engine.clock.phases import Phases
from echelon.engine.live.live_tree import live_tree
from echelon.engine.live.messages import (
    Canceled,
    Closed,
    Ended,
    Joined,
    Opened,
    Refused,
    Reject,
    Requeued,
    Reserved,
    Resized,
    Started,
    Stop,
    Submitted,
    Suspended,
)
from echelon.engine.live.observed_machine import ObservedMachine
from echelon.engine.live.open_scenario import open_scenario, why_not_live
from echelon.errors import InputError, PolicyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.live.messages import Effect, Observation
    from echelon.model import Instance, Job

NOWHERE = "no cluster that it may go to can hold it"
"""Why a job is rejected that may go nowhere."""

_DECIDED = (Started, Suspended, Requeued, Reserved)
"""What clusters decide by themselves."""


class Arrivals:
    """When jobs join the root; stands for `echelon.engine.ledger.releases.Releases` where that is not known.

    A job that waits for others joins at the latest of its submission and of end + delay over its
    predecessors.

    Attributes
    ----------
    next_time : float
        When the next job joins, as far as that is known, in seconds.
    """

    def __init__(self) -> None:
        self._arriving: list[tuple[float, int]] = []
        self.next_time = math.inf
        self._successors: dict[int, list[tuple[int, float]]] = {}
        self._waits_for: dict[int, int] = {}
        self._release: dict[int, float] = {}
        self._count = 0

    def grow(self, instance: Instance, ended: dict[int, float]) -> None:
        """Take in the jobs at the end of `instance`; `ended`: when jobs have, in seconds, by position."""
        first, self._count = self._count, len(instance)
        if (dependencies := instance.dependencies) is None:
            return
        for position in range(first, len(instance)):
            edges = range(int(dependencies.first[position]), int(dependencies.first[position + 1]))
            if not edges:
                continue
            # One more: its own submission.
            self._waits_for[position], self._release[position] = len(edges) + 1, -math.inf
            for edge in edges:
                before, delay = int(dependencies.predecessor[edge]), float(dependencies.delay[edge])
                if before in ended:
                    self._free(position, ended[before] + delay)
                else:
                    self._successors.setdefault(before, []).append((position, delay))

    def announce(self, position: int, now: float) -> None:
        """Let a job be submitted now."""
        if position in self._waits_for:
            self._free(position, now)
        else:
            self._arrive(position, now)

    def forget(self, position: int) -> bool:
        """Let a job never join; return whether it has not joined yet."""
        waits = self._waits_for.pop(position, None) is not None
        left = [one for one in self._arriving if one[1] != position]
        waits |= len(left) < len(self._arriving)
        self._arriving = sorted(left)
        self._note_next()
        return waits

    def _free(self, position: int, time: float) -> None:
        """Let a job wait for one thing fewer; that was over at `time`, in seconds, with the delay."""
        if position not in self._waits_for:
            return
        self._release[position] = max(self._release[position], time)
        self._waits_for[position] -= 1
        if not self._waits_for[position]:
            del self._waits_for[position]
            self._arrive(position, self._release.pop(position))

    def _arrive(self, position: int, time: float) -> None:
        heappush(self._arriving, (time, position))
        self._note_next()

    def _note_next(self) -> None:
        self.next_time = self._arriving[0][0] if self._arriving else math.inf

    def take(self, now: float) -> list[int]:
        """Return the positions of the jobs that join by now, in order, each once."""
        arriving = []
        while self._arriving and self._arriving[0][0] <= now:
            arriving.append(heappop(self._arriving)[1])
        self._note_next()
        return sorted(arriving)

    def note_end(self, position: int, now: float) -> None:
        """Note that the job at `position` has ended now, for any reason."""
        for successor, delay in self._successors.pop(position, ()):
            self._free(successor, now + delay)


class Core:
    """The controllers of a tree, step by step: what is reported goes in, what is to be done comes out.

    Nothing here reads a clock, a file or a socket, and nothing knows how long a job will run. The same steps
    give the same effects, so a recorded day can be run again, and a run over simulated clusters is the
    simulation.

    Parameters
    ----------
    scenario : Scenario
        A tree of counted processors under brokers and global queues, with all jobs that will be reported.

    Attributes
    ----------
    now : float
        The time of the last step, in seconds.

    Raises
    ------
    InputError
        If its controllers cannot be driven step by step; see `why_not_live`.
    """

    def __init__(self, scenario: Scenario) -> None:
        if reason := why_not_live(scenario):
            raise InputError(f"cannot be driven step by step: {reason}", field="scenario")
        self._system = live_tree(open_scenario(scenario))
        self._arrivals = Arrivals()
        self._ledger = self._system.ledger
        self._ledger.releases = self._arrivals  # type: ignore[assignment]  # what `Phases` asks of releases
        self._phases = Phases(self._system, self._arrivals)  # type: ignore[arg-type]
        self._happen = self._phases.order("instant")
        self._ended: dict[int, float] = {}
        self.now = -math.inf
        self._arrivals.grow(scenario.instance, self._ended)

    def grow(self, scenario: Scenario) -> None:
        """Take in the jobs at the end of the instance of `scenario` that were not known before."""
        self._system.grow(open_scenario(scenario))
        self._arrivals.grow(scenario.instance, self._ended)

    def next_time(self) -> float:
        """Return when a step is due without any report, in seconds: infinity if never."""
        return self._system.next_event(self._arrivals.next_time)

    @property
    def waits(self) -> bool:
        """Whether a step should follow at this instant when the clusters have decided."""
        return self._system.waits

    @property
    def clusters(self) -> Sequence[ObservedMachine]:
        """The clusters as they are reported, in the platform's order; read-only."""
        return [self._leaf(site) for site in range(len(self._system.leaves.leaves))]

    @contextmanager
    def at(self, now: float) -> Iterator[Sequence[ObservedMachine]]:
        """Let the clusters forecast from `now`, in seconds, or from the last step if that is later."""
        clusters, last = self.clusters, self._ledger.now
        noted = [one.cluster.now for one in clusters]
        self._ledger.now = max(now, last)
        try:
            yield clusters
        finally:
            self._ledger.now = last
            for one, time in zip(clusters, noted, strict=True):
                one.cluster.now = time

    def call_before_submit(self, call: Callable[[Job, int], None]) -> None:
        """Let `call` be called with job and cluster whenever one is chosen, before the job joins it."""
        self._system.before_submit.append(call)

    def accepts(self, job: Job, site: int) -> bool:
        """Return whether the controllers above a cluster let it have `job` now, by the limit of its queue."""
        return self._system.accepts(job, site)

    def step(self, now: float, observations: Sequence[Observation]) -> list[Effect]:
        """Take in what is reported, decide, and return what is to be done, in order.

        Parameters
        ----------
        now : float
            In seconds, not before the last step.
        observations : sequence of Observation
            In the order in which they happened.

        Raises
        ------
        InputError
            If `now` is before the last step.
        PolicyError
            If a rule fails, or decides what is not allowed.

        Notes
        -----
        What a cluster decides at an instant at which a step `waits` belongs to the next step, at the same
        time: then only what follows from it is decided. **Cost**: as one instant of a simulation.
        """
        if now < self.now:
            raise InputError(f"is {now:g} s, but the last step was at {self.now:g} s", field="now")
        system = self._system
        continues = (
            system.waits and now == self.now and all(isinstance(one, _DECIDED) for one in observations)
        )
        if not continues:
            self._complete()
            self.now = self._phases.now = now
            system.begin(now)
        for one in observations:
            self._note(one, now)
        if continues:
            system.resume()
            system.settle()
        else:
            self._happen(system.take_ends())
        effects, system.effects[:] = [*system.effects], []
        return effects

    def choice(self, alone: Scenario, job: Job, never: Iterable[int] = ()) -> int | None:
        """Return the cluster that would be chosen for a job if it were its turn now; nothing changes.

        Parameters
        ----------
        alone : Scenario
            As that of the core, with this job alone.
        job : Job
            Its position is behind all that the core knows.
        never : iterable of int, default empty
            Clusters that it may not go to.

        Returns
        -------
        int or None
            None if none takes it now, or if old news or a random number decides.
        """
        with suppress(PolicyError):
            return self._system.choice(alone, job, set(never))
        return None

    def _complete(self) -> None:
        """Complete the last instant: clusters that have reported nothing of it have decided nothing."""
        while self._system.waits:
            self._system.resume()
            self._system.settle()

    def _note(self, one: Observation, now: float) -> None:
        """Note what is reported; what ends is ended in its phase."""
        match one:
            case Submitted(position, never):
                self._submit(position, never, now)
            case Canceled(position):
                self._cancel(position, now)
            case Joined(position, site):
                self._system.join_at(self._ledger.announce(position, now), site)
            case Refused(position, site, why):
                if not self._system.refuse(self._job(position), site, why):
                    self._drop_job(position, now)
            case Ended(position, site):
                self._end(position, site, now)
            case Closed(site):
                self._system.close(site)
            case Opened(site):
                self._system.open(site)
            case _:
                self._note_decision(one)

    def _submit(self, position: int, never: tuple[int, ...], now: float) -> None:
        """Let a job come, which may not go to the clusters `never`."""
        system = self._system
        if never:
            system.clusters.refused.setdefault(position, set()).update(never)
            if not system.open_branches.any_left(position):
                system.effects.append(Reject(self._job(position), NOWHERE))
                self._drop_job(position, now)
                return
        self._arrivals.announce(position, now)

    def _note_decision(self, one: Observation) -> None:
        """Note what a cluster has decided by itself."""
        match one:
            case Started(position, site, switch, at):
                self._touch(site).note_start(self._job(position), switch, at)
            case Suspended(position, site):
                self._touch(site).note_suspension(self._job(position))
            case Requeued(position, site):
                self._touch(site).stop(self._job(position))
            case Reserved(site, starts):
                self._touch(site).note_reservations(
                    [(self._job(position), time) for position, time in starts]
                )
            case Resized(site, processors):
                self._touch(site).resize(processors)

    def _end(self, position: int, site: int, now: float) -> None:
        """Let a job end at its cluster, or leave the queue there."""
        self._ended[position] = now
        if self._ledger.dispatches.serial[position]:
            self._system.leaves.wake(site)
            self._leaf(site).note_end(position)
            return
        self._system.leave_from(self._job(position), site)
        self._drop_job(position, now)

    def _cancel(self, position: int, now: float) -> None:
        """Let a job go that is not wanted any more; one that runs is to be stopped."""
        job = self._job(position)
        if self._ledger.dispatches.serial[position]:
            self._system.effects.append(Stop(job, self._system.leaves.site_of[position]))
            return
        if not self._arrivals.forget(position):
            self._system.withdraw(job)
        self._drop_job(position, now)

    def _drop_job(self, position: int, now: float) -> None:
        """Note that a job will not run: those that wait for it count it as ended."""
        self._ended[position] = now
        self._arrivals.note_end(position, now)

    def _job(self, position: int) -> Job:
        return self._ledger.jobs[position]

    def _touch(self, site: int) -> ObservedMachine:
        self._system.leaves.touch(site)
        return self._leaf(site)

    def _leaf(self, site: int) -> ObservedMachine:
        leaf = self._system.leaves.leaves[site]
        assert isinstance(leaf, ObservedMachine)
        return leaf
