"""Max-min: of a batch, the job that would be done last even at its best machine goes there; and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.policies.immediate.batch import BatchMode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.immediate.batch import Mapping
    from echelon.policies.immediate.contract import Dispatch


@dataclass(frozen=True, slots=True)
class MaxMin(BatchMode):
    """Map the job of greatest earliest completion time to the machine of that time, until all are mapped.

    Notes
    -----
    Ties: the job that was submitted first, then the first by position; the lowest site. Cost: O(jobs x jobs
    x sites) a batch, by array operations. Source: Ibarra & Kim 1977 as in Maheswaran et al., HCW 1999,
    batch mode, which takes any of those that tie.
    """

    name: ClassVar[str] = "max-min"
    source: ClassVar[str] = "Maheswaran et al., HCW 1999"

    def mapped(self, mapping: Mapping) -> Iterator[Dispatch]:
        """Yield the dispatches of a batch, the job that is done last at the head."""
        for _ in mapping.jobs:
            completion = mapping.completion
            earliest = completion.min(axis=1)
            row = int(np.where(np.isfinite(earliest), earliest, -np.inf).argmax())
            yield from mapping.dispatch(row, int(completion[row].argmin()))
