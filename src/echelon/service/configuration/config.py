"""Configuration of a service: its clusters, rules, applications and addresses, from a TOML file.

::

    [serve]
    broker = "tat"
    listen = "127.0.0.1:8642"

    [[cluster]]
    name = "alpha"
    backend = "slurm"
    directory = "/shared/echelon"

    [[application]]
    name = "solver"
    command = ["/opt/solver", "--cells", "{cells}"]
    parameters = { cells = "int 1..1000000" }
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.client.places import default_socket, state_folder
from echelon.errors import InputError
from echelon.platforms.files.fields import Field, name, quantity, text, whole
from echelon.platforms.files.toml_file import TomlFile
from echelon.platforms.files.units import TIME
from echelon.service.configuration.applications import Application, application_from
from echelon.service.rules import ClusterRules, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from echelon.platforms.files.table import Table

DEFAULT_LOOKS = {"process": 0.5, "simulated": 0.5}
"""Seconds between looks at clusters of these back ends, which cost next to nothing; 5 s at all others."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_MOST = 1_000_000_000
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?")
_RULES = (
    *(text("broker"), text("global_queue"), text("queue_limit"), text("queues"), text("queue_order")),
    *(text("site_filter"), text("admissible"), text("information"), text("estimator")),
    *(quantity("longest_stay", TIME, above=0), quantity("decision_time", TIME), quantity("refresh", TIME)),
    *(quantity("default_time_limit", TIME, above=0), quantity("settle", TIME), quantity("grace", TIME)),
    *(whole("launch_retries", _MOST, least=0), whole("seed", 2**31 - 1, least=0)),
)
"""Keys of ``[serve]`` that are rules of decisions, named as in `Rules`."""
_SERVE = (
    *(name("database"), name("state"), name("socket"), name("listen"), name("history")),
    whole("max_queued", _MOST),
    Field("hosts", lambda names: _hosts(names), 'a list of names such as ["grid.site.example"]'),
)
_CLUSTER_RULES = (
    *(text("policy"), whole("unsettled", _MOST)),
    *(quantity("look_every", TIME, above=0), quantity("on_lost", TIME, above=0, endless=True)),
    quantity("default_time_limit", TIME, above=0),
)
"""Keys of ``[[cluster]]`` that are the service's; all others are its back end's."""
_SCHEDULES = ("process", "simulated")
"""Back ends that schedule by themselves, by the policy that the service is said."""


@dataclass(frozen=True, slots=True)
class ClusterConfig:
    """A cluster of the configuration.

    Attributes
    ----------
    name : str
        Of ``[a-z0-9-]``.
    backend : str
        The kind of its back end: ``"process"``, ``"slurm"``, or an entry point of another package.
    settings : mapping of str to object
        The back end's own.
    """

    name: str
    backend: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Config:
    """What a service is asked to be.

    Attributes
    ----------
    state : Path
        Folder for what it keeps beside its database: its socket, the files of its own back ends.
    database : str
        Address of its store: a file, ``sqlite:///FILE`` or ``postgresql://...``.
    socket : Path, optional
        Its Unix socket; None where there are none, or it is ``"none"``.
    listen : tuple of str and int, optional
        Host and port, for those who have a token.
    clusters : tuple of ClusterConfig
        At least one.
    rules : Rules
        By which it decides.
    applications : tuple of Application
        That may be submitted by name.
    history : str
        Past runs or an accounting file that teach its estimator; empty: none.
    hosts : tuple of str
        Names by which it is reached over TCP, such as a proxy's; requests for others are refused.
    max_queued : int
        Jobs that may wait at the service; above, submissions are put off.
    """

    state: Path
    database: str
    socket: Path | None
    listen: tuple[str, int] | None
    clusters: tuple[ClusterConfig, ...]
    rules: Rules
    applications: tuple[Application, ...] = ()
    history: str = ""
    max_queued: int = 100_000
    hosts: tuple[str, ...] = ()


def read_config(path: str | Path | None = None) -> Config:
    """Return the configuration in a file, or the default one: the cores of this machine as one cluster.

    Parameters
    ----------
    path : str or Path, optional
        A TOML file; its paths are relative to it.

    Raises
    ------
    InputError
        If it cannot be read, or something in it is wrong: all mistakes together, with their lines.
    """
    if path is None:
        cores = ClusterConfig("local", "process", {"slots": os.cpu_count() or 1})
        return _config(state_folder(), {}, [(cores, {})], ())
    file = TomlFile.read(Path(path), shown=str(path), expected="the configuration of a service in TOML")
    config = _read(file.top)
    if config is None or len(file.top.mistakes):
        raise InputError("; ".join(file.sentences()), file=str(path))
    return config


