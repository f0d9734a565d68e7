"""A search over listed cases: all of them, from the start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Outcome


@dataclass(frozen=True, slots=True)
class ListedCases:
    """Cases as they are.

    Parameters
    ----------
    cases : tuple of Case
        In the order in which outcomes are reported.
    """

    cases: tuple[Case, ...]

    @property
    def kind(self) -> str:
        """Its name."""
        return "list"

    @property
    def size(self) -> int:
        """How many cases there are."""
        return len(self.cases)

    def first(self) -> tuple[Case, ...]:
        """Return all cases."""
        return self.cases

    def next(self, outcomes: Sequence[Outcome]) -> tuple[Case, ...]:
        """Return no case: all were there at first."""
        return ()
