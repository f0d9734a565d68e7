"""A platform's tree of sites as an indented list: what each leaf is, and what decides in the inner sites."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from echelon.cli.terminal import grid
from echelon.quantities import tally

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.model import InnerSite, Platform, Site, SiteTree

_SETTINGS: tuple[str, ...] = (
    *(
        "broker",
        "policy",
        "admissible",
        "decision_time",
        "refresh",
        "information",
        "site_filter",
        "ptt_weight",
    ),
    *("global_queue", "queue_limit", "queues", "queue_order", "longest_stay"),
)
_HEADS = {
    "decision_time": "decision\ntime s",
    "refresh": "refresh\ns",
    "queue_limit": "queue\nlimit",
    "ptt_weight": "PTT\nweight",
    "longest_stay": "longest\nstay s",
}
_TITLES = _HEADS | {
    "global_queue": "global\nqueue",
    "queue_order": "queue\norder",
    "site_filter": "site\nfilter",
}
_NOT_SAID = "–"


def tree_table(platform: "Platform", power: tuple[str, ...] = ()) -> "str | Table":
    """Return every inner site with what is below it: numbers and kinds of leaves, controllers, and power."""
    described: tuple[Site | InnerSite, ...] = (*platform.inner, *platform.sites)
    settings = [name for name in _SETTINGS if any(name in one.settings for one in described)]
    # Speeds and power belong to leaves alone, and controllers to inner sites.
    own = (*(["speed"] if platform.time_shared else []), *power)
    heads = ["", "site", "processors", "kind", *(_TITLES.get(name, name) for name in settings)]
    texts = {1, 3, *(heads.index(_TITLES.get(name, name)) for name in settings if name not in _HEADS)}
    heads += [name.replace("_", "\n") for name in own]
    numbers = [place for place in range(len(heads)) if place not in texts]
    return grid(heads, list(_rows(platform.tree, "", settings, own)), numbers=numbers)


def _rows(tree: "SiteTree", indent: str, names: list[str], own: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield the row of an inner site, then those of what is below it, indented."""
    from echelon.model.machines.site_path import last_component

    name = f"{last_component(tree.path)}/" if tree.path else "all sites"
    settings = [_setting(tree.described, setting) for setting in names]
    yield ["", indent + name, f"{tree.processors:,}", "", *settings, *("" for _ in own)]
    for child in tree.children:
        if isinstance(child, int):
            site = tree.sites[child]
            label = f"{indent}  {last_component(site.name)}"
            figures = [_figure(site, name) for name in own]
            yield [
                str(child + 1),
                label,
                f"{site.processors:,}",
                _kind(site),
                *_of_leaf(site, names),
                *figures,
            ]
        else:
            yield from _rows(child, f"{indent}  ", names, own)


def _of_leaf(site: "Site", names: list[str]) -> list[str]:
    """Return the settings of a leaf, which has none but a weight and a policy."""
    return [_setting(site, name) if name in ("ptt_weight", "policy") else "" for name in names]


def _setting(site: "Site | InnerSite", name: str) -> str:
    value = site.settings.get(name, _NOT_SAID)
    return value if isinstance(value, str) else f"{value:g}"


def _figure(site: "Site", name: str) -> str:
    """Return the speed of a time-shared machine, or what a part of a site draws."""
    of = site.resource if name == "speed" else site.power
    return f"{value:g}" if (value := getattr(of, name, None)) is not None else _NOT_SAID


def _kind(site: "Site") -> str:
    """Return what a leaf runs jobs on, as a text."""
    from echelon.model import Hardware, SharedCluster, TimeSharedMachine

    if isinstance(site.resource, Hardware):
        return tally(len(site.resource.nodes), "node")
    if isinstance(site.resource, SharedCluster):
        return tally(len(site.resource), "shared node")
    return "time-shared" if isinstance(site.resource, TimeSharedMachine) else "processors"
