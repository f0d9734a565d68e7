"""open_history: a history by its address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.extras import SQLALCHEMY

if TYPE_CHECKING:
    from pathlib import Path

    from echelon.history.store import History


def open_history(address: str | Path, *, create: bool = True) -> History:
    """Return the history at `address`, open; use it in a ``with`` statement, or close it.

    Parameters
    ----------
    address : str or Path
        An SQLite file, ``sqlite:///FILE``, or ``postgresql://USER@HOST/DATABASE`` with any further options of
        PostgreSQL URLs. The database of a server must exist and have no other tables.
    create : bool, default True
        Whether a missing file and missing tables are created.

    Raises
    ------
    InputError
        If the address is invalid, the server does not answer, it is not a history, or the history does not
        exist and `create` is False.
    UnknownNameError
        If the URL is of another kind of database.
    MissingExtraError
        If SQLAlchemy or psycopg are not installed.

    Examples
    --------
    >>> from echelon.history import open_history
    >>> with open_history("sqlite://") as history:  # in memory, for a moment
    ...     history.experiments()
    []
    """
    SQLALCHEMY.load()
    from echelon.databases.address import Address
    from echelon.history.connection import Database
    from echelon.history.store import History

    return History(Database(Address.of(address, field="history"), create=create))
