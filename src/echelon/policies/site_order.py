"""The order of sites for rules that sort by size: by (size, place in the platform's file)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def sites_by_size(sizes: Sequence[int]) -> list[int]:
    """Return the indices of sites of these `sizes`, the smallest first, equal sizes in the given order.

    Cost: O(m log m) for m sites, O(m) if they are in this order.
    """
    return sorted(range(len(sizes)), key=sizes.__getitem__)
