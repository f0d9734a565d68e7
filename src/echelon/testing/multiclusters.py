"""Random multiclusters: a few clusters of shared nodes, their owners, and jobs that crowd there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.contract import Scenario
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.system_model import tree_of_sites
from echelon.model import (
    AWAY,
    Application,
    Applications,
    Instance,
    LocalChange,
    LocalUse,
    Platform,
    SharedCluster,
    Site,
    SocialContract,
    Workload,
    Workstation,
)
from echelon.policies import broker_of, estimator_capabilities, policy
from echelon.policies.estimators.registry import estimator as estimator_of
from echelon.policies.global_queue import global_queue, queue_limit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.engine.ledger.observer import Observer
    from echelon.policies import Broker, Estimator
    from echelon.policies.global_queue import GlobalQueueRule


@dataclass(frozen=True, slots=True)
class ScriptedLocalLoad:
    """A local load that follows a script.

    Parameters
    ----------
    script : sequence of LocalChange
        By time.
    """

    script: Sequence[LocalChange] = ()

    spec = "scripted"

    def changes(self, platform: Platform, seed: int) -> Iterator[LocalChange]:
        """Return the script, for any seed."""
        return iter(self.script)


@dataclass(frozen=True, slots=True)
class ClusterCase:
    """Jobs, clusters, and the local load of their nodes.

    Attributes
    ----------
    workload : Workload
        With an application for each job.
    platform : Platform
        Clusters of shared nodes.
    users : ScriptedLocalLoad, default none
        The local load.
    """

    workload: Workload
    platform: Platform
    users: ScriptedLocalLoad = ScriptedLocalLoad()

    def scenario(
        self,
        local: str = "fcfs",
        *,
        upper: str | GlobalQueueRule = "fcfs",
        limit: str | int | None = None,
        broker: str | Broker = "first-fit",
        estimator: str | Estimator = "request",
        seed: int = 0,
        observers: Sequence[Observer] = (),
        **rules: Any,  # noqa: ANN401
    ) -> Scenario:
        """Return the scenario under these rules; `rules` are further ones of `MulticlusterRules`."""
        rules.setdefault("local_users", self.users)
        multicluster = MulticlusterRules(global_queue(upper), queue_limit(limit), **rules)
        spanning = multicluster.co_allocation is not None
        instance = Instance.of(self.workload, self.platform, spanning=spanning)
        rule = estimator_of(estimator)
        return Scenario(
            instance.with_known_run_times() if estimator_capabilities(rule).knows_run_times else instance,
            policy(local),
            estimator=rule,
            seed=seed,
            observers=observers,
            system_model=tree_of_sites(broker_of(broker), rules=multicluster),
        )

    def scale(self, factor: float) -> ClusterCase:
        """Return the same case with every time multiplied by `factor`."""
        jobs = self.workload
        columns = {
            name: getattr(jobs, name) * factor for name in ("submit_time", "run_time", "requested_time")
        }
        script = [change._replace(time=change.time * factor) for change in self.users.script]
        return ClusterCase(jobs.with_columns(**columns), self.platform, ScriptedLocalLoad(script))


ToldUsers = ScriptedLocalLoad
Situation = ClusterCase
"""Earlier names."""


def cluster_case(
    jobs: Sequence[tuple[float, float, int]],
    clusters: Sequence[SharedCluster],
    *,
    applications: Sequence[Application] | None = None,
    requests: Sequence[float] | None = None,
    changes: Sequence[LocalChange] = (),
) -> ClusterCase:
    """Return the case of these jobs (submission, dedicated run time, nodes) on these clusters.

    Clusters with the fewest slots come first, in any order of `clusters`. `applications` and `requests` have
    one entry per job; by default jobs only compute, and request their dedicated run times.
    """
    submit, run, nodes = zip(*jobs, strict=True)
    workload = Workload.from_columns(
        submit_time=submit, run_time=run, requested_time=run if requests is None else requests,
        processors=nodes, user=np.arange(len(jobs)) % 3, executable=np.arange(len(jobs)) % 2,
    )  # fmt: skip
    if applications is not None:
        workload = replace(workload, applications=Applications.of(list(applications)))
    sites = tuple(Site(f"c{place}", cluster) for place, cluster in enumerate(clusters))
    return ClusterCase(workload, Platform(sites), ScriptedLocalLoad(tuple(changes)))


def random_cluster_case(
    seed: int,
    *,
    jobs: int = 20,
    clusters: int = 3,
    owners: int = 12,
    links: bool = True,
    short: bool = True,
    larger: bool = False,
    forever: bool = True,
) -> ClusterCase:
    """Return a random case of this seed, in whole seconds, with many ties.

    Parameters
    ----------
    seed : int
        The same seed gives the same case.
    jobs, clusters : int
        Their largest numbers, >= 1.
    owners : int
        Largest number of changes of the local load.
    links : bool, default True
        Whether jobs communicate, over links that saturate.
    short : bool, default True
        Whether memory is short, contracts have ceilings and nodes differ.
    larger : bool, default False
        Whether some jobs need more nodes than any cluster has.
    forever : bool, default True
        Whether owners that take all resources may stay forever.
    """
    draw = np.random.default_rng(seed)
    number = int(draw.integers(1, clusters + 1))
    shared = tuple(_cluster(draw, links=links, short=short) for _ in range(number))
    sites = tuple(Site(f"c{place}", cluster) for place, cluster in enumerate(shared))
    platform = Platform(sites)
    count = int(draw.integers(1, jobs + 1))
    sizes = [len(cluster) for cluster in shared]
    largest = sum(sizes) if larger else max(sizes)
    nodes = np.minimum(np.ceil(largest ** draw.uniform(0, 1, count)), largest).astype(np.int64)
    run = draw.integers(1, draw.choice([4, 15, 60]), count, endpoint=True)
    asked = np.where(draw.random(count) < 0.5, run, run * draw.integers(1, 5, count))
    table = Workload.from_columns(
        submit_time=np.sort(draw.integers(0, draw.choice([1, 20, 90, 300]), count)),
        run_time=run, requested_time=asked, processors=nodes, user=draw.integers(0, 3, count),
        executable=draw.integers(0, 3, count), queue=draw.integers(0, 2, count),
    )  # fmt: skip
    programs = [_application(draw, links=links, short=short) for _ in range(count)]
    table = replace(table, applications=Applications.of(programs))
    users = _changes(draw, platform, int(draw.integers(0, owners + 1)), forever=forever)
    return ClusterCase(table, platform, ScriptedLocalLoad(users))


def _cluster(draw: np.random.Generator, *, links: bool, short: bool) -> SharedCluster:
    def node() -> Workstation:
        return Workstation(
            power=float(draw.choice([0.25, 0.5, 1.0, 1.0])) if short else 1.0,
            processors=int(draw.choice([1, 1, 2])),
            memory=float(draw.choice([64, 100, 256, math.inf])) if short else math.inf,
            bandwidth=float(draw.choice([50, 100])) if links else math.inf,
        )

    kinds = [node(), node()]
    contract = SocialContract(
        mpl=int(draw.integers(1, 4, endpoint=True)),
        memory=float(draw.choice([0.5, 0.75, 1.0])) if short else 1.0,
        bandwidth=float(draw.choice([0.5, 1.0, math.inf, math.inf])) if short and links else math.inf,
        cpu=float(draw.choice([0.5, 1.0])) if short else 1.0,
    )
    return SharedCluster(
        tuple(kinds[int(draw.integers(2))] for _ in range(int(draw.integers(1, 5, endpoint=True)))),
        contract,
        link=float(draw.choice([40, 80, 1000])) if links else math.inf,
        link_traffic=float(draw.choice([0, 0, 20])) if links else 0.0,
        software=frozenset({"mpi", "pvm"} if draw.random() < 0.8 else {"mpi"}),
    )


def _application(draw: np.random.Generator, *, links: bool, short: bool) -> Application:
    return Application(
        name=str(draw.choice(["is", "mg", ""])),
        compute_share=float(draw.choice([0.0, 0.25, 0.5, 1.0])) if links else 1.0,
        memory=float(draw.choice([0, 10, 30, 60])) if short else 0.0,
        bandwidth=float(draw.choice([0, 10, 40, 80])) if links else 0.0,
        library=str(draw.choice(["mpi", "mpi", "pvm", ""])) if short else "",
    )


def _changes(
    draw: np.random.Generator, platform: Platform, count: int, *, forever: bool
) -> tuple[LocalChange, ...]:
    """Return random changes by time; unless `forever`, all owners leave at last."""
    changes = []
    for time in np.sort(draw.integers(0, 200, count)).tolist():
        site = int(draw.integers(len(platform)))
        use = LocalUse(
            cpu=float(draw.choice([0.0, 0.25, 0.5, 1.0], p=[0.3, 0.3, 0.3, 0.1])),
            memory=float(draw.choice([0.0, 0.25, 0.5, 1.0], p=[0.3, 0.3, 0.3, 0.1])),
            network=float(draw.choice([0.0, 20.0, 1000.0], p=[0.6, 0.3, 0.1])),
        )
        node = int(draw.integers(len(platform.clusters[site])))
        changes.append(LocalChange(float(time), site, node, AWAY if draw.random() < 0.4 else use))
    if not forever:
        places = sorted({(change.site, change.node) for change in changes})
        changes += [LocalChange(250.0, site, node, AWAY) for site, node in places]
    return tuple(changes)


situation_of, random_situation = cluster_case, random_cluster_case
"""Earlier names."""
