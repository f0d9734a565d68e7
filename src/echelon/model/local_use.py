"""LocalUse: what owners of nodes use of them over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model.platform import Platform


class LocalUse(NamedTuple):
    """What the owner of a node uses of it.

    Attributes
    ----------
    cpu : float
        Share of the node's processors, 0 to 1.
    memory : float
        Share of the node's memory, 0 to 1.
    network : float
        Traffic on the node's link, in bytes a second, >= 0.
    """

    cpu: float = 0.0
    memory: float = 0.0
    network: float = 0.0

    @property
    def is_active(self) -> bool:
        """Whether there is an owner at work."""
        return self != AWAY


AWAY = LocalUse()
"""Nobody is there."""


class LocalChange(NamedTuple):
    """From `time` on, in seconds, the owner of node `node` of site `site` uses `use`."""

    time: float
    site: int
    node: int
    use: LocalUse


@runtime_checkable
class LocalUsers(Protocol):
    """Who is at work at the nodes of a multicluster, and when."""

    @property
    def words(self) -> str:
        """Canonical words, for titles and manifests."""

    def changes(self, platform: Platform, seed: int) -> Iterator[LocalChange]:
        """Yield what changes at the nodes of `platform`, by time, perhaps without end.

        Sites and nodes are numbered from 0 as in the platform. Nobody is anywhere before the first change.
        The same seed gives the same changes. Times are the log's; if an attribute ``are_drawn`` is true, a
        run counts them from the full hour before its first job.

        Raises
        ------
        InputError
            If a change is of a node that is not there.
        """


class Nobody:
    """No owner is ever at work: the nodes are dedicated."""

    words = "none"

    def changes(self, platform: Platform, seed: int) -> Iterator[LocalChange]:
        """Return nothing."""
        return iter(())

    def __eq__(self, other: object) -> bool:
        """Return whether the other is nobody, too."""
        return isinstance(other, Nobody)

    def __hash__(self) -> int:
        """Return the same for all."""
        return hash(Nobody)
