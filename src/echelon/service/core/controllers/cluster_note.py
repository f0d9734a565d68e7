"""ClusterNote: what the controllers keep of a cluster beside what the engine knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.live import Closed, Reserved, Resized

if TYPE_CHECKING:
    from echelon.engine.live import Observation
    from echelon.service.core.controllers.entry import Entry


class ClusterNote:
    """One cluster.

    Parameters
    ----------
    name : str
        Its name.
    site : int
        Its place in the platform.
    processors : int
        That it has, in service or not.
    default_time_limit : float
        Planned seconds of jobs of others without a time limit.
    predictable : bool
        Whether its queue can be simulated under its policy.
    reserves : bool
        Whether its policy keeps reservations, so that those that it publishes count.

    Attributes
    ----------
    why_closed : str
        Why it takes no jobs at present; empty: it does.
    in_service : int
        Processors that it has at present.
    looked_at : float, optional
        When its last complete look began, as Unix time.
    reserved : list of (Entry, float)
        The starts that it has reserved, in the engine's seconds.
    others : dict of str to Entry
        The jobs of others there, by their native ids.
    """

    def __init__(
        self,
        name: str,
        site: int,
        processors: int,
        *,
        default_time_limit: float,
        predictable: bool,
        reserves: bool,
    ) -> None:
        self.name, self.site, self.processors = name, site, processors
        self.default_time_limit, self.predictable, self.reserves = default_time_limit, predictable, reserves
        self.in_service = processors
        self.why_closed = ""
        self.looked_at: float | None = None
        self.reserved: list[tuple[Entry, float]] = []
        self.others: dict[str, Entry] = {}

    def state(self) -> list[Observation]:
        """Return the observations of it that a new engine needs before those of its jobs."""
        observations: list[Observation] = [Closed(self.site)] if self.why_closed else []
        return (
            observations
            if self.in_service == self.processors
            else [*observations, Resized(self.site, self.in_service)]
        )

    def reservations(self) -> list[Observation]:
        """Return the observations of the reservations of the jobs that still wait there."""
        starts = tuple(
            (entry.position, time)
            for entry, time in self.reserved
            if entry.is_at_cluster and entry.site == self.site and entry.started_at is None
        )
        return [Reserved(self.site, starts)] if starts else []
