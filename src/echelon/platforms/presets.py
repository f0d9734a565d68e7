"""What people type for a platform: a preset's name or a file's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model import Platform
from echelon.user_file import is_file

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn

PRESETS: tuple[str, ...] = (
    "grid1",
    "grid2",
    "grid3",
    "irmasim-a",
    "irmasim-b",
    "large-2000",
    "cisne-16",
    "cisne-16-dedicated",
    "cisne-555",
    "cisne-844",
    "cisne-888",
    "cisne-e4",
    "multicluster-50x200",
    "sinapad-rh",
    "sinapad-rbu",
    "sinapad-rbd",
    "sinapad-rbe",
    "sinapad-rau",
    "sinapad-rab",
    "sinapad-rad",
    "sinapad-rae",
)
"""Platforms that are known by name; each is a platform file in this package, which says its source."""

_FOLDER = Path(__file__).parent / "presets"


def platform_named(spec: str) -> Platform:
    """Return the platform people mean by `spec`.

    Parameters
    ----------
    spec : str
        A preset of `PRESETS`, in capitals or not; or the path of a platform file, which ends in ``.toml``; or
        of one of IRMASim, which ends in ``.json``, and ``.json:NAME`` chooses one of its platforms.

    Raises
    ------
    UnknownNameError
        If it is neither.
    InputError
        If the file is missing or wrong; see `read_platform_file` and `read_irmasim_platform`.
    """
    name = spec.strip().lower()
    from echelon.platforms.platform_file import read_platform_file

    if name in PRESETS:
        return read_platform_file(_FOLDER / f"{name}.toml")
    if name.endswith(".toml"):
        return read_platform_file(spec)
    path, suffix, chosen = spec.partition(".json:")
    if suffix or name.endswith(".json"):
        return _read_json(path + suffix[:-1], chosen or None)
    if is_file(spec):
        raise InputError("a platform file ends in .toml, or in .json if it is IRMASim's", file=spec)
    raise UnknownNameError("platform (a preset, or a file that ends in .toml or .json)", spec, PRESETS)


def _read_json(path: str | Path, chosen: str | None = None) -> Platform:
    from echelon.platforms.platform_file import read_platform_json

    platform_json = read_platform_json(path) if chosen is None else None
    from echelon.platforms.irmasim_file import read_irmasim_platform

    return read_irmasim_platform(path, chosen) if platform_json is None else platform_json


def read_platform(source: str | Path) -> Platform:
    """Read a platform: a preset, a TOML or JSON file of its sites, or a JSON file of IRMASim.

    Parameters
    ----------
    source : str or Path
        A preset's name, ``"grid1"``, in capitals or not; or the path of a platform file, which ends in
        ``.toml``, or in ``.json`` if it is in JSON or IRMASim's; ``"platform.json:NAME"`` chooses one of
        several. A Path is always a file's, in TOML unless it ends in ``.json``.

    Raises
    ------
    UnknownNameError
        If a text is no preset and no name of a platform file.
    InputError
        If the file is missing or wrong: all its errors at once, each with its line.

    Examples
    --------
    >>> import echelon as ec
    >>> ec.read_platform("grid3").sizes.tolist()
    [4, 4, 4, 4, 8, 8, 8, 16, 16, 32, 32]
    """
    from echelon.platforms.platform_file import read_platform_file

    if isinstance(source, Path):
        return (_read_json if source.suffix == ".json" else read_platform_file)(source)
    return platform_named(source)


def platform(source: str | Path | Platform | Sequence[int] | IntColumn) -> Platform:
    """Return `source` as a platform: a name, a file's path, a platform itself, or the sizes of its sites.

    Raises
    ------
    UnknownNameError
        If a name is that of no platform.
    InputError
        If it is none of these, or what it says is wrong.
    """
    if isinstance(source, Platform):
        return source
    if isinstance(source, str | Path):
        return read_platform(source)
    if isinstance(source, Sequence | np.ndarray):
        return Platform.of_sizes(source)
    raise InputError(
        f"must be a preset's name, a platform file, a Platform or a list of sizes, got {source!r:.80}",
        field="platform",
    )
