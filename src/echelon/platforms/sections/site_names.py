"""Names of sites in platform files: paths in the tree of sites, of which none is within another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.model import Site
from echelon.model.machines.site_path import (
    MOST_DEPTH,
    RESERVED,
    ROOT,
    above,
    is_readable_in_spec,
    path_problem,
)
from echelon.platforms.files.fields import name, share, whole
from echelon.platforms.files.mistakes import format_got

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.model import Power
    from echelon.platforms.files.table import Table

NAME = name("name")
COUNT = whole("count", 1_000_000)
"""Of equal sites of one table."""

WEIGHT = share("ptt_weight")
"""How much the broker ``ptt`` weighs turnaround at a site of any kind."""

POLICY = name("policy")._replace(expected="the spec of a policy in quotes")
"""The policy of a site that has a queue."""


def site_name(table: Table) -> Any:  # noqa: ANN401  (as `Table.require`)
    """Return the name of a site's table; None if it is wrong or missing, which is noted."""
    called = table.require(NAME)
    if called is None or path_problem(called) is None:
        return called
    expected = f'expected a name in quotes, or at most {MOST_DEPTH} with "/" between them'
    if not is_readable_in_spec(called):
        expected = f'expected none of {" ".join(sorted(RESERVED))} in a name with "/", and no part that is *'
    table.note(f"{format_got(called)}, {expected}", NAME.key)
    return None


def count_sites(called: str, resource: Any, power: Power | None, count: int | None) -> list[Site]:  # noqa: ANN401
    """Return the site of this name, or so many of its kind, numbered from 1."""
    names = [called] if count is None else [f"{called}-{number}" for number in range(1, count + 1)]
    return [Site(one, resource, power) for one in names]


def inner_paths(names: Iterable[object]) -> list[str]:
    """Return the paths of the inner sites that the names of sites span, the root's first."""
    right = [name for name in names if isinstance(name, str) and path_problem(name) is None]
    return list(dict.fromkeys([ROOT, *(path for name in right for path in above(name))]))


def refuse_nested(sites_of_tables: Sequence[tuple[Table, Sequence[Site | None]]]) -> None:
    """Note every site whose name other sites' begin with: it has a machine, and so no sites below it."""
    within: dict[str, Table] = {}
    for table, sites in sites_of_tables:
        for path in (path for site in sites if site for path in above(site.name)):
            within.setdefault(path, table)
    for table, sites in sites_of_tables:
        if called := next((site.name for site in sites if site and site.name in within), None):
            inside = within[called]
            line = table.mistakes.line((*inside.place, NAME.key))
            which = f"site {inside.place[-1] + 1}" if isinstance(inside.place[-1], int) else "another site"
            where = f"{which} (line {line})" if line else which
            table.note(f"got {called!r}, which {where} is within, expected another name", NAME.key)
