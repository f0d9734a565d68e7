"""Evidence: everything that the grid study's claims are judged by; and claims that are of one grid each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.reproduce.machinery.claims import Claims

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.reproduce.grid.one_level import OneLevel
    from echelon.reproduce.grid.two_levels import TwoLevels
    from echelon.reproduce.grid.workloads import Case, Character
    from echelon.reproduce.machinery.claims import Judged

    Check = Callable[["Evidence", str], Judged]
    """Of the results, and of a grid."""


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
    exact : TwoLevels, optional
        Grid 1, planned with run times instead of users' estimates.
    loaded : Evidence, optional
        The same with Grid 1 at the load that the printed ratios imply.
    """

    cases: Mapping[str, Case]
    two: Mapping[str, TwoLevels]
    one: Mapping[str, OneLevel]
    character: Mapping[str, Character]
    exact: TwoLevels | None = None
    loaded: Evidence | None = None


class GridClaims(Claims[Evidence]):
    """Claims of which some are of one grid, whose logs they need."""

    def on(self, grid: str, name: str, where: str, text: str) -> Callable[[Check], Check]:
        """Return a decorator: the function below it judges this claim on a grid."""

        def keep(check: Check) -> Check:
            self.states(name, where, f"{grid}: {text}", needs=(grid,))(lambda evidence: check(evidence, grid))
            return check

        return keep
