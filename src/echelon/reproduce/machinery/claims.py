"""Claims: what a study states, cut into statements; whether our numbers bear it out, and what follows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from echelon.reproduce.machinery.statement import Outcome, Statement

Verdict: TypeAlias = Literal[
    "holds", "holds in part", "does not hold", "not decided", "explanation only", "not testable"
]
"""`holds`: every statement does. `holds in part`: some do, others do not. `does not hold`: some do not, and
none does. `not decided`: none fails, but too little was run, or too small a difference found, to settle all.

`explanation only`: the study gives a reason that its experiment can neither bear out nor refute.

`not testable`: what its experiment needs is not to be had here.
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim, judged.

    Parameters
    ----------
    name : str
        Short and unique in the study: ``"C3"``.
    text : str
        What the study says, in our words.
    where : str
        Where it says so.
    verdict : {"holds", "holds in part", "does not hold", "not decided", "explanation only", "not testable"}
        By computation.
    finding : str
        Our numbers, as a sentence or two; of what is not testable, why not.
    statements : sequence of (str, {"holds", "does not hold", "not decided"}), default empty
        Each statement of it with our numbers, and its outcome.
    """

    name: str
    text: str
    where: str
    verdict: Verdict
    finding: str
    statements: Sequence[tuple[str, Outcome]] = ()

    @property
    def summary(self) -> str:
        """Its verdict, and in brackets how many of its statements hold."""
        holding = sum(outcome == "holds" for _, outcome in self.statements)
        return f"{self.verdict} ({holding} of {len(self.statements)})"

    def to_dict(self) -> Mapping[str, object]:
        """Return the claim as JSON holds it."""
        return {
            **{name: getattr(self, name) for name in ("name", "text", "where", "verdict", "finding")},
            "statements": [{"text": text, "outcome": outcome} for text, outcome in self.statements],
        }


def judge(name: str, text: str, where: str, statements: Iterable[Statement]) -> Claim:
    """Return a claim with the verdict that its statements give.

    Parameters
    ----------
    name, text, where : str
        As of `Claim`.
    statements : iterable of Statement
        At least one; the claim is that all of them are true.

    Returns
    -------
    Claim
        Its finding lists all statements by their outcome: those that hold first.

    Notes
    -----
    How each statement is settled is said in `echelon.reproduce.machinery.statement`.
    """
    all_statements = list(statements)
    if not all_statements:
        return leave_untested(name, text, where, "no run could decide it")
    outcomes = [(one.text, one.outcome(len(all_statements))) for one in all_statements]
    return Claim(name, text, where, _verdict([kind for _, kind in outcomes]), _finding(outcomes), outcomes)


def leave_untested(name: str, text: str, where: str, why: str) -> Claim:
    """Return a claim that cannot be tested here, with the reason as a sentence without its point."""
    return Claim(name, text, where, "not testable", f"{_capital(why)}.")


def explanation(name: str, text: str, where: str, finding: str) -> Claim:
    """Return a claim that gives a reason which the experiment can neither bear out nor refute."""
    return Claim(name, text, where, "explanation only", f"{_capital(finding)}.")


def _verdict(outcomes: Sequence[Outcome]) -> Verdict:
    if "does not hold" in outcomes:
        return "holds in part" if "holds" in outcomes else "does not hold"
    return "not decided" if "not decided" in outcomes else "holds"


def _finding(outcomes: Sequence[tuple[str, Outcome]]) -> str:
    if len(outcomes) == 1:
        return f"{_capital(outcomes[0][0])}."
    listed = {
        head: "; ".join(text for text, outcome in outcomes if outcome == kind)
        for kind, head in (
            ("holds", "Holds"),
            ("does not hold", "Does not hold"),
            ("not decided", "Not decided"),
        )
    }
    return " ".join(f"{head}: {texts}." for head, texts in listed.items() if texts)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


Evidence = TypeVar("Evidence")
"""What a study's claims are judged by: the type is the study's own."""


class Untested(NamedTuple):
    """What a check returns in place of statements if nothing can test its claim: why not, as a clause."""

    why: str


class Reason(NamedTuple):
    """What a check returns for a claim that only gives a reason, which no experiment tests: our finding."""

    finding: str


Statements: TypeAlias = "Iterable[Statement]"
Judged: TypeAlias = "Statements | Untested | Reason"
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
        return self.judge_by(self.check(evidence))

    def judge_by(self, judgment: Judged) -> Claim:
        """Return the claim with the verdict that these statements give."""
        if isinstance(judgment, Untested):
            return leave_untested(self.name, self.text, self.where, judgment.why)
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


class Point(NamedTuple):
    """A point that claims decide together.

    Parameters
    ----------
    claims : tuple of str
        Their names.
    confirmed : str
        The sentence if all of them hold.
    refuted : str
        The sentence if one of them does not hold, or holds in part only.
    open : str, default ``""``
        The sentence if none fails but one is not decided or not testable; empty: nothing is said then.
    in_part : str, default ``""``
        The sentence if one of them fails and something of them holds, where `refuted` would say too much or
        too little then; empty: `refuted` is said.
    """

    claims: tuple[str, ...]
    confirmed: str
    refuted: str
    open: str = ""
    in_part: str = ""


def conclude(claims: Iterable[Claim], points: Iterable[Point]) -> str:
    """Return the sentences of all points, by the verdicts on `claims`.

    Raises
    ------
    KeyError
        If a point names a claim that there is not.
    """
    verdicts: Mapping[str, Verdict] = {claim.name: claim.verdict for claim in claims}
    sentences = (_sentence(point, [verdicts[name] for name in point.claims]) for point in points)
    return " ".join(sentence for sentence in sentences if sentence)


def _sentence(point: Point, verdicts: list[Verdict]) -> str:
    if any(verdict in {"does not hold", "holds in part"} for verdict in verdicts):
        partly = point.in_part and any(verdict in {"holds", "holds in part"} for verdict in verdicts)
        return point.in_part if partly else point.refuted
    return point.confirmed if all(verdict == "holds" for verdict in verdicts) else point.open
