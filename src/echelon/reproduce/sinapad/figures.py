"""Numbers in the SINAPAD study's text that follow from its Table 2: whether it agrees with itself."""

from __future__ import annotations

from echelon.reproduce.figure import Detour, Figure, Quantity
from echelon.reproduce.sinapad.printed import decision_times

_RATIO = Quantity(
    "decision_ratio",
    "decision time over that of CPULoadScheduler, by the study's own Table 2",
    "1",
    "a ratio",
)


def text_figures() -> list[Figure]:
    """Return the ratios of decision times that the text tells, from the table's numbers."""
    times = decision_times()
    over_random = times["WallTime"] / times["Random"]
    return [
        Figure(
            "WallTimeEstimatedScheduler",
            _RATIO,
            "2.4",
            "§ 4",
            times["WallTime"] / times["CPULoad"],
            Detour(over_random, f"over RandomScheduler's {times['Random']} ms it is {over_random:.2f}"),
        ),
        Figure("LotterySchedulerWithLoad", _RATIO, "2.6", "§ 4", times["LotteryWithLoad"] / times["CPULoad"]),
    ]
