"""The page of a study says which jobs its runs have not simulated."""

from __future__ import annotations

import json

import pytest

from echelon.errors import InputError
from echelon.experiments.study.results.stored_results import read_study_results
from echelon.reports.study import study_page
from echelon.reports.study.run_notes import MOST_NAMED, dropped_notes

from ....unit.experiments.study.stores import HandMade  # noqa: TID252  (tests are no package)


def add(made, name, policy, dropped, processors=2):
    """Add a run of a workload that has left out jobs, with counts by reason."""
    labels = {"workload": name, "policy": policy, "processors": processors}
    key = made.add(labels, {"mean_wait": 1.0, "jobs": 5})
    file = made.folder / "runs" / key[:2] / key / "manifest.json"
    drops = [{"reason": reason, "count": count, "first": "1"} for reason, count in dropped.items()]
    told = {"workload": name, "jobs_read": 10, "dropped": drops}
    file.write_text(json.dumps(json.loads(file.read_text()) | told))


@pytest.mark.slow
def test_each_workload_says_what_is_left_out_and_why(tmp_path):
    """Two policies say the same of one log; a smaller machine leaves out more; a whole log says nothing."""
    made = HandMade(tmp_path, axes=("workload", "policy", "processors"))
    for policy in ("fcfs", "easy"):
        add(made, "nasa", policy, {"run time <= 0": 1, "too many processors": 2})
        add(made, "nasa", policy, {"run time <= 0": 1, "too many processors": 4}, processors=1)
        add(made, "kth", policy, {})
    results = read_study_results(tmp_path)
    (note,) = dropped_notes(results)
    assert note == (
        "Not simulated of the 10 jobs of nasa: 1 with run time <= 0 and up to 4 with too many processors."
    )
    assert note.replace("<", "&lt;") in study_page(results)


@pytest.mark.parametrize("dropped", [5, [{"reason": "short"}], [{"reason": "short", "count": "few"}]])
def test_a_damaged_manifest_is_named(tmp_path, dropped):
    """What a run says of its dropped jobs is a list of reasons with counts."""
    key = HandMade(tmp_path).add({"policy": "easy"}, {"mean_wait": 1.0})
    file = tmp_path / "runs" / key[:2] / key / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"dropped": dropped}))
    results = read_study_results(tmp_path)
    with pytest.raises(InputError, match=r"cannot be read .*dropped jobs"):
        dropped_notes(results)


def test_many_workloads_are_counted(tmp_path):
    """Twelve have a sentence each; of the others there is one with their number."""
    made = HandMade(tmp_path, axes=("workload", "policy", "processors"))
    for number in range(MOST_NAMED + 3):
        add(made, f"log {number}", "fcfs", {"run time <= 0": 1})
    notes = dropped_notes(read_study_results(tmp_path))
    assert len(notes) == MOST_NAMED + 1
    assert notes[-1] == "Jobs of 3 more workloads are left out, too."
