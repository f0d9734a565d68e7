"""A platform file in JSON: the same keys as in TOML, as ``echelon platforms NAME --json`` prints them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.platforms.files.json_file import read_json
from echelon.platforms.files.text_file import refusing_depth
from echelon.platforms.platform_file import platform_of
from echelon.platforms.sections.type_library import TypeLibrary

if TYPE_CHECKING:
    from echelon.model import Platform

_EXPECTED = "a platform, an object with a list of sites, or one of IRMASim"


def read_platform_json(path: str | Path) -> Platform | None:
    """Return the platform that a JSON file describes in our keys, or None if it has no list of sites.

    Parameters
    ----------
    path : str or Path
        An object with the keys of a platform file in TOML, whose ``site`` may be called ``sites``; each site
        may say its processors beside its nodes, as `echelon platforms` prints it.

    Raises
    ------
    InputError
        If the file cannot be read or is no JSON, or says something it may not: all that, each with its path.
    """
    from echelon.platforms.serialization import without_size

    with refusing_depth(str(path)):
        top = read_json(Path(path), str(path), expected=_EXPECTED)
        key = next((key for key in ("site", "sites") if key in top), None)
        if key is None:
            return None
        content = {name: value for name, value in top.content.items() if name not in (key, "processors")}
        sites = top.content[key]
        content["site"] = list(map(without_size, sites)) if isinstance(sites, list) else sites
        top = replace(top, content=content)
        platform = platform_of(top, TypeLibrary(top, ()), Path(path).stem)
    if platform is None:
        raise InputError("; ".join(top.mistakes.sentences()), file=str(path))
    return platform
