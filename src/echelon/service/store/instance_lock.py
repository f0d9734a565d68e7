"""One instance acts: the lock that a service holds while it works with a store."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from sqlalchemy import text

from echelon.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from echelon.databases.address import Address

_NUMBER = 0x65636831
"""Number of the lock in PostgreSQL, beside that of the schema: the letters "ech1"."""


class InstanceLock:
    """A lock of which one process at a time has a store's.

    Beside a file it is a lock of the system on ``FILE.lock``; on a server it is an advisory lock of a
    connection. Both end with the process, however it ends.

    Parameters
    ----------
    address : Address
        Of the store.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._held: int | None = None

    def hold_file(self) -> None:
        """Take the lock beside a file; on a server nothing.

        Raises
        ------
        InputError
            If another process has it.
        """
        if self._address.file is None or self._held is not None:
            return
        # The same file by another name has the same lock.
        file = self._address.file.resolve()
        held = os.open(file.with_name(f"{file.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(held)
        except OSError:
            holder = os.read(held, 20).decode("ascii", "replace").strip()
            os.close(held)
            raise self._error_of(f"process {holder}" if holder else "another process") from None
        os.ftruncate(held, 0)
        os.write(held, f"{os.getpid()}\n".encode())
        self._held = held

    def hold_on_server(self, connection: Connection) -> None:
        """Take the lock of a server for this connection; of a file nothing.

        Raises
        ------
        InputError
            If another connection has it.
        """
        if self._address.file is not None:
            return
        asked = text("SELECT pg_try_advisory_lock(:number, hashtext(current_schema()))")
        if not connection.execute(asked, {"number": _NUMBER}).scalar_one():
            raise self._error_of("another process")

    def release(self) -> None:
        """Give the lock beside a file back; a server's ends with its connection."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def _error_of(self, holder: str) -> InputError:
        return InputError(
            f"{holder} works with this store; stop it first, since only one service may act",
            file=self._address.shown,
        )


def make_secret_file(file: Path) -> None:
    """Make a missing file that no other user may read: scripts and environments of jobs can have secrets."""
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", file=str(file)) from None


if sys.platform == "win32":  # pragma: no cover  (no fcntl there)
    import msvcrt

    def _lock(held: int) -> None:
        """Lock a byte far behind the text, which others may read."""
        os.lseek(held, 1 << 20, os.SEEK_SET)
        msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        os.lseek(held, 0, os.SEEK_SET)

else:
    from echelon.file_lock import take as _lock
