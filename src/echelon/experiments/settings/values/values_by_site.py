"""Values by site: what a setting is in each inner site of a tree, named by its path.

``mct`` is one value for all; ``mct@spain/uab=ml`` is another one in the inner site ``spain/uab``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from echelon.errors import InputError

ROOT = ""
"""The path of the root, whose value also holds wherever else nothing is said."""

EVERY = "*"
"""Stands for the path of every inner site below the root."""

_AT = re.compile(r"@(?=[^@=:(),]*=)")
_PARTING = re.compile(r"[@=:(),]")


@dataclass(frozen=True)
class BySite:
    """The values of a setting by the paths of inner sites.

    Parameters
    ----------
    values : mapping of str to object
        By path; ``""`` is the root, ``"*"`` every inner site below it that is not named.
    """

    values: Mapping[str, Any]

    def at(self, path: str) -> Any:  # noqa: ANN401  (what the setting takes)
        """Return the value given for an inner site, None if none is."""
        return self.values.get(path, self.values.get(EVERY) if path else None)

    @property
    def usual(self) -> Any:  # noqa: ANN401  (as above)
        """The value of the root, which holds wherever else nothing is said; None if none is given."""
        return self.values.get(ROOT)


def as_by_site(value: object) -> BySite:
    """Return a value as one by site: of the root alone unless it is one."""
    if isinstance(value, BySite):
        return value
    return BySite({} if value is None else {ROOT: value})


def parts_of(spec: object, *, field: str | None = None) -> dict[str, Any]:
    """Return the parts of what was given by path: a text of several, a mapping, or one value of the root.

    Raises
    ------
    InputError
        If a path is named twice, a part is empty, or a path is not text.
    """
    if isinstance(spec, BySite):
        return dict(spec.values)
    if isinstance(spec, Mapping):
        if wrong := [path for path in spec if not isinstance(path, str)]:
            raise InputError(f"must name inner sites by their paths, got {wrong[0]!r:.60}", field=field)
        return dict(spec)
    if not isinstance(spec, str):
        return {ROOT: spec}
    usual, *others = _AT.split(spec)
    parts = {ROOT: usual} if usual.strip() or not others else {}
    for part in others:
        path, _, value = part.partition("=")
        if path.strip() in parts:
            twice = f"inner site {path.strip()!r}" if path.strip() else "the root"
            raise InputError(f"names {twice} twice, got {spec!r:.80}", field=field)
        if not value.strip():
            raise InputError(
                f"says nothing after {path.strip()!r}, got {spec!r:.80}, expected VALUE@PATH=VALUE",
                field=field,
            )
        parts[path.strip()] = value
    return parts


def read_by_site(spec: object, read: Callable[[Any], Any], field: str) -> Any:  # noqa: ANN401
    """Return what `read` makes of a value of the setting `field`, or of each part of one by site."""
    parts = {path: _read(part, read, field) for path, part in parts_of(spec, field=field).items()}
    return parts[ROOT] if parts.keys() == {ROOT} else BySite(parts)


def _read(part: object, read: Callable[[Any], Any], field: str) -> Any:  # noqa: ANN401
    """Return what `read` makes of one value; what is wrong names the setting."""
    try:
        return read(part)
    except InputError as error:
        if error.field is not None or error.file is not None:
            raise
        raise InputError(error.problem, field=field) from error


def format_by_site(values: Mapping[str, object]) -> str:
    """Return the text of values by path, ``mct@spain/uab=ml``, which `parts_of` reads back."""
    others = "".join(f"@{path}={part}" for path, part in values.items() if path != ROOT)
    return f"{values.get(ROOT, '')}{others}"


def check_paths(paths: Mapping[str, object]) -> None:
    """Refuse paths that cannot stand in a text.

    Raises
    ------
    InputError
        If one has a character that separates values.
    """
    if wrong := [path for path in paths if _PARTING.search(path)]:
        raise InputError(f"names {wrong[0]!r}, expected a path without any of @ = : ( ) and commas")
