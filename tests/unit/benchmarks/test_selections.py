"""The table of selections: a row a policy, with the milliseconds of each number of sites."""

from __future__ import annotations


def test_rows(script, monkeypatch):
    """Heads, then the policies; every cell is a positive time with its median."""
    selections = script("selections")
    monkeypatch.setattr(selections, "LEAST", 1e-4)
    head, rule, *rows = selections.rows(("wall-time", "lottery"), (2, 3))
    assert head == "| Policy | 2 sites, ms | 3 sites, ms |"
    assert rule == "| --- | --- | --- |"
    assert [row.split("`")[1] for row in rows] == ["wall-time", "lottery"]
    for row in rows:
        for cell in row.split("|")[2:4]:
            best, middle = cell.strip().rstrip(")").split(" (")
            assert 0 < float(best) <= float(middle)
