"""Refusals: what a service does not do for a caller although the request is right."""

from __future__ import annotations

from echelon.errors import EchelonError


class ConflictError(EchelonError, RuntimeError):
    """A job or cluster is in a state in which the request makes no sense; HTTP has 409 for it."""


class BusyError(EchelonError, RuntimeError):
    """The service takes no more for now; HTTP has 429 for it.

    Parameters
    ----------
    problem : str
        Why, as a sentence.
    retry_after : float, default 10
        Seconds after which it may be tried again.
    """

    def __init__(self, problem: str, *, retry_after: float = 10.0) -> None:
        self.retry_after = retry_after
        super().__init__(problem)
