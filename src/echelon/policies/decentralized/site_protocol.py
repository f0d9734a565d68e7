"""SiteProtocol: the base of all built-in decentralized protocols, with the cost of communication."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.errors import InputError
from echelon.rules.parameter import canonical_spec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.decentralized.contract import ProtocolView, StartAt

_LONGEST = 1e9
"""In seconds, about 32 years: with longer times, floating point could no longer resolve run times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteProtocol:
    """A decentralized protocol: sites exchange waiting jobs, at a cost.

    Parameters
    ----------
    latency : float, default 0
        Seconds from the time at which a site takes a job from its home to the job's start, >= 0. The site
        holds the processors meanwhile.
    refresh : float, default 0
        Seconds between publications of the waiting jobs, >= 0. A site knows the waiting jobs of other sites
        as of the last publication, and its own at once. 0: all sites know all jobs at once.

    Raises
    ------
    InputError
        If either is not from 0 to 10^9 s.
    """

    latency: float = field(default=0.0, metadata={"unit": "s"})
    refresh: float = field(default=0.0, metadata={"unit": "s"})

    name: ClassVar[str]
    source: ClassVar[str]
    bare_word: ClassVar[str] = ""
    """The parameter that may be given without its name, as 50 in ``stealing:50``."""

    def __post_init__(self) -> None:
        self._take_class_values()
        for word, seconds in (("latency", self.latency), ("refresh", self.refresh)):
            if not 0 <= seconds <= _LONGEST:
                raise InputError(
                    f"must be from 0 to {_LONGEST:g} s, got {seconds:g}", field=f"{self.name}, {word}"
                )

    def _take_class_values(self) -> None:
        """Use ``latency = 60`` in the body of a user's plain class as the default."""
        for parameter in fields(self):
            of_class = getattr(type(self), parameter.name, parameter.default)
            # Without a value there, the class attribute is the slot.
            is_class_value = not hasattr(of_class, "__get__") and of_class != parameter.default
            if is_class_value and getattr(self, parameter.name) == parameter.default:
                object.__setattr__(self, parameter.name, of_class)

    @property
    def spec(self) -> str:
        """The canonical spec: always the bare parameter, and others that differ from their defaults."""
        return canonical_spec(self)

    def homes(self, sizes: IntColumn, size: IntColumn, submitted: IntColumn) -> IntColumn:
        """Return the home of each job in the log, or else the smallest site that can hold it."""
        order = np.argsort(sizes, kind="stable")
        smallest = order[np.searchsorted(sizes[order], size)]
        return np.where(submitted >= 0, submitted, smallest).astype(np.int64)

    def decide(self, view: ProtocolView) -> Iterable[StartAt]:
        """Yield the starts of this instant."""
        raise NotImplementedError
