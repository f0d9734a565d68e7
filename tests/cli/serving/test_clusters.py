"""``echelon clusters``: loads, age of the news, drain and resume."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("arguments", [("clusters",), ("clusters", "list")])
def test_loads_and_the_age_of_the_news(echelon, service, arguments):
    """Without a word they are listed; one that is out of reach and old news are said to be so."""
    rows = [
        [cell.strip() for cell in line.split("   ") if cell.strip()]
        for line in echelon(*arguments).out.splitlines()
    ]
    rows = [row for row in rows if row]
    assert rows[0] == [
        "cluster",
        "backend",
        "state",
        "busy",
        "of",
        "running",
        "waiting",
        "own",
        "news",
        "policy",
    ]
    assert rows[2] == ["alpha", "slurm", "open", "60", "64", "9", "17", "3", "3 s ago", "easy"]
    assert rows[3] == [
        *("beta", "slurm", "open, unreachable", "60", "64", "9", "17", "3", "stale, 75 s ago", "easy")
    ]
    assert service.requests == [("GET", "/v1/clusters")]


def test_options_follow_without_a_word(echelon, service):
    """An option of the listing is the listing's."""
    assert [one["name"] for one in echelon("clusters", "--json").json["clusters"]] == ["alpha", "beta"]
    assert service.requests == [("GET", "/v1/clusters")]


def test_drain_and_resume(echelon, service):
    """The new mode is reported."""
    assert echelon("clusters", "drain", "alpha").out == "Cluster alpha is drained\n"
    assert echelon("clusters", "resume", "alpha", "--json").json["mode"] == "open"
    assert service.requests == [("POST", "/v1/clusters/alpha:drain"), ("POST", "/v1/clusters/alpha:resume")]


def test_a_cluster_is_no_command(echelon, service):
    """A word that is no command is refused, not taken for one."""
    said = echelon("clusters", "drian", "alpha")
    assert said.code == 2
    assert "No such command 'drian'. Did you mean 'drain'?" in said.sentence
    assert service.requests == []
