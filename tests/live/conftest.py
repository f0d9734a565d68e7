"""Real clusters that tests share: started once in each process of tests, whole again after each test."""

from __future__ import annotations

import pytest

from live.loopback_ssh import LoopbackSsh
from live.slurm_clusters import COMMANDS, SlurmAccounting, SlurmCluster, require


def pytest_collection_modifyitems(items):
    """Mark all tests here: they have processes of their own."""
    for item in items:
        if "/live/" in str(item.path):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def slurm_cluster(tmp_path_factory):
    """Return a cluster of 2 nodes of 4 processors."""
    require("slurmctld", "slurmd", "setpriv", *COMMANDS)
    with SlurmCluster(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster


@pytest.fixture
def slurm(slurm_cluster):
    """Return the same, whole and empty after the test."""
    yield slurm_cluster
    slurm_cluster.empty()


@pytest.fixture(scope="session")
def ssh(tmp_path_factory):
    """Return a host to reach by ssh, which is this one."""
    require("sshd", "ssh", "ssh-keygen")
    with LoopbackSsh(tmp_path_factory.mktemp("ssh")) as host:
        yield host


@pytest.fixture
def accounted(tmp_path):
    """Return a cluster with accounting."""
    require("slurmctld", "slurmd", "slurmdbd", "mariadbd", "mariadb-install-db", "setpriv", *COMMANDS)
    with (
        SlurmAccounting(tmp_path / "accounting") as accounting,
        SlurmCluster(tmp_path / "beta", "beta", 1, accounting=accounting) as cluster,
    ):
        yield cluster
