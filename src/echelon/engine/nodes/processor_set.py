"""ProcessorSet: some of the numbered processors of a machine: what a job holds, or where it is planned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from echelon.engine.resources.node_set import NodeSet, lowest, node_set, numbers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model.jobs.columns import IntColumn


class ProcessorSet(Mapping[int, int]):
    """The number of cores, 1, by processor: a `echelon.policies.contract.Where` that costs little to make.

    Parameters
    ----------
    bits : NodeSet
        Its processors, numbered from 0.
    """

    __slots__ = ("bits",)

    def __init__(self, bits: NodeSet) -> None:
        self.bits = bits

    @classmethod
    def of(cls, where: Mapping[int, int]) -> ProcessorSet | None:
        """Return the set with these processors, None if it is not one core of each."""
        if isinstance(where, cls):
            return where
        if any(count != 1 or node < 0 for node, count in where.items()):
            return None
        return cls(node_set([*where]))

    @classmethod
    def lowest(cls, bits: NodeSet, size: int) -> ProcessorSet | None:
        """Return the `size` lowest-numbered of these processors, None if there are fewer."""
        chosen = lowest(bits, size)
        return None if chosen is None else cls(chosen)

    @property
    def numbers(self) -> IntColumn:
        """Its processors, ascending."""
        return numbers_of(self.bits)

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers.tolist())

    def __getitem__(self, node: int) -> int:
        if node < 0 or not self.bits >> node & 1:
            raise KeyError(node)
        return 1
