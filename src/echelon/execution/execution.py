"""Execution: the factors that determine the speed of a task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.rules.parameter import canonical_spec

if TYPE_CHECKING:
    from echelon.execution.contract import MemoryModel


@dataclass(frozen=True, slots=True)
class Execution:
    """The factors that determine the speed of a task: none, its core, or also the tasks beside it.

    Parameters
    ----------
    fixed : bool, default False
        A job runs for its run time everywhere. Otherwise each task executes operations at the speed of its
        core.
    memory : MemoryModel, optional
        Memory contention; default: none.

    Raises
    ------
    InputError
        If run times are fixed and there is a memory model.
    """

    fixed: bool = False
    memory: MemoryModel | None = None

    takes_parameters: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.fixed and self.memory is not None:
            raise InputError(
                f"a fixed run time does not depend on {self.memory.name}: choose one of them",
                field="execution",
            )

    @property
    def spec(self) -> str:
        """Canonical spec: ``fixed``, ``speed``, ``memory-v1`` ...; defaults are omitted."""
        if self.memory is not None:
            spec = getattr(self.memory, "spec", None)
            return spec if isinstance(spec, str) else canonical_spec(self.memory)
        return "fixed" if self.fixed else "speed"
