"""Whose tables a database holds and of which version, and columns with their meanings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, Integer, Table, Text, insert, inspect, select, text, update

from echelon.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import Connection, MetaData
    from sqlalchemy.types import TypeEngine

    from echelon.databases.address import Address

PROGRAM = "echelon"
"""The program that owns the tables."""

_LOCK = 0x65636865
"""Number of the lock under which tables are made in PostgreSQL: the letters "eche"."""


@dataclass(frozen=True, slots=True)
class Ownership:
    """The tables of a history, of a service ... in a database of their own.

    Attributes
    ----------
    noun : str
        What they make of a database, such as ``"history"``.
    version : Table
        The table of one row that identifies them, see `version_table`.
    """

    noun: str
    version: Table

    def find_version(self, connection: Connection, address: Address) -> int | None:
        """Return the version of the tables in a database; None of an empty one.

        Raises
        ------
        InputError
            If it holds something else.
        """
        tables = inspect(connection).get_table_names()
        if self.version.name not in tables:
            if tables:
                raise InputError(
                    f"holds tables of something else ({', '.join(sorted(tables)[:3])}); "
                    f"a {self.noun} needs a database of its own",
                    file=address.shown,
                )
            return None
        columns = {column["name"] for column in inspect(connection).get_columns(self.version.name)}
        row = None
        if columns == set(self.version.columns.keys()):
            row = connection.execute(select(self.version)).first()
        if row is None or row.program != PROGRAM:
            raise InputError(f"is not a {self.noun} of Echelon", file=address.shown)
        return int(row.version)

    def make(self, connection: Connection, address: Address, *, number: int) -> int:
        """Make the tables of version `number`, unless another process was faster; return which are there."""
        hold_tables(connection)
        version = self.find_version(connection, address)
        if version is not None:
            return version
        self.version.metadata.create_all(connection, checkfirst=False)
        connection.execute(insert(self.version).values(program=PROGRAM, version=number))
        return number

    def set(self, connection: Connection, *, number: int) -> None:
        """Note that the tables are of version `number` now."""
        connection.execute(update(self.version).values(version=number))


def hold_tables(connection: Connection) -> None:
    """Let no other process make or change tables until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


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
