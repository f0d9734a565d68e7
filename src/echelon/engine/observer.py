"""Observer: someone who watches a run, and hears of everything that happens and where."""

from __future__ import annotations

import inspect
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from echelon.model import Job

_NO_NODES: Mapping[int, int] = MappingProxyType({})
_EVENTS = {
    "submitted": ("time", "job", "place"),
    "started": ("time", "job", "place"),
    "ended": ("time", "job", "place"),
    "decided": ("time", "waiting", "free", "place"),
    "preempted": ("time", "job", "place"),
}


class Place(NamedTuple):
    """Where something happened.

    Attributes
    ----------
    site : int, optional
        The site's place in the platform, from 0; None on one machine, and where no single site is meant.
    name : str, default ``""``
        The site's name; empty without a site.
    nodes : mapping of int to int, default empty
        How many cores the job holds in each node of the site, by the node's number; of shared nodes how many
        tasks. Empty where nodes are not modelled individually.
    others : tuple of Place, default empty
        The other clusters of a job that runs in several.
    """

    site: int | None = None
    name: str = ""
    nodes: Mapping[int, int] = _NO_NODES
    others: tuple[Place, ...] = ()


class Observer(Protocol):
    """Someone who watches a run. All times in seconds; what is seen must not be changed.

    On a grid every event names its site. `submitted` names the site to which the broker sends the job, or,
    where sites have no broker, its home; in a multicluster and on machines without queues, where a job waits
    for its site, none. One that also has ``preempted(time, job, place)`` hears of jobs that give their
    processors back before their end; they wait again, and `started` tells of each resumption, too.
    """

    def submitted(self, time: float, job: Job, place: Place) -> None:
        """Hear that `job` has joined the queue."""

    def started(self, time: float, job: Job, place: Place) -> None:
        """Hear that `job` has started; of one with several copies, that the first has."""

    def ended(self, time: float, job: Job, place: Place) -> None:
        """Hear that `job` has ended and given its processors back."""

    def decided(self, time: float, waiting: int, free: int, place: Place) -> None:
        """Hear that a pass is over: so many jobs still wait there, so many processors are free there.

        Once for each pass of each site. Where all sites decide together, without a broker or without queues,
        `place` names no site, and the numbers are of all sites.
        """


def check_observers(observers: Iterable[object]) -> None:
    """Refuse observers that cannot hear what they would be told.

    Raises
    ------
    InputError
        If one lacks a method, or a method takes other arguments.
    """
    for observer in observers:
        for event, takes in _EVENTS.items():
            method = getattr(observer, event, None)
            if method is None and event == "preempted":
                continue
            said = f"{event}({', '.join(takes)})"
            if not callable(method):
                raise InputError(f"lacks {said}", field=f"observer {type(observer).__name__}")
            signature = inspect.signature(method)
            try:
                signature.bind(*takes)
            except TypeError:
                problem = f"must have {said}, got {event}{signature}"
                raise InputError(problem, field=f"observer {type(observer).__name__}") from None
