"""What the SINAPAD study printed as numbers, and what another program of the same model gave."""

from __future__ import annotations

from functools import cache

from echelon.reproduce.machinery.printed_data import printed_cells


@cache
def decision_times() -> dict[str, int]:
    """Return the milliseconds of a decision by policy (Table 2)."""
    return {policy: int(milliseconds) for policy, milliseconds in printed_cells("sinapad", "table2")[1]}


@cache
def independent() -> dict[tuple[str, str, str], tuple[str, str]]:
    """Return mean and deviation of the execution times by (mode, scenario, policy), in whole seconds.

    Means of 60 repetitions of another author's program with the same assumptions, but for those that
    listings tell.
    """
    rows = printed_cells("sinapad", "independent")[1]
    return {(mode, scenario, policy): (mean, std) for mode, scenario, policy, mean, std in rows}


INDEPENDENT_SEEDS = 60
"""Repetitions of that program."""
