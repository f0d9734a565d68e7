"""Reservation: nodes that are kept for some users during an interval, an advance reservation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Reservation:
    """An advance reservation: from `start` to `end` only some jobs may use these nodes.

    Parameters
    ----------
    name : str
        How jobs and tables name it.
    start, end : float
        In seconds; end > start.
    nodes : tuple of int
        Numbers of nodes, from 0, ascending; on a machine of counted processors every processor is a node.
    site : int, default 0
        Index of the site in the platform.
    users, accounts : tuple of str, default empty
        Whose jobs may run in it, by the names or codes of the log. A job that names the reservation may, too.
        Without any of these, only jobs that name it.
    flex : bool, default False
        Whether jobs with access may begin before its start and end after its end.
    overrun : bool, default False
        Whether jobs that run in it at its end may go on; else they are killed then.
    ignore_jobs : bool, default False
        Whether it begins over jobs that run there, and kills nothing.
    announced : float, default minus infinity
        When schedulers learn of it, in seconds.
    slide : float, default 0
        If positive, it never begins by itself: it starts at the first full hour that is at least so many
        seconds away, and is moved there every 5 minutes until a job with access waits for it.

    Raises
    ------
    InputError
        If it has no nodes, or does not end after its start.
    """

    name: str
    start: float
    end: float
    nodes: tuple[int, ...]
    site: int = 0
    users: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    flex: bool = False
    overrun: bool = False
    ignore_jobs: bool = False
    announced: float = -float("inf")
    slide: float = 0.0

    def __post_init__(self) -> None:
        if not self.nodes:
            raise InputError("has no nodes", field=f"reservation {self.name}")
        if not self.start < self.end:
            raise InputError(
                f"must end after its start, got {self.start:g} to {self.end:g} s",
                field=f"reservation {self.name}",
            )


def begun_by(time: float, reservations: Iterable[Reservation]) -> tuple[Reservation, ...]:
    """Return the reservations that had begun by a time, in seconds."""
    return tuple(one for one in reservations if one.start <= time)
