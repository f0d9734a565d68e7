"""Paths of sites in the tree of a platform: ``spain/uab/cluster-1``."""

from __future__ import annotations

from echelon.errors import InputError

MOST_DEPTH = 8
"""The largest number of components of a path: below the root, so many levels."""

RESERVED = frozenset("@=:(),")
"""Characters that end a path, or begin one, in the text of a setting by path: ``mct:of=job@spain/uab=ml``."""

ROOT = ""
"""The path of the root of every tree."""


def check_path(path: object, field: str) -> None:
    """Refuse what is no path of a site below the root.

    Raises
    ------
    InputError
        If it is not a text, if it or a component of it is empty or blank, if there are more than `MOST_DEPTH`
        components, or if one of several could not be recognized in a text such as ``mct@spain/uab=ml``.
    """
    if not isinstance(path, str) or not path.strip():
        raise InputError(f"must be a name, got {path!r}", field=field)
    if problem := path_problem(path):
        raise InputError(f"{problem}, got {path!r:.60}", field=field)


def path_problem(path: str) -> str | None:
    """Return what is wrong with the components of a path, which are separated by "/"; None if nothing is."""
    components = path.split("/")
    if not all(component.strip() for component in components):
        return 'must have a name before and after each "/"'
    if len(components) > MOST_DEPTH:
        return f"must have at most {MOST_DEPTH} components, has {len(components)}"
    if not is_readable_in_spec(path):
        return f"must have none of {' '.join(sorted(RESERVED))} in its components, and none that is *"
    return None


def is_readable_in_spec(path: str) -> bool:
    """Return whether a text such as ``mct:of=job@PATH=ml`` tells where a path of several components ends."""
    components = path.split("/")
    return len(components) == 1 or ("*" not in components and RESERVED.isdisjoint(path))


def as_component(name: str) -> str:
    """Return a name, such as that of a whole platform, as one component of a path: without "/"."""
    return name.replace("/", "-")


def last_component(path: str) -> str:
    """Return the name that a site has among those of its inner site."""
    return path.rpartition("/")[2]


def above(path: str) -> list[str]:
    """Return the paths of the inner sites around a site, from the root on.

    Examples
    --------
    >>> above("spain/uab/cluster-1"), above("cluster-1")
    (['', 'spain', 'spain/uab'], [''])
    """
    components = path.split("/")[:-1]
    return [ROOT, *("/".join(components[:depth]) for depth in range(1, len(components) + 1))]
