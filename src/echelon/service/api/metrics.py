"""Metrics of a service for Prometheus, in a registry of its own."""

from __future__ import annotations

import math
from collections import Counter
from threading import Lock
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from echelon.service.records import JobState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from echelon.service.api.feed import Feed
    from echelon.service.service import Service

COUNTERS = {
    "submissions": "Jobs submitted.",
    "decisions": "Decisions made.",
    "decision_seconds": "Processor time of decisions, in seconds.",
    "steps": "Steps of the core.",
    "step_seconds": "Time of steps of the core, in seconds.",
    "commits": "Transactions of the store.",
    "commit_seconds": "Time of transactions of the store, in seconds.",
    "attempts": "Attempts to submit jobs to clusters.",
    "attempts_refused": "Attempts that clusters refused.",
    "attempts_unclear": "Attempts whose answers were not clear.",
    "looks": "Looks at clusters.",
    "look_failures": "Looks that failed or were not complete.",
    "look_seconds": "Time of looks, in seconds.",
}
"""Statistics of the service that only grow; a mapping under one of these names is by cluster."""

GAUGES = {
    "queue": "Observations that wait for the core.",
    "waiting_actions": "Actions that wait for workers, by cluster.",
    "attempts_open_unclear": "Attempts that are unclear now.",
    "forecast_error_seconds": "Median of the absolute error of forecast waits of the last jobs, in seconds.",
}
"""Statistics of the service that grow and shrink."""

_OF_CLUSTERS = {
    "age": ("cluster_look_age_seconds", "Seconds since the last complete look began."),
    "reachable": ("cluster_reachable", "1 if looks come back."),
    "stale": ("cluster_stale", "1 if the news is too old to decide on."),
    "processors": ("cluster_processors", "Processors in service."),
    "busy": ("cluster_busy_processors", "Processors held by jobs."),
    "waiting": ("cluster_waiting_jobs", "Jobs that wait there."),
    "running": ("cluster_running_jobs", "Jobs that run there."),
    "own_waiting": ("cluster_own_waiting_jobs", "Jobs of the service that wait there."),
    "own_running": ("cluster_own_running_jobs", "Jobs of the service that run there."),
}
_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Requests:
    """Counts requests and their seconds, by method, route and status.

    Parameters
    ----------
    app : callable
        What answers, by ASGI.
    counts : RequestCounts
        Where they are counted.
    """

    def __init__(self, app: ASGIApp, counts: RequestCounts) -> None:
        self._app, self._counts = app, counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from time import perf_counter

        begun, status = perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                # Up to here: a stream of events lasts as long as its reader.
                route = getattr(scope.get("route"), "path", "other")
                self._counts.add(scope["method"], route, status, perf_counter() - begun)
            await send(message)

        await self._app(scope, receive, sending)


class RequestCounts:
    """Requests and their seconds."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, str]] = Counter()
        self._buckets = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; an unknown method is ``other``."""
        verb = method if method in ("GET", "POST", "DELETE", "HEAD", "PUT", "OPTIONS") else "other"
        with self._lock:
            self._requests[verb, route, str(status)] += 1
            self._buckets[sum(seconds > bound for bound in _BOUNDS)] += 1
            self._seconds += seconds

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of requests."""
        with self._lock:
            requests, buckets, seconds = dict(self._requests), list(self._buckets), self._seconds
        family = CounterMetricFamily(
            "echelon_http_requests", "Requests answered.", labels=("method", "route", "status")
        )
        for labels, count in sorted(requests.items()):
            family.add_metric(labels, count)
        yield family
        summed, total = [], 0
        for bound, count in zip((*_BOUNDS, math.inf), buckets, strict=True):
            total += count
            summed.append((f"{bound:g}" if math.isfinite(bound) else "+Inf", total))
        histogram = HistogramMetricFamily(
            "echelon_http_request_seconds", "Time until an answer begins, in seconds."
        )
        histogram.add_metric((), summed, seconds)
        yield histogram


class Metrics(Collector):
    """What a service counts, read when it is asked for.

    Parameters
    ----------
    service : Service
        The service.
    feed : Feed
        Its streams of events.
    requests : RequestCounts
        Its requests.
    """

    def __init__(self, service: Service, feed: Feed, requests: RequestCounts) -> None:
        self._service, self._feed, self._requests = service, feed, requests
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)

    def text(self) -> tuple[bytes, str]:
        """Return all metrics as Prometheus reads them, and the media type."""
        return generate_latest(self._registry), CONTENT_TYPE_PLAIN_0_0_4

    def describe(self) -> Iterable[Metric]:
        """Return nothing: names are known only when the service is asked."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics."""
        yield _gauge("ready", "1 if the service decides.", float(self._service.ready))
        yield _gauge("event_streams", "Streams of events that are open.", self._feed.streams)
        counts = self._service.store.counts()
        jobs = GaugeMetricFamily("echelon_jobs", "Jobs, by state.", labels=("state",))
        for state in JobState:
            jobs.add_metric((state.value,), counts.get(state, 0))
        yield jobs
        yield from _of_clusters(self._service.clusters())
        yield from self._of_statistics()
        yield from self._requests.collect()

    def _of_statistics(self) -> Iterator[Metric]:
        for name, value in sorted(self._service.stats().items()):
            is_counter, by_cluster = name in COUNTERS, hasattr(value, "items")
            kind = CounterMetricFamily if is_counter else GaugeMetricFamily
            meaning = COUNTERS.get(name) or GAUGES.get(name) or name.replace("_", " ").capitalize() + "."
            family = kind(f"echelon_{name}", meaning, labels=("cluster",) if by_cluster else ())
            for labels, one in [((key,), one) for key, one in value.items()] if by_cluster else [((), value)]:
                family.add_metric(labels, float(one))
            yield family


def _of_clusters(clusters: Sequence[object]) -> Iterator[Metric]:
    for attribute, (name, meaning) in _OF_CLUSTERS.items():
        family = GaugeMetricFamily(f"echelon_{name}", meaning, labels=("cluster",))
        for one in clusters:
            value = getattr(one, attribute)
            if value is not None:
                family.add_metric((getattr(one, "name", ""),), float(value))
        yield family


def _gauge(name: str, meaning: str, value: float) -> Metric:
    family = GaugeMetricFamily(f"echelon_{name}", meaning)
    family.add_metric((), value)
    return family
