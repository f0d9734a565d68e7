"""Connections to a database, in transactions, with errors in one sentence."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

from echelon.errors import InputError, MissingExtraError
from echelon.extras import PSYCOPG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry

    from echelon.databases.address import Address
    from echelon.errors import EchelonError

PATIENCE = 10
"""Seconds to wait for a server to answer, and for another writer of a file to finish."""


class Connections:
    """Connections to a database: a file, or a server.

    Parameters
    ----------
    address : Address
        Where it is.
    pragmas : sequence of str, default empty
        What SQLite is to do at each new connection, such as ``"synchronous = FULL"``.
    server_options : mapping of str to int, default empty
        What else PostgreSQL's library is to do at each new connection.
    failure : callable, optional
        The error for what the database says, in one line without passwords. Default: an `InputError` that
        names the address.

    Raises
    ------
    MissingExtraError
        If the library for such databases is not installed.
    """

    def __init__(
        self,
        address: Address,
        *,
        pragmas: Sequence[str] = (),
        server_options: Mapping[str, int] | None = None,
        failure: Callable[[str], EchelonError] | None = None,
    ) -> None:
        self.address = address
        self._failure = failure or (lambda problem: InputError(problem, file=address.shown))
        self.engine = self._engine_with(pragmas, {"connect_timeout": PATIENCE, **(server_options or {})})

    def _engine_with(self, pragmas: Sequence[str], server_options: Mapping[str, int]) -> Engine:
        options: Mapping[str, int] = {"timeout": PATIENCE}
        if self.address.is_server:
            options = {name: it for name, it in server_options.items() if name not in self.address.url.query}
        # A server may have been started again: a connection that has waited is tried before it is used.
        more: dict[str, Any] = {"pool_pre_ping": True} if self.address.is_server else {}
        try:
            engine = create_engine(self.address.url, connect_args=dict(options), **more)
        except (ImportError, NoSuchModuleError) as error:
            raise MissingExtraError(PSYCOPG.sentence) from error
        if not self.address.is_server:
            event.listen(engine, "connect", _preparation_of(("foreign_keys = ON", *pragmas)))
            event.listen(engine, "begin", _begin)
        return engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Provide a connection for reading: all that it reads is of one moment."""
        options = {"isolation_level": "REPEATABLE READ"} if self.address.is_server else {}
        with self.translated_errors(), self.engine.execution_options(**options).begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Provide a connection for writing: all is kept, or nothing after an error."""
        with self.translated_errors(), self.engine.execution_options(writes=True).begin() as connection:
            yield connection

    @contextmanager
    def translated_errors(self) -> Iterator[None]:
        """Turn errors of the database into one sentence."""
        try:
            yield
        except Exception as error:
            translated = self.translate(error)
            if translated is None:
                raise
            raise translated from None

    def translate(self, error: BaseException) -> EchelonError | None:
        """Return the sentence of an error of the database; None of any other."""
        database = (SQLAlchemyError, UnicodeError, self.engine.dialect.loaded_dbapi.Error)
        if not isinstance(error, database):
            return None
        message = str(error.orig) if isinstance(error, DBAPIError) else str(error)
        return self._failure(self.address.without_secrets(message))

    def close(self) -> None:
        """Close all of them."""
        self.engine.dispose()


def _preparation_of(pragmas: Sequence[str]) -> Callable[[DBAPIConnection, ConnectionPoolEntry], None]:
    """Return what prepares a connection to SQLite."""

    def prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        # Transactions are begun explicitly, for tables too.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return prepare


def _begin(connection: Connection) -> None:
    """Begin a transaction; a writer waits for other writers now, not between reading and writing."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
