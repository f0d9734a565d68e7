"""What the grid study runs and measures: its nine strategies, two factors and ten metrics, and our words."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from echelon.metrics import metric_named
from echelon.metrics.schedule.grid_study import GRID_STUDY, GRID_STUDY_MAIN

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "MCT": "mct",
        "MLB": "mlb",
        "LBal_S": "lbal-s",
        "MLp": "mlp",
        "MPL": "mpl",
        "Random": "random",
        "MST": "mst",
        "MWWT_S": "mwwt-s",
        "MWT": "mwt",
    }
)
"""The study's name of each strategy, in the order of its tables, and our words."""

NINE = tuple(WORDS)
EIGHTEEN = tuple(name for one in NINE for name in (f"{one}_a", one))
"""With and without admissibility, in the order of the study's tables; ``_a`` is with a = 0.5."""

WITHOUT, WITH = "1", "0.5"
"""The two factors of admissibility."""

METRICS = tuple(GRID_STUDY)
"""The study's symbols of its ten metrics, in the order of its complete tables."""

MAIN = GRID_STUDY_MAIN
BETTER = MappingProxyType({symbol: metric_named(name).better or "low" for symbol, name in GRID_STUDY.items()})
"""Which end of each metric's scale is good."""

GRIDS = ("Grid 1", "Grid 2", "Grid 3")
LEVEL_FOUR = ("MCT", "MST", "MWT", "MWWT_S")
"""The strategies that look at schedules by estimates."""
