"""ClusterStatus: a cluster as the service sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from echelon.service.core.clusters import INTERVALS
from echelon.service.records import ClusterRecord

if TYPE_CHECKING:
    from echelon.backends import Snapshot
    from echelon.service.configuration.config import ClusterConfig
    from echelon.service.rules import ClusterRules


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """A cluster as the service sees it; `ClusterAnswer` says what each field is, and in which unit."""

    name: str
    backend: str
    mode: Literal["open", "drained"]
    reachable: bool
    looked_at: float | None
    age: float | None
    stale: bool
    processors: int
    busy: int
    waiting: int
    running: int
    own_waiting: int
    own_running: int
    problem: str
    policy: str


def status_of(
    config: ClusterConfig,
    record: ClusterRecord | None,
    snapshot: Snapshot | None,
    rules: ClusterRules,
    now: float,
) -> ClusterStatus:
    """Return the status of a cluster.

    Parameters
    ----------
    config : ClusterConfig
        What the configuration says of it.
    record : ClusterRecord, optional
        What the store has of it.
    snapshot : Snapshot, optional
        The last complete look.
    rules : ClusterRules
        How often it is looked at.
    now : float
        Unix time in seconds.
    """
    record = record or ClusterRecord(config.name)
    own = snapshot.own if snapshot else ()
    others = snapshot.others if snapshot else ()
    held = [one.processors for one in own if one.state == "running"]
    held += [one.processors for one in others if one.state == "running"]
    age = None if snapshot is None else max(now - snapshot.began_at, 0.0)
    own_running = sum(one.state == "running" for one in own)
    own_waiting = sum(one.state == "waiting" for one in own)
    return ClusterStatus(
        name=config.name,
        backend=config.backend,
        mode=record.mode,
        reachable=record.reachable,
        looked_at=snapshot.began_at if snapshot else record.looked_at,
        age=age,
        stale=age is None or age > INTERVALS * rules.look_every,
        processors=snapshot.processors if snapshot else record.processors,
        busy=sum(held),
        waiting=own_waiting + sum(one.state == "waiting" for one in others),
        running=len(held),
        own_waiting=own_waiting,
        own_running=own_running,
        problem=record.problem,
        policy=rules.policy,
    )
