"""InService: how much of each site is in service, as a sequence that looks when it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.engine.tree.views.statistics import SiteStatistics


class InService(Sequence[int]):
    """Implements `echelon.policies.GridView.in_service` where machines change.

    Parameters
    ----------
    statistics : SiteStatistics
        What is known of the sites.
    check : callable () -> None
        Raises an error if the broker may not know it.
    """

    def __init__(self, statistics: SiteStatistics, check: Callable[[], None]) -> None:
        self._known, self._check = statistics, check

    def __len__(self) -> int:
        """Return the number of sites."""
        return len(self._known.sizes)

    @overload
    def __getitem__(self, site: int) -> int: ...

    @overload
    def __getitem__(self, site: slice) -> list[int]: ...

    def __getitem__(self, site: int | slice) -> int | list[int]:
        """Return the processors of `site` that are neither down nor closed to some jobs now."""
        self._check()
        if isinstance(site, slice):
            return [self[place] for place in range(len(self))[site]]
        # A negative number would count from the last site.
        return self._known.sites[range(len(self))[site]].member.in_service
