"""Store: what a service keeps, in SQLite or PostgreSQL."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Self

from echelon.service.store import changes as written
from echelon.service.store import retention, snapshots, submissions, tokens
from echelon.service.store.instance_lock import InstanceLock
from echelon.service.store.opening import open_connections
from echelon.service.store.reader import Reader
from echelon.service.store.retention import Retention
from echelon.service.store.rows import exact
from echelon.service.store.tokens import TokenRecord
from echelon.service.store.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from types import TracebackType

    from echelon.backends.contract import Snapshot
    from echelon.databases.connections import Connections
    from echelon.service.records import Event, JobRecord, JobSpec, Record


class Store(Reader):
    """What a service keeps: jobs, attempts, decisions, forecasts, clusters, events, snapshots, tokens.

    What a call changes is safe when the call returns: a process, machine or server that dies then loses none
    of it. All calls may come from any thread. One writer thread commits what waits together; readers have
    connections of their own and see what is committed. Use it in a ``with`` statement, or close it.

    Parameters
    ----------
    connections : Connections
        To a database with the tables of the present version.
    """

    def __init__(self, connections: Connections) -> None:
        super().__init__(connections)
        self._writer = Writer(connections, InstanceLock(connections.address))

    @classmethod
    def open(cls, address: str | Path, *, create: bool = True) -> Store:
        """Return the store at `address`, open.

        Parameters
        ----------
        address : str or Path
            An SQLite file on a local disk, ``sqlite:///FILE``, or ``postgresql://USER@HOST/DATABASE``.
        create : bool, default True
            Whether a missing file and missing tables are made. A new file is readable to its user only.

        Raises
        ------
        InputError
            If the address is invalid, it is not a store, it has tables of another version, or it does not
            exist and `create` is False.
        StoreError
            If the database cannot be reached.
        MissingExtraError
            If SQLAlchemy or psycopg are not installed.
        """
        return cls(open_connections(address, create=create))

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Finish what is being written, and close the database."""
        self._writer.close()
        self._connections.close()

    def lock(self) -> None:
        """Become the only service that works with this store, until it is closed.

        Raises
        ------
        InputError
            If another one does.

        Notes
        -----
        If the connection to a server is lost, the lock goes with it and is taken again; if another service
        had it meanwhile, every later write fails.
        """
        self._writer.act()

    def add_jobs(
        self,
        owner: str,
        specs: Sequence[JobSpec],
        keys: Sequence[str | None],
        now: float,
        ids: Sequence[str],
    ) -> list[tuple[JobRecord, bool]]:
        """Keep jobs of an owner, all or none, each with an event; return each with whether it is new.

        Parameters
        ----------
        owner : str
            Their user.
        specs : sequence of JobSpec
            What is asked for.
        keys : sequence of str or None
            Keys of submissions that may be repeated; unique for the owner.
        now : float
            Unix time in seconds.
        ids : sequence of str
            Of new jobs. To repeat a submission whose answer was lost, by its ids or keys, is harmless.

        Raises
        ------
        InputError
            If a key or an id was used for another job.
        StoreError
            If they could not be kept.
        """
        wanted = submissions.wanted_of(specs, keys, ids)
        exact(owner, "owner")
        return self._writer.write(partial(submissions.add_jobs, owner=owner, wanted=wanted, now=now))

    def commit(self, changes: Sequence[Record]) -> list[Event]:
        """Keep changes, all or none; return the events among them, with their numbers.

        Raises
        ------
        StoreError
            If they could not be kept; they may be tried again.
        """
        return self._writer.write(partial(written.write, changes=changes))

    def keep_snapshot(self, cluster: str, snapshot: Snapshot) -> None:
        """Keep what a look at a cluster saw, for a week; see `Retention`."""
        content = snapshots.content_of(snapshot)
        self._writer.write(partial(snapshots.keep, cluster=cluster, snapshot=snapshot, content=content))

    def add_token(
        self,
        hash_: str,
        user: str,
        scopes: Iterable[str],
        expires: float | None = None,
        label: str = "",
    ) -> TokenRecord:
        """Keep the hash of a token; return the token's record.

        Parameters
        ----------
        hash_ : str
            SHA-256 of the token, in 64 small hexadecimal digits.
        user : str
            Whose it is.
        scopes : iterable of str
            What it allows.
        expires : float, optional
            Unix time from when on it is worth nothing. Default: never.
        label : str, default ""
            What it is for.
        """
        token = TokenRecord(0, user, frozenset(scopes), label, created_at=time.time(), expires_at=expires)
        return self._writer.write(partial(tokens.add, digest=hash_, token=token))

    def revoke_token(self, number: int) -> TokenRecord:
        """Revoke a token.

        Raises
        ------
        UnknownNameError
            If there is none of this number.
        """
        return self._writer.write(partial(tokens.revoke, number=number, now=time.time()))

    def prune(self, now: float, keeping: Retention | None = None) -> int:
        """Delete what is over for long enough; return how many jobs, events and snapshots.

        Notes
        -----
        **Cost**: transactions of 500 rows each, between which others write.
        """
        return retention.prune(self._writer.write, now, keeping or Retention())
