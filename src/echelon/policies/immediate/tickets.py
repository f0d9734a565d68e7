"""Tickets: the number of tickets of each machine in a lottery, and the machines in the order of draws."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_TICKETS = 10**9
"""Most tickets of one machine: the sum over a million machines is still exact in a float."""


def check_unseen(unseen: object, name: str) -> None:
    """Reject a number of tickets that is not a whole number from 1 to `MOST_TICKETS`.

    Raises
    ------
    InputError
        If it is not; the message names the rule.
    """
    if not isinstance(unseen, int) or isinstance(unseen, bool) or not 1 <= unseen <= MOST_TICKETS:
        raise InputError(
            f"must be a whole number of tickets from 1 to {MOST_TICKETS}, got {unseen!r:.60}",
            field=f"{name}, unseen",
        )


def tickets(times: Sequence[float | None], unseen: int) -> list[int]:
    r"""Return the number of tickets of each machine, nb_i.

    .. math:: nb_i = \| \max_k t_k / t_i \|

    Parameters
    ----------
    times : sequence of float or None
        Time of each machine, in seconds, >= 0: mean CPU time or estimated execution time. None: unknown.
    unseen : int
        Tickets of a machine whose time is unknown or 0. No other machine has more.

    Returns
    -------
    list of int
        At least 1 each. The slowest machine has one.

    Notes
    -----
    Quotients are rounded to the nearest whole number, halves up; the paper writes a norm and states that all
    others have "one or more". Source: Rodrigues et al., about 2014, eqs. 1 and 3.
    """
    longest = max((time for time in times if time), default=0.0)
    return [_round_half_up(min(longest / time, unseen)) if time else unseen for time in times]


def owner(tickets: Sequence[int], draw: float) -> int:
    """Return the index of the machine that owns the drawn ticket.

    Tickets are numbered machine by machine; number floor(u sum) is drawn, with u in [0, 1).
    """
    ends = list(accumulate(tickets))
    ticket = int(draw * ends[-1])
    return next(place for place, end in enumerate(ends) if ticket < end)


def drawn_in_turn(tickets: Sequence[int], draw: Callable[[int], float]) -> list[int]:
    """Return the indices of all machines in the order of draws without replacement.

    Parameters
    ----------
    tickets : sequence of int
        Number of tickets of each machine, >= 1.
    draw : callable
        From the turn, 0, 1, 2 ..., to a uniform random number in [0, 1).

    Notes
    -----
    A drawn machine's tickets are removed; the first machine is the `owner` of the first draw. Cost:
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


def _round_half_up(quotient: float) -> int:
    return math.floor(quotient + 0.5)
