"""Evidence: everything that the grid study's claims are judged by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.grid.cases import Case
    from echelon.reproduce.grid.character import Character
    from echelon.reproduce.grid.one_level import OneLevel
    from echelon.reproduce.grid.two_levels import TwoLevels


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What was run, by the study's names of its grids; those that are not testable are absent.

    Parameters
    ----------
    cases : mapping of str to Case
        All three grids, and why one is not testable.
    two : mapping of str to TwoLevels
        The nine strategies with both factors.
    one : mapping of str to OneLevel
        The variants without a broker; Grids 1 and 2.
    character : mapping of str to Character
        What the workloads are like.
    readings : mapping of str to TwoLevels
        What readings gave on Grid 1, by name; ``default`` and ``exact``, planned with run times, are of the
        same weeks.
    """

    cases: Mapping[str, Case]
    two: Mapping[str, TwoLevels]
    one: Mapping[str, OneLevel]
    character: Mapping[str, Character]
    readings: Mapping[str, TwoLevels] = field(default_factory=dict)
