"""Configurations of GSimula on the command line."""

from __future__ import annotations

CONFIG = "&workload name\nsix.swf\n&grid number\n1\n&selection strategies list\nMPL,MCT\n&interactive\nno\n"


def test_a_comparison_from_a_configuration(echelon, six_jobs, tmp_path):
    """Listed strategies are compared; what has no setting is said; one run chooses one of them."""
    (tmp_path / "grid_config.ini").write_text("&grid 1\n4 4\n")
    config = tmp_path / "CONFIG.INI"
    config.write_text(CONFIG.replace("six.swf", six_jobs.name))
    said = echelon("compare", config, "--json")
    assert list(said.json["runs"]) == ["mpl + fcfs", "mct + fcfs"]
    assert "not used, since a run has no such settings: interactive" in said.err
    said = echelon("run", config)
    assert said.code == 2
    assert "broker: the file lists 2 values; run them with echelon compare" in said.err
    said = echelon("run", config, "--broker", "mct", "--json")
    assert said.json["run"]["label"] == "mct + fcfs"
