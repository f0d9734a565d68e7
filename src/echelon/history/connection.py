"""The database of a history: opening, checks and set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.databases.connections import Connections
from echelon.databases.ownership import Ownership
from echelon.errors import InputError
from echelon.history.schema import VERSION, version

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from echelon.databases.address import Address

_HISTORY = Ownership("history", version)


class Database(Connections):
    """A database that holds a history, in transactions.

    Parameters
    ----------
    address : Address
        Where it is.
    create : bool
        Whether tables are made where there is nothing yet.

    Raises
    ------
    InputError
        If it cannot be reached, is not a database, or holds something else.
    MissingExtraError
        If the library for such databases is not installed.
    """

    def __init__(self, address: Address, *, create: bool) -> None:
        if not create and address.file is not None and not address.file.exists():
            raise InputError("no such file", file=address.shown)
        super().__init__(address)
        try:
            self._prepare(create=create)
        except BaseException:
            self.close()
            raise

    def _prepare(self, *, create: bool) -> None:
        with self.reading() as connection:
            if self._is_ready(connection):
                return
        if not create:
            raise InputError("holds no history yet", file=self.address.shown)
        with self.writing() as connection:
            _HISTORY.make(connection, self.address, number=VERSION)
            self._is_ready(connection)

    def _is_ready(self, connection: Connection) -> bool:
        """Return whether the tables exist; False in an empty database."""
        version = _HISTORY.find_version(connection, self.address)
        if version not in {None, VERSION}:
            raise InputError(
                f"has tables of version {version}, this Echelon reads and writes version {VERSION}; "
                "record its runs again",
                file=self.address.shown,
            )
        return version is not None
