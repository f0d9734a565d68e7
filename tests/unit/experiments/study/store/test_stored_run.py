"""The files of a stored run: what is damaged or missing is named, with what to do."""

from __future__ import annotations

import json

import polars as pl
import pytest
from tests.unit.experiments.study.stores import HandMade

from echelon.errors import InputError
from echelon.experiments.study.results.run_parts import own_metrics_of, processors_of
from echelon.experiments.study.store.stored_run import FILES, run_in


@pytest.fixture
def run(tmp_path):
    """Return a run of a study made by hand."""
    return run_in(tmp_path, HandMade(tmp_path).add({"policy": "easy"}, {"jobs": 5}))


READ = {
    "scenario.json": lambda run: run.scenario,
    "manifest.json": lambda run: run.manifest,
    "metrics.json": lambda run: run.metrics,
    "jobs.parquet": lambda run: run.jobs,
}


def test_every_file_has_its_reader():
    """The table below leaves out none."""
    assert set(READ) == set(FILES)


@pytest.mark.parametrize("content", [None, b"", b"[1]", b"\xff{", b"[" * 100_000])
@pytest.mark.parametrize("name", READ)
def test_a_damaged_file_is_one_sentence(run, name, content):
    """Missing, empty, of another kind, or no text: file and remedy are said, without a traceback."""
    file = run.folder / name
    file.unlink() if content is None else file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        READ[name](run)
    assert str(caught.value).startswith(f"{file}: cannot be read (")
    assert str(caught.value).endswith("remove the folder of this run and run the study again")


def test_columns_of_jobs_and_their_types(run):
    """Some columns, or only what there is."""
    assert run.jobs_with(["job_id"]).columns == ["job_id"]
    assert list(run.jobs_schema()) == run.jobs.columns
    (run.folder / "jobs.parquet").write_bytes(b"x")
    with pytest.raises(InputError, match="cannot be read"):
        run.jobs_schema()


def test_times_of_another_kind_are_damage(run):
    """A column of times that holds texts is named."""
    run.jobs.with_columns(submit_time=pl.lit("x")).write_parquet(run.folder / "jobs.parquet")
    with pytest.raises(InputError, match=r"submit_time is of String, expected numbers.*run the study again"):
        _ = run.jobs


@pytest.mark.parametrize("recorded", [None, 5, ["x"], [{"a": 1}]])
def test_user_defined_metrics_of_another_kind_are_damage(run, recorded):
    """A manifest whose metrics are no descriptions is named."""
    (run.folder / "manifest.json").write_text(json.dumps({"own_metrics": recorded}))
    with pytest.raises(InputError, match=r"manifest\.json: .*own_metrics is .*, expected a list"):
        own_metrics_of(pl.DataFrame({"key": [run.key]}), run.folder.parents[2])


@pytest.mark.parametrize("stated", ["many", 0, None, 2.5])
def test_a_manifest_without_processors_is_damaged(run, stated):
    """The metrics of a part of the jobs need them."""
    (run.folder / "manifest.json").write_text(json.dumps({"processors": stated}))
    with pytest.raises(InputError, match=r"processors is .*, expected a number of at least 1"):
        processors_of(run)
