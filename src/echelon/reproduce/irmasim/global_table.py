"""The global experiment's table as printed: no cell of it is testable."""

from __future__ import annotations

from echelon.reproduce.irmasim.printed import global_table
from echelon.reproduce.machinery.printed_table import Misprint, PrintedRow, PrintedTable

_UNTESTED = "its jobs, their volumes and compute shares and the power of its platform are not stated"


def global_printed() -> PrintedTable:
    """Return the table, with the cells that its swapped heads have misplaced."""
    table = global_table()
    rows = tuple(
        PrintedRow((f"{parameter}, {unit}",), cells, None, _UNTESTED, unit, ranked=False)
        for parameter, (unit, cells) in table.rows.items()
    )
    why = "the heads are swapped: only the run with communications has a volume, and it is the longer one"
    misprints: dict[tuple[tuple[str, ...], str], Misprint] = {
        ((f"{parameter}, {unit}",), column): Misprint(other, why)
        for parameter, (unit, cells) in table.rows.items()
        if parameter in ("makespan", "communication volume")
        for column, other in zip(table.columns, reversed(cells), strict=True)
    }
    return PrintedTable(
        "table 4.2.5",
        "The global experiment, as printed",
        "§ 4.2.5: L772",
        ("parameter",),
        table.columns,
        rows,
        misprints,
    )
