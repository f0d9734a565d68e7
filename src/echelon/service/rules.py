"""Rules: what a service decides by, as specs of scenario files and of options of the command line."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from echelon.errors import InputError

DAY = 86400.0
"""Seconds of a day."""


@dataclass(frozen=True, slots=True)
class ClusterRules:
    """What the service does with one cluster.

    Parameters
    ----------
    name : str
        Its name, unique; a path (``"spain/uab/alpha"``) makes a tree of clusters.
    policy : str, default "easy"
        The policy that its scheduler is said to have, as in ``--policy``; forecasts simulate it.
    on_lost : float, default infinity
        Seconds after which jobs that wait at the cluster are moved if it is not reachable, > 0.
    unsettled : int, default 500
        Most attempts there that are not settled yet, >= 1.
    look_every : float, default 5
        Seconds from the begin of one look to that of the next, > 0.
    default_time_limit : float, optional
        Planned seconds of jobs of others without a time limit, > 0; default: that of the service.

    Raises
    ------
    InputError
        If a value is out of its range.
    """

    name: str
    policy: str = "easy"
    on_lost: float = math.inf
    unsettled: int = 500
    look_every: float = 5.0
    default_time_limit: float | None = None

    def __post_init__(self) -> None:
        where = f"cluster {self.name!r}"
        if not self.name:
            raise InputError("needs a name, got ''", field="cluster")
        _check_positive(self.on_lost, f"on_lost of {where}", may_be_endless=True)
        _check_positive(self.look_every, f"look_every of {where}")
        if self.default_time_limit is not None:
            _check_positive(self.default_time_limit, f"default_time_limit of {where}")
        if self.unsettled < 1:
            raise InputError(f"must be at least 1, got {self.unsettled}", field=f"unsettled of {where}")


@dataclass(frozen=True, slots=True)
class Rules:
    """What a service decides by.

    Parameters
    ----------
    clusters : tuple of ClusterRules
        At least one, in the order of the configuration.
    broker : str, default "tat"
        What chooses among clusters, as in ``--broker``.
    global_queue, queue_limit, queues, queue_order : str, default ""
        As in the options of these names; empty: jobs are sent on as they come.
    site_filter, admissible, information : str, default ""
        As in the options of these names; empty: their defaults.
    longest_stay : float, default infinity
        A job that has not started this many seconds after it came is rejected; needs a global queue.
    decision_time, refresh : float, default 0
        Seconds that a decision takes, and how old the news of clusters may be.
    estimator : str, default "request"
        Predicts run times, as in ``--estimator``; see `echelon.service.core.controllers.predictor`.
    default_time_limit : float, default one day
        Planned seconds of jobs without a time limit, > 0.
    settle : float, default 6
        Seconds after which a cluster does not forget a job any more that it has listed, >= 0.
    grace : float, default 30
        Seconds that a record of an end may be late, >= 0.
    launch_retries : int, default 2
        How often a job is submitted again that its cluster has failed before its program started, >= 0; for
        clusters whose jobs claim themselves.
    seed : int, default 0
        Of all random choices, >= 0.

    Raises
    ------
    InputError
        If there is no cluster, two have one name, or a value is out of its range. Whether the specs are known
        and can be served says `echelon.service.accepted_rules.why_not_served`.
    """

    clusters: tuple[ClusterRules, ...]
    broker: str = "tat"
    global_queue: str = ""
    queue_limit: str = ""
    queues: str = ""
    queue_order: str = ""
    site_filter: str = ""
    admissible: str = ""
    information: str = ""
    longest_stay: float = math.inf
    decision_time: float = 0.0
    refresh: float = 0.0
    estimator: str = "request"
    default_time_limit: float = DAY
    settle: float = 6.0
    grace: float = 30.0
    launch_retries: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.clusters:
            raise InputError("a service needs at least one cluster, got none", field="cluster")
        names = Counter(cluster.name for cluster in self.clusters)
        if twice := [name for name, count in names.items() if count > 1]:
            raise InputError(f"names must differ, got {twice[0]!r} {names[twice[0]]} times", field="cluster")
        _check_positive(self.default_time_limit, "default_time_limit")
        _check_positive(self.longest_stay, "longest_stay", may_be_endless=True)
        for name in ("settle", "grace", "decision_time", "refresh"):
            if not 0 <= (seconds := getattr(self, name)) < math.inf:
                raise InputError(f"must be seconds >= 0, got {seconds}", field=name)
        if self.launch_retries < 0:
            raise InputError(f"must be at least 0, got {self.launch_retries}", field="launch_retries")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the clusters, in order."""
        return tuple(cluster.name for cluster in self.clusters)

    def cluster(self, name: str) -> ClusterRules:
        """Return the rules of the cluster `name`."""
        return next(cluster for cluster in self.clusters if cluster.name == name)

    @property
    def settings(self) -> dict[str, str | float]:
        """What is said, by the settings of `echelon.simulate`."""
        settings: dict[str, str | float] = {"broker": self.broker, "seed": self.seed}
        for name in _RULES:
            if spec := getattr(self, name):
                settings[name] = spec
        if self.longest_stay < math.inf:
            settings["longest_stay"] = self.longest_stay
        return settings


_RULES = (
    "global_queue", "queue_limit", "queues", "queue_order", "site_filter", "admissible", "information",
    "decision_time", "refresh",
)  # fmt: skip


def _check_positive(seconds: float, field: str, *, may_be_endless: bool = False) -> None:
    if not (seconds > 0 and (may_be_endless or seconds < math.inf)):
        raise InputError(f"must be seconds > 0, got {seconds}", field=field)
