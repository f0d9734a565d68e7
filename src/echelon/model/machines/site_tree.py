"""SiteTree: the sites of a platform as a tree of inner sites and leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from echelon.model.machines.inner_site import InnerSite
from echelon.model.machines.site_path import ROOT, above

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from echelon.model.machines.platform import Platform, Site

Child: TypeAlias = "int | SiteTree"
"""What stands below an inner site: a leaf, by its index in `Platform.sites`, or another inner site."""


@dataclass(frozen=True, slots=True)
class SiteTree:
    """An inner site and all that is below it.

    `Platform.tree` is the root.

    Parameters
    ----------
    path : str
        Its path, ``""`` of the root.
    children : tuple of int or SiteTree
        What is right below it, in the order of first appearance in the platform's file: indices of leaves in
        `Platform.sites`, and inner sites.
    described : InnerSite
        What the platform says about it.
    sites : tuple of Site
        All leaves of the platform.
    """

    path: str
    children: tuple[Child, ...]
    described: InnerSite
    sites: tuple[Site, ...] = field(default=(), repr=False)

    def leaves(self) -> tuple[int, ...]:
        """Return the indices of all leaves below it, ascending: in the order of the file."""
        return tuple(sorted(self._each_leaf()))

    def inner(self) -> Iterator[SiteTree]:
        """Yield it and the inner sites below it, each before those below it."""
        yield self
        for child in self.children:
            if isinstance(child, SiteTree):
                yield from child.inner()

    def child_path(self, place: int) -> str:
        """Return the path of its child at `place`, from 0."""
        child = self.children[place]
        return child.path if isinstance(child, SiteTree) else self.sites[child].name

    @property
    def processors(self) -> int:
        """Processors of all leaves below it."""
        return sum(self.sites[leaf].processors for leaf in self._each_leaf())

    @property
    def largest_job(self) -> int:
        """Largest job that one of the leaves below it can hold, in processors."""
        return max(self.sites[leaf].largest_job for leaf in self._each_leaf())

    def clusters(self) -> tuple[int, ...]:
        """Return the indices of the clusters of shared nodes right below it."""
        from echelon.model.machines.shared_cluster import SharedCluster

        leaves = (child for child in self.children if isinstance(child, int))
        return tuple(leaf for leaf in leaves if isinstance(self.sites[leaf].resource, SharedCluster))

    @property
    def depth(self) -> int:
        """Levels below it: 1 if all its children are leaves."""
        return 1 + max((child.depth for child in self.children if isinstance(child, SiteTree)), default=0)

    def _each_leaf(self) -> Iterator[int]:
        for tree in self.inner():
            yield from (child for child in tree.children if isinstance(child, int))


def tree_of(platform: Platform) -> SiteTree:
    """Return the tree that the names of a platform's sites span. Cost: O(sites x depth)."""
    below: dict[str, list[int | str]] = {ROOT: []}
    for leaf, site in enumerate(platform.sites):
        around = above(site.name)
        for outer, inner in pairwise(around):
            if inner not in below:
                below[inner] = []
                below[outer].append(inner)
        below[around[-1]].append(leaf)
    return _tree(ROOT, below, {inner_site.path: inner_site for inner_site in platform.inner}, platform.sites)


def _tree(
    path: str,
    below: Mapping[str, list[int | str]],
    inner_sites: Mapping[str, InnerSite],
    sites: tuple[Site, ...],
) -> SiteTree:
    children = (
        _tree(child, below, inner_sites, sites) if isinstance(child, str) else child for child in below[path]
    )
    return SiteTree(path, tuple(children), inner_sites.get(path) or InnerSite(path), sites)
