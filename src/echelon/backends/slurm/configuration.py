"""What a cluster is: ``scontrol show config`` and ``sinfo``."""

from __future__ import annotations

import re
from typing import NamedTuple

MESSAGE_TIMEOUT = 10.0
"""Slurm's own default, in seconds."""

POLICIES = {"sched/backfill": "easy", "sched/builtin": "fcfs"}
"""Policies that Slurm's schedulers are closest to. Backfill plans for as many jobs as its settings say."""


class ConfigurationError(ValueError):
    """An answer that is not what scontrol or sinfo prints."""


class Configuration(NamedTuple):
    """What the controller says of itself.

    Attributes
    ----------
    cluster : str
        Its name.
    version : str
        As ``22.05.8``.
    message_timeout : float
        Seconds that it waits for a message.
    policy : str
        As in ``--policy``.
    """

    cluster: str
    version: str
    message_timeout: float
    policy: str


class Processors(NamedTuple):
    """Processors of a cluster or partition: in service, and all."""

    in_service: int
    total: int


def configuration_command() -> list[str]:
    """Return the command that shows how the controller is set up."""
    return ["scontrol", "show", "config"]


def parse_configuration(text: str) -> Configuration:
    """Return what `configuration_command` has shown.

    Raises
    ------
    ConfigurationError
        If it is something else.
    """
    settings = dict(re.findall(r"^(\w+)\s*= ?(.*?)\s*$", text, flags=re.MULTILINE))
    if "ClusterName" not in settings or "SLURM_VERSION" not in settings:
        raise ConfigurationError(f"scontrol does not show a configuration but {text[:80]!r}")
    seconds = re.match(r"(\d+) sec", settings.get("MessageTimeout", ""))
    return Configuration(
        settings["ClusterName"],
        settings["SLURM_VERSION"],
        float(seconds[1]) if seconds else MESSAGE_TIMEOUT,
        POLICIES.get(settings.get("SchedulerType", ""), "easy"),
    )


def processors_command(partition: str) -> list[str]:
    """Return the command that lists nodes with their processors, of a partition or of all."""
    command = ["sinfo", "--local", "--Node", "-o", "%N|%C"]
    return [*command, f"--partition={partition}"] if partition else command


def parse_processors(text: str) -> Processors:
    """Return what `processors_command` has listed, each node once though it be in several partitions.

    Raises
    ------
    ConfigurationError
        If it is something else, or not whole.
    """
    lines = text.splitlines()
    if not text.endswith("\n") or not lines[0].startswith("NODELIST|"):
        raise ConfigurationError(f"sinfo does not list nodes but {text[-80:]!r}")
    nodes = {}
    for line in lines[1:]:
        match = re.fullmatch(r"([^|]+)\|(\d+)/(\d+)/(\d+)/(\d+)", line)
        if match is None:
            raise ConfigurationError(f"sinfo: no node and processors in {line[:80]!r}")
        allocated, idle, _, total = (int(number) for number in match.groups()[1:])
        nodes[match[1]] = (allocated + idle, total)
    return Processors(sum(up for up, _ in nodes.values()), sum(total for _, total in nodes.values()))
