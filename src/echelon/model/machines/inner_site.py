"""InnerSite: a site of sites, with what its platform says about what decides there and what is known."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.model.machines.site_path import ROOT, check_path
from echelon.quantities import is_number

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORDS = {
    "broker": "a broker",
    "policy": "a policy",
    "global_queue": "a global queue",
    "queues": "global queues",
    "queue_order": "an order of queues",
    "site_filter": "site filters",
}
"""What is kept as words, and what they are of."""

_NOT_BELOW_ZERO = "a finite number >= 0"

OWN_TIME = "own"
"""In place of a decision time: that of the broker itself."""

LEVELS = ("sites", "job-counts", "job-sizes", "estimates", "schedules")
"""What sites may tell a broker, beyond their sizes; each level includes those before it."""


@dataclass(frozen=True, slots=True)
class InnerSite:
    """A site that has sites below it, where a platform says something about it.

    What is None is not said: the run decides.

    Parameters
    ----------
    path : str
        The path that all sites below begin with: ``"spain/uab"``; ``""`` is the root.
    broker : str, optional
        The words of the broker that chooses among the sites right below.
    admissible : float or str, optional
        The words of its admissible sites; a number is > 0 and at most 1.
    decision_time : float or str, optional
        How long the broker takes for each decision, in seconds, finite, >= 0; ``"own"``: as its own parameter
        says.
    refresh : float, optional
        How old what it knows of the sites below may become, in seconds, finite, >= 0: it asks for their
        status at most every so many seconds.
    information : str, optional
        The highest level of information that the sites right below give to the broker, one of `LEVELS`.
    global_queue : str, optional
        The words of the global queue in which jobs wait here until they are dispatched.
    queue_limit : int or str, optional
        The words of the limit of the queues right below; a number is >= 0.
    queues : str, optional
        The words of several global queues, instead of one.
    queue_order : str, optional
        The order in which they are served: ``"listed"``, ``"rotating"`` or ``"oldest"``.
    site_filter : str, optional
        The words of the filters that leave out sites right below before one is chosen.
    policy : str, optional
        The words of the policy of all sites below that have a queue, and for which nothing nearer is said.
    longest_stay : float, optional
        A job that has not started this long after it came to the global queue is rejected, in seconds,
        finite, > 0.
    ptt_weight : float, optional
        How much the broker ``ptt`` above weighs turnaround here, 0 to 1; see `Site`.
    places : mapping of str to str, default empty
        Where a file says it, by key, for messages: ``"grid.toml: line 12, group 1, broker"``. Inner sites
        that differ in it alone are equal.

    Raises
    ------
    InputError
        If the path is none, words are empty, a number is out of range, or there is no such level.

    Notes
    -----
    Words of brokers, admissible sites and queues are kept as they are, and read when a run needs them.
    """

    path: str
    broker: str | None = None
    admissible: float | str | None = None
    decision_time: float | str | None = None
    refresh: float | None = None
    information: str | None = None
    global_queue: str | None = None
    queue_limit: int | str | None = None
    queues: str | None = None
    queue_order: str | None = None
    site_filter: str | None = None
    ptt_weight: float | None = None
    longest_stay: float | None = None
    policy: str | None = None
    places: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.path != ROOT:
            check_path(self.path, "path of an inner site")
        where = f"inner site {self.path!r}"
        if self.path == ROOT and self.ptt_weight is not None:
            raise InputError(
                "has no broker above it, which weighs turnaround; leave it out", field=f"{where}, ptt_weight"
            )
        check_weight(self.ptt_weight, f"{where}, ptt_weight")
        for name, what in _WORDS.items():
            if (words := getattr(self, name)) is not None and not _is_text(words):
                raise InputError(f"must be the words of {what}, got {words!r}", field=f"{where}, {name}")
        limit, admissible, information = self.queue_limit, self.admissible, self.information
        whole = _is_within(limit, zero=True) and limit == int(limit)  # type: ignore[arg-type]
        decision_time = None if self.decision_time == OWN_TIME else self.decision_time
        rules = (
            ("queue_limit", _is_text(limit) or whole, "a whole number >= 0, or words"),
            (
                "admissible",
                _is_text(admissible) or _is_within(admissible, most=1),
                "a number above 0 and at most 1, or words",
            ),
            ("information", information in LEVELS, f"one of {', '.join(LEVELS)}"),
            ("decision_time", decision_time is None or _is_within(decision_time, zero=True), _NOT_BELOW_ZERO),
            ("refresh", _is_within(self.refresh, zero=True), _NOT_BELOW_ZERO),
            ("longest_stay", _is_within(self.longest_stay), "a finite number > 0"),
        )
        for name, is_right, expected in rules:
            if (setting := getattr(self, name)) is not None and not is_right:
                got = f"{setting!r:.60}" if name == "information" else repr(setting)
                raise InputError(f"must be {expected}, got {got}", field=f"{where}, {name}")

    def place_of(self, key: str) -> str:
        """Return where something is said, for messages: a place in a file, else the path and the key."""
        return self.places.get(key, f"inner site {self.path!r}, {key}")


def check_weight(weight: object, field: str) -> None:
    """Refuse a weight that is not a number from 0 to 1; None is none.

    Raises
    ------
    InputError
        If it is.
    """
    if weight is not None and not _is_within(weight, zero=True, most=1):
        raise InputError(f"must be a number from 0 to 1, got {weight!r}", field=field)


def _is_text(setting: object) -> bool:
    return isinstance(setting, str) and bool(setting.strip())


def _is_within(setting: object, *, zero: bool = False, most: float = math.inf) -> bool:
    """Return whether it is a finite number above 0, or 0 where that is allowed, up to `most`."""
    if not is_number(setting):
        return False
    number = float(setting)
    return (number > 0 or (zero and number == 0)) and number <= most and number < math.inf
