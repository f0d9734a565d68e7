"""Connections to the database of a history: opening, checks, set-up, and errors in one sentence."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, event, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

from echelon.errors import InputError, MissingExtraError
from echelon.extras import PSYCOPG
from echelon.history.schema import PROGRAM, SCHEMA, VERSION, version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry

    from echelon.history.address import Address

PATIENCE = 10
"""Seconds to wait for a server to answer, and for another writer of a file to finish."""

_SCHEMA_LOCK = 0x65636865
"""Number of the lock under which tables are made in PostgreSQL: the letters "eche"."""


class Database:
    """A database that holds a history, in transactions.

    Parameters
    ----------
    address : Address
        Where it is.
    create : bool
        Whether tables are made where there is nothing yet.

    Raises
    ------
    InputError
        If it cannot be reached, is not a database, or holds something else.
    MissingExtraError
        If the library for such databases is not installed.
    """

    def __init__(self, address: Address, *, create: bool) -> None:
        self.address = address
        if not create and address.file is not None and not address.file.exists():
            raise InputError("no such file", file=address.shown)
        self._engine = _engine_of(address)
        try:
            self._prepare(create=create)
        except BaseException:
            self.close()
            raise

    def _prepare(self, *, create: bool) -> None:
        with self.reading() as connection:
            if _is_ready(connection, self.address):
                return
        if not create:
            raise InputError("holds no history yet", file=self.address.shown)
        with self.writing() as connection:
            _make_ready(connection, self.address)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Provide a connection for reading."""
        with self._translated_errors(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Provide a connection for writing: all is kept, or nothing after an error."""
        with self._translated_errors(), self._engine.execution_options(writes=True).begin() as connection:
            yield connection

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Turn errors of the database into one sentence."""
        try:
            yield
        except (SQLAlchemyError, UnicodeEncodeError, self._engine.dialect.loaded_dbapi.Error) as error:
            message = str(error.orig) if isinstance(error, DBAPIError) else str(error)
            raise InputError(self.address.without_secrets(message), file=self.address.shown) from None

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()


def _engine_of(address: Address) -> Engine:
    server = address.url.get_backend_name() == "postgresql"
    options = {"connect_timeout": PATIENCE} if server else {"timeout": PATIENCE}
    if "connect_timeout" in address.url.query:
        options = {}
    try:
        engine = create_engine(address.url, connect_args=options)
    except (ImportError, NoSuchModuleError) as error:
        raise MissingExtraError(PSYCOPG.sentence) from error
    if not server:
        event.listen(engine, "connect", _leave_transactions_to_us)
        event.listen(engine, "begin", _begin)
    return engine


def _leave_transactions_to_us(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Let SQLite enforce foreign keys, and begin transactions explicitly, for tables too."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Begin a transaction; a writer waits for other writers now, not between reading and writing."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _is_ready(connection: Connection, address: Address) -> bool:
    """Return whether the tables exist; False in an empty database."""
    tables = inspect(connection).get_table_names()
    if version.name not in tables:
        if tables:
            raise InputError(
                f"holds tables of something else ({', '.join(sorted(tables)[:3])}); "
                "a history needs a database of its own",
                file=address.shown,
            )
        return False
    if set(version.columns.keys()) != {
        column["name"] for column in inspect(connection).get_columns(version.name)
    }:
        raise InputError("is not a history of Echelon", file=address.shown)
    row = connection.execute(select(version)).first()
    if row is None or row.program != PROGRAM:
        raise InputError("is not a history of Echelon", file=address.shown)
    if row.version != VERSION:
        raise InputError(
            f"has tables of version {row.version}, this Echelon reads and writes version {VERSION}; "
            "record its runs again",
            file=address.shown,
        )
    return True


def _make_ready(connection: Connection, address: Address) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _SCHEMA_LOCK})
    # Another process may have been faster.
    if not _is_ready(connection, address):
        SCHEMA.create_all(connection, checkfirst=False)
        connection.execute(insert(version).values(program=PROGRAM, version=VERSION))
