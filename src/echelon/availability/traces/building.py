"""Building a failure trace from the rows of a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.availability.traces.anomalies import usual_anomalies
from echelon.availability.traces.failure_trace import FailureTrace
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Anomaly
    from echelon.model.jobs.columns import FloatColumn


class TraceRows(NamedTuple):
    """Outages as a reader finds them, each of one node; columns of equal length."""

    systems: Sequence[str]
    nodes: Sequence[str]
    down: FloatColumn
    up: FloatColumn
    kind: NDArray[np.int8]
    announced: FloatColumn
    lines: Sequence[int]


def trace_of(
    rows: TraceRows,
    file: str,
    format: str,  # noqa: A002  (what it is)
    *,
    is_dated: bool = True,
    numbering: str = "order",
    anomalies: Sequence[Anomaly] = (),
) -> FailureTrace:
    """Return the trace of these rows, with what is unusual in it.

    Raises
    ------
    InputError
        If an outage ends before it begins: file, line and both times are named.
    """
    back = rows.up < rows.down
    if back.any():
        row = int(back.argmax())
        raise InputError(
            f"an outage must end no earlier than it begins, got {rows.down[row]:.15g} s to "
            f"{rows.up[row]:.15g} s",
            file=file,
            line=rows.lines[row],
        )
    systems = {name: place for place, name in enumerate(dict.fromkeys(rows.systems))}
    keys = list(zip(rows.systems, rows.nodes, strict=True))
    nodes = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    trace = FailureTrace(
        file,
        format,
        tuple(node for _, node in nodes),
        np.array([systems[system] for system, _ in nodes], dtype=np.int64),
        tuple(systems),
        np.array([nodes[key] for key in keys], dtype=np.int64),
        rows.down,
        rows.up,
        rows.kind,
        rows.announced,
        is_dated,
        numbering,
    )
    lines = np.array(rows.lines, dtype=np.int64)
    return replace(trace, anomalies=(*usual_anomalies(trace, lines), *anomalies))
