"""Certainty: which runs of a study would be the same under every seed, so that they were run once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

CHANCE = "chance"
"""Column of a table of runs: whether another seed gives another run; null where this is unknown."""

CERTAIN = "certain"
"""Column of the rows that count as run once although replications were asked for, see `with_certainty`."""

_SEEDS = ("seed", "workload_seed", "replication")


def with_certainty(table: pl.DataFrame, *, metrics: Sequence[str], replications: int) -> pl.DataFrame:
    """Return a table of runs with the column `CERTAIN`, and each run that is certain once.

    Parameters
    ----------
    table : polars.DataFrame
        Of `run_table`.
    metrics : sequence of str
        Its columns that were measured.
    replications : int
        How many the study asks for. With one nothing was to be repeated, and no row is certain.

    Notes
    -----
    Runs that an earlier release kept do not say whether chance entered. Where another run of their
    combination says it, that holds for them, too, and it is the one that counts. Else those that agree in
    every metric count as certain, if there are several, and as drawn if not.
    """
    import polars as pl

    if table.is_empty():
        return table.with_columns(pl.lit(value=False).alias(CERTAIN))
    keys = [name for name in table.columns[: table.columns.index("key")] if name not in _SEEDS]
    measured = [name for name in metrics if name in table.columns]
    groups = table.with_row_index("_row").group_by(keys or [pl.lit(0).alias("_all")], maintain_order=True)
    kept, certain = [], []
    for _, part in groups:
        rows, chances = part["_row"].to_list(), part[CHANCE]
        alike = len(part) > 1 and len(part.select(measured).unique()) == 1
        is_repeated = alike if chances.null_count() == len(part) else not chances.any()
        asked = replications > 1 or (alike and chances.has_nulls() and "seed" in part.columns)
        if is_repeated and asked:
            kept.append(
                next((row for row, chance in zip(rows, chances, strict=True) if chance is False), rows[0])
            )
            certain.append(True)
        else:
            kept += rows
            certain += [False] * len(rows)
    order = sorted(range(len(kept)), key=kept.__getitem__)
    column = pl.Series(CERTAIN, [certain[place] for place in order], dtype=pl.Boolean)
    return table[[kept[place] for place in order]].with_columns(column)


def everywhere(table: pl.DataFrame, replication_axes: Sequence[str]) -> pl.DataFrame:
    """Return a table in which rows that are certain stand under every seed that the others have.

    Nothing is made up: another run of them would be the same.

    Parameters
    ----------
    table : polars.DataFrame
        With the column `CERTAIN`, or without, for one in which no row is.
    replication_axes : sequence of str
        The replication axes that vary.
    """
    import polars as pl

    if not replication_axes or CERTAIN not in table.columns or not table[CERTAIN].any():
        return table
    certain, others = table.filter(pl.col(CERTAIN)), table.filter(~pl.col(CERTAIN))
    seeds = others.select(replication_axes).unique(maintain_order=True)
    if seeds.is_empty():
        return table
    spread = certain.drop(replication_axes).join(seeds, how="cross").select(table.columns)
    return pl.concat([others, spread])


def select_drawn(table: pl.DataFrame) -> pl.DataFrame:
    """Return the rows that chance entered, which alone are replications; all of a table that does not say."""
    return table.filter(~table[CERTAIN]) if CERTAIN in table.columns else table


def is_certain(table: pl.DataFrame) -> bool:
    """Return whether chance entered no row, although replications were asked for."""
    return CERTAIN in table.columns and len(table) > 0 and bool(table[CERTAIN].all())
