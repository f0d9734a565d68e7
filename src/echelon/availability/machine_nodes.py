"""MachineNodes: how many nodes each site of a machine has, by its path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class MachineNodes:
    """The nodes of a machine, numbered from 0 in each of its sites.

    Parameters
    ----------
    counts : tuple of int
        Nodes of each site, in the platform's order; of counted processors each is a node. One machine is
        one site.
    paths : tuple of str, default empty
        Paths of the sites; empty on one machine.
    inner : tuple of str, default empty
        Paths of the inner sites.
    names : tuple of tuple of str, default empty
        Names of the nodes of each site; none of a site whose nodes share names or have none. Empty if no
        site has any.
    """

    counts: tuple[int, ...]
    paths: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, machine: Any) -> MachineNodes:  # noqa: ANN401  (processors, Hardware, Platform or NodeLevel)
        """Return the nodes of a number of processors, of hardware, or of the sites of a platform."""
        platform = getattr(machine, "platform", None) or machine
        sites = getattr(platform, "sites", None)
        if sites is None:
            one = getattr(machine, "hardware", machine)
            return cls((_count(one),), names=_of_sites((one,)))
        counts = tuple(_count(site.resource) for site in sites)
        inner = tuple(path for path in platform.inner_paths if path)
        return cls(counts, tuple(platform.names), inner, _of_sites(site.resource for site in sites))

    def sites(self, path: str) -> tuple[int, ...]:
        """Return the indices of the sites at or below a path; the empty path is the whole machine.

        Raises
        ------
        UnknownNameError
            If there is no such site.
        InputError
            If it is one machine, which has no sites.
        """
        if not path:
            return tuple(range(len(self.counts)))
        if not self.paths:
            raise InputError(f"names the site {path!r:.60}, but the machine has no sites")
        numbers = tuple(
            place for place, one in enumerate(self.paths) if one == path or one.startswith(f"{path}/")
        )
        if not numbers:
            raise UnknownNameError("site", path, (*self.paths, *self.inner))
        return numbers

    def nodes(
        self, path: str, listed: Iterable[int] | None = None, names: Sequence[str] = ()
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Return (site, its nodes from 0) of nodes in a site.

        Parameters
        ----------
        path : str
            Of the site, or of an inner site.
        listed : iterable of int, optional
            Numbers of the nodes, from 1. Default: all nodes at or below the path.
        names : sequence of str, default empty
            What they were called, if not by numbers: where the machine has a node of one of these names,
            names count, and their numbers say nothing.

        Raises
        ------
        UnknownNameError, InputError
            As `sites`; if numbers are given for several sites, or a number is above that of its nodes; if
            only some of the names are known.
        """
        sites = self.sites(path)
        if listed is None:
            return [(site, tuple(range(self.counts[site]))) for site in sites]
        if nodes := self._find_nodes(sites, names):
            return nodes
        numbers = tuple(listed)
        self.check_one(sites)
        if numbers[-1] > self.counts[sites[0]]:
            raise InputError(f"names node {numbers[-1]}, but there are {self.counts[sites[0]]}")
        return [(sites[0], tuple(number - 1 for number in numbers))]

    def _find_nodes(self, sites: tuple[int, ...], names: Sequence[str]) -> list[tuple[int, tuple[int, ...]]]:
        """Return the nodes of these names by site; none if no name is known."""
        if not (self.names and names):
            return []
        places: dict[str, tuple[int, int]] = {}
        twice = set()
        for site in sites:
            for node, name in enumerate(self.names[site]):
                twice |= {name} & places.keys()
                places[name] = (site, node)
        if not any(name in places for name in names):
            return []
        if unknown := next((name for name in names if name not in places), None):
            raise UnknownNameError("node", unknown, places)
        if shared := next((name for name in names if name in twice), None):
            raise InputError(f"names the node {shared!r:.60}, which several sites have; say which site")
        nodes_by_site: dict[int, set[int]] = {}
        for site, node in map(places.__getitem__, names):
            nodes_by_site.setdefault(site, set()).add(node)
        return [(site, tuple(sorted(nodes))) for site, nodes in sorted(nodes_by_site.items())]

    def check_one(self, sites: tuple[int, ...]) -> None:
        """Refuse nodes of several sites, in each of which they are numbered from 1."""
        if len(sites) > 1:
            names = ", ".join(self.paths[site] for site in sites[:3]) + (" ..." if len(sites) > 3 else "")
            raise InputError(
                "says which nodes, but not of which site; add a column site (to maintenance @SITE) with one "
                f"of {names}"
            )


def _count(resource: Any) -> int:  # noqa: ANN401  (whatever a site runs jobs on)
    """Return the nodes of a site: those modeled, else its processors."""
    nodes = getattr(resource, "nodes", None)
    return int(getattr(resource, "slots", resource)) if nodes is None else len(nodes)


def _of_sites(resources: Iterable[Any]) -> tuple[tuple[str, ...], ...]:
    """Return the names of the nodes of each site; empty if no site has any."""
    site_names = tuple(map(_names, resources))
    return site_names if any(site_names) else ()


def _names(resource: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Return the names of the nodes of a site, if each has one that no other node there has."""
    node_names = tuple(getattr(node, "name", "") for node in getattr(resource, "nodes", ()))
    return node_names if all(node_names) and len(set(node_names)) == len(node_names) else ()
