"""A platform as a platform file."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Platform, Site

_ESCAPED = re.compile(r'[\x00-\x1f"\\\x7f]')


def write_platform(platform: Platform, path: str | Path) -> Path:
    """Write a platform as a TOML file that `echelon.read_platform` reads back as the same platform.

    Parameters
    ----------
    platform : Platform
        Any.
    path : str or Path
        The file, replaced if it is there; to be read by its name it must end in ``.toml``.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        If it can not be written, or a name is no text that UTF-8 can hold.
    """
    try:
        content = platform_text(platform).encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"can not be written in UTF-8: {error.object!r:.80}", field=f"platform {platform.name!r}"
        ) from error
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise InputError(f"can not be written: {error.strerror}", file=str(path)) from error
    return Path(path)


def as_mapping(platform: Platform) -> dict[str, Any]:
    """Return a platform as plain values for JSON: name, source and sites; what is unknown is left out."""
    sites = [
        {key: value for key, value in asdict(site).items() if value is not None} for site in platform.sites
    ]
    return {"name": platform.name, "source": platform.source, "sites": sites}


def platform_text(platform: Platform) -> str:
    """Return a platform as the text of its file, the smallest site first."""
    head = [f"name = {_quoted(platform.name)}"]
    if platform.source:
        head.append(f"source = {_quoted(platform.source)}")
    tables = ["\n".join(_site(site)) for site in platform.sites]
    return "\n\n".join(("\n".join(head), *tables)) + "\n"


def _site(site: Site) -> Iterator[str]:
    yield "[[site]]"
    yield f"name = {_quoted(site.name)}"
    yield f"processors = {site.processors}"
    if site.power is not None:
        yield "[site.power]"
        yield from (f"{key} = {float(draw)!r}" for key, draw in asdict(site.power).items())


def _quoted(text: str) -> str:
    return '"' + _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + '"'
