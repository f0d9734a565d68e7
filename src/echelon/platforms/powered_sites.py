"""The sites of a platform whose power is known, as a phrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.model.schedules.features import sites_with_power
from echelon.quantities import series, tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Platform

_MOST_NAMED = 3
"""Sites that are named, the first ones in the platform's order; the others are counted."""


def format_powered_sites(platform: Platform) -> str:
    """Return a phrase for the sites whose power is known, of which energy and power of a run are.

    Examples
    --------
    >>> from echelon.model import Cluster, Core, Hardware, Node, Platform, Processor, Site
    >>> node = Node((Processor((Core(1e9),) * 2, static_power=10),))
    >>> new = Hardware((Cluster((node,)),))
    >>> format_powered_sites(Platform((Site("old", 4), Site("new", new))))
    'new, as that of the other site is unknown'
    """
    has_power = sites_with_power(platform)
    names = [name for name, is_powered in zip(platform.names, has_power.tolist(), strict=True) if is_powered]
    others = len(platform) - len(names)
    if not others:
        return "all sites"
    rest = "the other site is" if others == 1 else f"the other {others:,} sites is"
    return f"{list_names(names)}, as that of {rest} unknown"


def list_names(names: Sequence[str]) -> str:
    """Return names in a row: ``"a"``, ``"a and b"``, ``"a, b and c"``; of many the first, and how many more.

    Examples
    --------
    >>> list_names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more sites'
    """
    if len(names) > _MOST_NAMED + 1:
        return f"{', '.join(names[:_MOST_NAMED])} and {tally(len(names) - _MOST_NAMED, 'more site')}"
    return series(names)
