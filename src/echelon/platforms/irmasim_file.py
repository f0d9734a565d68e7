"""IRMASim's platform files, read as they are: a platform, its libraries of types, or the options of a run.

A node's memory is in GB, clocks are in GHz, bandwidth to memory is in GB/s, `comm_bw` in B/s. Source: the
files and their reader in the repository irmasim/IRMaSim, and the thesis' additions to them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import count as count_from
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.model import Platform, Site
from echelon.model.machines.hardware import MOST_CORES, Cluster, Hardware
from echelon.model.machines.site_path import as_component
from echelon.platforms.files.fields import text, whole
from echelon.platforms.files.mistakes import format_got
from echelon.platforms.files.text_file import read_json, refuse_depth
from echelon.platforms.irmasim_parts import IrmasimTypes
from echelon.platforms.sections.parts import expand_groups, fits, make_part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.platforms.files.table import Table
    from echelon.platforms.sections.parts import Groups

GROUPS = {
    "platform": "platforms.json",
    "network": "network_types.json",
    "node": "node_types.json",
    "processor": "processor_types.json",
}
"""What a file defines, and the file of a library that holds nothing else."""

MODELS = ("modelV1", "modelV1_1", "modelV2")
"""Models of execution that a platform may name; its types say which curves there are."""

_ID = text("id")
_NUMBER = whole("number", MOST_CORES)
_EXPECTED = "a platform of IRMASim, an object with platform, node and processor"
_LOOKED_UP = ("platform_name", "platform_file", "platform_library_path")


def read_irmasim_platform(path: str | Path, name: str | None = None) -> Platform:
    """Return a platform that files of IRMASim describe.

    Parameters
    ----------
    path : str or Path
        A platform file, an object with ``platform``, ``node`` and ``processor``; or the options of a run,
        which name the platform, its file and the folder of its library; or a ``platforms.json``. Types are
        also looked for in the files of a library beside it, ``node_types.json`` and ``processor_types.json``;
        its own come first.
    name : str, optional
        Which platform of the file; needed where there are several and no options to choose.

    Returns
    -------
    Platform
        One site with its nodes, figures in base units. Its source says what was read and is not used.

    Raises
    ------
    UnknownNameError
        If the file has no platform of that name.
    InputError
        If a file cannot be read or is no JSON, or for all that is wrong, each with its path: types and
        figures that are missing, of the wrong kind, not finite or out of range.
    """
    files = _Files(str(path))
    with refuse_depth(str(path)):
        files.read(Path(path))
        called = files.choice(name)
        platform = None if called is None else _platform(files, called)
    sentences = files.sentences()
    if platform is None or sentences:
        raise InputError("; ".join(sentences), file=files.shown)
    return platform


@dataclass
class _Files:
    """What the files say: of each group the definitions by name, where the last one read counts."""

    shown: str
    groups: dict[str, dict[str, Table]] = field(default_factory=lambda: {group: {} for group in GROUPS})
    files: list[tuple[str, Table]] = field(default_factory=list)
    default_name: str | None = None

    def read(self, path: Path) -> None:
        """Read the file that the user named, and what it needs."""
        first = self._table(path, self.shown)
        if not any(key in first for key in _LOOKED_UP):
            self._libraries(path.parent, but=path)
            self._add(first, path)
            return
        self._follow(first, path.parent)

    def choice(self, name: str | None) -> str | None:
        """Return the platform's name: the one asked for, else the options', else the only one."""
        platforms, name = self.groups["platform"], name or self.default_name
        if name is not None and name not in platforms:
            raise UnknownNameError(f"platform in {self.shown}", name, platforms)
        if name is None and len(platforms) != 1:
            several = f"defines {', '.join(platforms)}: choose one as {self.shown}:NAME"
            self._note(several if platforms else f"defines no platform, expected {_EXPECTED}")
            return None
        return name or next(iter(platforms))

    def sentences(self) -> list[str]:
        """Return what is wrong, file by file, the user's first."""
        return [
            sentence if shown == self.shown else f"in {shown}: {sentence}"
            for shown, file in self.files
            for sentence in file.mistakes.sentences()
        ]

    def _note(self, problem: str) -> None:
        self.files[0][1].note(problem)

    def _table(self, path: Path, shown: str) -> Table:
        table = read_json(path, shown, expected=_EXPECTED)
        self.files.append((shown, table))
        return table

    def _follow(self, options: Table, folder: Path) -> None:
        """Read what the options of a run name: a library first, then the platform's file."""
        values = options.values([text(key) for key in _LOOKED_UP])
        self.default_name = values.get("platform_name")
        library = folder / values.get("platform_library_path", "")
        if not library.is_dir():
            options.note(f"got {values['platform_library_path']!r}, no such folder", "platform_library_path")
        self._libraries(library, but=None)
        if "platform_file" in values:
            path = folder / values["platform_file"]
            table = self._table(path, values["platform_file"])
            if any(key in table for key in _LOOKED_UP):
                problem = f"{values['platform_file']} has options again, expected {_EXPECTED}"
                options.note(problem, "platform_file")
            else:
                self._add(table, path)

    def _libraries(self, folder: Path, *, but: Path | None) -> None:
        """Read the files of a library that are in a folder."""
        for file in GROUPS.values():
            path = folder / file
            if path.is_file() and path != but:
                self._add(self._table(path, file), path)

    def _add(self, file: Table, path: Path) -> None:
        """Take the definitions of a file; one of a library is all of one group."""
        alone = next((group for group, name in GROUPS.items() if name == path.name), None)
        if alone is not None and not any(isinstance(file.content.get(group), dict) for group in GROUPS):
            self._define(alone, file)
            return
        file.refuse_unknown((*GROUPS, *(key for key in file.content if key.startswith("_"))))
        for group in GROUPS:
            below = file.below(group, f"an object, each {group} by its name")
            if below is not None:
                self._define(group, below)

    def _define(self, group: str, definitions: Table) -> None:
        for key in definitions.content:
            # Libraries explain their keys under _doc.
            below = None if key.startswith("_") else definitions.below(key, f"an object, a {group}")
            if below is not None:
                self.groups[group][key] = below


