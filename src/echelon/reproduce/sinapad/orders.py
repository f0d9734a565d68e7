"""Orders of policies: who is below whom, seed by seed, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.parts import Measured, Part, against, measured
from echelon.reproduce.sinapad.setups import SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from echelon.model.columns import FloatColumn

    Of = Callable[[str, str, str], FloatColumn]


def saved(ours: FloatColumn, theirs: FloatColumn) -> Measured:
    """Return by how many percent our mean is below theirs, with the interval of the paired difference.

    In percent of their mean over all seeds: a mean of ratios would count seeds in which they are lucky more.
    """
    return measured(100 * (theirs - ours) / theirs.mean())


def way(ours: FloatColumn, theirs: FloatColumn, name: str) -> str:
    """Return how far we are below or above them, in words."""
    found = saved(ours, theirs)
    word = "below" if found.mean >= 0 else "above"
    size = found if found.mean >= 0 else Measured(-found.mean, -found.high, -found.low)
    return f"{size.text(' %', 1)} {word} {name}{'' if _apart(found) else ', not told apart'}"


def _apart(found: Measured) -> bool:
    return found.low > 0 or found.high < 0


def clearly(ahead: Iterable[FloatColumn]) -> tuple[bool, float]:
    """Return whether every mean is above 0 beyond doubt, and the p-value of what speaks against that.

    Of several the least p-value, times how many there are.
    """
    found = list(ahead)
    doubt = min((against(one) for one in found), default=1.0)
    return all(measured(one).low > 0 for one in found), min(1.0, doubt * len(found))


def least_sure(ahead: Mapping[str, FloatColumn]) -> str:
    """Return of whom it is least sure that the mean is above 0: the lowest bound of the interval."""
    return min(ahead, key=lambda name: measured(ahead[name]).low)


def same(gap: FloatColumn) -> bool:
    """Return whether two policies did the same in every repetition, up to sums in another order."""
    return bool(abs(gap).max() < _ROUNDING)


_ROUNDING = 1e-6
"""Seconds."""


def below(names: tuple[str, str], values: tuple[FloatColumn, FloatColumn]) -> Part:
    """Return whether the first is below the second: the interval of the difference is above 0."""
    return Part(f"{names[0]} is {way(*values, names[1])}", *clearly([values[1] - values[0]]))


def below_everywhere(of: Of, first: str, second: str, mode: str) -> Part:
    """Return whether one policy is below another in all scenarios, those told apart counted in words."""
    gaps = {name: of(name, mode, second) - of(name, mode, first) for name in SCENARIOS}
    found = {name: measured(gap) for name, gap in gaps.items()}
    above = [name for name, one in found.items() if one.high < 0]
    left = [name for name, one in found.items() if not _apart(one)]
    count = len(SCENARIOS) - len(above) - len(left)
    said = f"{mode}: {first} is below {second} in {count} of {len(SCENARIOS)} scenarios"
    said += f", above in {', '.join(above)}" if above else ""
    said += f", not told apart in {', '.join(left)}" if left else ""
    return Part(said, *clearly(gaps.values()))
