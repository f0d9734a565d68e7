"""Allocator: a named placement without a resource order, such as those that know the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Job
    from echelon.policies.placement.contract import Room


@dataclass(frozen=True, slots=True)
class Allocator:
    """The base of all built-in allocators: a name, a source, and `Placement.place`.

    Its fields are its settings, typed after its name: ``linear:curve=hilbert``. A class is listed in
    `echelon.policies.placement.registry`.
    """

    name: ClassVar[str]
    source: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()

    def place(self, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """See `echelon.policies.placement.Placement`."""
        raise NotImplementedError
