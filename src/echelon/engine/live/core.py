"""Core: brokers and global queues as a function of what is reported, without a clock and without I/O."""

from __future__ import annotations

import math
from bisect import insort
from typing import TYPE_CHECKING

from echelon.engine.live.live_tree import live_tree
from echelon.engine.live.messages import Ended, Promised, Started, Submitted, Suspended
from echelon.engine.live.observed_machine import ObservedMachine
from echelon.engine.live.open_scenario import open_scenario
from echelon.engine.phases import Phases
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.live.messages import Effect, Observation
    from echelon.model import Job


class Arrivals:
    """Submissions as they are reported; stands for `echelon.engine.ledger.releases.Releases`."""

    def __init__(self) -> None:
        self._arriving: list[int] = []
        self.next_time = math.inf

    def announce(self, position: int, now: float) -> None:
        """Let a job be submitted now."""
        insort(self._arriving, position)
        self.next_time = now

    def take(self, now: float) -> list[int]:
        """Return the positions of the jobs submitted now, in order, each once."""
        arriving, self._arriving = self._arriving, []
        self.next_time = math.inf
        return arriving

    def ended(self, position: int, now: float) -> None:
        """Note that a job has ended; no other waits for it."""


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
    """

    def __init__(self, scenario: Scenario) -> None:
        self._system = live_tree(open_scenario(scenario))
        self._arrivals = Arrivals()
        self._ledger = self._system.ledger
        self._ledger.releases = self._arrivals  # type: ignore[assignment]  # what `Phases` asks of releases
        self._phases = Phases(self._system, self._arrivals)  # type: ignore[arg-type]
        self._happen = self._phases.order("instant")
        self.now = -math.inf

    def grow(self, scenario: Scenario) -> None:
        """Take in the jobs at the end of the instance of `scenario` that were not known before.

        Parameters
        ----------
        scenario : Scenario
            As that of the core, with more jobs behind those that it knows.

        Raises
        ------
        InputError
            If no place is known for a job before it runs: the order of a queue needs all jobs.
        """
        self._system.grow(open_scenario(scenario))

    def next_time(self) -> float:
        """Return when a step is due without any report, in seconds: infinity if never."""
        return self._system.next_event(math.inf)

    @property
    def waits(self) -> bool:
        """Whether a step should follow at this instant when the clusters have decided."""
        return self._system.waits

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
        ending = [one for one in observations if isinstance(one, Ended)]
        submitted = [one for one in observations if isinstance(one, Submitted)]
        continues = system.waits and now == self.now and not (ending or submitted)
        if not continues:
            self._complete()
            self.now = self._phases.now = now
            system.begin(now)
        for one in observations:
            self._note(one)
        if continues:
            system.resume()
            system.settle()
        else:
            for end in ending:
                system.leaves.wake(end.site)
                self._leaf(end.site).note_end(end.position)
            for job in submitted:
                self._arrivals.announce(job.position, now)
            self._happen(system.take_ends())
        effects, system.effects[:] = [*system.effects], []
        return effects

    def _complete(self) -> None:
        """Complete the last instant: clusters that have reported nothing of it have decided nothing."""
        while self._system.waits:
            self._system.resume()
            self._system.settle()

    def _note(self, one: Observation) -> None:
        """Note what a cluster reports of its own decisions."""
        match one:
            case Started(position, site, switch):
                self._at(site).note_start(self._job(position), switch)
            case Suspended(position, site):
                self._at(site).note_suspension(self._job(position))
            case Promised(site, starts):
                self._at(site).note_promises([(self._job(position), time) for position, time in starts])
            case _:
                pass

    def _job(self, position: int) -> Job:
        return self._ledger.jobs[position]

    def _at(self, site: int) -> ObservedMachine:
        self._system.leaves.touch(site)
        return self._leaf(site)

    def _leaf(self, site: int) -> ObservedMachine:
        leaf = self._system.leaves.leaves[site]
        assert isinstance(leaf, ObservedMachine)
        return leaf
