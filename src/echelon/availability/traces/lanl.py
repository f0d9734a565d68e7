"""The failure data of Los Alamos National Laboratory, LA-UR-05-7318: 22 systems, 1996 to 2005."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from echelon.availability.traces.building import TraceRows, count_rows, report_unmodeled, trace_of
from echelon.availability.traces.text_table import american_date, is_number, read_delimited
from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
    from datetime import tzinfo

    from echelon.availability.traces.failure_trace import FailureTrace

_CAUSES = ("facilities", "hardware", "human error", "network", "undetermined", "software", "same event")
_DATE = "a date such as 6/21/2005 10:54"


def read_lanl(text: str, file: str, zone: tzinfo) -> FailureTrace:
    """Return the failures of a table with columns ``System, nodenumz, Prob Started, Down Time`` and others.

    Notes
    -----
    A node is keyed by System and nodenumz, which counts from 0. It is down for Down Time, in minutes: Prob
    Fixed less Prob Started differs from it where clocks were changed, and by a minute of rounding.

    Raises
    ------
    InputError
        If the file is not such a table, a date is none, or a time is negative: file, line and column are
        named.
    """
    table = read_delimited(text, file, separator=",")
    read = partial(american_date, zone=zone)
    started = table.times("prob started", read, _DATE)
    minutes = table.numbers("down time", "minutes >= 0")
    if (minutes < 0).any():
        raise table.refuse(int((minutes < 0).argmax()), "down time", "minutes >= 0")
    rows = TraceRows(
        table.texts("system"),
        table.texts("nodenumz" if table.has("nodenumz") else "nodenum"),
        started,
        started + 60.0 * minutes,
        np.full(len(table), OutageKind.FAIL, dtype=np.int8),
        np.full(len(table), -np.inf),
        table.lines,
    )
    anomalies = list(report_unmodeled([name for name in _CAUSES if table.has(name)]))
    if table.has("prob fixed"):
        fixed = table.times("prob fixed", read, _DATE)
        differs = np.abs(fixed - rows.up) > 1.0
        if differs.any():
            sentence = "whose Prob Fixed less Prob Started is not their Down Time, which is taken"
            anomalies.insert(0, count_rows("down-time", differs, sentence, np.array(table.lines)))
    numbering = "zero" if all(map(is_number, set(rows.nodes))) else "order"
    return trace_of(rows, file, "lanl", numbering=numbering, anomalies=anomalies)
