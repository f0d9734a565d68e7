"""InnerSite: a site of sites, with what its platform says about what decides there and what is known."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from echelon.errors import InputError, UnknownNameError
from echelon.model.machines.site_path import ROOT, check_path
from echelon.quantities import is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OWN_TIME = "own"
"""In place of a decision time: that of the broker itself."""

LEVELS = ("sites", "job-counts", "job-sizes", "estimates", "schedules")
"""What sites may tell a broker, beyond their sizes; each level includes those before it."""


class SiteSettings(TypedDict, total=False):
    """What a platform says of an inner site, each key or not; what it does not say the run decides.

    Specs of rules are kept as they are, and read when a run needs them.

    Parameters
    ----------
    broker : str
        The spec of the broker that chooses among the sites right below.
    admissible : float or str
        Its admissible sites: a share of their processors, > 0 and at most 1, or a spec.
    decision_time : float or str
        How long the broker takes for each decision, in seconds, finite, >= 0; ``"own"``: as its own parameter
        says.
    refresh : float
        How old what it knows of the sites below may become, in seconds, finite, >= 0: it asks for their
        status at most every so many seconds.
    information : str
        The highest level of information that the sites right below give to the broker, one of `LEVELS`.
    global_queue : str
        The spec of the global queue in which jobs wait here until they are dispatched.
    queue_limit : int or str
        The limit of the queues right below: a number of jobs, >= 0, or a spec.
    queues : str
        The specs of several global queues, instead of one.
    queue_order : str
        The order in which they are served: ``"listed"``, ``"rotating"`` or ``"oldest"``.
    site_filter : str
        The specs of the filters that leave out sites right below before one is chosen.
    ptt_weight : float
        How much the broker ``ptt`` above weighs turnaround here, 0 to 1; see `Site`.
    longest_stay : float
        A job that has not started this long after it came to the global queue is rejected, in seconds,
        finite, > 0.
    policy : str
        The spec of the policy of all sites below that have a queue, and for which nothing nearer is said.
    """

    broker: str
    admissible: float | str
    decision_time: float | str
    refresh: float
    information: str
    global_queue: str
    queue_limit: int | str
    queues: str
    queue_order: str
    site_filter: str
    ptt_weight: float
    longest_stay: float
    policy: str


@dataclass(frozen=True, slots=True, init=False)
class InnerSite:
    """A site that has sites below it, and what a platform says about it.

    Parameters
    ----------
    path : str
        The path that all sites below begin with: ``"spain/uab"``; ``""`` is the root.
    places : mapping of str to str, default empty
        Where a file says it, by key, for messages: ``"grid.toml: line 12, group 1, broker"``. Inner sites
        that differ in it alone are equal.
    **settings : object
        What is said, as `SiteSettings` describes it; nothing that is None.

    Raises
    ------
    InputError
        If the path is none, a spec is empty, a number is out of range, there is no such level, or the root
        has a weight, which no broker above it could use.
    UnknownNameError
        If there is no such setting.
    """

    path: str
    settings: SiteSettings = field(hash=False)
    places: Mapping[str, str] = field(compare=False, repr=False)

    def __init__(
        self, path: str, *, places: Mapping[str, str] | None = None, **settings: Unpack[SiteSettings]
    ) -> None:
        described = {name: value for name, value in settings.items() if value is not None}
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "settings", described)
        object.__setattr__(self, "places", places or {})
        if path != ROOT:
            check_path(path, "path of an inner site")
        elif "ptt_weight" in described:
            where = self._field("ptt_weight")
            raise InputError("has no broker above it, which weighs turnaround; leave it out", field=where)
        for name, value in described.items():
            if name not in _RANGES:
                raise UnknownNameError("setting of an inner site", name, _RANGES)
            check_setting(name, value, self._field(name))

    def place_of(self, key: str) -> str:
        """Return where a setting is given, for messages: a place in a file, else the path and the key."""
        return self.places.get(key, self._field(key))

    def _field(self, key: str) -> str:
        return f"inner site {self.path!r}, {key}"


def check_setting(name: str, value: object, field: str) -> None:
    """Refuse a value that a setting of a site cannot have; `field` names it in the message.

    Raises
    ------
    InputError
        If it is of another type or out of range.
    """
    holds, expected = _RANGES[name]
    if not holds(value):
        raise InputError(f"must be {expected}, got {value!r:.60}", field=field)


def _is_spec(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_within(value: object, *, zero: bool = False, most: float = math.inf) -> bool:
    """Return whether it is a finite number above 0, or 0 where that is allowed, up to `most`."""
    if not is_number(value):
        return False
    number = float(value)
    return (number > 0 or (zero and number == 0)) and number <= most and number < math.inf


_RANGES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "broker": (_is_spec, "the spec of a broker, such as mct:of=job"),
    "admissible": (
        lambda value: _is_spec(value) or _is_within(value, most=1),
        "a number above 0 and at most 1, or a spec",
    ),
    "decision_time": (
        lambda value: value == OWN_TIME or _is_within(value, zero=True),
        f'a finite number >= 0, or "{OWN_TIME}"',
    ),
    "refresh": (partial(_is_within, zero=True), "a finite number >= 0"),
    "information": (lambda value: value in LEVELS, f"one of {', '.join(LEVELS)}"),
    "global_queue": (_is_spec, "the spec of a global queue, such as fpfs"),
    "queue_limit": (
        lambda value: _is_spec(value) or (_is_within(value, zero=True) and value % 1 == 0),
        "a whole number >= 0, or a spec",
    ),
    "queues": (_is_spec, "the specs of global queues"),
    "queue_order": (_is_spec, "the name of an order of queues"),
    "site_filter": (_is_spec, "the specs of site filters"),
    "ptt_weight": (partial(_is_within, zero=True, most=1), "a number from 0 to 1"),
    "longest_stay": (_is_within, "a finite number > 0"),
    "policy": (_is_spec, "the spec of a policy, such as easy"),
}
"""What each setting may be, and how a message says so."""
