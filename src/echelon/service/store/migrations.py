"""Migrations: the ladder from each earlier version of the tables to the present one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert
from sqlalchemy.schema import SetColumnComment, SetTableComment

from echelon.databases.ownership import Ownership, hold_tables
from echelon.errors import InputError
from echelon.service.store.schema import SCHEMA, VERSION, numbers, version
from echelon.service.store.transaction import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from echelon.databases.address import Address

STORE = Ownership("store", version)
"""Whose tables these are."""

STEPS: Mapping[int, Sequence[str]] = {
    2: (
        "ALTER TABLE forecasts ADD COLUMN earliest {double}",
        "ALTER TABLE forecasts ADD COLUMN latest {double}",
        "CREATE TABLE snapshots (cluster TEXT NOT NULL, began_at {double} NOT NULL, "
        "is_complete BOOLEAN NOT NULL, content {bytes} NOT NULL, PRIMARY KEY (cluster, began_at))",
    ),
}
"""What makes each version of the one before. A step never changes once it is released: the tables that it
starts from and leads to are those of then, not of `schema`."""

_TYPES = {
    "sqlite": {"double": "DOUBLE", "bytes": "BLOB"},
    "postgresql": {"double": "DOUBLE PRECISION", "bytes": "BYTEA"},
}


def make(connection: Connection, address: Address) -> int:
    """Make the tables in an empty database; return the version of those that are there then."""
    hold_tables(connection)
    version = STORE.find_version(connection, address)
    if version is None:
        version = STORE.make(connection, address, number=VERSION)
        connection.execute(insert(numbers), [{"name": kind, "last": 0} for kind in KINDS])
    return version


def climb(connection: Connection, address: Address) -> int:
    """Bring the tables to the present version, all steps or none; return the version that they had.

    Raises
    ------
    InputError
        If there are none, they are not of a store, or of a later version.
    """
    hold_tables(connection)
    version = check(STORE.find_version(connection, address), address)
    types = _TYPES[connection.dialect.name]
    for number in range(version + 1, VERSION + 1):
        for statement in STEPS[number]:
            connection.exec_driver_sql(statement.format_map(types))
        STORE.set(connection, number=number)
    if version < VERSION and connection.dialect.supports_comments:
        # The database keeps the present meaning of each table and column.
        for table in SCHEMA.sorted_tables:
            connection.execute(SetTableComment(table))
            for column in table.columns:
                connection.execute(SetColumnComment(column))
    return version


def check(version: int | None, address: Address, *, lowest: int = 1) -> int:
    """Check that this Echelon can do with tables of a version; return it.

    Raises
    ------
    InputError
        If there are none, they are older than `lowest`, or newer than `VERSION`.
    """
    if version is None:
        raise InputError("holds no store yet", file=address.shown)
    if version < lowest:
        raise InputError(
            f"has tables of version {version}, this Echelon works with version {lowest}; "
            "keep a copy, then run: echelon serve migrate",
            file=address.shown,
        )
    if version > VERSION:
        raise InputError(
            f"has tables of version {version}, this Echelon knows versions up to {VERSION}; update Echelon",
            file=address.shown,
        )
    return version
