"""Stores to test: a file, and a place on a real server."""

from __future__ import annotations

from itertools import count
from uuid import UUID

import pytest

from echelon.service.records import JobSpec
from echelon.service.store import Store
from servers import postgres_schema


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    """Return where a store can be."""
    if request.param == "sqlite":
        yield str(tmp_path / "service.db")
        return
    with postgres_schema("store") as url:
        yield url


@pytest.fixture
def store(address):
    """Return a store that is open and empty."""
    with Store.open(address) as opened:
        yield opened


@pytest.fixture
def submit():
    """Return what adds jobs of a user to a store, and returns them."""
    ids = (UUID(int=number).hex for number in count(1))

    def submitted(store, owner="ann", *specs, keys=None, now=100.0):
        specs = specs or (JobSpec(command=("true",)),)
        kept = store.add_jobs(owner, specs, keys or [None] * len(specs), now, [next(ids) for _ in specs])
        return [job for job, _ in kept]

    return submitted
