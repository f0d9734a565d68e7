"""``echelon platforms``: grids and machines that are known by name, and the contents of a platform file."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.terminal import facts, grid, show, show_json
from echelon.quantities import figure, tally

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.model import Platform, Site


def _names() -> list[str]:
    """Return the names of the presets, for completion in shells."""
    from echelon.platforms import PRESETS

    return list(PRESETS)


_Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME|FILE]",
        help="Show the details of one platform, by name or file.",
        autocompletion=_names,
    ),
]

_POWER = ("site_idle", "board_idle", "core_idle", "core_working", "efficiency")


def platforms(name: _Name = None, *, json: options.Json = False) -> None:
    """List the grids and machines that are known by name, or show the sites and nodes of one or of a file."""
    from echelon.platforms import PRESETS, platform_named

    presets = [platform_named(spec) for spec in (PRESETS if name is None else [name])]
    if json:
        documents = [_as_json(platform) for platform in presets]
        show_json({"platforms": documents} if name is None else documents[0])
    elif name is None:
        _list(presets)
    else:
        _show(presets[0])


def _as_json(platform: "Platform") -> dict[str, Any]:
    from echelon.platforms.serialization import to_dict

    return {"processors": platform.processors, **to_dict(platform)}


def _list(platforms: "list[Platform]") -> None:
    rows = [
        (
            platform.name,
            f"{len(platform):,}",
            f"{platform.processors:,}",
            f"{platform.largest:,}",
            _nodes(platform),
        )
        for platform in platforms
    ]
    show(
        "Grids and machines that are known by name.",
        "Processors of a machine are its cores; of shared nodes, the tasks that they may hold:",
        grid(("name", "sites", "processors", "largest site", "nodes"), rows, numbers=(1, 2, 3, 4)),
        "Sources of their figures:",
        "",
        facts((platform.name, platform.source) for platform in platforms),
        "",
        "Details of one: echelon platforms NAME. Your own: a TOML file of [[site]] tables",
    )


def _nodes(platform: "Platform") -> str:
    nodes = sum(len(hardware.nodes) for hardware in platform.node_level.values())
    nodes += sum(map(len, platform.clusters))
    return f"{nodes:,}" if nodes else "–"


def _show(platform: "Platform") -> None:
    if platform.is_nested or platform.is_mixed or platform.inner:
        _show_tree(platform)
        return
    if platform.is_shared:
        _show_shared(platform)
        return
    powered = any(site.power for site in platform.sites)
    speeds = ["speed"] if platform.is_immediate else []
    heads = ["", "site", "processors", *speeds, *(name.replace("_", "\n") for name in _POWER if powered)]
    rows = [_row(number, site, powered=powered) for number, site in enumerate(platform.sites, 1)]
    sites = tally(len(platform), "site")
    unit = ["Power is in the unit of its source; efficiency is relative.", ""] if powered else []
    of_sites: list[str | Table] = [
        f"{platform.name}: {sites}, {tally(platform.processors, 'processor')}",
        grid(heads, rows, numbers=[0, *range(2, len(heads))]),
        *_without_queues(platform),
        *unit,
    ]
    show(
        *(of_sites if powered or platform.hardware is None else []),
        *_machines(platform),
        *([facts([("from", platform.source)])] if platform.source else []),
    )


def _without_queues(platform: "Platform") -> list[str]:
    """Return a note on time-shared machines, with their total speed."""
    if not platform.is_immediate:
        return []
    speeds = [machine.processors * machine.speed for machine in platform.time_shared]
    return [
        "Time-shared machines: every job starts at once and gets an equal share of its site's processors.",
        f"Together they are as fast as {figure(sum(speeds), 4)} processors of speed 1.",
        "",
    ]


def _show_shared(platform: "Platform") -> None:
    sizes = ((len(platform), "cluster"), (sum(map(len, platform.clusters)), "node"))
    counts = ", ".join(tally(size, noun) for size, noun in sizes)
    show(
        f"{platform.name}: {counts}, {tally(platform.processors, 'task')} at once",
        "",
        *_shared_nodes(platform),
        "A dash means no limit.",
        "",
        *([facts([("from", platform.source)])] if platform.source else []),
    )


def _show_tree(platform: "Platform") -> None:
    """Show inner sites and leaves as an indented list, then the nodes of those that have some."""
    from echelon.cli.listing.site_tree import tree_table

    powered = any(site.power for site in platform.sites)
    inner = len(platform.inner_paths) - 1
    within = f" in {tally(inner, 'inner site')}" if inner else ""
    notes = [
        *(["A dash beside an inner site: the run decides."] if platform.inner else []),
        *(["Power is in the unit of its source; efficiency is relative."] if powered else []),
    ]
    shared = [*_shared_nodes(platform), "A dash means no limit.", ""] if platform.clusters else []
    show(
        f"{platform.name}: {tally(len(platform), 'site')}{within}, {tally(platform.processors, 'processor')}",
        tree_table(platform, _POWER if powered else ()),
        *([*notes, ""] if notes else []),
        *shared,
        *_machines(platform),
        *([facts([("from", platform.source)])] if platform.source else []),
    )


def _shared_nodes(platform: "Platform") -> "list[str | Table]":
    """Return the tables of shared nodes, for each site that has some."""
    from echelon.cli.listing.shared_tables import contract_table, workstation_table

    return [
        "The most that parallel tasks may use of each node, and the link to the other clusters:",
        contract_table(platform),
        "Nodes:",
        workstation_table(platform),
    ]


def _machines(platform: "Platform") -> "list[str | Table]":
    """Return the tables of nodes, for each site that is modeled node by node."""
    from echelon.cli.listing.machine_table import machine_table

    parts: list[str | Table] = []
    for name, hardware in platform.node_level.items():
        nodes, processors = len(hardware.nodes), len(hardware.processors)
        sizes = ((nodes, "node"), (processors, "processor"), (hardware.cores, "core"))
        counts = ", ".join(tally(size, noun) for size, noun in sizes)
        joined = f", joined by {hardware.topology.spec}" if hardware.topology else ""
        parts += [f"{name}: {counts}{joined}", machine_table(hardware)]
    if parts:
        parts += ["A dash means no limit; idle and busy are watts of a whole node at full clock speed.", ""]
    return parts


def _row(number: int, site: "Site", *, powered: bool) -> list[str]:
    from echelon.model import TimeSharedMachine

    speed = [f"{site.resource.speed:g}"] if isinstance(site.resource, TimeSharedMachine) else []
    row = [str(number), site.name, f"{site.processors:,}", *speed]
    if powered:
        row += [f"{getattr(site.power, name):g}" if site.power else "–" for name in _POWER]
    return row
