"""What a search over the axes of a study is: it names the first runs, and, seeing outcomes, the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Outcome


class Search(Protocol):
    """Says which cases are run.

    A search remembers nothing: what comes next depends on the outcomes shown alone, not on their order, so
    that a study that was interrupted resumes as if it had not been.
    """

    @property
    def kind(self) -> str:
        """Its name in study files."""

    @property
    def size(self) -> int:
        """How many cases it runs in all."""

    def first(self) -> tuple[Case, ...]:
        """Return the cases to begin with."""

    def next(self, outcomes: Sequence[Outcome]) -> tuple[Case, ...]:
        """Return the cases to run now, given the outcomes of all so far; none when the search is over."""
