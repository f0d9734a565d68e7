"""Tables of a database, as reference pages describe them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tables import summary, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Column, Table


def described(one: Table, was: tuple[str, Mapping[str, str]] | None = None) -> str:
    """Return a section on a table, from its comments; `was` is what a source calls it and its columns."""
    there, columns = was or ("", {})
    if strange := set(columns) - set(one.columns.keys()):
        raise ValueError(f"{one.name} has no columns {strange}")
    rows = [
        (
            f"`{column.name}`{'*' if column.primary_key else ''}",
            type(column.type).__name__.lower(),
            summary(f"{one.name}.{column.name}", column.comment or "") + _named(column),
            *((f"`{columns[column.name]}`" if column.name in columns else "",) if was else ()),
        )
        for column in one.columns
    ]
    heads = ("Column", "Type", "Meaning", "Was")[: 4 if was else 3]
    said = summary(one.name, one.comment or "") + (f" In the thesis: `{there}`." if there else "")
    return f"### {one.name}\n\n{said}\n\n" + table(heads, rows)


def _named(column: Column[object]) -> str:
    """Return which table's row the column names, if it names one by itself."""
    alone = [key for key in column.foreign_keys if len(key.constraint.columns) == 1]
    return f" (of `{alone[0].column.table.name}`)" if alone else ""
