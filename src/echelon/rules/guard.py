"""Guard: what goes wrong inside a user's rule becomes one error that says whose it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import EchelonError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


class Guard:
    """A block that calls a user's rule: ``with Guard(self._error): key = rule(job, view)``.

    Parameters
    ----------
    error : callable (str) -> EchelonError
        Makes the error to raise of what went wrong: ``"ValueError: no idea"``; it may also raise one itself.
        Errors of ours that are raised inside the block stay as they are.
    """

    __slots__ = ("_error",)

    def __init__(self, error: Callable[[str], EchelonError]) -> None:
        self._error = error

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise the error if anything but an error of ours went wrong."""
        if isinstance(problem, Exception | SystemExit) and not isinstance(problem, EchelonError):
            raise self._error(f"{type(problem).__name__}: {problem}") from problem
