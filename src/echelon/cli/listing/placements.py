"""``echelon placements``: the values of ``--place``."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.listing.documents import about, names_in, of_packages, summary
from echelon.cli.terminal import facts, show

if TYPE_CHECKING:
    from rich.table import Table

_Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="Show the details of one placement.",
        autocompletion=names_in("placements"),
    ),
]


def placements(name: _Name = None) -> None:
    """List the rules that place a job's tasks on cores and nodes, or show the details of one."""
    if name is not None:
        _describe(name)
        return
    from echelon.policies import ALLOCATORS, RESOURCE_ORDERS, SEARCHES
    from echelon.policies.placement import PLACEMENT

    lists: list[str | Table] = [
        "Node searches: choose the node. After --place, on a machine with nodes",
        "",
        facts((one.name, f"{one.summary}\nSource: {one.source}") for one in SEARCHES),
        "",
        "Resource orders: sort the cores. Alone, the node search is first-fit. Both together: "
        "best-fit:low-power",
        "",
        facts(map(_entry, RESOURCE_ORDERS)),
        "",
    ]
    lists += ["Allocators: place by the network between the nodes", "", facts(map(_entry, ALLOCATORS)), ""]
    lists += of_packages(PLACEMENT)
    show(*lists, "Details of one: echelon placements NAME. Your own: FILE.py:NAME")


def _entry(kind: Any) -> tuple[str, str]:  # noqa: ANN401  (any class with a name and a source)
    from echelon.policies.placement import PLACEMENT

    named = ", ".join(PLACEMENT.aliases(kind.name))
    return str(kind.name), f"{summary(kind)}{f' Also {named}.' if named else ''}\nSource: {kind.source}"


def _describe(name: str) -> None:
    from echelon.policies import SEARCHES, NodeSearch
    from echelon.policies.placement import PLACEMENT

    placement = PLACEMENT.parse(name)
    rule: Any = placement
    rows = []
    if isinstance(placement, NodeSearch):
        rule = placement.order
        search = next(one for one in SEARCHES if one.name == placement.fit)
        rows = [("node search", f"{search.name}: {search.summary}"), ("resource order", rule.name)]
    rows.append(("source", getattr(rule, "source", "none")))
    show(f"--place {PLACEMENT.format(placement)}", "", facts(rows), "", *about(rule, PLACEMENT))
