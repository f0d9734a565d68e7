"""Check of a configuration: its rules, its store, and whether every cluster answers and has claims."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import EchelonError, InputError
from echelon.quantities import tally
from echelon.service.accepted_rules import why_not_served
from echelon.service.clusters.clusters import backend_in, make_folder
from echelon.service.configuration.config import read_config
from echelon.service.store.opening import check_whole, version_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from echelon.backends import Backend
    from echelon.service.configuration.config import ClusterConfig, Config


class Finding(NamedTuple):
    """Something that was tried.

    Attributes
    ----------
    cluster : str
        Which cluster it is about; empty: the whole configuration.
    what : str
        What was tried.
    is_well : bool
        Whether it went well.
    detail : str
        Its result.
    """

    cluster: str
    what: str
    is_well: bool
    detail: str


def check(path: str | Path | None = None) -> Iterator[Finding]:
    """Yield what becomes of each trial; nothing is submitted, and nothing is kept.

    Parameters
    ----------
    path : str or Path, optional
        The configuration; by default that of a service without any.

    Raises
    ------
    InputError
        If it cannot be read, or is wrong.
    """
    config = read_config(path)
    reason = why_not_served(config.rules)
    yield Finding("", "rules", reason is None, reason or f"broker {config.rules.broker}")
    yield _of_store(config)
    for cluster in config.clusters:
        yield from _of_cluster(cluster, config)


def _of_store(config: Config) -> Finding:
    try:
        make_folder(config.state)
        version = version_at(config.database)
        check_whole(config.database)
    except EchelonError as error:
        return Finding("", "store", False, str(error))
    there = "none yet, it is made at the start" if version is None else f"tables of version {version}"
    return Finding("", "store", True, there)


def _of_cluster(cluster: ClusterConfig, config: Config) -> Iterator[Finding]:
    try:
        backend = backend_in(config.state, cluster)
    except EchelonError as error:
        yield Finding(cluster.name, "settings", False, str(error))
        return
    try:
        yield from _trials(cluster.name, backend)
    finally:
        backend.close()


def _trials(name: str, backend: Backend) -> Iterator[Finding]:
    try:
        description = backend.describe()
    except InputError as error:
        yield Finding(name, "describe", False, str(error))
        return
    size = tally(description.processors, "processor")
    yield Finding(name, "describe", True, f"{size}, {description.version or 'no version'}")
    began = time.monotonic()
    snapshot = backend.look()
    took = time.monotonic() - began
    seen = (
        f"{len(snapshot.own)} jobs of the service, {len(snapshot.others)} of others, in {took * 1e3:.0f} ms"
    )
    yield Finding(name, "look", snapshot.is_complete, seen if snapshot.is_complete else snapshot.problem)
    if not description.has_claims:
        weaker = "off: a job may run twice after a fault of the cluster's controller"
        yield Finding(name, "claims", True, weaker)
        return
    evidence = backend.evidence([])
    detail = "jobs claim themselves before they run" if evidence.is_complete else evidence.problem
    yield Finding(name, "claims", evidence.is_complete, detail)
