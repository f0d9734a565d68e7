"""Run a service until it is asked to stop."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from echelon.service.configuration.config import read_config
from echelon.service.service import Service

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from echelon.service.configuration.config import Config


def serve(path: str | Path | None = None, *, announce: Callable[[str], None] = print) -> None:
    """Run the service of a configuration until SIGTERM or SIGINT; jobs run on afterwards.

    Parameters
    ----------
    path : str or Path, optional
        Its configuration; by default the cores of this machine are one cluster.
    announce : callable, default `print`
        Is given a sentence for people once the service answers.

    Raises
    ------
    InputError
        If the configuration is wrong, or another service has its store or its socket.
    MissingExtraError
        If the libraries of the service are not installed.
    """
    from echelon.service.api.server import Server

    config = read_config(path)
    service = Service(config)
    try:
        service.start()
        server = Server(service)
        _watch(service, server.stop)
        server.run(lambda: announce(_sentence(config)))
    finally:
        service.stop()


def _sentence(config: Config) -> str:
    where = [f"at {config.socket}"] if config.socket else []
    if config.listen:
        where.append(f"at http://{config.listen[0]}:{config.listen[1]} (with a token)")
    names = ", ".join(one.name for one in config.clusters)
    return f"serving {names} {' and '.join(where)}"


def _watch(service: Service, stop: Callable[[], None]) -> None:
    """Stop to answer once the service has stopped deciding: then another one may take over."""

    def wait() -> None:
        service.driver.join()
        stop()

    threading.Thread(target=wait, name="watch", daemon=True).start()
