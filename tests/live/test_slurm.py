"""Slurm's back end keeps the contract on a real cluster, on this machine and over ssh."""

from __future__ import annotations

import pytest

from echelon.backends.registry import backend_of
from echelon.testing.backends import BACKEND_CHECKS, BackendCase, check_backend

BY_TRANSPORT = (
    *("description", "unknown jobs", "acceptance", "refusal", "completion", "cancel running", "handles"),
    *("arguments", "scripts", "revoke before submission"),
)
"""Checks of what goes another way over ssh; the others are of Slurm itself."""


class SlurmCase(BackendCase):
    """A real cluster; its shortest time limit is a minute, which is not waited for."""

    shortest_limit = None

    def __init__(self, directory, settings):
        super().__init__(directory)
        self.settings = settings

    def open(self):
        """Return a back end of the cluster."""
        backend = backend_of("slurm", "alpha", self.settings, self.directory)
        # As the service does first; the directory of claims is made.
        backend.describe()
        return backend


@pytest.mark.parametrize("check", BACKEND_CHECKS)
def test_the_contract_is_kept_on_this_machine(slurm, tmp_path, check):
    """Each check of back ends holds where Slurm's commands run on this machine."""
    (finding,) = check_backend(SlurmCase(tmp_path, slurm.settings()), [check]).findings
    assert finding.passed, finding.sentence


@pytest.mark.parametrize("check", BY_TRANSPORT)
def test_the_contract_is_kept_over_ssh(slurm, ssh, tmp_path, check):
    """Each check of back ends holds where Slurm's commands run over ssh."""
    (finding,) = check_backend(SlurmCase(tmp_path, slurm.settings(**ssh.settings())), [check]).findings
    assert finding.passed, finding.sentence
