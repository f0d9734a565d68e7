"""Closing: when a time-shared machine takes no jobs, as it is down or as those that run shall be the last."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from echelon.engine.immediate.machine import TimeSharedMachine
    from echelon.engine.resources.capacity import Outage


class Return(NamedTuple):
    """When a machine is expected to take jobs again, in seconds, and with how many cores then.

    Attributes
    ----------
    time : float
        Infinity if that is not known.
    cores : int
        At least 1, if it is.
    """

    time: float
    cores: int


class Closing:
    """The drains and the maintenance of all cores of a machine that wait for its jobs to end.

    As long as some core is left, jobs share the others, and no job is in the way of an outage.

    Parameters
    ----------
    machine : TimeSharedMachine
        Whose cores go down.
    """

    def __init__(self, machine: TimeSharedMachine) -> None:
        self._machine = machine
        self._begun: list[Outage] = []

    @property
    def is_open(self) -> bool:
        """Whether jobs may start."""
        return self._machine.cores > 0 and not self._begun

    def begin(self, outage: Outage, now: float) -> None:
        """Let what `outage` takes go down now, or, if that is all, when the last job has ended."""
        self._begun.append(outage)
        self.settle(now)

    def end(self, outage: Outage, now: float) -> None:
        """Let what `outage` took come back; perhaps jobs were in its way all the time."""
        if outage in self._begun:
            self._begun.remove(outage)
        else:
            self._machine.change(outage, now, down=False)

    def settle(self, now: float) -> None:
        """Let go down what no job is in the way of any more."""
        machine, begun = self._machine, self._begun
        if begun and (not len(machine) or machine.cores_without(begun)):
            self._begun = []
            for outage in begun:
                machine.change(outage, now, down=True)

    def back(self, now: float) -> Return:
        """Return when jobs may start again, as known now."""
        machine = self._machine
        down = {outage: outage.expected_end(now) for outage in (*machine.down, *self._begun)}
        for time in sorted({end for end in down.values() if end < math.inf}):
            gone = [outage for outage, end in down.items() if end > time]
            if (cores := machine.cores_without(gone, of_all=True)) > 0:
                return Return(time, cores)
        return Return(math.inf, 0)
