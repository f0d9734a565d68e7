"""Rules of other installed packages, which declare them as entry points of a family's group."""

from __future__ import annotations

import sys
from functools import cache
from importlib.machinery import PathFinder
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.errors import InputError
from echelon.rules.spec import normalize

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint


_ABOUT = (".dist-info", ".egg-info", "egg-info")
"""How the folders end in which an installed package tells about itself."""

_OURS = b"[echelon."
"""How the groups of families begin in an ``entry_points.txt``."""


class Broken(NamedTuple):
    """A rule of another package that cannot be loaded, and why, in one sentence."""

    name: str
    problem: str


def _points(groups: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Return the entry points of some groups."""
    return _points_on(groups, tuple(sys.path)) if groups else ()


@cache
def _points_on(groups: tuple[str, ...], path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Return the same for one path of Python; its packages are scanned once."""
    if not _may_declare(path):
        return ()
    from importlib.metadata import entry_points

    return tuple(
        sorted((one for group in groups for one in entry_points(group=group)), key=attrgetter("name"))
    )


def _may_declare(path: tuple[str, ...]) -> bool:
    """Return whether a package may declare rules: hardly any does, and reading all takes long."""
    if any(hasattr(finder, "find_distributions") for finder in sys.meta_path if finder is not PathFinder):
        return True
    return any(_has_rules(Path(folder)) for folder in path)


def _has_rules(folder: Path) -> bool:
    """Return whether a package in this folder declares some; an archive may have such a package."""
    try:
        inside = list(folder.iterdir())
    except NotADirectoryError:
        return True
    except OSError:
        return False
    about = (path for path in inside if path.name.lower().endswith(_ABOUT))
    return any(_OURS in _content(path / "entry_points.txt") for path in about)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def names(groups: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that other packages declare in these groups; they are not imported."""
    return tuple({normalize(point.name): point.name for point in _points(groups)}.values())


def load(groups: tuple[str, ...], name: str, kind: str) -> Any | None:  # noqa: ANN401  (whatever a package declares)
    """Return the rule that another package declares under `name`, or None.

    Parameters
    ----------
    groups : tuple of str
        Groups of the family: ``("echelon.orders",)``.
    name : str
        As typed; capitals and underscores are accepted.
    kind : str
        Kind of the family, for messages: ``"order"``.

    Raises
    ------
    InputError
        If two packages declare the name, or the rule cannot be imported.
    """
    points = [point for point in _points(groups) if normalize(point.name) == normalize(name)]
    if not points:
        return None
    packages = sorted({_package(point) for point in points})
    if len(packages) > 1:
        raise InputError(
            f"is declared by {len(packages)} installed packages, {' and '.join(packages)}; uninstall one",
            field=f"{kind} {name}",
        )
    try:
        return points[0].load()
    except (Exception, SystemExit) as error:
        raise InputError(
            f"cannot be loaded from the package {packages[0]} ({points[0].value}): "
            f"{type(error).__name__}: {error}",
            field=f"{kind} {name}",
        ) from error


def load_all(groups: tuple[str, ...], kind: str) -> Iterator[tuple[str, object | Broken]]:
    """Yield the name of each rule that other packages declare, with the rule or the reason of its failure."""
    for name in names(groups):
        try:
            yield name, load(groups, name, kind)
        except InputError as error:
            yield name, Broken(name, str(error))


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value
