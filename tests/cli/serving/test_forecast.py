"""``echelon forecast``: where, when and how sure; nothing is submitted."""

from __future__ import annotations

import time

import pytest

from echelon.cli.serving.forecast import sentence


@pytest.fixture(autouse=True)
def _now(monkeypatch):
    monkeypatch.setattr("echelon.cli.serving.forecast.time.time", lambda: 1000.0)


def test_where_when_and_how_sure(echelon, service):
    """A sentence, then what was known and forecast at each cluster; there is no job after it."""
    said = echelon("forecast", "-n", 16, "-t", "1:00:00", "--", "prog", "-x")
    assert (
        said.out.splitlines()[0]
        == "At alpha, in 12 min (9 min to 20 min in 80 of 100 cases), for at most 60 min."
    )
    assert "has 8 processors, the job asks for 16" in said.out
    assert service.requests == [("POST", "/v1/forecasts")]
    assert service.bodies == [{"command": ["prog", "-x"], "processors": 16, "time_limit": 3600.0}]
    assert service.jobs == []


def test_no_program_is_needed(echelon, service):
    """What is not known to learn from may be left out."""
    assert echelon("forecast", "-n", 16, "--json").json["chosen"] == "alpha"
    assert service.bodies == [{"command": ["true"], "processors": 16}]


def test_a_start_far_ahead_has_its_date(monkeypatch):
    """From an hour on, in the zone of the reader; what is nearer is told by its wait alone."""
    monkeypatch.setattr("echelon.cli.serving.answers.time.localtime", time.gmtime)
    found = {"chosen": "alpha", "candidates": [{"cluster": "alpha", "wait_time": 90000.0, "run_time": 60.0}]}
    assert sentence(found, 1000.0) == "At alpha, in 25 h, 1970-01-02 01:16:40, for at most 60 s."
    found["candidates"][0]["wait_time"] = 3599.0
    assert sentence(found, 1000.0) == "At alpha, in 59.98 min, for at most 60 s."