def _platform(files: _Files, called: str) -> Platform | None:
    """Return the platform of a name; None if something is wrong with it, which is noted."""
    table = files.groups["platform"][called]
    types = IrmasimTypes(files.groups["node"], files.groups["processor"])
    model = _model(table)
    clusters = _clusters(table, types)
    types.leave(table, "platform", {"model_name", "clusters"})
    if clusters is None or files.sentences():
        return None
    title = called if called.strip() else "platform"
    left = f"; ignored: {', '.join(sorted(types.unused))}" if types.unused else ""
    source = f"IRMASim platform {called!r} of {Path(files.shown).name}{model}{left}"
    hardware = make_part(table, Hardware, {"clusters": clusters, "name": title, "source": source})
    if hardware is None:
        return None
    return Platform((Site(as_component(title), hardware),), title, source)


def _model(table: Table) -> str:
    """Return the model of execution that a platform names, in brackets; what is none is noted."""
    if "model_name" not in table:
        return ""
    model = table.content["model_name"]
    if model not in MODELS:
        table.note(f"{format_got(model)}, expected one of {', '.join(MODELS)}", "model_name")
    return f" ({model})"


def _clusters(table: Table, types: IrmasimTypes) -> tuple[Cluster, ...] | None:
    """Return the clusters of a platform, each as often as it is numbered; None if something is wrong."""
    listed = table.list_tables("clusters", "a list of clusters, each with its nodes", alone=False)
    parts = [_cluster(one, types) for one in listed]
    clusters = [one for one in parts if one is not None]
    cores = sum(sum(node.cores * n for node, n in nodes) * count for _, nodes, count in clusters)
    if not parts or len(clusters) < len(parts) or not fits(table, cores, "clusters"):
        return None
    names = _tell_apart([name for name, _, count in clusters for _ in range(count)])
    nodes = [expand_groups(nodes) for _, nodes, count in clusters for _ in range(count)]
    return tuple(Cluster(one, name) for one, name in zip(nodes, names, strict=True))


def _cluster(table: Table, types: IrmasimTypes) -> tuple[str | None, Groups, int] | None:
    """Return a cluster's name, if it has one, its nodes, and how many such clusters there are."""
    before = len(table.mistakes)
    called, count = table.value(_ID), table.value(_NUMBER) if _NUMBER.key in table else 1
    nodes = types.groups(table, "nodes")
    types.leave(table, "cluster", {"nodes", "number"})
    return None if nodes is None or len(table.mistakes) > before else (called, nodes, count)


def _tell_apart(names: Iterable[str | None]) -> list[str]:
    """Return names of clusters: those that several have are numbered, none is ``cluster`` and its place."""
    cluster_names = [name or f"cluster{place}" for place, name in enumerate(names)]
    several = {name: count_from(0) for name, times in Counter(cluster_names).items() if times > 1}
    return [f"{name}{next(several[name])}" if name in several else name for name in cluster_names]
