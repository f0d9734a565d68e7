"""The experiments of the thesis and the public examples, run once for all tests."""

from __future__ import annotations

from functools import cache

import pytest

from echelon.reproduce.irmasim import experiments
from echelon.reproduce.irmasim.experiments import (
    compare_contention,
    global_experiment,
    run_alone,
    small_experiments,
)
from echelon.reproduce.irmasim.public_examples import public_runs
from echelon.reproduce.irmasim.setups import Mix


@pytest.fixture(scope="session")
def found():
    """Return the first four experiments, the planning traces with ten seeds."""
    return small_experiments(10)


@pytest.fixture(scope="session")
def public(found):
    """Return the runs of the public examples."""
    return public_runs(found)


@pytest.fixture(scope="session", autouse=True)
def runs_once():
    """Make each run of the global experiment once: the whole reproduction has those of `whole`, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiments, "_run", cache(experiments._run))
        yield


@pytest.fixture(scope="session")
def whole():
    """Return the global experiment with two seeds."""
    return global_experiment(2)


@pytest.fixture(scope="session")
def eight_seeds(whole):
    """Return the global experiment with eight seeds of the mix as it is drawn by default."""
    return whole._replace(mix=compare_contention(Mix(), [run_alone(Mix(), seed) for seed in range(8)]))
