"""Registry: back ends by the name of their kind, built in or of other packages."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, TypeAlias

from echelon.errors import InputError, UnknownNameError
from echelon.rules import entry_points

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from echelon.backends.contract import Backend

    Maker: TypeAlias = Callable[[str, Mapping[str, object], Path], Backend]

_PARTS = ("describe", "submit", "look", "evidence", "cancel", "revoke", "close")

GROUP = "echelon.backends"
"""The group of entry points by which other packages declare back ends."""

BUILT_IN = {
    "process": "echelon.backends.process.backend:make",
    "slurm": "echelon.backends.slurm.backend:SlurmBackend",
    "simulated": "echelon.backends.simulated.backend:make",
}
"""What makes each built-in kind: module and name."""


def backend_of(kind: str, name: str, settings: Mapping[str, object], state: Path) -> Backend:
    """Return the back end of a cluster.

    Parameters
    ----------
    kind : str
        ``"process"``, ``"slurm"``, ``"simulated"``, or a name that an installed package declares as an entry
        point of the group ``echelon.backends``: a callable ``(name, settings, state) -> Backend``.
    name : str
        Name of the cluster.
    settings : mapping of str to object
        What the configuration says of it, without what the service reads itself.
    state : Path
        The service's own directory, where a back end may keep what it has to.

    Raises
    ------
    UnknownNameError
        If there is no such kind, or no such setting; the nearest name is suggested.
    InputError
        If a setting is not what it must be, or another package's back end cannot be loaded or made.
    """
    backend = _maker(kind, name)(name, settings, state)
    if missing := [part for part in _PARTS if not hasattr(backend, part)]:
        raise InputError(
            f"makes {type(backend).__name__}, which has no {missing[0]}()", field=f"back end {kind}"
        )
    return backend


def _maker(kind: str, cluster: str) -> Maker:
    if kind in BUILT_IN:
        maker: Maker = resolve_name(BUILT_IN[kind])
        return maker
    entry = entry_points.load((GROUP,), kind, "back end")
    if entry is None:
        raise UnknownNameError("back end", kind, kinds(), where=f"cluster {cluster!r}")
    if not callable(entry):
        raise InputError(f"is {entry!r:.60}, expected what makes a back end", field=f"back end {kind}")
    declared: Maker = entry
    return declared


def kinds() -> list[str]:
    """Return the names of all kinds of back ends, those of other packages included; none is imported."""
    return sorted({*BUILT_IN, *entry_points.names((GROUP,))})
