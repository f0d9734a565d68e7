"""Address of a service: a Unix socket, or a host and port with a token."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from echelon.client.places import default_socket, default_token_file
from echelon.errors import InputError

_PORTS = {"http": 80, "https": 443}

_FORMS = "expected unix:///PATH, the path of a socket, or http://HOST:PORT"


class Address(NamedTuple):
    """Where a service listens.

    Attributes
    ----------
    socket : str
        Path of its Unix socket; empty: it listens on TCP.
    host : str
        Name or number of its host.
    port : int
        1 to 65535.
    is_secure : bool
        Whether TLS is spoken there, by a proxy.
    prefix : str
        Path before ``/v1``, where a proxy hands the service only a part of its paths; without a slash at its
        end.
    """

    socket: str = ""
    host: str = "localhost"
    port: int = 80
    is_secure: bool = False
    prefix: str = ""

    def __str__(self) -> str:
        """Return the address as a user gives it."""
        if self.socket:
            return f"unix://{self.socket}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.is_secure else 'http'}://{host}:{self.port}{self.prefix}"


def address_of(given: str | None = None) -> Address:
    """Return the address of a service.

    Parameters
    ----------
    given : str, optional
        ``unix:///PATH``, the path of a socket, or ``http://HOST:PORT`` (``https`` behind a proxy). Default:
        ``$ECHELON_SERVICE``, else the socket of a service without a configuration.

    Raises
    ------
    InputError
        If it is none of these.
    """
    field = "address" if given else "ECHELON_SERVICE"
    text = given or os.environ.get("ECHELON_SERVICE") or str(default_socket())
    scheme, separator, rest = text.partition("://")
    if not separator:
        host, colon, port = text.rpartition(":")
        if colon and port.isdecimal() and "/" not in host:
            raise InputError(f"got {text!r:.200}; write http://{text[:200]} for a host and port", field=field)
        return Address(socket=os.path.abspath(Path(text).expanduser()))  # noqa: PTH100  (keeps links)
    if scheme == "unix" and rest.startswith("/"):
        return Address(socket=rest)
    if scheme not in _PORTS:
        raise InputError(f"got {text!r:.200}, {_FORMS}", field=field)
    try:
        parts = urlsplit(text)
        port_number = parts.port or _PORTS[scheme]
    except ValueError as error:
        raise InputError(f"got {text!r:.200}, {_FORMS}: {error}", field=field) from error
    if not parts.hostname or parts.query or parts.fragment or parts.username is not None:
        raise InputError(f"got {text!r:.200}, {_FORMS}", field=field)
    return Address("", parts.hostname, port_number, scheme == "https", parts.path.rstrip("/"))


def token_of(token: str | None = None) -> str:
    """Return the token of the user for services on TCP; empty if there is none.

    Parameters
    ----------
    token : str, optional
        The token. Default: ``$ECHELON_TOKEN``, else the first line of the file `default_token_file`.

    Raises
    ------
    InputError
        If it has other characters than a token has, or its file is one that others may read.
    """
    if text := token or os.environ.get("ECHELON_TOKEN"):
        return _check_token(text, "token" if token else "ECHELON_TOKEN")
    file = default_token_file()
    try:
        if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise InputError(f"may be read by others; forbid it: chmod 600 {file}", file=str(file))
        return _check_token(file.read_text(encoding="utf-8"), str(file))
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the token in it cannot be read: {error}", file=str(file)) from error


def _check_token(text: str, where: str) -> str:
    """Return a token that can stand in a header; the message of the error does not show it."""
    token = text.strip()
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise InputError("is not a token: it has blanks or characters beyond ASCII", field=where)
    return token
