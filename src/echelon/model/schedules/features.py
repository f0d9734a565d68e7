"""Features: what a run has, and so what can be measured, listed and drawn of it.

Metrics, columns of tables, panels and figures say which features they need. What kind of system a run was on
they never ask: a system whose parts are of several kinds has the features of all of them. This file is the
one place that says what a run has.
"""

from __future__ import annotations

from enum import Flag, auto
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from numpy.typing import NDArray

    from echelon.model.machines.hardware import Hardware
    from echelon.model.machines.platform import Platform, Site
    from echelon.model.schedules.schedule import Schedule

Part = TypeVar("Part")


class Feature(Flag):
    """What a run has. Several are joined by ``|``; ``needed in had`` is whether all that is needed is there.

    Attributes
    ----------
    SITES
        Several sites, and the one of each job.
    QUEUES
        Processors that a job has to itself while it holds them.
    TIME_SHARING
        Time-shared machines: each process of a job runs beside others on a processor.
    CORES
        Which cores of which nodes each task held.
    PLACES
        Which shared node each task was in; its owner may work there, too.
    NODES
        The nodes in which tasks were.
    BESIDE
        Jobs may run beside others on a processor, and take longer for it.
    COPIES
        Every copy of each job, where jobs may have several.
    CPU_TIME
        How long each process computed.
    DELIVERY
        When each job left a queue above those of the sites.
    FORECASTS
        What estimators said of waits and run times.
    POWER
        What the machine drew over time.
    DEPENDENCIES
        Which jobs waited for which to end.
    ATTEMPTS
        What became of each job and of each attempt to run it: jobs may be requeued, fail or be canceled.
    OUTAGES
        When which nodes were down.
    RESERVATIONS
        Advance reservations of nodes.
    DUE_TIMES
        When jobs must or should have ended.
    """

    SITES = auto()
    QUEUES = auto()
    TIME_SHARING = auto()
    CORES = auto()
    PLACES = auto()
    NODES = auto()
    BESIDE = auto()
    COPIES = auto()
    CPU_TIME = auto()
    DELIVERY = auto()
    FORECASTS = auto()
    POWER = auto()
    DEPENDENCIES = auto()
    ATTEMPTS = auto()
    OUTAGES = auto()
    RESERVATIONS = auto()
    DUE_TIMES = auto()


NOTHING = Feature(0)
"""What every run has."""

RECORDS: Mapping[str, Feature] = {
    "holdings": Feature.CORES,
    "places": Feature.PLACES | Feature.BESIDE,
    "replicas": Feature.COPIES,
    "cpu_time": Feature.CPU_TIME,
    "delivered": Feature.DELIVERY,
    "forecasts": Feature.FORECASTS,
    "power": Feature.POWER,
}
"""What a run has if it recorded this: a column of its `Schedule`, or a table of its folder."""


COLUMNS: Mapping[str, Feature] = {
    "cpu_time": Feature.CPU_TIME,
    "delivered_time": Feature.DELIVERY,
    "restarts": Feature.ATTEMPTS,
    "deadline": Feature.DUE_TIMES,
    "due_time": Feature.DUE_TIMES,
}
"""What a run has if its table of jobs has this column."""

CHANGE_TABLES: Mapping[str, Feature] = {
    "attempts": Feature.ATTEMPTS,
    "outages": Feature.OUTAGES,
    "reservations": Feature.RESERVATIONS,
}
"""What a run has if it left this table. Every schedule has attempts, so they say nothing there."""


def recorded_features(run: object) -> Feature:
    """Return what a run has by its records: those of a schedule, or of the tables made of one."""
    features = NOTHING
    for name, feature in RECORDS.items():
        record = getattr(run, name, None)
        # A schedule without forecasts has an empty tuple of them.
        if record is not None and record is not _NONE:
            features |= feature
    return features


_NONE: tuple[()] = ()


def site_feature(site: Site) -> Feature:
    """Return what the resource of a site has of `QUEUES`, `PLACES` and `TIME_SHARING`."""
    from echelon.model.machines.shared_cluster import SharedCluster
    from echelon.model.machines.time_shared import TimeSharedMachine

    if isinstance(site.resource, TimeSharedMachine):
        return Feature.TIME_SHARING
    shared = isinstance(site.resource, SharedCluster)
    return Feature.QUEUES | Feature.PLACES if shared else Feature.QUEUES


