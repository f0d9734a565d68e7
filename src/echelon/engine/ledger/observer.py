"""Observer: receives all events of a run with their places."""

from __future__ import annotations

import inspect
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from echelon.model import Job


Decide: TypeAlias = "Callable[[Any], Iterable[object]]"
"""A scheduler's ``decide(view)``: begins a scheduling cycle and yields its decisions."""

_NO_NODES: Mapping[int, int] = MappingProxyType({})
_EVENTS = {
    "submitted": ("time", "job", "place"),
    "started": ("time", "job", "place"),
    "ended": ("time", "job", "place"),
    "decided": ("time", "waiting", "free", "place"),
    "preempted": ("time", "job", "place"),
    "watched": ("decide", "place", "view"),
}
_OPTIONAL = ("preempted", "watched")


class Place(NamedTuple):
    """The place of an event.

    Attributes
    ----------
    site : int, optional
        Index of the site in the platform, from 0; None on one machine, and for events of no single site.
    name : str, default ``""``
        The site's name; empty without a site.
    nodes : mapping of int to int, default empty
        Number of cores of the job in each node of the site, by the node's number; in shared nodes, number of
        tasks. Empty where nodes are not modelled individually.
    others : tuple of Place, default empty
        The other clusters of a job that runs in several.
    """

    site: int | None = None
    name: str = ""
    nodes: Mapping[int, int] = _NO_NODES
    others: tuple[Place, ...] = ()


NO_SITE = Place()
"""The place of an event on one machine, and of events of no single site."""


class Observer(Protocol):
    """Receives the events of a run. All times in seconds; what it receives must not be changed.

    On a grid every event names its site. `submitted` names the site to which the broker sends the job, or,
    under a protocol, its home; in a multicluster and on time-shared machines, where a job waits
    for its site, none. An observer with ``preempted(time, job, place)`` also receives preemptions: the job
    waits again, and `started` reports each resumption, too. An observer with ``watched(decide, place, view)``
    watches scheduling cycles: it is called for each in place of the scheduler's ``decide(view)`` and must
    yield exactly what that yields. What it yields has been applied when it resumes. Global queues, protocols
    and dispatchers have no such cycles.
    """

    def submitted(self, time: float, job: Job, place: Place) -> None:
        """See that `job` has joined the queue."""

    def started(self, time: float, job: Job, place: Place) -> None:
        """See that `job` has started; for a job with several copies, that the first has."""

    def ended(self, time: float, job: Job, place: Place) -> None:
        """See that `job` has ended and released its processors."""

    def decided(self, time: float, waiting: int, free: int, place: Place) -> None:
        """Observe the end of a cycle: `waiting` jobs still wait there, and `free` processors are free.

        Once for each scheduling cycle of each site. Where all sites decide together, under a protocol or on
        time-shared machines, `place` names no site, and the numbers are of all sites.
        """


def check_observers(observers: Iterable[object]) -> None:
    """Refuse observers that lack a method or take other arguments.

    Raises
    ------
    InputError
        If one lacks a method, or a method takes other arguments.
    """
    for observer in observers:
        for event, takes in _EVENTS.items():
            method = getattr(observer, event, None)
            if method is None and event in _OPTIONAL:
                continue
            expected = f"{event}({', '.join(takes)})"
            if not callable(method):
                raise InputError(f"lacks {expected}", field=f"observer {type(observer).__name__}")
            signature = inspect.signature(method)
            try:
                signature.bind(*takes)
            except TypeError:
                problem = f"must have {expected}, got {event}{signature}"
                raise InputError(problem, field=f"observer {type(observer).__name__}") from None


def watch_decisions(decide: Decide, observers: Iterable[object], place: Place) -> Decide:
    """Return a scheduler's `decide` as it runs at `place` under the observers that watch its cycles."""
    for observer in observers:
        if (watches := getattr(observer, "watched", None)) is not None:
            decide = partial(watches, decide, place)
    return decide


class QuietObserver(Observer):
    """An `Observer` that does nothing; a subclass overrides the events that concern it."""

    def submitted(self, time: float, job: Job, place: Place) -> None:
        """See `Observer.submitted`."""

    def started(self, time: float, job: Job, place: Place) -> None:
        """See `Observer.started`."""

    def ended(self, time: float, job: Job, place: Place) -> None:
        """See `Observer.ended`."""

    def decided(self, time: float, waiting: int, free: int, place: Place) -> None:
        """See `Observer.decided`."""
