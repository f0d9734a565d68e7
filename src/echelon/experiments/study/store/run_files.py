"""Record: the files of one run, as bytes."""

from __future__ import annotations

import platform
import socket
import time
from dataclasses import asdict
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from echelon.experiments.folders.manifest import peak_memory, versions
from echelon.experiments.folders.run_folder import without_nan
from echelon.experiments.study.run.identity import canonical_json
from echelon.experiments.study.store.stored_run import OCCASION
from echelon.experiments.summaries.priorities import priority_sentences

if TYPE_CHECKING:
    import polars as pl

    from echelon.experiments.result import Result
    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.resolved_case import Resolved


def files_of(case: Case, resolved: Resolved, result: Result, seconds: float) -> dict[str, bytes]:
    """Return the files of a run by name, see `echelon.experiments.study.store.stored_run.FILES`.

    Parameters
    ----------
    case : Case
        As asked for.
    resolved : Resolved
        As run.
    result : Result
        Its result.
    seconds : float
        Wall-clock time spent so far, in seconds.

    Notes
    -----
    All but what stands under ``occasion`` in ``manifest.json`` is the same whenever and wherever the run is
    made with the same releases of Echelon and the libraries behind its files.
    """
    return {
        "scenario.json": canonical_json(resolved.described),
        "metrics.json": canonical_json(without_nan(result.metrics), ordered=False),
        "jobs.parquet": parquet_bytes(result.jobs),
        "manifest.json": canonical_json(
            {**_manifest(case, resolved, result), OCCASION: _occasion(result, seconds)}, ordered=False
        ),
    }


def parquet_bytes(table: pl.DataFrame) -> bytes:
    """Return a table as Parquet: the quickest Zstandard, half the bytes of LZ4 for a quarter more time."""
    content = BytesIO()
    table.write_parquet(content, compression="zstd", compression_level=1, statistics=False)
    return content.getvalue()


def _manifest(case: Case, resolved: Resolved, result: Result) -> dict[str, Any]:
    workload, instance = result.workload, result.instance
    return {
        "key": resolved.key,
        "label": result.label,
        "workload": workload.name,
        "input_sha256": workload.digest,
        "processors": instance.processors,
        "settings": dict(case.settings),
        "workload_streams": list(resolved.streams),
        "random_streams": list(result.random_streams),
        "engine": result.engine,
        "priorities": priority_sentences(result),
        "jobs_read": len(workload),
        "jobs_simulated": len(instance),
        "dropped": [drop.to_dict() for drop in instance.dropped],
        "oddities": [asdict(oddity) for oddity in workload.oddities],
        "counts": dict(result.schedule.counts),
        "own_metrics": [
            {"name": own.name, "unit": own.unit, "formula": own.formula, "source": own.source}
            | {"better": own.better}
            for own in result.own
        ],
    }


def _occasion(result: Result, seconds: float) -> dict[str, Any]:
    """Return what differs when the same run is made again."""
    return {
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "seconds": round(seconds, 6),
        "engine_seconds": round(result.seconds, 6),
        "peak_memory_bytes": peak_memory(),
        **_where(),
    }


@lru_cache(maxsize=1)
def _where() -> dict[str, Any]:
    return {"host": socket.gethostname(), "system": platform.platform(), "versions": versions()}
