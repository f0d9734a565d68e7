"""CommonEnds: how the jobs of one leaf progress, whose ends it has in common with other leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.progress.progress_model import ProgressModel

if TYPE_CHECKING:
    from collections.abc import Iterable


class CommonEnds(ProgressModel):
    """No end happens here: whoever drives the model of all leaves ends their jobs.

    Parameters
    ----------
    model : ProgressModel
        Of all leaves together.
    """

    def __init__(self, model: ProgressModel) -> None:
        self._model = model

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `ProgressModel.next_time`."""
        return min(other, *planned) if planned else other

    def due(self, now: float) -> list[int]:
        """See `ProgressModel.due`: none."""
        return []

    def outlook(self, position: int) -> float:
        """See `ProgressModel.outlook`."""
        return self._model.outlook(position)
