"""Files of jobs and platforms that the reproduction leaves: they say the same as what was run."""

from __future__ import annotations

from echelon.experiments import simulate
from echelon.platforms import read_platform
from echelon.reproduce.irmasim.experiments import machine_of
from echelon.reproduce.irmasim.public_examples import public_examples
from echelon.reproduce.irmasim.setups import TRACES, workload_of
from echelon.reproduce.irmasim.study import files
from echelon.workloads import read_workload


def test_jobs_read_back_are_the_same(tmp_path):
    """The demands of every trace and example survive IRMASim's format."""
    content = files()
    for name, trace in TRACES.items():
        path = tmp_path / "trace.json"
        path.write_bytes(content[f"{name.lower().replace(' ', '-')}.json"]())
        assert read_workload(path).demands == workload_of(name, trace.jobs).demands
    assert len(content) == len(TRACES) + 2 + 2 * 7 + 1


def test_an_edited_platform_reads_back_the_same(tmp_path):
    """E4's first node has its wide network, its second the thesis' one."""
    path = tmp_path / "e4.toml"
    path.write_bytes(files()["e4.toml"]())
    assert read_platform(path).hardware.nodes == machine_of(TRACES["E4"]).hardware.nodes


def test_an_example_runs_from_its_files_as_it_does_in_the_study(tmp_path, public):
    """Backfill from its two files ends when it should."""
    (one,) = (one for one in public_examples() if one.name == "backfill")
    for ending in ("json", "toml"):
        (tmp_path / f"backfill.{ending}").write_bytes(files()[f"backfill.{ending}"]())
    run = simulate(
        read_workload(tmp_path / "backfill.json"),
        platform=tmp_path / "backfill.toml",
        **one.rules,
    )
    assert run.schedule.start_time.tolist() == public["backfill"].result.schedule.start_time.tolist()
