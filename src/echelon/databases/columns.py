"""Columns with their meanings, and the table that says whose tables these are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, Integer, Table, Text

if TYPE_CHECKING:
    from sqlalchemy import MetaData
    from sqlalchemy.types import TypeEngine


def column(
    name: str, kind: type[TypeEngine[Any]] | TypeEngine[Any], meaning: str, *, optional: bool = False
) -> Column[Any]:
    """Return a column with its meaning as comment."""
    return Column(name, kind, nullable=optional, comment=meaning)


def version_table(name: str, schema: MetaData, *, of: str) -> Table:
    """Return the table of one row that identifies the tables of a history, of a service ..., named `of`."""
    return Table(
        name,
        schema,
        Column("program", Text, primary_key=True, comment="whose tables these are: echelon"),
        column("version", Integer, "of these tables"),
        comment=f"One row, which identifies {of} among other databases.",
    )
