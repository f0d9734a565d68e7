"""What a study comes to."""

from __future__ import annotations

from echelon.experiments.study.plan.expansion import BYTES_A_JOB, BYTES_A_RUN, expansion
from echelon.experiments.study.run.case import Case


def case(workload: str, **settings) -> Case:
    return Case({"workload": workload, **settings}, {"workload": workload, "seed": "0"})


def test_jobs_are_counted_without_drawing_any():
    """By the specs of models, and as skip and first leave them."""
    cases = [
        case("lublin:jobs=10000000"),
        case("lublin:jobs=50", skip=10, first=100),
        case("poisson", first=7),
    ]
    found = expansion(cases, 3)
    assert (found.runs, found.points, found.workloads) == (3, 3, 3)
    assert found.jobs == 10_000_000 + 40 + 7
    assert found.bytes == found.jobs * BYTES_A_JOB + 3 * BYTES_A_RUN


def test_logs_are_read(tmp_path):
    """A log counts its jobs, those of a window too, whatever is done to them after."""
    log = tmp_path / "x.swf"
    log.write_text("".join(f"{k} {k * 10} 0 5 1 -1 -1 1 5 -1 1 1 1 -1 -1 -1 -1 -1\n" for k in range(1, 9)))
    assert expansion([case(str(log)), case(str(log), load=2.0, first=3)], 2).jobs == 11
    assert expansion([case(str(log), window=[0, 45])], 1).jobs == 4
    assert expansion([case(str(log), skip=8), case(str(log), skip=9), case(str(log))], 3).empty == 2


def test_later_rounds_count_as_the_first():
    """The cases that come later have as many jobs as the first on average."""
    assert expansion([case("lublin:jobs=10"), case("lublin:jobs=20")], 6).jobs == 90


def test_a_log_that_is_not_here(monkeypatch):
    """Nothing is downloaded to count jobs."""
    monkeypatch.setattr("echelon.workloads.files.datasets.find", lambda name: None)
    found = expansion([case("sdsc-sp2")], 1)
    assert found.jobs is None
    assert found.bytes is None
