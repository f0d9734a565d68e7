"""Priorities: the factor of each queue or partition, by its name in the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTING = ":,+=()"
"""Characters that separate the parts of a policy's spec; a name must not contain them."""


@dataclass(frozen=True, slots=True)
class Priorities:
    """Factors between 0 and 1 of the values of a coded column, such as the queues (in Slurm QOS) of a log.

    Parameters
    ----------
    factors : tuple of (str, float), default empty
        Each name in the log, or number if the log has no names, and its factor; all others have 0.

    Raises
    ------
    InputError
        If a name is empty, given twice or holds one of ``:,+=()``, or a factor is not from 0 to 1.
    """

    factors: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        names = [name for name, _ in self.factors]
        for name, factor in self.factors:
            if not name.strip() or set(name) & set(PARTING):
                raise InputError(f"priorities must be of names without any of {PARTING}, got {name!r}")
            if names.count(name) > 1:
                raise InputError(f"priorities name {name} twice; name each once")
            if not 0 <= factor <= 1:
                raise InputError(f"priorities must be from 0 to 1, got {factor:g} of {name}")

    @classmethod
    def of(cls, priorities: Priorities | Mapping[str, float]) -> Priorities:
        """Return `priorities`, a mapping of names or numbers to factors, as priorities.

        Raises
        ------
        InputError
            If it is no such mapping.
        """
        if isinstance(priorities, Priorities):
            return priorities
        if not isinstance(priorities, Mapping):
            raise InputError(f"priorities must be names and their factors, got {priorities!r:.60}")
        try:
            return cls(tuple((str(name), float(factor)) for name, factor in priorities.items()))
        except (TypeError, ValueError) as error:
            raise InputError(f"priorities must be names and their factors, got {priorities!r:.60}") from error

    @classmethod
    def read(cls, spec: str) -> Priorities:
        """Return the priorities of a spec such as ``high=1+normal=0.5``.

        Raises
        ------
        InputError
            If a part is no name with a factor.
        """
        factors = []
        for part in spec.split("+"):
            name, _, factor = (text.strip() for text in part.partition("="))
            try:
                factors.append((name, float(factor)))
            except ValueError:
                problem = f"priorities must be names and factors such as high=1+normal=0.5, got {spec!r}"
                raise InputError(problem) from None
        return cls(tuple(factors))

    def __str__(self) -> str:
        """Return the spec that `read` parses."""
        texts = [f"{factor:.0f}" if factor in (0, 1) else repr(factor) for _, factor in self.factors]
        return "+".join(f"{name}={factor}" for (name, _), factor in zip(self.factors, texts, strict=True))

    def __bool__(self) -> bool:
        """Return whether any priority is given."""
        return bool(self.factors)

    def factor(self, code: int, names: Sequence[str]) -> float:
        """Return the factor of a code of the log; 0 if it is unknown or has none.

        Parameters
        ----------
        code : int
            As in the workload's column; -1 if unknown.
        names : sequence of str
            Names of the codes: code c is ``names[c - 1]``; codes without a name are named by their numbers.
        """
        name = name_of_code(code, names)
        return next((factor for own_name, factor in self.factors if own_name == name), 0.0)


NO_PRIORITIES = Priorities()


def name_of_code(code: int, names: Sequence[str]) -> str:
    """Return the name of a code, or the code itself if it has none; empty if it is unknown."""
    if code < 0:
        return ""
    return (names[code - 1] if 1 <= code <= len(names) else "") or str(code)
