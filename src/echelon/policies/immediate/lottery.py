"""Lotteries: the faster a machine is expected to run the job, the more tickets it has; one is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.immediate.execution_times import estimated_time
from echelon.policies.immediate.strategy import ImmediateStrategy
from echelon.quantities import is_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.model import Job
    from echelon.policies.immediate.contract import ImmediateView


MOST_TICKETS = 10**9
"""Most tickets of one machine: the sum over a million machines is still exact in a float."""


def check_unseen(unseen: object, name: str) -> None:
    """Reject a number of tickets that is not a whole number from 1 to `MOST_TICKETS`."""
    if not is_whole(unseen) or not 1 <= unseen <= MOST_TICKETS:
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


def draw_in_turn(tickets: Sequence[int], draw: Callable[[int], float]) -> list[int]:
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


@dataclass(frozen=True, slots=True)
class Lottery(ImmediateStrategy):
    """Draw a ticket; faster machines have more tickets: nb_i = ||max(TCM) / tcm_ij||.

    tcm_ij is the mean CPU time of the job's application at machine i; loads are ignored.

    Parameters
    ----------
    unseen : int, default 1000000
        Tickets of a machine where the application has never ended: a large number, so that it is tried. From
        1 to 1,000,000,000; no other machine has more.

    Raises
    ------
    InputError
        If `unseen` is out of its range.

    Notes
    -----
    Rounding: to the nearest, halves up. Ties: none. Cost: O(sites). Source: the rule LotteryScheduler of
    Rodrigues et al., about 2014, section 3.1, eq. 1, which does not define the number of "infinite" tickets;
    `max` is over the machines that the job may go to. A decision took 0.372 s there (Table 2).
    """

    unseen: int = 1_000_000

    name: ClassVar[str] = "lottery"
    source: ClassVar[str] = "Rodrigues et al., about 2014, section 3.1"
    goes_by: ClassVar[str] = "CPU times of earlier jobs"
    time_name: ClassVar[str] = "mean CPU time"

    def __post_init__(self) -> None:
        ImmediateStrategy.__post_init__(self)
        check_unseen(self.unseen, self.name)

    def time(self, job: Job, site: int, view: ImmediateView) -> float | None:
        """Return the time that determines the tickets, in seconds; None if unknown."""
        return view.cpu_time(job, site)

    def tickets(self, job: Job, view: ImmediateView) -> list[int]:
        """Return the number of tickets of each allowed site."""
        return tickets([self.time(job, site, view) for site in view.allowed], self.unseen)

    def value(self, job: Job, site: int, view: ImmediateView) -> float:
        """Return the tickets of `site`."""
        return float(self.tickets(job, view)[list(view.allowed).index(site)])

    def values(self, job: Job, view: ImmediateView) -> list[float]:
        """Return the tickets of every allowed site."""
        return [float(number) for number in self.tickets(job, view)]

    def choose(self, job: Job, view: ImmediateView) -> int:
        """Return the site whose ticket is drawn."""
        return view.allowed[owner(self.tickets(job, view), view.uniform(job, 0))]

    def ranking(self, job: Job, view: ImmediateView) -> list[int]:
        """Return the sites in the order in which their tickets are drawn, without replacement."""
        order = draw_in_turn(self.tickets(job, view), lambda turn: view.uniform(job, turn))
        return [view.allowed[place] for place in order]

    def reason(self, job: Job, site: int, view: ImmediateView) -> str:
        """Return the time that determines the tickets of `site`, as text."""
        time = self.time(job, site, view)
        return "never ended there" if time is None else f"{self.time_name} {time:.6g} s"


@dataclass(frozen=True, slots=True)
class LotteryWithLoad(Lottery):
    """Draw a ticket; machines that would finish sooner have more: nb_i = ||max(TEE) / tee_ij||.

    tee_ij is the mean CPU time of the job's application at machine i, times the estimated load per core once
    the job runs there if that is above 1.

    Parameters
    ----------
    unseen : int, default 1000000
        As in `lottery`.

    Notes
    -----
    Rounding: to the nearest, halves up. Ties: none. Cost: O(sites). Source: the rule LotterySchedulerWithLoad
    of Rodrigues et al., about 2014, section 3.2, eqs. 3-7; a decision took 0.831 s there (Table 2).
    """

    name: ClassVar[str] = "lottery-load"
    source: ClassVar[str] = "Rodrigues et al., about 2014, section 3.2"
    goes_by: ClassVar[str] = "CPU times of earlier jobs and estimated loads"
    time_name: ClassVar[str] = "estimated time"

    def time(self, job: Job, site: int, view: ImmediateView) -> float | None:
        """Return the estimated execution time, in seconds; None if unknown."""
        return estimated_time(job, site, view)
