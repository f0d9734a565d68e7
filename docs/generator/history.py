"""The reference page on histories: their tables, and what is done with them from Python."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import docstrings
from tables import summary, table

if TYPE_CHECKING:
    from sqlalchemy import Column, Table


def page() -> str:
    """Return the page."""
    from echelon.history import experiences_of, open_history
    from echelon.history.schema import SCHEMA, VERSION
    from echelon.history.store import Experiment, History
    from echelon.model import Experience

    parts = [
        "# History\n\n`echelon.history`: finished runs in a database, for estimators that learn from them "
        "and for queries in SQL. See [Keep a history](../how-to/history.md).",
        "## Tables\n\nThose of the repository of the M-CISNE thesis (appendix B), adapted: the last column "
        "says what a column is called there, where it is there; why it differs is in [decision 38]"
        "(../decisions/0038-histories-in-a-database.md). A key is marked with a star, a column that names a "
        f"row of another table says of which. Times are seconds of the run. These are version {VERSION}.",
        *(_table(one) for one in SCHEMA.sorted_tables),
        "## Python",
    ]
    for thing in (open_history, experiences_of, History, Experiment, Experience):
        parts.append(f"### {thing.__name__}\n\n{docstrings.whole(thing)}")
        if thing is History:
            parts += [_method(name) for name in ("record", "experiences", "experiments", "mark", "forget")]
    return "\n\n".join(parts)


def _method(name: str) -> str:
    from echelon.history.store import History

    return f"#### History.{name}\n\n{docstrings.whole(inspect.getattr_static(History, name))}"


def _table(one: Table) -> str:
    from echelon.history.schema import WAS

    there, columns = WAS.get(one.name, ("", {}))
    if strange := set(columns) - set(one.columns.keys()):
        raise ValueError(f"{one.name} has no columns {strange}")
    rows = [
        (
            f"`{column.name}`{'*' if column.primary_key else ''}",
            type(column.type).__name__.lower(),
            summary(f"{one.name}.{column.name}", column.comment or "") + _named(column),
            f"`{columns[column.name]}`" if column.name in columns else "",
        )
        for column in one.columns
    ]
    was = f" In the thesis: `{there}`." if there else ""
    said = summary(one.name, one.comment or "")
    return f"### {one.name}\n\n{said}{was}\n\n" + table(("Column", "Type", "Meaning", "Was"), rows)


def _named(column: Column[object]) -> str:
    """Return which table's row the column names, if it names one by itself."""
    alone = [key for key in column.foreign_keys if len(key.constraint.columns) == 1]
    return f" (of `{alone[0].column.table.name}`)" if alone else ""
