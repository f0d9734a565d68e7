"""SimulatedBackend: one cluster of a simulation, as the service drives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.backends.contract import Description

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.backends.contract import Answer, Evidence, Snapshot, Submission
    from echelon.backends.simulated.clock import Driven, RealTime
    from echelon.backends.simulated.journal import Journal
    from echelon.backends.simulated.simulation import Simulation


class SimulatedBackend:
    """One cluster of a simulation; see `Backend`.

    Parameters
    ----------
    simulation : Simulation
        The clusters.
    site : int
        Which of them.
    clock : Driven or RealTime
        When what is asked happens.
    policy : str, default "easy"
        The words of its policy.
    journal : Journal, optional
        Where what is asked is written down, so that the cluster outlives its process.
    """

    def __init__(
        self,
        simulation: Simulation,
        site: int,
        clock: Driven | RealTime,
        *,
        policy: str = "easy",
        journal: Journal | None = None,
    ) -> None:
        self._simulation, self._site, self._clock = simulation, site, clock
        self._policy, self._journal = policy, journal

    def describe(self) -> Description:
        """See `Backend.describe`."""
        processors = self._simulation.sizes[self._site]
        return Description(
            processors, has_claims=True, patience=0.0, policy=self._policy, version="simulated"
        )

    def submit(self, submissions: Sequence[Submission]) -> list[Answer]:
        """See `Backend.submit`."""
        with self._clock.instant(self._simulation) as now:
            if self._journal is not None:
                self._journal.note_submissions(now, submissions)
            return [self._simulation.submit(self._site, one) for one in submissions]

    def look(self) -> Snapshot:
        """See `Backend.look`."""
        with self._clock.instant(self._simulation):
            return self._simulation.snapshot(self._site)

    def evidence(self, tags: Sequence[str]) -> Evidence:
        """See `Backend.evidence`."""
        with self._clock.instant(self._simulation):
            return self._simulation.evidence(self._site, tags)

    def cancel(self, jobs: Sequence[tuple[str, str]]) -> None:
        """See `Backend.cancel`."""
        with self._clock.instant(self._simulation) as now:
            if self._journal is not None:
                self._journal.note_cancellations(now, jobs)
            for tag, native_id in jobs:
                self._simulation.cancel(self._site, tag, native_id)

    def revoke(self, tags: Sequence[str]) -> dict[str, bool]:
        """See `Backend.revoke`."""
        with self._clock.instant(self._simulation) as now:
            if self._journal is not None:
                self._journal.note_revocations(now, tags)
            return self._simulation.revoke(self._site, tags)

    def close(self) -> None:
        """See `Backend.close`: there is nothing to release."""
