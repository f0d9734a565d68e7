"""Addresses: the sockets on which a service listens."""

from __future__ import annotations

import os
import socket
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_BACKLOG = 2048
_PATIENCE = 2.0


def unix_socket(path: Path) -> socket.socket:
    """Return a socket that listens at a path, for its user alone.

    A file that a service has left behind is replaced.

    Raises
    ------
    InputError
        If another service listens there, something else is there, or the path cannot be one.
    """
    family = getattr(socket, "AF_UNIX", None)
    if family is None:
        problem = "this system has no Unix sockets; set listen, and make tokens"
        raise InputError(problem, field="socket")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _make_way(path, family)
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
        # No client can connect before listen().
        path.chmod(0o600)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise InputError(f"cannot listen at {path}: {_why(error)}", field="socket") from error
    listener.setblocking(False)
    return listener


def tcp_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address of this machine.

    Raises
    ------
    InputError
        If it is taken, or none of this machine.
    """
    listener: socket.socket | None = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        if os.name == "posix":
            # Else the address is taken for minutes after a restart; on Windows it would let two share it.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        if listener is not None:
            listener.close()
        raise InputError(f"cannot listen at {host}:{port}: {_why(error)}", field="listen") from error
    listener.setblocking(False)
    return listener


def remove(path: Path, own_identity: tuple[int, int] | None) -> None:
    """Remove the file of a socket, unless it is another's by now."""
    with suppress(OSError):
        if own_identity == identity(path):
            path.unlink()


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one at the same path."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _make_way(path: Path, family: int) -> None:
    """Remove what a service has left at a path."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{path}: {_why(error)}", field="socket") from error
    if not stat.S_ISSOCK(mode):
        problem = f"{path} is there and is no socket; remove it, or choose another path"
        raise InputError(problem, field="socket")
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PATIENCE)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            path.unlink(missing_ok=True)
            return
        except OSError as error:
            # Full of waiting connections, say: a service listens.
            problem = (
                f"{path} is in use ({_why(error)}); stop the service that has it, or choose another path"
            )
            raise InputError(problem, field="socket") from error
    problem = f"another service listens at {path}; stop it, or choose another path"
    raise InputError(problem, field="socket")


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
