"""Keys of runs in stores: a study that an earlier release stored is resumed without a run made again."""

from __future__ import annotations

import pytest

from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.resolved_case import resolve

MINE = '''from dataclasses import dataclass
from typing import ClassVar
from echelon import Start, order


@order("aged", source="none")
def aged(job, view, *, weight: float = 0.5):
    """Planned time and weighted submit time, in seconds; the least first."""
    return job.planned_time + weight * job.submit_time


@dataclass(frozen=True)
class Constant:
    """One prediction for all jobs, in seconds."""

    seconds: float = 60.0
    name: ClassVar[str] = "constant"

    def memory(self):
        return self
'''

FIRST = """from dataclasses import dataclass
from typing import ClassVar
from echelon.policies.broker.strategy import Strategy


@dataclass(frozen=True)
class First(Strategy):
    '''The first site.'''

    name: ClassVar[str] = "first"
    source: ClassVar[str] = "none"
    information: ClassVar[int] = 1

    def value(self, job, site, view):
        return site
"""

LOG = """\
1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1
2 5 -1 20 2 -1 -1 2 20 -1 1 1 1 1 1 1 -1 -1
3 9 -1 5 1 -1 -1 1 20 -1 1 2 1 1 1 1 -1 -1
"""

KEYS = [
    (
        {"policy": "easy:mine.py:aged:weight=2"},
        "84074a0f155a78784163041ebfcee41fd05ab1d94a1d8f58298f0e4e7ebe19cb",
    ),
    (
        {"policy": "easy", "estimator": "mine.py:Constant:seconds=9"},
        "3ddb37cbc547021fee70c4b43ec84e5bd1258dff01a797b4bb65cbd1f52f203b",
    ),
    (
        {"policy": "fcfs", "load": 1.5, "first": 2, "window": [0.0, 100.0]},
        "45e1639b7890d74f759699041c8dc2f6d8886d31810d17295cf59cd0b802bc79",
    ),
    (
        {"policy": "fcfs", "shake_by": 3, "estimates_model": "factor:f=3", "workload_seed": 7},
        "64e03a94410b4e0b574334aa37c06cec42ffbb60b08865900218ac4fd0ecc59d",
    ),
]
"""Settings with own rules and changes to the jobs, and the keys that they have always had."""


@pytest.mark.parametrize(("settings", "key"), KEYS, ids=["order", "estimator", "changes", "draws"])
def test_keys_stay_as_they_were(tmp_path, monkeypatch, settings, key):
    """What is recorded of a run elsewhere, and where settings are declared, is no part of its key."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "log.swf").write_text(LOG)
    assert resolve(Case({"workload": "log.swf", "processors": 4, "seed": 1, **settings})).key == key


@pytest.mark.parametrize(
    ("broker", "now", "key"),
    [
        (
            "mct:belief=execution",
            "mct:grid-state=actual",
            "679652ac88ee2fe4b7a1609a1d2ae191d9386639bdeb621459bc054de72ff9c2",
        ),
        (
            "mpl:belief=allocation",
            "mpl:grid-state=planned",
            "e70b21446d0a0d0671ac2e27ed407cce0bf69468a1ef9ebbaeecd4ca40aace87",
        ),
        (
            "mine.py:First:belief=allocation",
            "mine.py:First:belief=allocation",
            "03ebf3d17d99c22cbe880b6747ecc91e6c92335e7ec83a9fb28e5bf76caf0d39",
        ),
    ],
)
def test_earlier_names_of_grid_states_have_the_same_key(tmp_path, monkeypatch, broker, now, key):
    """A run whose broker was described by `belief` is the run of `grid_state`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(FIRST)
    (tmp_path / "log.swf").write_text(LOG)
    run = {"workload": "log.swf", "platform": "grid1", "seed": 1}
    for spec in (broker, now):
        resolved = resolve(Case({**run, "broker": spec}))
        assert resolved.key == key
