"""Parts: the steps of a study, each announced, and its time noted."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Progress: TypeAlias = Callable[[int, int | None], None]
    """Called with how much of a part is done and how much there is, if that is known."""
    Step: TypeAlias = Callable[[str], Progress | None]
    """Called with what is done next; returns the progress callable of that step, or None."""

Found = TypeVar("Found")


class Parts:
    """Announces each part of a study by `step`, runs it, and notes in `seconds` how long it took."""

    def __init__(self, step: Step | None = None) -> None:
        self.step = step
        self.seconds: dict[str, float] = {}

    def __call__(self, what: str, work: Callable[[Progress | None], Found]) -> Found:
        """Return what `work` gives, a part of this name."""
        began = perf_counter()
        outcome = work(self.step(what) if self.step else None)
        self.seconds[what] = round(perf_counter() - began, 1)
        return outcome

    def each(
        self, what: str, cases: Iterable[str], work: Callable[[str, Progress | None], Found]
    ) -> dict[str, Found]:
        """Return what `work` gives on each case, each a part of its own."""
        return {case: self(f"{case}, {what}", partial(work, case)) for case in cases}
