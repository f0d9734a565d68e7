"""What a cluster says of itself is read, and what it does not say is an error."""

from __future__ import annotations

import pytest

from echelon.backends.slurm.configuration import (
    Configuration,
    ConfigurationError,
    Processors,
    parse_configuration,
    parse_processors,
    processors_command,
)

SHOWN = """\
Configuration data as of 2026-11-22T08:04:43
AccountingStorageHost   = localhost
ClusterName             = alpha
MessageTimeout          = 5 sec
SchedulerType           = sched/builtin
SLURM_VERSION           = 22.05.8

Slurmctld(primary) at vm is UP
"""


def test_the_configuration_is_read():
    """Name, version, time-out and scheduler come through."""
    assert parse_configuration(SHOWN) == Configuration("alpha", "22.05.8", 5.0, "fcfs")


def test_what_is_not_said_is_slurms_default():
    """Without a time-out it is ten seconds; an unknown scheduler is taken for backfill."""
    text = SHOWN.replace("MessageTimeout ", "Other ").replace("builtin", "tomorrow")
    assert parse_configuration(text) == Configuration("alpha", "22.05.8", 10.0, "easy")


def test_something_else_is_no_configuration():
    """Text without a cluster's name is an error that shows it."""
    with pytest.raises(ConfigurationError, match="Unable to contact"):
        parse_configuration("slurm_load_ctl_conf error: Unable to contact slurm controller\n")


def test_processors_in_service_are_counted_once_a_node():
    """A node in two partitions counts once; what is down or drained is not in service."""
    text = "NODELIST|CPUS(A/I/O/T)\nn1|2/6/0/8\nn1|2/6/0/8\nn2|0/0/8/8\nn3|4/0/4/8\n"
    assert parse_processors(text) == Processors(in_service=12, total=24)


@pytest.mark.parametrize("text", ["", "NODELIST|CPUS(A/I/O/T)\nn1|2/6/0", "NODELIST|C\nn1|a\n", "error\n"])
def test_something_else_lists_no_nodes(text):
    """An answer that is not whole is an error, not a small cluster."""
    with pytest.raises(ConfigurationError):
        parse_processors(text)


def test_a_partition_is_asked_for():
    """With a partition, only its nodes are counted."""
    assert processors_command("gpu")[-1] == "--partition=gpu"
