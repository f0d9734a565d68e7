"""TimeSharedMachine: every job starts at once and shares the processors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from echelon.errors import InputError
from echelon.quantities import is_number


def check_positive(value: object, name: str) -> None:
    """Refuse what is not a finite number > 0."""
    number = is_number(value)
    if not number or not 0 < float(value) < math.inf:  # type: ignore[arg-type]
        raise InputError(f"must be a finite number > 0, got {value!r}", field=name)


@dataclass(frozen=True, slots=True)
class TimeSharedMachine:
    """A time-shared machine: every job submitted to it runs at once.

    Its processes share its processors evenly (processor sharing): each makes progress at `speed` as long as
    there are no more processes than processors, and at speed x processors / processes beyond.

    Parameters
    ----------
    processors : int
        At least 1.
    speed : float, default 1
        Of a processor, relative to the machine on which run times were measured; > 0.

    Raises
    ------
    InputError
        If the speed is not a finite number > 0.
    """

    processors: int
    speed: float = 1.0

    def __post_init__(self) -> None:
        check_positive(self.speed, "speed")

    @property
    def slots(self) -> int:
        """Processors that its processes share."""
        return self.processors

    @property
    def largest_job(self) -> int:
        """Largest job it can hold, in processors."""
        return self.processors