def _read(top: Table) -> Config | None:
    top.refuse_unknown(("serve", "cluster", "application"))
    serve = top.below("serve", "a table [serve]") if "serve" in top else None
    settings: dict[str, Any] = {}
    if serve is not None:
        serve.refuse_unknown(field.key for field in (*_RULES, *_SERVE))
        settings = serve.values((*_RULES, *_SERVE))
        if "listen" in settings and (address := _address(settings["listen"])) is None:
            serve.note(
                f'got {settings["listen"]!r:.60}, expected HOST:PORT such as "127.0.0.1:8642"', "listen"
            )
        elif "listen" in settings:
            settings["listen"] = address
    clusters = list(_clusters(top))
    applications = tuple(_applications(top))
    if len(top.mistakes):
        return None
    folder = top.folder
    state = _resolve_in(folder, settings.pop("state", None)) or state_folder()
    for key in ("database", "history"):
        if key in settings and "://" not in settings[key]:
            settings[key] = str(_resolve_in(folder, settings[key]))
    if settings.get("socket", "none") != "none":
        settings["socket"] = _resolve_in(folder, settings["socket"])
    return _config(state, settings, clusters, applications)


def _clusters(top: Table) -> Iterator[tuple[ClusterConfig, dict[str, Any]]]:
    """Yield each cluster with its rules; what is wrong is noted."""
    needed = (_cluster_name(), name("backend"))
    names: set[str] = set()
    for table in top.list_tables("cluster", "tables [[cluster]]"):
        own_settings = table.values(needed, needed=True)
        rules = table.values(_CLUSTER_RULES)
        own = {field.key for field in (*needed, *_CLUSTER_RULES)}
        settings = {key: value for key, value in table.content.items() if key not in own}
        if own_settings.get("backend") in _SCHEDULES and "policy" in rules:
            settings["policy"] = rules["policy"]
        if len(own_settings) < len(needed):
            continue
        if own_settings["name"] in names:
            table.note(f"got {own_settings['name']!r}, which names another cluster, too", "name")
        names.add(own_settings["name"])
        for key in ("directory", "slurm_conf", "ssh_config", "completion_log"):
            # Paths lead from the file, as everywhere.
            if isinstance(settings.get(key), str) and "ssh" not in settings:
                settings[key] = str(_resolve_in(top.folder, settings[key]))
        yield ClusterConfig(own_settings["name"], own_settings["backend"], settings), rules


def _cluster_name() -> Field:
    def read(setting: object) -> str | None:
        return setting if isinstance(setting, str) and _NAME.fullmatch(setting) else None

    return Field("name", read, "a name of small letters, digits and hyphens, at most 32")


def _applications(top: Table) -> Iterator[Application]:
    for table in top.list_tables("application", "tables [[application]]") if "application" in top else ():
        try:
            yield application_from(table.content)
        except InputError as error:
            table.note(str(error))


def _config(
    state: Path,
    settings: Mapping[str, Any],
    clusters: list[tuple[ClusterConfig, dict[str, Any]]],
    applications: tuple[Application, ...],
) -> Config:
    rules = {field.key: settings[field.key] for field in _RULES if field.key in settings}
    of_clusters = tuple(
        ClusterRules(cluster.name, **{"look_every": DEFAULT_LOOKS.get(cluster.backend, 5.0), **own_rules})
        for cluster, own_rules in clusters
    )
    socket = settings.get("socket", default_socket() if state == state_folder() else state / "echelon.sock")
    return Config(
        state=state,
        database=settings.get("database", str(state / "echelon.db")),
        socket=None if socket == "none" or os.name == "nt" else Path(socket),
        listen=settings.get("listen"),
        clusters=tuple(cluster for cluster, _ in clusters),
        rules=Rules(clusters=of_clusters, **rules),
        applications=applications,
        history=settings.get("history", ""),
        max_queued=settings.get("max_queued", 100_000),
        hosts=settings.get("hosts", ()),
    )


def _resolve_in(folder: Path, path: str | None) -> Path | None:
    return None if path is None else folder.resolve() / Path(path).expanduser()


def _hosts(setting: object) -> tuple[str, ...] | None:
    if not isinstance(setting, list):
        return None
    names = tuple(one for one in setting if isinstance(one, str) and _HOST.fullmatch(one))
    return names if len(names) == len(setting) else None


def _address(text: str) -> tuple[str, int] | None:
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 2**16:
        return None
    return host.strip("[]"), int(port)
