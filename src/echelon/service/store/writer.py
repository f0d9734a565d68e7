"""The writer: one thread that keeps what others want kept, many at a time."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from echelon.databases.connections import PATIENCE
from echelon.errors import EchelonError, StoreError
from echelon.service.store.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from echelon.databases.connections import Connections
    from echelon.service.store.instance_lock import InstanceLock

Result = TypeVar("Result")

_DATABASE = (SQLAlchemyError,)
"""What a connection raises."""

_SAFE = (
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') IN ('off', 'false', 'no', '0')"
)
"""A server may be set to answer before what it is given is on the disk; not to us."""

_AGAIN = 0.2
"""Seconds between attempts to ask a server what became of a transaction."""

MOST = 256
"""Operations in one transaction, so that none waits long for the others."""


class Outcome(NamedTuple):
    """The result of an operation, before it is safe."""

    value: Any
    error: EchelonError | None = None


class PendingWrite(Generic[Result]):
    """An operation, and the callers that wait for it."""

    def __init__(self, operation: Callable[[Transaction], Result]) -> None:
        self._operation = operation
        self._future: Future[Result] = Future()

    def carry_out(self, transaction: Transaction) -> Outcome:
        """Carry the operation out."""
        try:
            return Outcome(self._operation(transaction))
        except EchelonError as error:
            return Outcome(None, error)

    def answer(self, outcome: Outcome) -> None:
        """Give its result to the callers that wait."""
        if outcome.error is not None:
            self._future.set_exception(outcome.error)
        else:
            self._future.set_result(outcome.value)

    def fail(self, error: BaseException) -> None:
        """Answer the callers that wait, unless that is done."""
        if not self._future.done():
            self._future.set_exception(error)

    def result(self) -> Result:
        """Return its result; wait until it is safe."""
        return self._future.result()


class Writer:
    """One thread, one connection, one transaction after the other.

    All that waits goes into one transaction (group commit): a disk that takes 400 transactions a second keeps
    thousands of jobs a second. Each caller gets its own result. An operation that raises an `EchelonError`
    must have written nothing: that is its result. Any other error undoes the transaction, and all operations
    of it are tried again, each by itself.

    Parameters
    ----------
    connections : Connections
        To the store.
    lock : InstanceLock
        Of the store.
    """

    def __init__(self, connections: Connections, lock: InstanceLock) -> None:
        self._connections, self._lock = connections, lock
        self._connection: Connection | None = None
        self._instance: int | None = None
        self._waiting: SimpleQueue[PendingWrite[Any] | None] = SimpleQueue()
        self._closing, self._is_closed = Lock(), False
        self._thread = Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    def write(self, operation: Callable[[Transaction], Result]) -> Result:
        """Carry out an operation; return its result once it is safe.

        Raises
        ------
        StoreError
            If it could not be kept, or the store is closed.
        EchelonError
            What the operation raises.
        """
        one = PendingWrite(operation)
        with self._closing:
            if self._is_closed:
                raise StoreError("is closed", file=self._connections.address.shown)
            self._waiting.put(one)
        return one.result()

    def act(self) -> None:
        """Make this writer the one of the only service that acts; later writes fail if another one came.

        Raises
        ------
        InputError
            If another service acts.
        """
        self._lock.hold_file()
        self._instance = self.write(self._as_instance)

    def _as_instance(self, transaction: Transaction) -> int:
        self._lock.hold_on_server(transaction.connection)
        return transaction.take("instances")[0]

    def close(self) -> None:
        """Finish what waits, then stop."""
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                self._waiting.put(None)
        self._thread.join()
        self._lock.release()

    def _work(self) -> None:
        while batch := self._batch():
            try:
                self._keep(batch)
            except BaseException as error:
                self._leave()
                for one in batch:
                    one.fail(error)
        self._leave()

    def _batch(self) -> list[PendingWrite[Any]]:
        """Return what waits, at least one; none: it is closed."""
        batch: list[PendingWrite[Any]] = []
        one = self._waiting.get()
        while one is not None:
            batch.append(one)
            if len(batch) == MOST:
                return batch
            try:
                one = self._waiting.get_nowait()
            except Empty:
                return batch
        if batch:
            self._waiting.put(None)
        return batch

    def _keep(self, batch: Sequence[PendingWrite[Any]]) -> None:
        """Keep all in one transaction; if that fails by one of them, each in its own."""
        try:
            connection = self._connect()
            transaction = self._begin(connection)
        except (EchelonError, *_DATABASE) as error:
            self._fail(batch, error)
            return
        try:
            results = [one.carry_out(transaction) for one in batch]
            transaction.keep_numbers()
        except Exception as error:
            self._undo(connection)
            if len(batch) == 1 or self._connection is None:
                self._fail(batch, error)
                return
            for one in batch:
                self._keep([one])
            return
        self._commit(connection, transaction, batch, results)

    def _commit(
        self,
        connection: Connection,
        transaction: Transaction,
        batch: Sequence[PendingWrite[Any]],
        results: Sequence[Outcome],
    ) -> None:
        try:
            connection.commit()
        except _DATABASE as error:
            self._undo(connection)
            is_kept = self._was_kept(transaction)
            if not is_kept:
                self._fail(batch, error, is_unclear=is_kept is None)
                return
        for one, result in zip(batch, results, strict=True):
            one.answer(result)

    def _connect(self) -> Connection:
        """Return the connection; a new one takes the lock of the old one."""
        if self._connection is None:
            connection = self._connections.engine.connect().execution_options(writes=True)
            try:
                if self._connections.address.is_server:
                    connection.exec_driver_sql(_SAFE)
                if self._instance is not None:
                    self._lock.hold_on_server(connection)
                connection.commit()
            except BaseException:
                connection.invalidate()
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _begin(self, connection: Connection) -> Transaction:
        try:
            transaction = Transaction(connection)
        except BaseException:
            self._undo(connection)
            raise
        if self._instance is not None and transaction.last("instances") != self._instance:
            connection.rollback()
            raise StoreError(
                "another service has worked with this store since; start this one again",
                file=self._connections.address.shown,
                is_final=True,
            )
        return transaction

    def _undo(self, connection: Connection) -> None:
        """Undo the transaction; a connection that cannot is left."""
        try:
            connection.rollback()
        except _DATABASE:
            self._leave()
        if connection.invalidated or connection.closed:
            self._leave()

    def _leave(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            with suppress(*_DATABASE):
                # Not into the pool: what a connection holds on a server ends with it.
                connection.invalidate()
            with suppress(*_DATABASE):
                connection.close()

    def _was_kept(self, transaction: Transaction) -> bool | None:
        """Return whether a transaction whose commit got no answer was kept; None: not known."""
        if transaction.on_server is None:
            return False
        if self._connection is not None:
            return False
        asked = select(func.txid_status(transaction.on_server))
        until = monotonic() + PATIENCE
        while True:
            try:
                connection = self._connect()
                status = connection.execute(asked).scalar_one()
                connection.rollback()
            except (EchelonError, *_DATABASE):
                self._leave()
                if monotonic() > until:
                    return None
                sleep(_AGAIN)
            else:
                return {"committed": True, "aborted": False}.get(str(status))

    def _fail(
        self, batch: Sequence[PendingWrite[Any]], error: BaseException, *, is_unclear: bool = False
    ) -> None:
        failure = self._connections.translate(error)
        if isinstance(failure, StoreError):
            fate = "it is not known whether this was kept" if is_unclear else "nothing of this was kept"
            failure = StoreError(f"{failure.problem}; {fate}", file=failure.file, is_unclear=is_unclear)
        for one in batch:
            one.fail(failure or error)
