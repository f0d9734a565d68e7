"""A tiny study: what any study gives, worked by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from echelon.reproduce import Chart, Claim, Figure, Quantity, Reproduction, Sample, Study

if TYPE_CHECKING:
    from collections.abc import Callable

WAIT = Quantity("wait", "mean wait", "h", "mean(start - submit)")


@pytest.fixture
def tiny_study() -> Callable[..., Study]:
    """Return a call that makes a study whose run gives `wait` hours, where 1.50 was printed."""

    def make(*, wait: float = 1.5, row: tuple[float, ...] = (1, 0, 2)) -> Study:
        def run(step: object = None) -> Reproduction:
            return Reproduction(
                study=study,
                setting={"workload": "tiny", "policies": {"A": "fcfs"}, "seconds": 0.5},
                printed=[Figure("A", WAIT, "1.50", "page <1>", wait)],
                samples=[Sample("Jobs", "table 1", ("job", "wait", "run"), [(1, 0, 2)], [row])],
                claims=[
                    Claim("C1", "A waits less than a day.", "page 2", "holds", f"{wait} h"),
                    Claim("C2", "A & B are alike.", "page 2", "does not hold", "There is no B."),
                ],
                charts=[Chart(WAIT, "figure 1", {"X": {"A": wait}, "Y": {"A": 2 * wait}})],
                notes=["Made by hand."],
                files={"A.time": lambda: b"1 0 2\n"},
            )

        study = Study("tiny", "A tiny study", "Nobody, 1900", "nothing", run)
        return study

    return make
