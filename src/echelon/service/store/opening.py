"""Opening: the database of a store, its tables, and their migration."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from echelon.databases.address import Address
from echelon.databases.connections import Connections
from echelon.errors import InputError, StoreError
from echelon.service.store import migrations
from echelon.service.store.instance_lock import InstanceLock, make_secret_file
from echelon.service.store.schema import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON")
"""Readers do not wait for the writer, and what is committed is on the disk, on a Mac, too."""

_SERVER = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 20_000}
"""A server that has gone without a word is given up after 25 s."""


def connections_to(address: str | Path) -> Connections:
    """Return connections to the database of a store.

    Raises
    ------
    InputError
        If the address is invalid, or a database in memory.
    """
    there = Address.of(address, field="database")
    if not there.is_server and there.file is None:
        raise InputError("must outlive the service, got a database in memory", field="database")
    return Connections(
        there,
        pragmas=_PRAGMAS,
        server_options=_SERVER,
        failure=lambda problem: StoreError(problem, file=there.shown),
    )


@contextmanager
def _connect_for_now(address: str | Path) -> Iterator[tuple[Connections, Address]]:
    """Provide connections to the database of a store for a while, and where it is."""
    connections = connections_to(address)
    try:
        yield connections, connections.address
    finally:
        connections.close()


def migrate(address: str | Path) -> tuple[int, int]:
    """Bring the tables of a store to the present version, all or nothing; return both versions.

    Raises
    ------
    InputError
        If there is no store, its tables are of a later version, or a service works with it.
    StoreError
        If the database cannot be reached or changed.
    """
    with _connect_for_now(address) as (connections, there):
        lock = InstanceLock(there)
        try:
            _check_file(there)
            lock.hold_file()
            with connections.writing() as connection:
                lock.hold_on_server(connection)
                return migrations.climb(connection, there), VERSION
        finally:
            lock.release()


def _check_file(address: Address) -> None:
    if address.file is not None and not address.file.exists():
        raise InputError("no such file", file=address.shown)


def version_at(address: str | Path) -> int | None:
    """Return the version of a store's tables; None: there is no store yet, and nothing is made.

    Raises
    ------
    InputError
        If the tables are not of the present version, or it is not a store.
    StoreError
        If the database cannot be reached.
    """
    with _connect_for_now(address) as (connections, there):
        if there.file is not None and not there.file.exists():
            return None
        with connections.reading() as connection:
            version = migrations.STORE.find_version(connection, there)
        return None if version is None else migrations.check(version, there, lowest=VERSION)


def check_whole(address: str | Path) -> None:
    """Read a store's file through, in a time that grows with it; servers look after theirs by themselves.

    Raises
    ------
    StoreError
        If parts of it are damaged.
    """
    with _connect_for_now(address) as (connections, there):
        if there.file is None or not there.file.exists():
            return
        with connections.reading() as connection:
            verdict = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if verdict != "ok":
            problem = " ".join(str(verdict).split())
            raise StoreError(f"is damaged ({problem}); put a copy of it back", file=there.shown)


def open_connections(address: str | Path, *, create: bool) -> Connections:
    """Return connections to a store with tables of the present version; see `Store.open`."""
    connections = connections_to(address)
    there = connections.address
    try:
        if there.file is not None and create:
            make_secret_file(there.file)
        _check_file(there)
        with connections.reading() as connection:
            version = migrations.STORE.find_version(connection, there)
        if version is None and create:
            with connections.writing() as connection:
                version = migrations.make(connection, there)
        migrations.check(version, there, lowest=VERSION)
    except BaseException:
        connections.close()
        raise
    return connections
