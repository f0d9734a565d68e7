"""LocalUse: what the owners of nodes use of them over time, the local load."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model.machines.platform import Platform


class LocalUse(NamedTuple):
    """The use of a node by its owner.

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
        """Whether the owner is at work."""
        return self != AWAY


AWAY = LocalUse()
"""The node is idle for its owner."""


class LocalChange(NamedTuple):
    """From `time` on, in seconds, the owner of node `node` of site `site` uses `use`."""

    time: float
    site: int
    node: int
    use: LocalUse


@runtime_checkable
class LocalLoadModel(Protocol):
    """A model of the local load: when the owners of a multicluster's nodes work there, and what they use."""

    def changes(self, platform: Platform, seed: int) -> Iterator[LocalChange]:
        """Yield the changes of use at the nodes of `platform`, by time, perhaps without end.

        Sites and nodes are numbered from 0 as in the platform. No owner is active before the first change.
        The same seed gives the same changes. Times are those of the log; if the attribute ``are_drawn`` is
        true, a run counts them from the full hour before its first job.

        Raises
        ------
        InputError
            If a change names a node that does not exist.
        """


class NoLocalLoad:
    """No local load: the nodes are dedicated."""

    spec = "none"

    def changes(self, platform: Platform, seed: int) -> Iterator[LocalChange]:
        """Return no changes."""
        return iter(())

    def __eq__(self, other: object) -> bool:
        """Return whether the other has no local load, too."""
        return isinstance(other, NoLocalLoad)

    def __hash__(self) -> int:
        """Return the same hash for all instances."""
        return hash(NoLocalLoad)
