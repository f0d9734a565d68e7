"""A platform as a platform file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.platforms.serialization import to_dict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Platform

_BARE = re.compile(r"[A-Za-z0-9_-]+")
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
        If it cannot be written, or a name cannot be encoded in UTF-8.
    """
    try:
        content = platform_text(platform).encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"cannot be written in UTF-8: {error.object!r:.80}", field=f"platform {platform.name!r}"
        ) from error
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from error
    return Path(path)


def platform_text(platform: Platform) -> str:
    """Return a platform as the text of its file, sites in their order."""
    data = to_dict(platform)
    head = {key: data[key] for key in ("name", "source") if key == "name" or data[key]}
    tables = [_entries(head)]
    tables += [_type(name, table) for name, table in data.get("node_type", {}).items()]
    tables += [["[[group]]", *_entries(group)] for group in data.get("group", ())]
    tables += [_site(site) for site in data["sites"]]
    return "\n\n".join("\n".join(table) for table in tables) + "\n"


def _type(name: str, table: Mapping[str, Any]) -> list[str]:
    """Return the lines of a type of node, each group of its processors as a table of its own."""
    head = f"node_type.{name if _BARE.fullmatch(name) else _quote(name)}"
    lines = [f"[{head}]", *_entries({key: table[key] for key in table if key != "processor"})]
    for processor in table["processor"]:
        lines += [f"[[{head}.processor]]", *_entries(processor)]
    return lines


def _site(site: Mapping[str, Any]) -> list[str]:
    """Return the lines of a site; the nodes of one that has some say its processors."""
    sized: tuple[str, ...] = ("name", "processors", "queue", "speed")
    if "cluster" in site:
        sized = ("name", "topology", "link_bandwidth")
    elif "contract" in site:
        sized = ("name", "link", "link_traffic", "software", "contract")
    sized = (*sized, "ptt_weight", "policy")
    lines = ["[[site]]", *_entries({key: site[key] for key in sized if key in site})]
    if "power" in site:
        lines += ["[site.power]", *(f"{key} = {float(draw)!r}" for key, draw in site["power"].items())]
    for cluster in site.get("cluster", ()):
        lines += ["[[site.cluster]]", *_entries({"name": cluster["name"]})]
        for nodes in cluster["node"]:
            lines += ["[[site.cluster.node]]", *_entries(nodes)]
    for nodes in site.get("node", ()):
        lines += ["[[site.node]]", *_entries(nodes)]
    return lines


def _entries(values: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_inline(value)}" for key, value in values.items()]


def _inline(value: Any) -> str:  # noqa: ANN401  (a text, a number, or tables)
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(_entries(value))}}}"
    return repr(value)


def _quote(text: str) -> str:
    return '"' + _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + '"'