def sites_with(platform: Platform, feature: Feature) -> NDArray[np.bool_]:
    """Return which sites have a feature of their resource, shape (n_sites,)."""
    return np.array([feature in site_feature(site) for site in platform.sites], dtype=np.bool_)


def sites_with_power(platform: Platform) -> NDArray[np.bool_]:
    """Return which sites have nodes whose power is known, shape (n_sites,). Cost: O(nodes)."""
    from echelon.model.machines.power import says_power

    nodes = platform.node_level
    return np.array([name in nodes and says_power(nodes[name]) for name in platform.names], dtype=np.bool_)


def is_capped_as_one(platform: Platform | None) -> bool:
    """Return whether a power cap is that of all that is drawn: each site with nodes keeps it by itself."""
    return platform is None or int(sites_with_power(platform).sum()) < 2


def every_site_has(platform: Platform | None, feature: Feature) -> bool:
    """Return whether all known sites have a feature of their resource."""
    return platform is None or bool(sites_with(platform, feature).all())


def platform_features(platform: Platform | None) -> Feature:
    """Return what a run has by the sites that it was on; None stands for one machine."""
    if platform is None:
        return Feature.QUEUES
    features = Feature.SITES
    for site in platform.sites:
        # Which node each task was in must have been recorded, too.
        features |= site_feature(site) & ~Feature.PLACES
    return features | Feature.BESIDE if Feature.TIME_SHARING in features else features


def features_of_tables(
    run: object, *, platform: Platform | None, stated: bool, columns: Container[str]
) -> Feature:
    """Return what a run has by the tables that it left.

    Parameters
    ----------
    run : object
        With the tables as attributes, each None if the run has none of them.
    platform : Platform or None
        Its sites; None on one machine.
    stated : bool
        Whether the run named its sites, and not just where its jobs ran.
    columns : container of str
        Of its table of jobs.
    """
    features = recorded_features(run) | platform_features(platform)
    for name, feature in CHANGE_TABLES.items():
        if getattr(run, name, None) is not None:
            features |= feature
    for name, feature in COLUMNS.items():
        if name in columns:
            features |= feature
    if platform is None or not stated:
        features &= ~Feature.COPIES
    if Feature.TIME_SHARING not in features:
        # Logs of other machines may tell the processor time of jobs, too.
        features &= ~Feature.CPU_TIME
    if getattr(run, "nodes", None) is None:
        features &= ~Feature.CORES
    elif features & (Feature.CORES | Feature.PLACES):
        features |= Feature.NODES
    return features


def features_of(schedule: Schedule) -> Feature:
    """Return what a schedule has. Cost: O(sites)."""
    instance = schedule.instance
    features = recorded_features(schedule) | platform_features(instance.platform) | change_features(schedule)
    if instance.dependencies is not None:
        features |= Feature.DEPENDENCIES
    if instance.hardware is None:
        features &= ~Feature.CORES
    elif Feature.CORES in features:
        features |= _power_of(instance.hardware)
    return features | Feature.NODES if features & (Feature.CORES | Feature.PLACES) else features


def change_features(schedule: Schedule) -> Feature:
    """Return what a schedule has of `ATTEMPTS`, `OUTAGES`, `RESERVATIONS` and `DUE_TIMES`.

    Jobs are lost, or end in ways of their own, only where something changes; there each attempt is recorded.
    """
    features = Feature.OUTAGES if len(schedule.outages) else NOTHING
    if schedule.reservations:
        features |= Feature.RESERVATIONS
    if features or schedule.tells_attempts:
        features |= Feature.ATTEMPTS
    # All jobs of the log: those that left the queue to miss no deadline are not in the schedule.
    accounting = schedule.instance.workload.accounting
    if any((accounting[name] >= 0).any() for name in ("deadline", "due_time") if name in accounting):
        features |= Feature.DUE_TIMES
    return features


def _power_of(hardware: Hardware) -> Feature:
    from echelon.model.machines.power import says_power

    return Feature.POWER if says_power(hardware) else NOTHING


def there(part: Part | None, what: str = "what was not recorded") -> Part:
    """Return a part of a run that its features say is there.

    Parameters
    ----------
    part : any value, or None
        As it was recorded.
    what : str
        What is asked of the run, for the message.

    Raises
    ------
    InputError
        If it is None: who asks did not look at the run's features first.
    """
    if part is None:
        raise InputError(f"asks a run for {what}; ask its features first")
    return part
