"""What the SINAPAD study printed as numbers, and what another program of the same model gave.

Its text and its own Table 2 are compared without any run of ours: this shows whether the text agrees with
itself, not whether it can be reproduced. So it is a table of its own, and no figure that is counted.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from echelon.reproduce.machinery.listing import listing
from echelon.reproduce.machinery.printed_table import printed_cells

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.reproduce.machinery.listing import Row


@cache
def decision_times() -> dict[str, int]:
    """Return the milliseconds of a decision by policy (Table 2)."""
    return {policy: int(milliseconds) for policy, milliseconds in printed_cells("sinapad", "table2")[1]}


@cache
def read_independent() -> dict[tuple[str, str, str], tuple[str, str]]:
    """Return mean and deviation of the execution times by (mode, scenario, policy), in whole seconds.

    Means of 60 repetitions of another author's program with the same assumptions, but for those that
    listings tell.
    """
    rows = printed_cells("sinapad", "independent")[1]
    return {(mode, scenario, policy): (mean, std) for mode, scenario, policy, mean, std in rows}


INDEPENDENT_SEEDS = 60
"""Repetitions of that program."""


@listing(
    "print-against-itself",
    "Consistency: sentences on decision times, and Table 2",
    ("Where", "In the text", "Table 2 gives", "Agrees"),
    "Printed values against printed values, without ours: not counted as reproduced.",
    labels=4,
)
def print_against_itself() -> Iterable[Row]:
    """Return each sentence on decision times beside what the numbers of Table 2 give."""
    return (*_ratios(decision_times()), *_orders(decision_times()))


def _ratios(times: dict[str, int]) -> list[Row]:
    """Return the two ratios that the text tells; of two fastest policies either may be meant."""
    rows: list[Row] = []
    for policy, printed, others in (
        ("WallTime", "2.4", ("Random", "CPULoad")),
        ("LotteryWithLoad", "2.6", ("CPULoad",)),
    ):
        over = {name: times[policy] / times[name] for name in others}
        shown = ", ".join(
            f"{times[policy]} / {times[name]} = {ratio:.2f} over {name}" for name, ratio in over.items()
        )
        agree = [name for name, ratio in over.items() if f"{ratio:.1f}" == printed]
        text = f"{policy} takes {printed} times as long as " + (
            "the fastest policies" if len(others) > 1 else others[0]
        )
        rows.append(("§ 4", text, shown, _agreement(agree, others)))
    return rows


def _agreement(agree: list[str], among: tuple[str, ...]) -> str:
    if len(agree) == len(among):
        return "yes"
    return f"over {', '.join(agree)} only" if agree else "no"


def _orders(times: dict[str, int]) -> list[Row]:
    ranked = sorted(times, key=times.__getitem__)
    shown = ", ".join(f"{name} {times[name]}" for name in ranked) + " ms"
    checks = (
        ("§ 4", "CPULoad and Random are the fastest", set(ranked[:2]) == {"CPULoad", "Random"}),
        (
            "§ 4",
            "WallTime is last but one, LotteryWithLoad last",
            ranked[-2:] == ["WallTime", "LotteryWithLoad"],
        ),
        ("abstract", "the best policy, WallTime, has the largest decision time", ranked[-1] == "WallTime"),
        ("resumo", "it has one of the largest", "WallTime" in ranked[-2:]),
    )
    return [(where, text, shown, "yes" if agrees else "no") for where, text, agrees in checks]
