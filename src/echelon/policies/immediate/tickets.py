"""Tickets: how many lots each machine has in a lottery, who owns the lot drawn, and who comes next."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_TICKETS = 10**9
"""Most tickets of one machine: those of a million machines are still counted exactly in a float."""


def check_unseen(unseen: object, name: str) -> None:
    """Refuse a number of tickets that is no whole number from 1 to `MOST_TICKETS`.

    Raises
    ------
    InputError
        If it is none, naming the rule.
    """
    if not isinstance(unseen, int) or isinstance(unseen, bool) or not 1 <= unseen <= MOST_TICKETS:
        raise InputError(
            f"must be a whole number of tickets from 1 to {MOST_TICKETS}, got {unseen!r:.60}",
            field=f"{name}, unseen",
        )


def tickets(times: Sequence[float | None], unseen: int) -> list[int]:
    r"""Return how many tickets each machine has, nb_i.

    .. math:: nb_i = \| \max_k t_k / t_i \|

    Parameters
    ----------
    times : sequence of float or None
        Of each machine, in seconds, >= 0: mean CPU times, or estimated execution times. None: unknown.
    unseen : int
        Tickets of a machine whose time is unknown or 0: very many. No other machine has more.

    Returns
    -------
    list of int
        Each at least 1. The slowest machine has one.

    Notes
    -----
    Quotients are rounded to the nearest whole number, halves up; the paper writes a norm and says that all
    others have "one or more". Source: Rodrigues et al., about 2014, eqs. 1 and 3.
    """
    longest = max((time for time in times if time), default=0.0)
    return [_rounded(min(longest / time, unseen)) if time else unseen for time in times]


def owner(tickets: Sequence[int], drawn: float) -> int:
    """Return the place of the machine that owns the ticket drawn.

    Tickets are numbered through the machines in their order; the one drawn is floor(u sum), u in [0, 1).
    """
    ends = list(accumulate(tickets))
    ticket = int(drawn * ends[-1])
    return next(place for place, end in enumerate(ends) if ticket < end)


def drawn_in_turn(tickets: Sequence[int], draw: Callable[[int], float]) -> list[int]:
    """Return the places of all machines as they are drawn one after another, without replacement.

    Parameters
    ----------
    tickets : sequence of int
        Of each machine, >= 1.
    draw : callable
        From the turn, 0, 1, 2 ..., to a uniform random number in [0, 1).

    Notes
    -----
    A machine that has been drawn takes its tickets out; the first is the `owner` of the first draw. Cost:
    O(machines x machines), by array operations.
    """
    import numpy as np

    left, order = np.asarray(tickets, dtype=np.int64), []
    for turn in range(len(left)):
        ends = np.cumsum(left)
        place = int(np.searchsorted(ends, int(draw(turn) * int(ends[-1])), side="right"))
        order.append(place)
        left[place] = 0
    return order


def _rounded(quotient: float) -> int:
    return math.floor(quotient + 0.5)
