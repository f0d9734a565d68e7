"""Claim: a sentence a study states, and whether our numbers bear it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Verdict: TypeAlias = Literal["holds", "does not hold", "explanation only", "not testable"]
"""`explanation only`: the study gives a reason that its experiment can neither bear out nor refute.

`not testable`: its experiment could, but what it needs is not to be had here, or more repetitions than were
run.
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
    verdict : {"holds", "does not hold", "explanation only", "not testable"}
        By computation.
    finding : str
        Our numbers, as a sentence or two; of what is not testable, why not.
    """

    name: str
    text: str
    where: str
    verdict: Verdict
    finding: str

    def as_mapping(self) -> Mapping[str, object]:
        """Return the claim as JSON holds it."""
        return {name: getattr(self, name) for name in ("name", "text", "where", "verdict", "finding")}
