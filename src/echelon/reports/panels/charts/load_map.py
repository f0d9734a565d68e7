"""Heat maps of load over time, packed for the page: rows of sites or nodes, columns of time."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics import site_load
from echelon.model.schedules.features import sites_with, there
from echelon.reports.page_data.blocks import Blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.schedules.features import Feature
    from echelon.reports.tables import RunTables

COLUMNS = 240
"""Parts of the time, each with its mean."""

LEVELS = 250
"""Into which shares are rounded."""


def time_edges(runs: Sequence[RunTables]) -> FloatColumn:
    """Return the ends of the columns that all runs share, from the first submission to the last end, in s."""
    start, end = min(run.span[0] for run in runs), max(run.span[1] for run in runs)
    # A run may take less than a second, and one of no length is drawn as one.
    return np.linspace(start, end if end > start else start + 1.0, COLUMNS + 1)


def map_frame(edges: FloatColumn) -> dict[str, Any]:
    """Return what all maps of a panel have in common."""
    return {"from": float(edges[0]), "to": float(edges[-1]), "columns": COLUMNS, "levels": LEVELS}


def sites_load(run: RunTables, feature: Feature, edges: FloatColumn) -> tuple[Platform, NDArray[np.float64]]:
    """Return the sites that have a feature, and how many processes ran on each of their processors.

    These are means over time between `edges`, in seconds, shape (n_sites, k); at most 1 where jobs have
    their processors to themselves.
    """
    platform = there(run.platform)
    here = sites_with(platform, feature)
    site, pieces, size = run.at_sites
    load = site_load(site, pieces.start, pieces.end, size, platform=platform, edges=edges)
    return platform.with_sites(compress(platform.sites, here)), load[here]


def load_map(
    share: NDArray[np.float64], sizes: IntColumn, *, row: IntColumn, names: Sequence[str]
) -> dict[str, Any]:
    """Pack the shares of what each site or node has that jobs held, shape (n, k), 0 to 1.

    `row` is the row of each, with names; those of one row share it by their sizes.
    """
    total = np.bincount(row, weights=sizes)
    busy = np.zeros((len(names), share.shape[1]))
    np.add.at(busy, row, share * sizes[:, None])
    levels = np.clip(busy / total[:, None] * LEVELS, 0, LEVELS)
    # What is not idle never looks idle, however little it is.
    shown = np.where(levels > 0, np.maximum(1, np.rint(levels)), 0).astype(np.int64)
    blocks = Blocks()
    blocks.add(shown.ravel())
    return {"rows": list(names), "processors": total.astype(int).tolist(), "level": blocks.packed[0]}
