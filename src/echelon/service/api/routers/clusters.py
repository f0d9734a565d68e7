"""Clusters: seen, drained, opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path

from echelon.service.api.access.callers import Operator, Reader, Serving
from echelon.service.api.access.visible_jobs import Owning, hide_names
from echelon.service.api.answers.answers import ClusterAnswer, ClustersAnswer, QueueAnswer, QueuedAnswer
from echelon.service.api.answers.descriptions import CLUSTER, JOB, example, problems
from echelon.service.api.answers.problems import Problem
from echelon.service.api.bodies.strict_json import StrictRoute
from echelon.service.service import Service

if TYPE_CHECKING:
    from typing import Literal

router = APIRouter(prefix="/v1", tags=["clusters"], route_class=StrictRoute)

ClusterPlace = Annotated[str, Path(description="Its name.", max_length=64, examples=["alpha"])]


@router.get(
    "/clusters",
    summary="List clusters",
    response_model=ClustersAnswer,
    responses={**problems(), 200: example({"clusters": [CLUSTER]}, "All, as in the configuration.")},
)
def list_clusters(_: Reader, service: Serving) -> ClustersAnswer:
    """Return the clusters with their loads and how old the news of them is."""
    return ClustersAnswer(clusters=[ClusterAnswer.model_validate(one) for one in service.clusters()])


@router.get(
    "/clusters/{cluster}",
    summary="Show a cluster",
    response_model=ClusterAnswer,
    responses={**problems(404), 200: example(CLUSTER, "The cluster.")},
)
def show_cluster(cluster: ClusterPlace, _: Reader, service: Serving) -> ClusterAnswer:
    """Return a cluster with its load and how old the news of it is."""
    return _find_cluster(cluster, service)


@router.get(
    "/clusters/{cluster}/queue",
    summary="Show the queue of a cluster",
    response_model=QueueAnswer,
    responses={
        **problems(404),
        200: example(
            {
                "jobs": [
                    {
                        **{"job": JOB["id"], "number": 17, "name": "mesh-7", "state": "waiting"},
                        **{"processors": 16, "time_limit": 3600.0},
                        **{"submitted_at": 1767225600.0, "started_at": None},
                    }
                ]
            },
            "Running jobs, then waiting ones, in the cluster's order.",
        ),
    },
)
def show_queue(cluster: ClusterPlace, caller: Reader, service: Serving, owners: Owning) -> QueueAnswer:
    """Return the jobs of a cluster as it was last seen; jobs of others have no names."""
    _find_cluster(cluster, service)
    rows = [QueuedAnswer.model_validate(one) for one in service.cluster_queue(cluster)]
    return QueueAnswer(jobs=hide_names(rows, caller, owners))


@router.post(
    "/clusters/{cluster}:drain",
    summary="Drain a cluster",
    response_model=ClusterAnswer,
    responses={**problems(404), 200: example({**CLUSTER, "mode": "drained"}, "The cluster.")},
)
def drain(cluster: ClusterPlace, _: Operator, service: Serving) -> ClusterAnswer:
    """Dispatch no new jobs to a cluster; those that it has stay."""
    return _set_mode(cluster, "drained", service)


@router.post(
    "/clusters/{cluster}:resume",
    summary="Open a cluster again",
    response_model=ClusterAnswer,
    responses={**problems(404), 200: example(CLUSTER, "The cluster.")},
)
def resume(cluster: ClusterPlace, _: Operator, service: Serving) -> ClusterAnswer:
    """Let a drained cluster have new jobs."""
    return _set_mode(cluster, "open", service)


def _set_mode(cluster: str, mode: Literal["open", "drained"], service: Service) -> ClusterAnswer:
    _find_cluster(cluster, service)
    service.drain(cluster, mode)
    return _find_cluster(cluster, service)


def _find_cluster(name: str, service: Service) -> ClusterAnswer:
    clusters = service.clusters()
    for one in clusters:
        if one.name == name:
            return ClusterAnswer.model_validate(one)
    names = ", ".join(one.name for one in clusters)
    raise Problem(404, f"there is no cluster {name[:60]!a}; there are {names}", field="cluster")
