"""Leaves: the sites of a tree that run jobs, by actual or by planned run times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.progress.agenda import Agenda

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.multicluster.shared_group import SharedGroup
    from echelon.engine.resources.capacity import Outage
    from echelon.engine.resources.closure_events import ClosureEvent
    from echelon.engine.resources.closures import Closure
    from echelon.engine.tree.leaf import Leaf
    from echelon.model import Job


class Leaves:
    """All sites that run jobs; what happens at an instant is asked only of those concerned.

    A leaf is *due* when its own next event comes: an end, a planned end, a reservation, a wish to be woken.
    It is *concerned*, and decides, if it is due, if a job ends or joins there, or if a controller touches it.

    Under ``event`` a decision follows each single END and JOIN, at its leaf. Leaves that are due for anything
    else wait until all of these have happened: they are put off to an instant of their own at the same time.

    Parameters
    ----------
    ledger : Ledger
        What they share.
    leaves : sequence of Leaf
        In the platform's order.

    Attributes
    ----------
    groups : list of SharedGroup
        Leaves whose jobs slow each other down, and so have their ends in common.
    choose_ends : list of callable
        Given the ENDs of an instant, each a job and a leaf, return those that happen: jobs may have copies.
    site_of : list of int
        The leaf of each job, -1 before it joins one, by position.
    """

    def __init__(self, ledger: Ledger, leaves: Sequence[Leaf]) -> None:
        self.ledger, self.leaves = ledger, leaves
        self.groups: list[SharedGroup] = []
        self.choose_ends: list[Callable[[list[tuple[Job, int]]], list[tuple[Job, int]]]] = []
        self.site_of = [-1] * len(ledger.jobs)
        ledger.dispatches.site_of = self.site_of
        self._blur = max(leaf.blur for leaf in leaves)
        # When each leaf is due next, and those for which that is to be found out again.
        self._agenda: Agenda[int] = Agenda()
        self._touched: set[int] = set()
        # Of this instant: those due, those to decide, and those where something ends, joins or goes down.
        self._due: set[int] = set()
        self._concerned: set[int] = set()
        self._eventful: set[int] = set()
        # Those put off to the next instant, and those that were put off to this one.
        self._put_off: set[int] = set()
        self._late: set[int] = set()

    def next_event(self, other: float) -> float:
        """Return the time of the next event at any leaf, or `other` if that is earlier, in seconds."""
        if self._put_off:
            return self.ledger.now
        earliest = min(self._agenda.first(), other)
        if not self._blur or earliest == math.inf:
            return earliest
        # Ends that differ from another event only by rounding may wait for it.
        near = [
            self.leaves[site] for site in self._agenda.keys_due(earliest + self._blur * math.ulp(earliest))
        ]
        for leaf in sorted(near, key=lambda leaf: leaf.blur):
            other = leaf.next_event(other)
        return other

    def begin(self, now: float) -> None:
        """Begin the instant `now`, in seconds: find the leaves that are due."""
        self.ledger.now = now
        for group in self.groups:
            group.begin(now)
        self._late, self._put_off = self._put_off, set()
        self._due = self._late.union(self._leaves_due(now))
        self._concerned = set(self._due)
        self._eventful.clear()
        for site in self._due:
            self.replan(site)

    def grow(self, scenario: Scenario) -> None:
        """Take in the jobs at the end of the instance of `scenario` that were not known before."""
        self.ledger.grow(scenario)
        self.site_of += [-1] * (len(self.ledger.jobs) - len(self.site_of))

    def wake(self, site: int) -> None:
        """Let leaf `site` be due at this instant, whatever it has planned."""
        self._due.add(site)
        self._concerned.add(site)
        self.replan(site)

    def _leaves_due(self, now: float) -> list[int]:
        """Return the leaves that are due now, but for the rounding of each."""
        spacing, due = math.ulp(now), self._agenda.time
        near = self._agenda.keys_due(now + self._blur * spacing)
        return [site for site in near if due(site) - now <= self.leaves[site].blur * spacing]

    def take_ends(self) -> list[Job]:
        """Return the jobs that end now, in order of dispatch through all leaves, without ending them."""
        ending = [(job, site) for site in self._due for job in self.leaves[site].take_ends()]
        for group in self.groups:
            ending += group.ending_jobs()
        if len(ending) > 1:
            turn = self.ledger.dispatches.turn
            ending.sort(key=lambda pair: turn(pair[0].position))
        # Each END concerns its leaf when it happens: not before, and under `event` each in turn.
        self._concerned.difference_update([site for _, site in ending])
        for choose in self.choose_ends:
            ending = choose(ending)
        return [job for job, _ in ending]

    def put_off(self) -> None:
        """Put off the leaves that are due for anything but an END."""
        self._put_off.update(site for site in self._concerned if self.leaves[site].has_changed)
        self._concerned.clear()

    def end(self, job: Job) -> None:
        """End running `job` now."""
        site = self.site_of[job.position]
        leaf = self.leaves[site]
        self._happens(site)
        leaf.end(job)
        leaf.tell_end(job, self.ledger.dispatches.first_start(job), self.ledger.now)

    def correct(self) -> bool:
        """Plan later ends for the jobs that run on at theirs; return whether there are any."""
        late = [site for site in self._due if self.leaves[site].correct()]
        for site in late:
            self.touch(site)
        return bool(late)

    def expect(self, outage: Outage) -> None:
        """Note that an outage of a leaf continues, which was expected to end by now."""
        self._happens(outage.site)
        self.leaves[outage.site].expect(outage)

    def change_capacity(self, outage: Outage, *, down: bool) -> None:
        """Let what an outage takes of its leaf go down, or come back."""
        self._changes(outage.site)
        self.leaves[outage.site].change_capacity(outage, down=down)

    def change_closure(self, event: ClosureEvent, closure: Closure) -> Sequence[Job]:
        """Let nodes of a leaf be closed to some jobs, or open again; see `System.change_closure`."""
        self._changes(closure.site)
        return self.leaves[closure.site].change_closure(event, closure)

    def stop(self, job: Job) -> None:
        """Take from running `job` all that it holds; it waits again."""
        self._happens(site := self.site_of[job.position])
        self.leaves[site].stop(job)

    def holds(self, job: Job) -> bool:
        """Return whether `job` waits at a leaf."""
        site = self.site_of[job.position]
        return site >= 0 and self.leaves[site].has_waiting(job)

    def withdraw(self, job: Job) -> None:
        """Remove `job` from its leaf, where it waits, or by planned times perhaps runs."""
        site = self.site_of[job.position]
        leaf = self.leaves[site]
        if not (leaf.has_waiting(job) or self.ledger.dispatches.serial[job.position]):
            # By planned times it has ended.
            return
        self._happens(site)
        leaf.withdraw(job)
        for statistics, branch in leaf.above:
            statistics.leave(job, branch)

    def forget(self, job: Job) -> None:
        """Stop counting `job`, which was held at its leaf."""
        leaf = self.leaves[self.site_of[job.position]]
        for statistics, branch in leaf.above:
            statistics.leave(job, branch)

    def hold(self, job: Job) -> None:
        """Let `job`, which waits at its leaf, wait out of the queue there."""
        self._happens(site := self.site_of[job.position])
        self.leaves[site].hold(job)

    def limit(self, job: Job, planned: float) -> None:
        """Plan `job` with so many seconds if it waits at a leaf."""
        if self.holds(job):
            self.leaves[self.site_of[job.position]].limit(job, planned)

    def rejoin(self, job: Job) -> None:
        """Let `job`, which was held, wait at its leaf again."""
        self._happens(site := self.site_of[job.position])
        self.leaves[site].rejoin(job, is_away=False)

    def join(self, job: Job, site: int, *, is_reported: bool) -> None:
        """Let `job` join the leaf `site` now; `is_reported` says whether observers know of it."""
        self._happens(site)
        # It may have been announced in another state of the sites.
        self.ledger.jobs[job.position] = job
        if self.ledger.follows_plans:
            self.ledger.dispatches.follow_plan(job)
        self.site_of[job.position] = site
        leaf = self.leaves[site]
        if is_reported:
            leaf.enter(job)
        else:
            leaf.join(job)

    def _changes(self, site: int) -> None:
        """Note that what leaf `site` has for jobs changes now, and tell those above."""
        self._happens(site)
        for concern in self.leaves[site].on_resource:
            concern(site)

    def _happens(self, site: int) -> None:
        """Note that an event happens at leaf `site` now."""
        self.touch(site)
        self._eventful.add(site)

    def touch(self, site: int) -> None:
        """Note that leaf `site` is concerned by this instant."""
        if site not in self._concerned:
            self._concerned.add(site)
            self.replan(site)

    def replan(self, site: int) -> None:
        """Note that the next event of leaf `site` may have changed."""
        if site not in self._touched:
            self._touched.add(site)
            self._agenda.take(site)
            self.leaves[site].begin(self.ledger.now)

    def decide(self, *, event: bool = False) -> None:
        """Let every leaf concerned run a scheduling cycle, in the platform's order.

        At each it counts as if a job had ended or joined there now if there is such an `event` anywhere.
        """
        concerned, self._concerned = sorted(self._concerned), set()
        if self._put_off:
            self._put_off.difference_update(concerned)
        for site in concerned:
            leaf, eventful = self.leaves[site], event or site in self._eventful
            if leaf.on_change is not None:
                if site not in self._eventful and leaf.has_changed:
                    leaf.on_change()
            elif eventful or leaf.has_changed or site in self._late:
                leaf.watch(event=eventful)
                leaf.decide()

    def settle(self) -> None:
        """Let what runs continue at its new rate, and find out when each leaf touched is due next."""
        for site in self._touched:
            leaf = self.leaves[site]
            leaf.settle()
            self._agenda.plan(site, leaf.next_event(math.inf))
        self._touched.clear()


class LeafBranch:
    """A leaf, by actual and perhaps by planned times, as a branch of the inner site above it.

    Parameters
    ----------
    states : sequence of Leaves
        The leaves by actual times, then perhaps by planned times.
    site : int
        The leaf.
    """

    def __init__(self, states: Sequence[Leaves], site: int) -> None:
        self._states, self._site = states, site

    def join(self, job: Job, *, is_reported: bool) -> None:
        """See `Branch.join`."""
        for state in self._states:
            state.join(job, self._site, is_reported=is_reported)

    def withdraw(self, job: Job) -> None:
        """See `Branch.withdraw`."""
        for state in self._states:
            state.touch(self._site)
            state.leaves[self._site].withdraw(job)
