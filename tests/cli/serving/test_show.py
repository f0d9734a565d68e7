"""``echelon show``: what is known of a job, and why it is where it is."""

from __future__ import annotations

import time

import pytest


@pytest.fixture(autouse=True)
def _times(monkeypatch):
    """Show times in UTC, and make it 2,000 s."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr("echelon.cli.serving.show.time.time", lambda: 2000.0)
    yield
    monkeypatch.undo()
    time.tzset()


def ran(service):
    """Add a job that ran, a little later and shorter than forecast."""
    service.add({"command": ["./a", "b c"], "name": "heat", "processors": 16, "time_limit": 3600.0}, None)
    service.change(1, state="ASSIGNED", cluster="alpha", assigned_at=1000.0, reason="alpha was chosen.")
    forecast = {"start": 1720.0, "earliest": 1540.0, "latest": 2200.0, "run_time": 3600.0}
    values = {"started_at": 1700.0, "ended_at": 1830.0, "exit_code": 0, "forecast": forecast, "as_of": 1990.0}
    service.change(1, state="COMPLETED", reason="Its exit record says so.", **values)


def facts(out: str) -> dict[str, str]:
    """Return names and values."""
    rows = [line.strip().split("  ", 1) for line in out.splitlines() if line.startswith("  ")]
    return {name: rest[0].strip() for name, *rest in rows if rest}


def test_what_is_known_of_a_job(echelon, service):
    """State, times, how it ended, and the forecast against what happened."""
    ran(service)
    said = echelon("show", 1)
    assert said.out.splitlines()[0] == f"Job 1 heat of ann, {1:032x}"
    assert facts(said.out) == {
        "State": "COMPLETED: Its exit record says so.",
        "Runs": "./a 'b c'",
        "Processors": "16",
        "Time limit": "60 min",
        "Cluster": "alpha",
        "Submitted": "1970-01-01 00:16:40",
        "Assigned": "1970-01-01 00:16:40",
        "Started": "1970-01-01 00:28:20",
        "Ended": "1970-01-01 00:30:30",
        "Waited": "11.67 min",
        "Ran": "2.167 min",
        "Ended with": "exit code 0",
        "Forecast start": (
            "1970-01-01 00:28:40 (00:25:40 to 00:36:40 in 80 of 100 cases); it started 20 s earlier"
        ),
        "Forecast run": "60 min; it ran 2.167 min",
    }


def test_dates_can_be_of_another_zone(echelon, service):
    """The clock of the system is as before; an unknown zone is refused."""
    ran(service)
    said = echelon("show", 1, "--timezone", "Asia/Tokyo")
    assert facts(said.out)["Started"] == "1970-01-01 09:28:20"
    assert facts(echelon("show", 1).out)["Started"] == "1970-01-01 00:28:20"
    assert "must be a name of the tz database" in echelon("show", 1, "--timezone", "Mars").sentence


def test_a_job_whose_news_are_old(echelon, service):
    """The age of the news is said, and that they are stale; a forecast is seen from now."""
    service.add({"application": "solver"}, None)
    forecast = {"start": 2060.0, "earliest": None, "latest": None, "run_time": None}
    service.change(
        1, state="WAITING", cluster="alpha", stale=True, as_of=1910.0, forecast=forecast, wanted="cancel"
    )
    found = facts(echelon("show", 1).out)
    assert found["News"] == "stale, 90 s ago"
    assert found["Wanted"] == "cancel"
    assert found["Runs"] == "application solver"
    assert found["Forecast start"] == "1970-01-01 00:34:20; in 60 s"


def test_why(echelon, service):
    """Each cluster that was looked at, its forecast, why this one, then events as sentences."""
    ran(service)
    lines = [line.rstrip() for line in echelon("show", 1, "--why").out.splitlines()]
    said = "1970-01-01 00:16:40  alpha was chosen by ect: It is expected to end first there."
    place = lines.index(said)
    rows = [[cell.strip() for cell in line.split("   ") if cell.strip()] for line in lines[place + 1 :]]
    rows = [row for row in rows if row]
    assert rows[0] == ["cluster", "free", "waiting", "would start", "would run", "news", "why not"]
    assert rows[2] == ["alpha", "4", "17", "in 12 min", "60 min", "3 s ago", "chosen"]
    assert rows[3] == ["beta", "8", "0", "-", "-", "1 s ago", "has 8 processors, the job asks for 16"]
    assert lines[-3:] == [
        "Events:",
        "  1970-01-01 00:16:40  ASSIGNED  alpha was chosen.",
        "  1970-01-01 00:16:40  COMPLETED  Its exit record says so.",
    ]


def test_json_holds_all(echelon, service):
    """With --why, the reasons are beside the job's fields."""
    ran(service)
    found = echelon("show", 1, "--why", "--json").json
    assert found["number"] == 1
    assert found["why"]["decisions"][0]["chosen"] == "alpha"


def test_no_text_reaches_the_terminal_as_it_is(echelon, service):
    """Commands, names and reasons are escaped, also in JSON."""
    service.add({"command": ["\x1b[2J", "a\nb"], "name": "x\ny"}, None)
    service.change(1, state="QUEUED", reason="\x1b]0;title\x07")
    for arguments in (("show", 1, "--why"), ("show", 1, "--why", "--json")):
        out = echelon(*arguments).out
        assert "\x1b" not in out
        assert "x\ny" not in out
