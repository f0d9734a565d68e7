"""All nodes of a schedule in one table, of whatever kinds they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.tables.nodes.per_node import per_node
from echelon.metrics.tables.nodes.per_shared_node import per_shared_node
from echelon.model.schedules.features import Feature

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from echelon.model import Schedule

NODE_TABLES: tuple[tuple[Feature, Callable[[Measured], pl.DataFrame]], ...] = (
    (Feature.CORES, per_node),
    (Feature.PLACES, per_shared_node),
)
"""Tables of nodes of a kind, by what a schedule must have for them."""


def node_table(schedule: Schedule | Measured) -> pl.DataFrame | None:
    """Return one row a node: the columns of `NODE_TABLES` that apply, null where a node of a kind has none.

    Parameters
    ----------
    schedule : Schedule or Measured
        Of at least one job.

    Returns
    -------
    polars.DataFrame or None
        Nodes that are modeled individually, then those that have owners; None if no nodes are known.
    """
    # A heavy library that only tables need.
    import polars as pl

    measured = schedule if isinstance(schedule, Measured) else Measured(schedule)
    tables = [table(measured) for needs, table in NODE_TABLES if needs in measured.has]
    return pl.concat(tables, how="diagonal") if tables else None
