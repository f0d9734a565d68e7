"""A fake service behind its interface."""

from __future__ import annotations

import pytest

from fake_service import FakeService
from service_interface import Interface


@pytest.fixture
def make():
    """Return a function that puts an interface in front of a fake service."""
    made = []

    def make(limits=None, **settings):
        made.append(Interface(FakeService(**settings), limits))
        return made[-1]

    yield make
    for one in made:
        one.runner.close()


@pytest.fixture
def api(make):
    """Return the interface of a fake service."""
    return make()
