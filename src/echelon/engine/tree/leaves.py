"""Leaves: the sites of a tree that run jobs, by actual or by planned run times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.progress.agenda import Agenda

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.capacity import Outage
    from echelon.engine.ledger import Ledger
    from echelon.engine.multicluster.shared_group import SharedGroup
    from echelon.engine.tree.leaf import Leaf
    from echelon.model import Job


class Leaves:
    """All sites that run jobs; what happens at an instant is asked only of those concerned.

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
        self.site_of = [-1] * len(ledger.jobs)
        self._agenda: Agenda[int] = Agenda()
        self._blur = max(leaf.blur for leaf in leaves)
        self.groups: list[SharedGroup] = []
        self.choose_ends: list[Callable[[list[tuple[Job, int]]], list[tuple[Job, int]]]] = []
        # Those to decide, and those whose next event may have changed.
        self._concerned: set[int] = set()
        self._touched: set[int] = set()
        self._eventful: set[int] = set()
        # Those that are due at this instant, and of these those that wait until all events have happened.
        self._due: frozenset[int] = frozenset()
        self._deferred: set[int] = set()
        self._overdue: set[int] = set()

    def next_event(self, other: float) -> float:
        """Return the time of the next event at any leaf, or `other` if that is earlier, in seconds."""
        if self._deferred:
            return self.ledger.now
        first = self._agenda.first()
        if not self._blur:
            return min(first, other)
        # Ends that differ from another event only by rounding may wait for it.
        earliest = min(first, other)
        by = earliest + self._blur * math.ulp(earliest) if earliest < math.inf else earliest
        near = [self.leaves[site] for site in self._agenda.near(by)]
        for leaf in sorted(near, key=lambda leaf: leaf.blur):
            other = leaf.next_event(other)
        return other

    def begin(self, now: float) -> None:
        """Begin the instant `now`, in seconds: find the leaves concerned."""
        self.ledger.now = now
        for group in self.groups:
            group.begin(now)
        self._eventful.clear()
        self._overdue, self._deferred = self._deferred, set()
        self._concerned |= self._overdue
        by = now + self._blur * math.ulp(now)
        if self._agenda.first() <= by:
            self._concerned.update(filter(self._is_due, self._agenda.near(by)))
        for site in self._concerned:
            self._touched.add(site)
            self._agenda.take(site)
            self.leaves[site].begin(now)
        self._due = frozenset(self._concerned)

    def _is_due(self, site: int) -> bool:
        blur, now = self.leaves[site].blur, self.ledger.now
        return self._agenda.time(site) - now <= (blur * math.ulp(now) if blur else 0.0)

    def take_ends(self) -> list[Job]:
        """Return the jobs that end now, in order of dispatch through all leaves, without ending them."""
        return [job for job, _ in self.ending()]

    def ending(self) -> list[tuple[Job, int]]:
        """Return the jobs that end now, in order of dispatch through all leaves, each with its leaf."""
        ending = []
        for site in self._concerned:
            jobs = self.leaves[site].take_ends()
            ending += [(job, site) for job in jobs]
        for group in self.groups:
            ending += group.ending()
        if len(ending) > 1:
            turn = self.ledger.dispatches.turn
            ending.sort(key=lambda pair: turn(pair[0].position))
        # Each END concerns its leaf when it happens: not before, and under `event` each in turn.
        self._concerned.difference_update(site for _, site in ending)
        for choose in self.choose_ends:
            ending = choose(ending)
        return ending

    def defer(self) -> None:
        """Put off what is due at leaves without an END or a JOIN until all of these have happened."""
        self._deferred.update(site for site in self._concerned if self.leaves[site].has_changed)
        self._concerned.clear()

    def ends_early(self, job: Job) -> bool:
        """Return whether running `job`, which ends now, was planned to end later."""
        return self.leaves[self.site_of[job.position]].ends_early(job)

    def end(self, job: Job) -> None:
        """End running `job` now."""
        site = self.site_of[job.position]
        leaf = self.leaves[site]
        self.touch(site)
        self._eventful.add(site)
        leaf.end(job)
        leaf.tell_end(job, self.ledger.dispatches.first_start(job), self.ledger.now)

    def change_capacity(self, outage: Outage, *, down: bool) -> None:
        """Let what an outage takes of its leaf go down, or come back."""
        self.touch(outage.site)
        self._eventful.add(outage.site)
        self.leaves[outage.site].change_capacity(outage, down=down)

    def correct(self) -> bool:
        """Plan later ends for the jobs that run on at theirs; return whether there are any."""
        late = [site for site in self._due if self.leaves[site].correct()]
        for site in late:
            self.touch(site)
        return bool(late)

    def join(self, job: Job, site: int, *, is_reported: bool) -> None:
        """Let `job` join the leaf `site` now; `is_reported` says whether observers know of it."""
        self.touch(site)
        self._eventful.add(site)
        # It may have been announced in another state of the sites.
        self.ledger.jobs[job.position] = job
        self.site_of[job.position] = site
        leaf = self.leaves[site]
        if is_reported:
            leaf.enter(job)
        else:
            leaf.join(job)

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

        Parameters
        ----------
        event : bool, default False
            Whether every leaf counts as one where a job has ended or joined now.
        """
        concerned = sorted(self._concerned)
        self._concerned.clear()
        self._deferred.difference_update(concerned)
        for site in concerned:
            leaf, eventful = self.leaves[site], event or site in self._eventful
            if leaf.on_change is not None:
                if site not in self._eventful and leaf.has_changed:
                    leaf.on_change()
            elif eventful or leaf.has_changed or site in self._overdue:
                leaf.watch(event=eventful)
                leaf.decide()

    def settle(self) -> None:
        """Let what runs continue at its new rate."""
        for site in self._touched:
            leaf = self.leaves[site]
            leaf.settle()
            self._agenda.plan(site, leaf.next_event(math.inf))
        self._touched.clear()
