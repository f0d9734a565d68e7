"""Min-min: of a batch, the job that can be done first goes where it is done first; and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.immediate.batch import BatchMode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.immediate.batch import Mapping
    from echelon.policies.immediate.contract import Dispatch


@dataclass(frozen=True, slots=True)
class MinMin(BatchMode):
    """Map the job of least earliest completion time to the machine of that time, until all are mapped.

    Notes
    -----
    Ties: the job that was submitted first, then the first by position; the lowest site. Cost: O(jobs x jobs
    x sites) a batch, by array operations. Source: Ibarra & Kim 1977 as in Maheswaran et al., HCW 1999,
    batch mode, which takes any of those that tie.
    """

    name: ClassVar[str] = "min-min"
    source: ClassVar[str] = "Maheswaran et al., HCW 1999"

    def mapped(self, mapping: Mapping) -> Iterator[Dispatch]:
        """Yield the dispatches of a batch, the job that is done first at the head."""
        for _ in mapping.jobs:
            row, column = divmod(int(mapping.completion.argmin()), len(mapping.ready))
            yield from mapping.dispatch(row, column)
