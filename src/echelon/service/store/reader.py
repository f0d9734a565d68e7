"""Reader: what a store is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.service.store import queries, snapshots, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.backends.contract import Snapshot
    from echelon.databases.connections import Connections
    from echelon.service.records import (
        AttemptRecord,
        ClusterRecord,
        DecisionRecord,
        Event,
        ForecastRecord,
        JobRecord,
        JobSpec,
        JobState,
        OpenBooks,
    )
    from echelon.service.store.queries import Finished
    from echelon.service.store.tokens import TokenRecord


class Reader:
    """What is read of a store: each call sees what is committed at one moment.

    Parameters
    ----------
    connections : Connections
        To a database with the tables of the present version.

    Notes
    -----
    All calls may come from any thread, and raise `StoreError` if the database cannot be read.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @property
    def address(self) -> str:
        """Its address, without any password."""
        return self._connections.address.shown

    def open_books(self) -> OpenBooks:
        """Return what a service needs to go on: all that has not ended."""
        with self._connections.reading() as connection:
            return queries.open_books(connection)

    def job(self, job: str | int) -> JobRecord:
        """Return the job of this id or number.

        Raises
        ------
        UnknownNameError
            If there is none.
        """
        with self._connections.reading() as connection:
            return queries.job(connection, job)

    def with_ids(self, spec: JobSpec) -> JobSpec:
        """Return the spec with the ids of the jobs that it follows, where it has their numbers.

        Raises
        ------
        UnknownNameError
            If it follows a job that is not there.
        """
        if not spec.after:
            return spec
        with self._connections.reading() as connection:
            names = [queries.job(connection, name).id for name in spec.after]
        return replace(spec, after=tuple(dict.fromkeys(names)))

    def jobs(
        self,
        *,
        states: Iterable[JobState] | None = None,
        owner: str | None = None,
        cluster: str | None = None,
        after_number: int = 0,
        limit: int = 100,
        newest_first: bool = False,
    ) -> list[JobRecord]:
        """Return jobs by number, from the one after `after_number` on.

        Parameters
        ----------
        states : iterable of JobState, optional
            Only in these. Default: in all.
        owner, cluster : str, optional
            Only of this user, only of this cluster. Default: all.
        after_number : int, default 0
            The cursor: the number of the last job of the part before; 0: from the beginning.
        limit : int, default 100
            At most so many, >= 1.
        newest_first : bool, default False
            From the last job to the first.
        """
        if limit < 1:
            raise InputError(f"must be at least 1, got {limit}", field="limit")
        with self._connections.reading() as connection:
            return queries.listed(
                connection,
                states=None if states is None else set(states),
                owner=owner,
                cluster=cluster,
                after_number=after_number,
                limit=limit,
                newest_first=newest_first,
            )

    def counts(
        self, owner: str | None = None, states: Iterable[JobState] | None = None
    ) -> dict[JobState, int]:
        """Return how many jobs are in each state, of one owner or of all; empty states are left out.

        Callers often ask for some `states` only: it takes as long as there are jobs in them.
        """
        with self._connections.reading() as connection:
            wanted = None if states is None else set(states)
            return queries.counts(connection, owner=owner, states=wanted)

    def attempts(self, job: str) -> list[AttemptRecord]:
        """Return the attempts of the job of this id, in order."""
        with self._connections.reading() as connection:
            return queries.attempts_of(connection, job)

    def decisions(self, job: str) -> list[DecisionRecord]:
        """Return the decisions about the job of this id, in order."""
        with self._connections.reading() as connection:
            return queries.decisions_of(connection, job)

    def forecasts(self, job: str) -> list[ForecastRecord]:
        """Return the forecasts for the job of this id, in order."""
        with self._connections.reading() as connection:
            return queries.forecasts_of(connection, job)

    def last_forecasts(self, jobs: Iterable[str]) -> dict[str, ForecastRecord]:
        """Return the last forecast for each job of these ids that has one."""
        with self._connections.reading() as connection:
            return queries.last_forecasts(connection, jobs)

    def finished(self, since: float) -> list[Finished]:
        """Return the jobs that ended at `since` or later, as they ended, each with its last forecast."""
        with self._connections.reading() as connection:
            return queries.finished(connection, since)

    def clusters(self) -> list[ClusterRecord]:
        """Return the clusters, by name."""
        with self._connections.reading() as connection:
            return queries.cluster_records(connection)

    def events(self, after: int = 0, limit: int = 1000, subject: str | None = None) -> list[Event]:
        """Return the events with numbers above `after`, in order, of one subject or of all.

        A reader that has seen an event has seen all before it: numbers are given in the order of commits.
        """
        with self._connections.reading() as connection:
            return queries.events_after(connection, after, limit=limit, subject=subject)

    def last_event(self) -> int:
        """Return the number of the last event; 0: none yet."""
        with self._connections.reading() as connection:
            return queries.last_number(connection, "events")

    def snapshot_before(self, cluster: str, time: float) -> Snapshot | None:
        """Return what the last look that began at `time` or before saw; None: there is none."""
        with self._connections.reading() as connection:
            return snapshots.before(connection, cluster, time)

    def token(self, hash_: str) -> TokenRecord | None:
        """Return the token with this SHA-256, valid or not; None: there is none."""
        with self._connections.reading() as connection:
            return tokens.find(connection, hash_)

    def tokens(self) -> list[TokenRecord]:
        """Return all tokens, by number, with those that are not valid any more."""
        with self._connections.reading() as connection:
            return tokens.listed(connection)
