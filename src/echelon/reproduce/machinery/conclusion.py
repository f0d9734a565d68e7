"""Conclusion: what a reader may take from a study, said by the verdicts on the claims that it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from echelon.reproduce.machinery.claim import Claim, Verdict


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
