"""The words people type for local users, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.model.local_use import LocalUsers, Nobody
from echelon.user_file import is_in_file
from echelon.words import Words, arguments
from echelon.workloads.local_users.own import own_users
from echelon.workloads.local_users.owners import Owners
from echelon.workloads.local_users.profile import ALIASES, PROFILES
from echelon.workloads.local_users.trace import read_local_trace

if TYPE_CHECKING:
    from collections.abc import Mapping

_BY_NAME = {profile.name: profile for profile in PROFILES}
LOCAL_TRACES = (".csv", ".csv.gz", ".tsv")
"""Endings of files of recorded loads."""

LOCAL_USERS: tuple[str, ...] = ("none", *_BY_NAME)
"""All that are known by name."""


def local_users_named(words: str) -> LocalUsers:
    """Return the local users people mean by `words`.

    Parameters
    ----------
    words : str
        ``"none"``; a profile of `PROFILES`, with the parameters of `Owners` after colons,
        ``"xwin:share=0.5:spread=grouped:clusters=a b:period=60:burst=30"``; the file of a recorded trace,
        which ends in ``.csv``; or a user's own, ``"my.py:Students"``.

    Raises
    ------
    UnknownNameError
        If a word names nothing.
    InputError
        If a parameter is wrong, or a file cannot be read.
    """
    if words.strip().lower().endswith(LOCAL_TRACES):
        return read_local_trace(words.strip())
    parted = Words.parted(words, kind="local users")
    name, settings = ":".join(parted.names), dict(parted.settings)
    if is_in_file(name):
        return own_users(words.strip(), name, settings)
    name = ALIASES.get(name.lower(), name.lower())
    if name == "none":
        if settings:
            raise InputError(f"takes no parameters, got {', '.join(settings)}", field="local users none")
        return Nobody()
    if name not in _BY_NAME:
        raise UnknownNameError("profile of local users", name, LOCAL_USERS)
    return _owners(name, settings)


def local_users(given: str | Path | LocalUsers | None) -> LocalUsers:
    """Return `given` as local users: words, the file of a trace, local users themselves, or None for nobody.

    Raises
    ------
    UnknownNameError
        If words name nothing.
    InputError
        If it is none of these, or what it says is wrong.

    Examples
    --------
    >>> local_users("xwindows+internet : share=0.30").words
    'xwin-internet:share=0.3'
    """
    if given is None:
        return Nobody()
    if isinstance(given, str):
        return local_users_named(given)
    if isinstance(given, Path):
        return read_local_trace(given)
    if isinstance(given, LocalUsers) and not isinstance(given, type):
        return given
    raise InputError(f"must be words, a file or local users, got {given!r:.80}", field="local users")


def _owners(name: str, settings: Mapping[str, str]) -> Owners:
    if "profile" in settings:
        raise InputError(
            f"has its profile in its name, got profile={settings['profile']}", field=f"local users {name}"
        )
    return Owners(**{"profile": _BY_NAME[name], **arguments(Owners, name, settings)})
