"""A write that waits for the writer, and its result."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from echelon.errors import EchelonError

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.service.store.transaction import Transaction

Result = TypeVar("Result")


class Outcome(NamedTuple):
    """The result of an operation, before it is safe."""

    value: Any
    error: EchelonError | None = None


class PendingWrite(Generic[Result]):
    """An operation, and the callers that wait for it."""

    def __init__(self, operation: Callable[[Transaction], Result]) -> None:
        self._operation = operation
        self._future: Future[Result] = Future()

    def carried_out(self, transaction: Transaction) -> Outcome:
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
