"""``echelon placements``: what can stand after ``--place``."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.documents import document, indented, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

_Name = Annotated[
    str | None,
    typer.Argument(metavar="[NAME]", help="A placement, to be told all about it."),
]


def placements(name: _Name = None) -> None:
    """List what can choose the cores of a job in a machine of nodes, or say all about one."""
    if name is not None:
        _describe(name)
        return
    from echelon.cli.terminal import facts, show
    from echelon.policies import ALLOCATORS, RESOURCE_ORDERS, SEARCHES

    lists: list[str | Table] = [
        "Node searches: which node. After --place, on a machine with nodes",
        "",
        facts((one.name, f"{one.summary}\nSource: {one.source}") for one in SEARCHES),
        "",
        "Resource orders: which cores first; alone first-fit in that order, best-fit:low-power is both",
        "",
        facts(map(_entry, RESOURCE_ORDERS)),
        "",
    ]
    if ALLOCATORS:
        lists += ["Allocators: by the network between the nodes", "", facts(map(_entry, ALLOCATORS)), ""]
    show(*lists, "All about one: echelon placements NAME. Your own: FILE.py:NAME")


def _entry(kind: Any) -> tuple[str, str]:  # noqa: ANN401  (any class with a name and a source)
    summary = plain(document(kind)).split("\n\n")[0].replace("\n", " ")
    return str(kind.name), f"{summary}{_also(kind.aliases)}\nSource: {kind.source}"


def _also(aliases: "Iterable[str]") -> str:
    named = ", ".join(aliases)
    return f" Also {named}." if named else ""


def _describe(name: str) -> None:
    from echelon.cli.terminal import facts, show
    from echelon.policies import SEARCHES, NodeSearch, placement_named, placement_words

    found = placement_named(name)
    rule: Any = found
    rows = []
    if isinstance(found, NodeSearch):
        rule = found.order
        search = next(one for one in SEARCHES if one.name == found.fit)
        rows = [("node search", f"{search.name}: {search.summary}"), ("resource order", rule.name)]
    rows.append(("source", getattr(rule, "source", "none")))
    text = indented(document(getattr(rule, "rule", rule)))
    show(f"--place {placement_words(found)}", "", facts(rows), "", text)
