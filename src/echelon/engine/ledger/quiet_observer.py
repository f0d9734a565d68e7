"""QuietObserver: an observer that ignores every event that a subclass does not override."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.ledger.observer import Observer

if TYPE_CHECKING:
    from echelon.engine.ledger.observer import Place
    from echelon.model import Job


class QuietObserver(Observer):
    """An `Observer` that does nothing; a subclass overrides the events that concern it."""

    def submitted(self, time: float, job: Job, place: Place) -> None:
        """See `Observer.submitted`."""

    def started(self, time: float, job: Job, place: Place) -> None:
        """See `Observer.started`."""

    def ended(self, time: float, job: Job, place: Place) -> None:
        """See `Observer.ended`."""

    def decided(self, time: float, waiting: int, free: int, place: Place) -> None:
        """See `Observer.decided`."""
