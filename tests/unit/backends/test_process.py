"""A cluster of processes: the conformance suite of back ends, and what is its own."""

from __future__ import annotations

import pytest

from echelon.backends.process import ProcessBackend
from echelon.testing.backends import BACKEND_CHECKS, BackendCase, check_backend


class Processes(BackendCase):
    """Two processors of this machine."""

    def open(self):
        return ProcessBackend(self.directory / "cluster", 2, grace=1.0)


@pytest.mark.parametrize("name", BACKEND_CHECKS)
def test_conforms(tmp_path, name):
    """The back end does what every back end must."""
    check_backend(Processes(tmp_path), [name]).require()
