"""Table of the blocks of runs: a row for each stretch of time of each run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.experiments.study.results.comparison_table import BLOCK
from echelon.experiments.study.results.run_table import numbers
from echelon.experiments.study.results.steady_table import metrics_of_all, processors_of
from echelon.experiments.study.store.stored_run import run_in
from echelon.metrics import block_metrics

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl


def block_table(
    table: pl.DataFrame, folder: Path, *, length: float, warm_up: float = 0.0, cool_down: float = 0.0
) -> pl.DataFrame:
    """Return a table of runs with a row for each of their blocks instead, and the column ``block``.

    Parameters
    ----------
    table : polars.DataFrame
        Of `run_table`.
    folder : Path
        Of the study.
    length : float
        Of a block, in s.
    warm_up, cool_down : float, default 0
        Shares of the jobs that are left out before a run is cut.

    Returns
    -------
    polars.DataFrame
        Of the metrics those of a block, see `echelon.metrics.block_metrics`; blocks count from 0.

    Raises
    ------
    InputError
        If a share is out of its range, or a run has no whole block.

    Notes
    -----
    Cost: some ms a block, in threads.
    """
    import polars as pl

    def measured(key: str) -> list[dict[str, int | float]]:
        run = run_in(folder, key)
        jobs, processors = run.jobs, processors_of(run)
        try:
            return block_metrics(
                jobs, processors=processors, length=length, warm_up=warm_up, cool_down=cool_down
            )
        except InputError as error:
            raise InputError(error.problem, file=str(run.folder), field=error.field) from error

    keys = table["key"].to_list()
    different = list(dict.fromkeys(keys))
    with ThreadPoolExecutor() as threads:
        rows_by_key = dict(zip(different, threads.map(measured, different), strict=True))
    rows = [row for key in keys for row in rows_by_key[key]]
    whole = metrics_of_all(table, folder)
    columns = {
        name: numbers([None if row.get(name) != row.get(name) else row.get(name) for row in rows])
        for name in whole
        if any(name in row for row in rows)
    }
    places = [place for place, key in enumerate(keys) for _ in rows_by_key[key]]
    blocks = [number for key in keys for number in range(len(rows_by_key[key]))]
    return table.drop(whole)[places].with_columns(pl.Series(BLOCK, blocks, dtype=pl.Int64), **columns)
