"""Clusters: the back ends of a configuration, what they describe, and the threads that drive them."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import TYPE_CHECKING

from echelon.backends import Description
from echelon.backends.registry import backend_of
from echelon.errors import InputError
from echelon.service.clusters.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from echelon.backends import Backend, Snapshot
    from echelon.service.clock import Clock
    from echelon.service.configuration.config import ClusterConfig, Config
    from echelon.service.messages import Observation

_log = logging.getLogger("echelon.service")


class Clusters:
    """The clusters of a service.

    Parameters
    ----------
    config : Config
        Which they are.

    Attributes
    ----------
    backends : dict of str to Backend
        By name.
    descriptions : mapping of str to Description
        By name. Of a cluster that does not answer now it is what it said last.

    at_work : dict of str to Worker
        The threads that drive them, by name.

    Raises
    ------
    InputError
        If a back end cannot be made, or a cluster has never described itself and does not now.
    """

    def __init__(self, config: Config) -> None:
        self.backends: dict[str, Backend] = {}
        self._intervals = {one.name: one.look_every for one in config.rules.clusters}
        self.at_work: dict[str, Worker] = {}
        try:
            for one in config.clusters:
                self.backends[one.name] = backend_in(config.state, one)
            with ThreadPoolExecutor(len(config.clusters)) as pool:
                described = pool.map(
                    lambda one: _describe_cluster(one, self.backends[one.name], config.state), config.clusters
                )
                self.descriptions: Mapping[str, Description] = dict(
                    zip(self.backends, described, strict=True)
                )
        except BaseException:
            for backend in self.backends.values():
                backend.close()
            raise

    def workers(
        self, post: Callable[[Observation], None], keep: Callable[[str, Snapshot], None], clock: Clock
    ) -> Mapping[str, Worker]:
        """Return a worker for each cluster, which takes its observations to `post`, and looks to `keep`."""
        self.at_work = {
            name: Worker(name, backend, interval=self._intervals[name], post=post, keep=keep, clock=clock)
            for name, backend in self.backends.items()
        }
        return self.at_work

    def start(self) -> None:
        """Start to look."""
        for worker in self.at_work.values():
            worker.start()

    def stop(self) -> None:
        """Stop to look and to submit; jobs run on."""
        with ThreadPoolExecutor(len(self.at_work) or 1) as pool:
            list(pool.map(Worker.stop, self.at_work.values()))

    def latest(self, cluster: str) -> Snapshot | None:
        """Return the last complete look at a cluster since the start."""
        return self.at_work[cluster].latest


def make_folder(folder: Path) -> None:
    """Make a folder of the service's state, for its user alone.

    Raises
    ------
    InputError
        If it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", file=str(folder), field="state") from error


def backend_in(state: Path, one: ClusterConfig) -> Backend:
    """Return the back end of a cluster, whose files are in the folder of the service's state.

    Raises
    ------
    InputError, UnknownNameError
        If it cannot be made by these settings.
    """
    folder = state / "clusters" / one.name
    make_folder(folder)
    return backend_of(one.backend, one.name, one.settings, folder)


def _describe_cluster(one: ClusterConfig, backend: Backend, state: Path) -> Description:
    """Return what a cluster says of itself, and keep it; or what it said last."""
    kept = state / "clusters" / one.name / "description.json"
    try:
        description = backend.describe()
    except InputError as error:
        try:
            description = Description(**json.loads(kept.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            raise InputError(str(error), field=f"cluster {one.name}") from error
        _log.warning("cluster %s does not answer: %s", one.name, error)
        return description
    new = kept.with_suffix(".new")
    new.write_text(json.dumps(asdict(description)), encoding="utf-8")
    new.replace(kept)
    return description
