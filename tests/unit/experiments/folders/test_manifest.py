"""The manifest: what a run was."""

from __future__ import annotations

import json

import echelon
from echelon import simulate
from echelon.experiments import manifest


def test_says_what_was_run_and_dropped(four_jobs):
    """The resolved scenario, the fate of the jobs, versions and command; all of it JSON."""
    told = manifest(simulate(four_jobs, policy="easy", seed=7), ["echelon", "run"])
    assert json.loads(json.dumps(told)) == told
    expected = {
        "workload": "four",
        "processors": 4,
        "policy": "easy",
        "estimates": "raise",
        "passes": "instant",
        "seed": 7,
        "jobs_read": 4,
        "jobs_simulated": 3,
        "dropped": [{"reason": "run time <= 0", "count": 1, "first": "4"}],
        "command": ["echelon", "run"],
    }
    assert {key: told[key] for key in expected} == expected
    assert told["versions"]["echelon"] == echelon.__version__
    assert told["peak_memory_bytes"] is None or told["peak_memory_bytes"] > 10**6


def test_the_input_is_known_by_its_hash(four_jobs, tmp_path):
    """A file's run names the SHA-256 of its bytes."""
    import hashlib

    path = tmp_path / "four.swf"
    echelon.write_workload(four_jobs, path)
    told = manifest(simulate(path))
    assert told["input_sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
