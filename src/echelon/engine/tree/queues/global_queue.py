"""GlobalQueue: an inner site of a tree where jobs wait until its rule dispatches them to the sites below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, NoReturn

from echelon.engine.ledger.observer import NO_SITE
from echelon.engine.queue.decisions import NO_JOB, Decisions, refusal
from echelon.engine.system import count_of, list_of
from echelon.engine.tree.controlled_site import ControlledSite
from echelon.engine.tree.queues.decision_queue import DecisionQueue
from echelon.errors import DeadlockError
from echelon.model import Job
from echelon.policies.global_queue.contract import Copy, Deliver, Spread

if TYPE_CHECKING:
    from echelon.engine.tree.inner_site import InnerSite
    from echelon.engine.tree.queues.queue_lines import QueueLine, QueueLines
    from echelon.engine.tree.views.statistics import StaleStatistics
    from echelon.model import Schedule


class GlobalQueue(ControlledSite):
    """Routes each job from its queue to the queue of a leaf, or to parts of several, until it starts.

    Parameters
    ----------
    lines : QueueLines
        Its queues, one or several, with their rules; they hold the waiting jobs.
    site : InnerSite
        Where it stands.
    decision_time : float
        Duration of each decision of its broker, in seconds, >= 0; a job joins the queue when it is complete.
    longest_stay : float
        A job that has not started this long after it came here is rejected, in seconds, > 0.
    two_phase : bool
        Whether jobs that wait in a site are offered parts of several when nothing else is left to decide.
    stale : StaleStatistics, optional
        What its rules know of the sites below, where that may be old.

    Attributes
    ----------
    waiting_in : dict of int to tuple of int
        Branches in whose queues each job waits, by the job's position, in order of dispatch.
    rejected : list of int
        Positions of the jobs rejected.
    """

    def __init__(
        self,
        lines: QueueLines,
        site: InnerSite,
        *,
        decision_time: float = 0.0,
        longest_stay: float = math.inf,
        two_phase: bool = False,
        stale: StaleStatistics | None = None,
    ) -> None:
        self._site = site
        self._lines, self._leaves = lines, site.states[0]
        self._ledger = site.ledger
        self._branches, self._below = site.branches, site.below
        self._branch_of = {leaf: place for place, leaves in enumerate(site.below) for leaf in leaves}
        self._statistics, self._deliveries = site.sums[0], site.deliveries
        for group in self._leaves.groups:
            self._deliveries = group.deliveries_of(self, site.below)
        self._decisions = DecisionQueue(decision_time)
        self._longest_stay, self._two_phase, self._stale = longest_stay, two_phase, stale
        self._stays: list[tuple[float, int]] = []
        self.waiting_in: dict[int, tuple[int, ...]] = {}
        self.rejected: list[int] = []
        self._starts = self._starts_before = 0
        self._suspends = False
        self._statistics.on_leave = (*self._statistics.on_leave, self._note_change)
        for place in self._branch_of:
            leaf = self._leaves.leaves[place]
            leaf.on_start = (*leaf.on_start, self._note_start)
            leaf.on_resource = (*leaf.on_resource, self.mark_leaf)

    def next_time(self) -> float:
        """Return when the next decision is complete or the longest stay is over, in seconds, or infinity."""
        while self._stays and not self._waits(self._stays[0][1]):
            heappop(self._stays)
        stay = self._stays[0][0] if self._stays else math.inf
        # Without news, jobs that wait for what is known to change might wait forever.
        news = self._stale.next_news() if self._stale is not None and self._lines.jobs else math.inf
        return min(self._decisions.next_time(), stay, news)

    @property
    def held(self) -> Sequence[Job]:
        """The jobs that wait here for a dispatch, then those that wait for a decision."""
        return (*self._lines.jobs.values(), *self._decisions.waiting.values())

    @property
    def queued(self) -> list[Job]:
        """The jobs that wait here for a dispatch, in the order of their arrival."""
        return list(self._lines.jobs.values())

    @property
    def is_deciding(self) -> bool:
        """Whether jobs wait for the broker's decision."""
        return bool(self._decisions.waiting)

    def mark(self, site: int) -> None:
        """Note that the state of branch `site` changes now."""
        for leaf in self._below[site]:
            self._leaves.touch(leaf)
        self._deliveries.note_change(site)
        self._note_change(site)

    def _note_change(self, site: int) -> None:
        """Note that what is known of branch `site` changes now; of none if it is -1."""
        self._lines.note_change()
        if self._stale is not None and site >= 0:
            self._stale.note_change(site)

    def mark_leaf(self, leaf: int) -> None:
        """Note that the state of a leaf changes now, if it is a branch here."""
        if leaf in self._branch_of:
            self.mark(self._branch_of[leaf])

    def join(self, job: Job, *, is_reported: bool = False) -> None:
        """See `Branch.join`: `job` waits for the broker's decision."""
        now = self._ledger.now
        self._decisions.submit(job, now)
        dispatches = self._ledger.dispatches
        dispatches.planned_left[job.position] = dispatches.next_planned(job)
        if not is_reported:
            for observer in self._ledger.observers:
                observer.submitted(now, job, NO_SITE)
        if self._longest_stay < math.inf and not self._has_started(job):
            heappush(self._stays, (now + self._longest_stay, job.position))

    def withdraw(self, job: Job) -> None:
        """See `ControlledSite.withdraw`: from every queue."""
        self._decisions.drop(job.position, self._ledger.now)
        self._lines.drop(job.position)
        self._lines.forget(job.position)
        for site in self.waiting_in.pop(job.position, ()):
            self._site.withdraw(job, site)
            self.mark(site)
        self._deliveries.forget(job)

    def reroute(self, job: Job, place: int) -> bool:
        """See `ControlledSite.reroute`: it waits here again, unless a copy waits elsewhere or has started."""
        self.mark(place)
        left = [site for site in self.waiting_in.pop(job.position, (-1,)) if site != place]
        if left:
            if left != [-1]:
                self.waiting_in[job.position] = tuple(left)
            return True
        self._lines.forget(job.position)
        if not self._site.allowed[job.position]:
            self._deliveries.forget(job)
            return False
        self._lines.add(job)
        return True

    def accepts(self, job: Job, place: int) -> bool:
        """See `ControlledSite.accepts`; where news may be old, to ask would change what is known."""
        return self._stale is not None or self._lines.line_for(job).view.accepts(job, place)

    def choose_again(self) -> None:
        """See `ControlledSite.choose_again`."""
        for position in self._lines.jobs:
            self._lines.forget(position)
        self._lines.note_change()

    def leave(self) -> list[int]:
        """See `ControlledSite.leave`."""
        rejected = []
        while self._stays and self._stays[0][0] <= self._ledger.now:
            _, position = heappop(self._stays)
            if self._waits(position):
                rejected.append(position)
        self.rejected += rejected
        return rejected

    @property
    def why_rejected(self) -> str:
        """The reason why jobs were rejected."""
        return f"a stay of {self._longest_stay:g} s in queues (the longest allowed)"

    def decide(self) -> bool:
        """Move the jobs whose decisions are complete to the queue; return whether there are any."""
        self._lines.begin(self._ledger.now)
        if self._stale is not None:
            self._stale.pass_news()
        decided = self._decisions.take(self._ledger.now)
        for job in decided:
            self._lines.add(job)
        return bool(decided)

    def dispatch(self) -> bool:
        """Let the rule of each queue in turn dispatch jobs; return whether any were."""
        self._starts_before, self._suspends = self._starts, False
        if not self._lines.jobs:
            return False
        handed = [self._serve(line) for line in self._lines.order_lines()]
        return any(handed)

    def _serve(self, line: QueueLine) -> bool:
        """Let the rule of one queue dispatch its jobs; return whether it dispatched any."""
        view, handed = line.view, False
        decisions = Decisions(
            line.rule.name,
            partial(line.rule.dispatch, view),
            lambda: self._ledger.now,
            call="dispatch(view)",
            gives="dispatches",
            per="job",
        )
        for handing in decisions.cycle(len(view.jobs)):
            if self._apply(handing, line):
                self._lines.note_dispatch(line)
                handed = True
        return handed

    def goes_on(self) -> bool:
        """Return whether there is more to decide after the sites below have decided."""
        if self._lines.asks_again() or self._suspends or self._starts > self._starts_before:
            return True
        # Nodes of several sites are offered to jobs that wait in one, in order of delivery (algorithm 4.5).
        waiting = [self._ledger.jobs[position] for position in self.waiting_in] if self._two_phase else []
        started = [self._spread(job) for job in waiting]
        return any(started)

    def _apply(self, handing: object, line: QueueLine) -> bool:
        if not isinstance(handing, Deliver | Spread | Copy):
            expected = "Deliver(job, site), Spread(job) or Copy(job, sites)"
            self._refuse(line, NO_JOB, f"gave {handing!r:.60}; expected {expected}")
        job = handing.job
        refuse = partial(self._refuse, line, job)
        if not isinstance(job, Job) or line.view.jobs.get(job.position) != job:
            refuse("was dispatched, but does not wait in the global queue")
        if isinstance(handing, Spread):
            return self._spread(job)
        sites: Any = (handing.site,) if isinstance(handing, Deliver) else handing.sites
        able = line.view.can_hold(job)
        is_known = isinstance(sites, Sequence) and all(site in able for site in sites)
        if not sites or not is_known or len(set(sites)) < len(sites):
            expected = ", ".join(map(str, able)) or "none"
            refuse(f"was dispatched to {sites!r:.40}; the clusters that can hold it are {expected}")
        self._deliver(job, tuple(sites))
        return True

    def _deliver(self, job: Job, sites: tuple[int, ...]) -> None:
        now = self._ledger.now
        self._lines.drop(job.position)
        for site in sites:
            self._lines.note_sent(job, site)
        job = self._deliveries.deliver(job, sites, now, again=self._has_started(job))
        self.waiting_in[job.position] = ()
        for site in sites:
            if job.position not in self.waiting_in:
                # A copy has started as it joined: there are no others then.
                return
            self.waiting_in[job.position] += (site,)
            self._deliveries.note_joining(job, site)
            self._branches[site].join(job, is_reported=True)
            self._statistics.join(job, site)
            self._lines.joined[site].note(now)
            self.mark(site)

    def _note_start(self, job: Job, leaf: int) -> None:
        """Remove `job`, which has started at a leaf, from all other queues."""
        if job.position not in self.waiting_in:
            # It had been suspended, and resumes where it was, or it begins again.
            self._starts += 1
            self._note_change(self._branch_of[leaf])
            self._deliveries.note_start(job, self._branch_of[leaf])
            return
        site = self._branch_of[leaf]
        for other in self.waiting_in.pop(job.position):
            if other != site:
                self._site.withdraw(job, other)
                self._deliveries.note_withdrawal(job, other)
                self.mark(other)
        self._leaves.site_of[job.position] = leaf
        self._lines.left[site].note(self._ledger.now)
        self._count_start(job, site)

    def _count_start(self, job: Job, site: int) -> None:
        self._starts += 1
        self._lines.forget(job.position)
        self._deliveries.note_start(job, site)
        self._deliveries.forget(job)
        self._note_change(site)

    def _has_started(self, job: Job) -> bool:
        """Return whether `job` has started before: it lost its nodes, and is dispatched again."""
        return self._ledger.dispatches.last_start(job) is not None

    def _spread(self, job: Job) -> bool:
        """Start `job` on nodes of several sites if enough are free; return whether it started."""
        now = self._ledger.now
        share = self._deliveries.find(job, now)
        if share is None:
            return False
        if job.position in self._lines.jobs:
            self._lines.drop(job.position)
            if not self._has_started(job):
                self._deliveries.delivered[job.position] = now
        for site in self.waiting_in.pop(job.position, ()):
            self._site.withdraw(job, site)
            self._lines.left[site].note(now)
            self.mark(site)
        for site in self._deliveries.spread(job, share, now):
            self._statistics.join(job, site)
            # One of those that it runs at; it may have waited at another.
            self._leaves.site_of[job.position] = self._below[site][0]
            self.mark(site)
        self._count_start(job, -1)
        # Global queues above wait no more for it.
        leaf = self._leaves.site_of[job.position]
        for started in self._leaves.leaves[leaf].on_start:
            if started != self._note_start:
                started(job, leaf)
        return True

    def is_above(self, leaf: int) -> bool:
        """Return whether a leaf is a branch here."""
        return any(tuple(leaves) == (leaf,) for leaves in self._below)

    def take_back(self, job: Job, leaves: Sequence[int]) -> None:
        """Let `job`, which lost what it held of several leaves, wait here again; it is not rejected then."""
        self._leaves_all(job, leaves)
        self._lines.add(job)

    def take_back_suspended(self, job: Job, leaves: Sequence[int]) -> None:
        """Let `job`, which left several leaves with what it has left, wait here again.

        It has the place in the queue that it had before. It is not rejected any more, unless it was only
        about to start for the first time.
        """
        self._suspends = True
        self._leaves_all(job, leaves, stays=self._has_started(job))
        self._lines.restore(job)

    def _leaves_all(self, job: Job, leaves: Sequence[int], *, stays: bool = True) -> None:
        """Note that `job` holds nothing of these leaves any more, and that it `stays` until it ends."""
        for leaf in leaves:
            self._statistics.leave(job, self._branch_of[leaf])
            self.mark_leaf(leaf)
        if stays:
            self._stays = [stay for stay in self._stays if stay[1] != job.position]
            heapify(self._stays)

    def _waits(self, position: int) -> bool:
        """Return whether the job at `position` waits for a decision or in some queue."""
        upper = position in self._decisions.waiting or position in self._lines.jobs
        return upper or position in self.waiting_in

    @property
    def is_waiting(self) -> bool:
        """Whether some job waits for a decision or in some queue."""
        return bool(self._decisions.waiting or self._lines.jobs or self.waiting_in)

    def choose(self, job: Job) -> int:
        """Return the branch that its broker would choose for `job` now if it were its turn."""
        view = self._lines.line_for(job).view
        view.begin(self._ledger.now)
        return view.choose(job, view.able(job))

    def forget(self, job: Job) -> None:
        """See `ControlledSite.forget`."""
        self._lines.forget(job.position)

    def check_done(self) -> None:
        """Raise an error if jobs can never leave the queue."""
        jobs = self.queued
        if jobs:
            names = ", ".join(repr(line.rule.name) for line in self._lines.lines if line.view.jobs)
            raise DeadlockError(
                f"global queue {names}: {count_of(jobs)} can never start, with no event left: "
                f"{list_of(jobs, 'nodes')}; dispatch the head when all clusters are empty"
            )

    def schedule(self, plain: Schedule) -> Schedule:
        """See `ControlledSite.schedule`: with the deliveries; shared nodes say more of them by themselves."""
        return plain if self._leaves.groups else self._deliveries.schedule(plain)

    def _refuse(self, line: QueueLine, job: object, rule: str) -> NoReturn:
        raise refusal(line.rule.name, rule, now=self._ledger.now, job=job)
