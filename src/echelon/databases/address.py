"""Addresses of databases: files and servers, shown without passwords."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from echelon.errors import InputError, UnknownNameError

KINDS = ("sqlite", "postgresql", "postgres", "postgresql+psycopg")
"""What may stand before ``://``."""

EXPECTED = "a file, sqlite:///FILE or postgresql://USER@HOST/DATABASE"


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a database.

    Parameters
    ----------
    url : URL
        As SQLAlchemy has it.
    shown : str
        For people: without password and options.
    """

    url: URL
    shown: str

    @classmethod
    def of(cls, location: str | Path, *, field: str) -> Address:
        """Return the address in `location`: a file, or a URL; `field` is the setting that has them.

        Raises
        ------
        InputError
            If they are not an address, or the file cannot be created there.
        UnknownNameError
            If the URL is of another kind of database.
        """
        if not isinstance(location, str | Path):
            raise InputError(f"must be {EXPECTED}, got {location!r:.80}", field=field)
        text = str(location).strip()
        if not text:
            raise InputError(f"must be {EXPECTED}, got an empty address", field=field)
        if isinstance(location, Path) or "://" not in text:
            return cls._of_file(text)
        kind = text.split("://", 1)[0].lower()
        if kind not in KINDS:
            raise UnknownNameError("kind of database", kind, ("sqlite", "postgresql"))
        url = _parse_url(text, kind, field)
        if kind == "sqlite":
            return cls(url, "a database in memory") if _in_memory(url) else cls._of_file(str(url.database))
        shown = URL.create("postgresql", url.username, None, url.host, url.port, url.database)
        return cls(url.set(drivername="postgresql+psycopg"), shown.render_as_string())

    @classmethod
    def _of_file(cls, name: str) -> Address:
        file = Path(name).expanduser()
        if file.is_dir():
            raise InputError("is a folder, expected a file", file=name)
        if not file.parent.is_dir():
            raise InputError(f"cannot be created: there is no folder {str(file.parent)!r}", file=name)
        return cls(URL.create("sqlite", database=str(file)), name)

    @property
    def is_server(self) -> bool:
        """Whether it is a server's."""
        return self.url.get_backend_name() == "postgresql"

    @property
    def file(self) -> Path | None:
        """The file; None of a server or a database in memory."""
        return None if self.is_server or _in_memory(self.url) else Path(str(self.url.database))

    def without_secrets(self, message: str) -> str:
        """Return the message of a database in one line, without any password of this address."""
        line = " ".join(message.split())
        query = (self.url.query.get(name, ()) for name in ("password", "sslpassword"))
        options = (value for got in query for value in ((got,) if isinstance(got, str) else got))
        for secret in filter(None, (str(self.url.password or ""), *options)):
            line = line.replace(secret, "***")
        return line


def _in_memory(url: URL) -> bool:
    return url.database in {None, "", ":memory:"}


def _parse_url(text: str, kind: str, field: str) -> URL:
    """Return the URL; an invalid one is not shown, since it may contain a password."""
    try:
        url = make_url(text).set(drivername=kind)
    except (ArgumentError, ValueError):
        raise InputError(f"cannot be read as an address, expected {EXPECTED}", field=field) from None
    if kind == "sqlite" and (url.host or url.username):
        raise InputError("has two slashes; write three before a file: sqlite:///FILE", field=field)
    if kind == "sqlite" and url.query:
        raise InputError("has options after a question mark; a file takes none", field=field)
    if "@" in (url.host or ""):
        raise InputError("has more than one @; write an @ in a user's name or password as %40", field=field)
    return url
