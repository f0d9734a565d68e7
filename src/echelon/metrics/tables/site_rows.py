"""Rows of sites: each site of a grid, or several neighbors in one row where there are too many to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from echelon.model import Platform
    from echelon.model.jobs.columns import IntColumn


class SiteRows(NamedTuple):
    """Rows of consecutive sites, in the platform's order.

    Attributes
    ----------
    names : list of str
        Of a row's site, or of its first and last one.
    row : IntColumn, shape (n_sites,)
        The row of each site.
    processors : IntColumn, shape (n_rows,)
        Of all sites of a row.
    by_size : bool
        Whether the platform's order is that of sizes.
    """

    names: list[str]
    row: IntColumn
    processors: IntColumn
    by_size: bool = True

    @property
    def sentence(self) -> str:
        """A sentence if rows are of several sites, else nothing."""
        most = int(np.bincount(self.row).max())
        if most == 1:
            return ""
        near = " in size" if self.by_size else " in the platform"
        return f" There are {len(self.row):,} sites; each row is {most} of them, next to each other{near}."


def site_rows(platform: Platform, most: int) -> SiteRows:
    """Return at most `most` rows of equally many neighboring sites, the last one of what is left."""
    each = -(-len(platform) // most)
    row = np.arange(len(platform)) // each
    groups = [platform.names[at : at + each] for at in range(0, len(platform), each)]
    names = [group[0] if len(group) == 1 else f"{group[0]} … {group[-1]}" for group in groups]
    in_order = bool((np.diff(platform.sizes) >= 0).all())
    return SiteRows(names, row, np.bincount(row, weights=platform.sizes).astype(np.int64), in_order)
