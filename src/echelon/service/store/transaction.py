"""A transaction of the writer: its connection, and the numbers that it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, select, update

from echelon.service.store.schema import numbers

if TYPE_CHECKING:
    from sqlalchemy import Connection

KINDS = ("jobs", "events", "tokens", "instances")
"""What is numbered."""


# Statements of every transaction, made once: to make them takes longer than to carry them out.
_LAST = select(numbers.c.name, numbers.c.last)
_LAST_ON_SERVER = _LAST.add_columns(func.txid_current()).with_for_update()
_SET = update(numbers).where(numbers.c.name == bindparam("kind")).values(last=bindparam("given"))


class Transaction:
    """What operations write with, after `BEGIN`.

    The rows of the numbers are read first and stay locked until the end, so writers follow each other:
    numbers have no gaps, and no reader sees one before a smaller one. (A sequence of PostgreSQL gives its
    numbers before the commit, so that a reader may see 8 before 7, and continue after 8.)

    Parameters
    ----------
    connection : Connection
        In a transaction that has done nothing yet.

    Attributes
    ----------
    on_server : int, optional
        The server's own number of the transaction, by which it can say later what became of it.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.on_server: int | None = None
        if connection.dialect.name == "postgresql":
            rows = connection.execute(_LAST_ON_SERVER).all()
            self.on_server = rows[0][2]
            self._last: dict[str, int] = {row[0]: row[1] for row in rows}
        else:
            self._last = {row[0]: row[1] for row in connection.execute(_LAST)}
        self._changed: set[str] = set()

    def last(self, kind: str) -> int:
        """Return the last number of a kind; 0: none yet."""
        return self._last[kind]

    def take(self, kind: str, count: int = 1) -> range:
        """Return the next `count` numbers of a kind; they are given again if the transaction fails."""
        first = self._last[kind] + 1
        self._last[kind] += count
        self._changed.add(kind)
        return range(first, first + count)

    def keep_numbers(self) -> None:
        """Write the numbers that were taken."""
        if self._changed:
            rows = [{"kind": kind, "given": self._last[kind]} for kind in sorted(self._changed)]
            self.connection.execute(_SET, rows)
            self._changed.clear()
