"""FailureProcess: what fails, by which law, how it starts, and how many nodes one failure takes."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from echelon.availability.laws.registry import LAW
from echelon.errors import InputError, UnknownNameError
from echelon.rules.spec import split_outside

if TYPE_CHECKING:
    from echelon.availability.laws.law import Law

FailsBy: TypeAlias = Literal["node", "machine", "site", "link"]
FAILS_BY: tuple[str, ...] = get_args(FailsBy)
"""What has a process of failures of its own, see `FailureProcess`."""

FailureStart: TypeAlias = Literal["new", "stationary"]
FAILURE_STARTS: tuple[str, ...] = get_args(FailureStart)
"""In which state a process is at second 0."""


@dataclass(frozen=True, slots=True)
class FailureProcess:
    """When parts of a machine fail.

    Parameters
    ----------
    law : Law
        Of the time from one failure to the next: of nodes, sites and links from the repair on, while they are
        up; of a machine from failure to failure.
    of : {"node", "machine", "site", "link"}, default "node"
        What fails by it, each one by itself. ``node``: a node. ``machine``: the nodes of a machine together
        have one process, and each failure hits one of them at random. ``site``: a whole site. ``link``: the
        link that joins a site, or an inner site with all sites below it, to the rest: its nodes are down.
    start : {"new", "stationary"}, default "new"
        At second 0 all is up and as new, so that the first interval follows the law; or the process has been
        running forever: what is found at second 0 is up or down with the probability of either, and what is
        left of that interval is drawn exactly.
    burst : float, default 1
        Mean number of nodes that one failure takes, >= 1: it hits a node, and with it, with probability
        1 - 1/burst each time, one more of the nodes that follow in number, to the last node of the site. They
        come back together.

    Raises
    ------
    UnknownNameError
        If a word is unknown.
    InputError
        If the mean of the law is 0, a burst is not a finite number >= 1, or bursts are of whole sites.

    Examples
    --------
    >>> FailureProcess.of_spec("weibull:shape=0.5,scale=30d,start=stationary").spec
    'weibull:shape=0.5:scale=2592000:start=stationary'
    """

    law: Law
    of: str = "node"
    start: str = "new"
    burst: float = 1.0

    def __post_init__(self) -> None:
        if self.of not in FAILS_BY:
            raise UnknownNameError("part that fails", self.of, FAILS_BY, where="failures, of")
        if self.start not in FAILURE_STARTS:
            raise UnknownNameError("start of a failure process", self.start, FAILURE_STARTS)
        if not 1 <= self.burst < math.inf:
            raise InputError(f"must be a finite number >= 1, got {self.burst:g}", field="failures, burst")
        if self.burst > 1 and self.of in ("site", "link"):
            raise InputError(
                f"is for failures of nodes, got of={self.of}, where all nodes of a site fail together",
                field="failures, burst",
            )
        if not self.law.mean > 0:
            raise InputError("must have a mean > 0, or nothing is ever up", field="failures")

    @classmethod
    def of_spec(cls, text: str) -> FailureProcess:
        """Return the process that a spec describes: that of a law, with ``of``, ``start`` and ``burst``.

        Parameters
        ----------
        text : str
            ``"exponential:mean=1780h"``, ``"weibull:shape=0.48,scale=817h,of=machine,burst=2"``; parts are
            separated by colons or commas.

        Raises
        ------
        UnknownNameError, InputError
            As the family of laws does, and if a setting of the process is wrong.
        """
        parts = [part for piece in split_outside(text, ":") for part in split_outside(piece, ",")]
        settings: dict[str, Any] = {}
        rest = []
        for part in parts:
            key, equals, value = (word.strip() for word in part.partition("="))
            if not equals or key.lower() not in _SETTINGS:
                rest.append(part)
            elif key.lower() in settings:
                raise InputError(f"{key.lower()} is set twice", field=f"failures {text!r}")
            else:
                settings[key.lower()] = value.lower()
        if "burst" in settings:
            settings["burst"] = _number(settings["burst"])
        return cls(LAW.parse(":".join(rest)), **settings)

    parse = of_spec
    """An earlier name of it."""

    @property
    def spec(self) -> str:
        """The canonical spec, which `of_spec` reads."""
        settings = [
            f"{one.name}={getattr(self, one.name):g}" if one.name == "burst" else f"{one.name}={value}"
            for one in fields(self)
            if one.name in _SETTINGS and (value := getattr(self, one.name)) != one.default
        ]
        return ":".join([LAW.format(self.law), *settings])


_SETTINGS = ("of", "start", "burst")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"must be a number >= 1, got {text!r}", field="failures, burst") from None
