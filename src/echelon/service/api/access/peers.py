"""Peers: whose process is at the other end of a Unix socket."""

from __future__ import annotations

import os
import socket
import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PEER = "echelon.peer_uid"
"""Key of a request's scope under which the server hands on the user at the other end; a number."""

_SAYS_UCRED = hasattr(socket, "SO_PEERCRED")
"""Whether the system says it as Linux does; else as macOS and FreeBSD."""

_LOCAL_PEERCRED = 1
_XUCRED = struct.Struct("=IIh")
"""Of macOS and FreeBSD: version, user, number of groups; the groups follow."""


def peer_of(connection: socket.socket | Any) -> int | None:  # noqa: ANN401  (asyncio has a class of its own)
    """Return the number of the user at the other end of a Unix socket, None for other sockets.

    The kernel knows it from when the connection was made; a caller cannot choose another.

    Raises
    ------
    OSError
        If the kernel does not say it.
    """
    family = getattr(socket, "AF_UNIX", None)
    if family is None or connection.family != family:
        return None
    if _SAYS_UCRED:
        size = struct.calcsize("iII")
        _, uid, _ = struct.unpack("iII", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
        return int(uid)
    data = connection.getsockopt(0, _LOCAL_PEERCRED, 76)
    version, uid, _ = _XUCRED.unpack_from(data)
    if version != 0:
        raise OSError("the system gives the user of a socket in an unknown form")
    return int(uid)


@lru_cache(maxsize=1024)
def user_of_peer(uid: int) -> str:
    """Return the name of a user of this machine; one without a name is ``uid-NUMBER``."""
    try:
        import pwd

        return pwd.getpwuid(uid).pw_name
    except (ImportError, KeyError):
        return f"uid-{uid}"


def is_own(uid: int) -> bool:
    """Return whether it is the user of this process, or root."""
    return uid == 0 or (hasattr(os, "geteuid") and uid == os.geteuid())


class WithPeer:
    """An application whose requests all come from one user.

    Parameters
    ----------
    app : callable
        The application, by ASGI.
    uid : int
        The number of the user.
    """

    def __init__(self, app: ASGIApp, uid: int) -> None:
        self._app, self._uid = app, uid

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        scope[PEER] = self._uid
        await self._app(scope, receive, send)
