"""Brokerage: an inner site of a tree, whose broker chooses the branch of each job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.ledger.observer import NO_SITE
from echelon.engine.tree.broker_choice import choose_site, one_of
from echelon.engine.tree.controlled_site import ControlledSite
from echelon.engine.tree.queues.decision_queue import DecisionQueue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.tree.broker_choice import SiteScreen
    from echelon.engine.tree.inner_site import InnerSite
    from echelon.engine.tree.views.broker_view import BrokerView
    from echelon.model import Job
    from echelon.policies import Broker


class Brokerage(ControlledSite):
    """`ControlledSite` by a broker: a job leaves at once for the branch that the broker chooses.

    Parameters
    ----------
    broker : Broker
        Chooses.
    site : InnerSite
        Where it stands.
    view : BrokerView
        What the broker sees of the branches, by planned or by actual run times, as it believes.
    screen : SiteScreen, optional
        Leaves sites out before the broker chooses; default: none. If it leaves out all, none is.
    """

    def __init__(
        self, broker: Broker, site: InnerSite, view: BrokerView, *, screen: SiteScreen | None = None
    ) -> None:
        self._broker, self._site, self._view, self._screen = broker, site, view, screen
        self._ledger = site.ledger
        self._sent: dict[int, int] = {}
        # Jobs that no branch takes at present, by position.
        self._kept: dict[int, Job] = {}

    @property
    def held(self) -> Sequence[Job]:
        """See `ControlledSite.held`."""
        return tuple(self._kept.values())

    def join(self, job: Job, *, is_reported: bool = False) -> None:
        """See `Branch.join`."""
        self._send(job, is_reported=is_reported)

    def _send(self, job: Job, *, is_reported: bool) -> None:
        """Send `job` where the broker chooses, or keep it while no branch takes it."""
        if not self._site.allowed[job.position]:
            self._kept[job.position] = job
            return
        site = self._sent[job.position] = self.choose(job)
        self._view.last_site = site
        self._site.send(job, site, is_reported=is_reported)

    def withdraw(self, job: Job) -> None:
        """See `ControlledSite.withdraw`."""
        if self._kept.pop(job.position, None) is None:
            self._site.withdraw(job, self._sent.pop(job.position))

    def choose_again(self) -> None:
        """See `ControlledSite.choose_again`: jobs are sent that some branch takes now."""
        kept, self._kept = self._kept, {}
        for job in kept.values():
            self._send(job, is_reported=True)

    def reroute(self, job: Job, place: int) -> bool:
        """See `ControlledSite.reroute`."""
        self._sent.pop(job.position, None)
        if not self._site.allowed[job.position]:
            return False
        self.join(job, is_reported=True)
        return True

    def choose(self, job: Job) -> int:
        """Return the branch to which the broker would send `job` now."""
        view = self._view
        view.now = self._ledger.now
        view.allowed = view.choices_of(job, self._site.allowed[job.position])
        if self._screen is not None:
            view.allowed = self._screen.among(job, view.allowed, view.now)
        expected = f"{one_of(view.allowed)}, which can hold it and are admissible"
        return choose_site(self._broker, job, view, view.allowed, expected=expected)


class SlowBrokerage(Brokerage):
    """`Brokerage` whose decisions take time: jobs wait here, first come, first served.

    The broker decides for one at a time, with the information available when the decision is complete.

    Parameters
    ----------
    broker, site, view, screen
        See `Brokerage`.
    decision_time : float
        Duration of each decision, in seconds, >= 0.
    """

    def __init__(
        self,
        broker: Broker,
        site: InnerSite,
        view: BrokerView,
        *,
        screen: SiteScreen | None = None,
        decision_time: float,
    ) -> None:
        super().__init__(broker, site, view, screen=screen)
        self._queue = DecisionQueue(decision_time)

    def next_time(self) -> float:
        """See `ControlledSite.next_time`: when the current decision will be complete."""
        return self._queue.next_time()

    @property
    def held(self) -> Sequence[Job]:
        """See `ControlledSite.held`: in the order of their submission."""
        return (*super().held, *self._queue.waiting.values())

    def join(self, job: Job, *, is_reported: bool = False) -> None:
        """See `Branch.join`."""
        if not is_reported:
            for observer in self._ledger.observers:
                observer.submitted(self._ledger.now, job, NO_SITE)
        self._queue.submit(job, self._ledger.now)

    def withdraw(self, job: Job) -> None:
        """See `ControlledSite.withdraw`."""
        if job.position in self._sent or job.position in self._kept:
            super().withdraw(job)
        else:
            self._queue.drop(job.position, self._ledger.now)

    def decide(self) -> bool:
        """See `ControlledSite.decide`: send the jobs whose decisions are complete now."""
        if self._queue.next_time() > self._ledger.now:
            return False
        for job in self._queue.take(self._ledger.now):
            self._send(job, is_reported=True)
        self._ledger.cycles += 1
        if self._ledger.observers:
            free = sum(site.member.free for site in self._site.sums[0].sites)
            for observer in self._ledger.observers:
                observer.decided(self._ledger.now, self.waiting, free, NO_SITE)
        return True
