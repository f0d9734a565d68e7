"""Claims: what a study states, each beside the function that judges it from the study's evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from echelon.reproduce.machinery.claim import explanation, judge, untestable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from echelon.reproduce.machinery.claim import Claim
    from echelon.reproduce.machinery.statement import Statement

Evidence = TypeVar("Evidence")
"""What a study's claims are judged by: the type is the study's own."""


class Untested(NamedTuple):
    """What a check returns in place of statements if nothing can test its claim: why not, as a clause."""

    why: str


class Reason(NamedTuple):
    """What a check returns for a claim that only gives a reason, which no experiment tests: our finding."""

    finding: str


Judged: TypeAlias = "Iterable[Statement] | Untested | Reason"
"""What a check returns: the statements of its claim with our numbers, or why there are none."""


@dataclass(frozen=True, slots=True)
class StatedClaim(Generic[Evidence]):
    """A claim as the study states it, and how it is judged.

    Parameters
    ----------
    name : str
        Short and unique in the study: ``"C3"``.
    where : str
        Where the study says so.
    text : str
        What it says, in our words.
    check : callable (evidence) -> iterable of Statement, Untested or Reason
        What of it holds.
    needs : tuple of str, default empty
        Data sets of the study without which it cannot be tested.
    """

    name: str
    where: str
    text: str
    check: Callable[[Evidence], Judged]
    needs: tuple[str, ...] = ()

    def judge(self, evidence: Evidence) -> Claim:
        """Return the claim with its verdict and our numbers."""
        return self.judged_by(self.check(evidence))

    def judged_by(self, judgment: Judged) -> Claim:
        """Return the claim with the verdict that these statements give."""
        if isinstance(judgment, Untested):
            return untestable(self.name, self.text, self.where, judgment.why)
        if isinstance(judgment, Reason):
            return explanation(self.name, self.text, self.where, judgment.finding)
        return judge(self.name, self.text, self.where, judgment)


class Claims(Generic[Evidence]):
    """The claims of a study, in the order of their names: C2 before C10, C3a before C3b.

    Parameters
    ----------
    *parts : Claims
        Whose claims it begins with: those of the other files of a study. Default none.

    Examples
    --------
    >>> from echelon.reproduce import Claims, fact
    >>> CLAIMS = Claims()
    >>> @CLAIMS.states("C1", "page 12", "No job waits longer than an hour.")
    ... def short_waits(waits):
    ...     yield fact(f"the longest wait is {max(waits)} s", max(waits) <= 3600)
    >>> CLAIMS.judge([20, 4000])[0].verdict
    'does not hold'
    """

    def __init__(self, *parts: Claims[Evidence]) -> None:
        self._stated = [stated for part in parts for stated in part]

    def states(
        self, name: str, where: str, text: str, *, needs: tuple[str, ...] = ()
    ) -> Callable[[Callable[[Evidence], Judged]], Callable[[Evidence], Judged]]:
        """Return a decorator: the function below it judges this claim; parameters as of `StatedClaim`."""

        def keep(check: Callable[[Evidence], Judged]) -> Callable[[Evidence], Judged]:
            self._stated.append(StatedClaim(name, where, text, check, needs))
            return check

        return keep

    def __iter__(self) -> Iterator[StatedClaim[Evidence]]:
        return iter(sorted(self._stated, key=_place))

    def judge(self, evidence: Evidence) -> list[Claim]:
        """Return every claim with its verdict and our numbers, by name."""
        return [stated.judge(evidence) for stated in self]


def _place(stated: StatedClaim[Evidence]) -> tuple[str, int, str]:
    """Return the letters, the number and the letters after it of a claim's name."""
    before, number, after = re.fullmatch(r"(\D*)(\d*)(\D*)", stated.name).groups()  # type: ignore[union-attr]
    return before, int(number or 0), after
