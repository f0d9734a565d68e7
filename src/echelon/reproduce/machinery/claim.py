"""Claim: what a study states, cut into statements, and whether our numbers bear it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
        return untestable(name, text, where, "no run could decide it")
    outcomes = [(one.text, one.outcome(len(all_statements))) for one in all_statements]
    return Claim(name, text, where, _verdict([kind for _, kind in outcomes]), _finding(outcomes), outcomes)


def untestable(name: str, text: str, where: str, why: str) -> Claim:
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
