"""Comparisons: statements that one policy is below others, seed by seed, as the report phrases them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.statement import Measured, above_zero, all_above_zero, mean_interval
from echelon.reproduce.sinapad.setups import POLICIES, SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.statement import Statement

    Of = Callable[[str, str, str], FloatColumn]
    """A measure by seed, of scenario, way of submission and policy."""


def saving_of(ours: FloatColumn, theirs: FloatColumn) -> Measured:
    """Return by how many percent our mean is below theirs, with the interval of the paired difference.

    In percent of their mean over all seeds: a mean of ratios would count seeds in which they are lucky more.
    """
    return mean_interval(100 * (theirs - ours) / theirs.mean())


def way(ours: FloatColumn, theirs: FloatColumn, name: str) -> str:
    """Return a phrase that says how far we are below or above them."""
    size, side = saving_of(ours, theirs).towards(("below", "above"))
    return f"{size.text(' %', 1)} {side} {name}"


def below(names: tuple[str, str], values: tuple[FloatColumn, FloatColumn]) -> Statement:
    """Return the statement that the first is below the second, in percent of the second."""
    return above_zero(f"{names[0]} is {way(*values, names[1])}", values[1] - values[0])


def below_everywhere(of: Of, first: str, second: str, mode: str, what: str = "") -> Statement:
    """Return the statement that one policy is below another in all scenarios; where it is not is named.

    `what` says of what measure, as the beginning of its text: ``"deviation, "``.
    """
    gaps = {name: of(name, mode, second) - of(name, mode, first) for name in SCENARIOS}
    intervals = {name: mean_interval(gap) for name, gap in gaps.items()}
    so = [name for name, one in intervals.items() if one.low > 0]
    above = [name for name, one in intervals.items() if one.high < 0]
    left = [name for name in intervals if name not in so and name not in above]
    text = f"{what}{mode}: {first} is below {second} in {len(so)} of {len(SCENARIOS)} scenarios"
    text += f", above in {', '.join(above)}" if above else ""
    text += f", not distinguished in {', '.join(left)}" if left else ""
    return all_above_zero(text, gaps.values())


def second_best(of: Of, policy: str, scenario: str, mode: str) -> Statement:
    """Return the statement that a policy is below all others but WallTime."""
    ours = of(scenario, mode, policy)
    gaps = {name: of(scenario, mode, name) - ours for name in POLICIES if name not in (policy, "WallTime")}
    least = _least_sure(gaps)
    return all_above_zero(f"{scenario}: {way(ours, of(scenario, mode, least), least)}", gaps.values())


def never_beaten(of: Of, policy: str, scenario: str, mode: str) -> Statement:
    """Return the statement that a policy is below all others; those that always do the same are no rivals."""
    ours = of(scenario, mode, policy)
    gaps = {name: of(scenario, mode, name) - ours for name in POLICIES if name != policy}
    equal = [name for name, gap in gaps.items() if abs(gap).max() < _ROUNDING]
    rivals = {name: gap for name, gap in gaps.items() if name not in equal}
    least = _least_sure(rivals)
    ties = f" (the same as {', '.join(equal)} in every repetition)" if equal else ""
    text = f"{mode} {scenario}: {way(ours, of(scenario, mode, least), least)}{ties}"
    return all_above_zero(text, rivals.values())


def _least_sure(ahead: Mapping[str, FloatColumn]) -> str:
    """Return of whom it is least sure that the mean is above 0: the lowest bound of the interval."""
    return min(ahead, key=lambda name: mean_interval(ahead[name]).low)


_ROUNDING = 1e-6
"""Seconds by which two policies that did the same may differ, as sums are taken in another order."""
