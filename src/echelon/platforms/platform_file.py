"""Platform file: the sites of a grid in TOML, down to the core where it is known.

::

    name = "two sites"
    source = "made up"

    [processor_type.thin]
    cores = 24
    clock = "2.4 GHz"

    [[site]]
    name = "small"
    processors = 64

    [[site]]
    name = "large"

    [[site.node]]
    count = 16
    memory = "256 GB"
    processor = { type = "thin", count = 2 }

or, where nodes belong to someone, down to the node::

    [[site]]
    name = "lab"
    link = "1 Gbit/s"
    contract = { mpl = 4, memory = 0.65 }

    [[site.node]]
    count = 16
    memory = "1 GB"
    bandwidth = "1 Gbit/s"

or of time-shared machines, where every job starts at once::

    [[site]]
    name = "old"
    processors = 1
    queue = "none"
    speed = 0.5
    count = 5

Sites of all these kinds may stand in one file, and their names may be paths in a tree::

    [[site]]
    name = "spain/uab/cluster-1"
    processors = 64

    [[group]]
    path = "spain/uab"
    broker = "mct"
    refresh = "60 s"
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.model import Platform, Power, Site
from echelon.model.machines.capacity import MOST_PROCESSORS
from echelon.model.machines.site_path import as_component
from echelon.platforms.files.fields import number, text, whole
from echelon.platforms.files.mistakes import format_got
from echelon.platforms.files.text_file import read_json, refuse_depth
from echelon.platforms.files.toml_file import TomlFile
from echelon.platforms.sections.group_tables import GROUP, inner_sites
from echelon.platforms.sections.immediate_tables import immediate_sites, is_immediate
from echelon.platforms.sections.machine_tables import MACHINE_KEYS, is_machine, machine
from echelon.platforms.sections.shared_tables import SHARED_KEYS, is_shared, shared_cluster, shared_sites
from echelon.platforms.sections.site_names import NAME, POLICY, WEIGHT, inner_paths, refuse_nested, site_name
from echelon.platforms.sections.type_library import TYPE_KEYS, TypeLibrary

if TYPE_CHECKING:
    from echelon.model import Hardware, InnerSite
    from echelon.platforms.files.table import Table

_HEAD = ("name", "source", "library")
_SIZE = whole("processors", MOST_PROCESSORS)
_POWER = tuple(
    number(field.name, above=0) if field.name == "efficiency" else number(field.name, least=0)
    for field in fields(Power)
)


def read_platform_file(path: str | Path) -> Platform:
    """Return the platform that a TOML file describes.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8: ``[[site]]`` tables with `name`, which may be a path, and either `processors` or
        the ``[[site.cluster]]`` or ``[[site.node]]`` tables of its nodes, each with a ``[site.power]`` of the
        fields of `echelon.model.Power` if wanted. A file of one site may have its ``[[cluster]]`` or
        ``[[node]]`` tables at the top. A site with a ``[site.contract]`` is one of shared nodes, whose
        ``[[site.node]]`` tables have the fields of `echelon.model.Workstation`; it may have `link`,
        `link_traffic` and `software`, and a `count` if there are several alike. A site with ``queue =
        "none"`` starts every job at once; it has `processors`, and may have a `speed` and a `count`. A
        ``[[group]]`` table has the fields of `echelon.model.InnerSite`, for the inner site at its `path`. At
        the top also `name` (default: the file's own), `source`, types of parts, and `library`, one or more
        files with types.

    Raises
    ------
    InputError
        If the file cannot be read, is not TOML, or says something it may not: all such errors together,
        each with its line, its site, the value got and what is expected, and for an unknown key the nearest.
    """
    with refuse_depth(str(path)):
        file = TomlFile.read(Path(path), shown=str(path))
        for library in file.registry.values():
            library.top.refuse_unknown((*_HEAD, "site", GROUP, *MACHINE_KEYS, *SHARED_KEYS, *TYPE_KEYS))
        platform = platform_of(file.top, file.types, Path(path).stem)
    if platform is None or file.sentences():
        raise InputError("; ".join(file.sentences()), file=str(path))
    return platform


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
    expected = "a platform, an object with a list of sites, or one of IRMASim"
    with refuse_depth(str(path)):
        top = read_json(Path(path), str(path), expected=expected)
        key = next((key for key in ("site", "sites") if key in top), None)
        if key is None:
            return None
        content = {name: value for name, value in top.content.items() if name not in (key, "processors")}
        content["site"] = drop_sizes(top.content[key])
        return build_platform(replace(top, content=content), Path(path).stem, file=str(path))


def drop_sizes(sites: object) -> object:
    """Return the sites of a list, without their processors where their nodes say how many."""
    if not isinstance(sites, list):
        return sites
    sized = [isinstance(site, dict) and ("cluster" in site or "contract" in site) for site in sites]
    return [
        {key: value for key, value in site.items() if key != "processors"} if is_sized else site
        for site, is_sized in zip(sites, sized, strict=True)
    ]


def build_platform(
    top: Table, otherwise: str, *, file: str | None = None, field: str | None = None
) -> Platform:
    """Return the platform that a table without libraries describes, or raise all that is wrong with it."""
    platform = platform_of(top, TypeLibrary(top, ()), otherwise)
    if platform is None:
        raise InputError("; ".join(top.mistakes.sentences()), file=file, field=field)
    return platform


def platform_of(top: Table, types: TypeLibrary, otherwise: str) -> Platform | None:
    """Return the platform that a table describes; None if something is wrong, which is noted."""
    alone = is_machine(top) and "site" not in top
    own = ("node", *SHARED_KEYS) if is_shared(top) else MACHINE_KEYS
    top.refuse_unknown((*_HEAD, *(own if alone else ("site", GROUP)), *TYPE_KEYS))
    called, source = _text_at(top, "name", otherwise), _text_at(top, "source", "")
    sites = [_alone(top, types, called, source)] if alone else _sites(top, types, source)
    inner = [] if alone else _inner(top)
    types.check()
    if len(top.mistakes) or None in sites or not sites:
        return None
    return Platform(tuple(filter(None, sites)), called, source, tuple(inner))


def _text_at(top: Table, key: str, otherwise: str) -> str:
    entry: str | None = top.value(text(key))
    return otherwise if entry is None else entry


def _alone(top: Table, types: TypeLibrary, called: str, source: str) -> Site | None:
    """Return the only site of a file whose nodes stand at its top."""
    called = called if called.strip() else "site"
    site = as_component(called)
    if is_shared(top):
        shared = shared_cluster(top, types)
        return Site(site, shared) if shared else None
    hardware = machine(top, types, called=called, source=source)
    return Site(site, hardware) if hardware else None


def _inner(top: Table) -> list[InnerSite]:
    """Return what is said about inner sites, which the names of the sites span."""
    tables = top.content.get("site")
    tables = [one for one in tables if isinstance(one, dict)] if isinstance(tables, list) else []
    return inner_sites(top, inner_paths(table.get(NAME.key) for table in tables))


def _sites(top: Table, types: TypeLibrary, source: str) -> list[Site | None]:
    """Return the sites, None for those that are wrong, and note what is wrong with all together."""
    expected = "at least one [[site]] table with name and processors"
    tables = top.content.get("site")
    if not isinstance(tables, list) or not tables:
        top.list_tables("site", expected, alone=False)
        return []
    _refuse_twins(top, tables)
    listed = top.list_tables("site", "a [[site]] table with name and processors")
    sites_of_tables = [(table, _described_sites(table, types, source)) for table in listed]
    sites = [site for _, of_table in sites_of_tables for site in of_table]
    total = sum(site.processors for site in sites if site)
    if total > MOST_PROCESSORS:
        top.note(f"all sites together have {total} processors, expected at most {MOST_PROCESSORS}")
    _refuse_counted_twins(top, sites)
    refuse_nested(sites_of_tables)
    return sites


def _refuse_counted_twins(top: Table, sites: list[Site | None]) -> None:
    """Note the first name that counted sites have twice; the names in the file itself differ."""
    counted = Counter(site.name for site in sites if site)
    twice = [called for called, count in counted.items() if count > 1]
    if twice and not len(top.mistakes):
        top.note(f"names two sites {twice[0]!r} by counting, expected other names", "site")


def _described_sites(table: Table, types: TypeLibrary, source: str) -> list[Site | None]:
    """Return the sites of a table with the weight and the policy that it says; see `_sites_of`."""
    settings = table.values((WEIGHT,) if is_immediate(table) else (WEIGHT, POLICY))
    sites = _sites_of(table, types, source)
    if not settings:
        return sites
    places = {key: place for key in settings if (place := table.where(key))}
    return [site and replace(site, **settings, places=places) for site in sites]


def _sites_of(table: Table, types: TypeLibrary, source: str) -> list[Site | None]:
    """Return the sites of a table, several only if it may have a count; None if something is wrong."""
    if not is_shared(table) and not is_immediate(table):
        return [_site(table, types, source)]
    before = len(table.mistakes)
    power = _power(table)
    if is_shared(table):
        table.refuse_unknown((NAME.key, "count", "power", "node", *SHARED_KEYS, WEIGHT.key, POLICY.key))
        sites = shared_sites(table, types, power)
    else:
        sites = immediate_sites(table, power)
    return [None] if sites is None or len(table.mistakes) > before else list(sites)


def _site(table: Table, types: TypeLibrary, source: str) -> Site | None:
    """Return a site, or None if something is wrong with it."""
    before = len(table.mistakes)
    table.refuse_unknown((NAME.key, _SIZE.key, "power", *MACHINE_KEYS, WEIGHT.key, POLICY.key))
    called = site_name(table)
    hardware = _hardware(table, types, called or "", source) if is_machine(table) else None
    if "topology" in table and not is_machine(table):
        table.note("got a topology, but the site has no nodes", "topology")
    resource = hardware if is_machine(table) else table.require(_SIZE)
    power = _power(table)
    if len(table.mistakes) > before or resource is None:
        return None
    return Site(called, resource, power)


def _hardware(table: Table, types: TypeLibrary, called: str, source: str) -> Hardware | None:
    """Return the machine of a site, which must not say its processors too."""
    if _SIZE.key in table:
        table.note(
            "got both processors and nodes, whose cores are the processors: leave out one of the two",
            _SIZE.key,
        )
    return machine(table, types, called=called, source=source)


def _power(table: Table) -> Power | None:
    """Return what a site draws; None if it does not say, or something is wrong, which is noted."""
    below = table.below("power", "a [site.power] table")
    if below is None:
        return None
    before = len(table.mistakes)
    below.refuse_unknown(field.key for field in _POWER)
    values = below.values(_POWER, needed=True)
    return Power(**values) if len(table.mistakes) == before else None


def _refuse_twins(top: Table, tables: list[object]) -> None:
    """Note every site that has the name of one before it."""
    first: dict[str, int] = {}
    for k, table in enumerate(tables):
        called = table.get("name") if isinstance(table, dict) else None
        if isinstance(called, str) and first.setdefault(called, k) != k:
            line = top.mistakes.line(("site", first[called], "name"))
            where = f" (line {line})" if line else ""
            problem = (
                f"{format_got(called)}, as site {first[called] + 1}{where} is named, expected another name"
            )
            top.note(problem, "site", k, "name")
