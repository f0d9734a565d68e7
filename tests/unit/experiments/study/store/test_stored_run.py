"""The files of a stored run: what is damaged or missing is named, with what to do."""

from __future__ import annotations

import json

import pytest
from tests.unit.experiments.study.stores import HandMade

from echelon.errors import InputError
from echelon.experiments.study.results.run_parts import processors_of
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


@pytest.mark.parametrize("content", [None, b"", b"[1]", b"\xff{"])
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


@pytest.mark.parametrize("stated", ["many", 0, None, 2.5])
def test_a_manifest_without_processors_is_damaged(run, stated):
    """The metrics of a part of the jobs need them."""
    (run.folder / "manifest.json").write_text(json.dumps({"processors": stated}))
    with pytest.raises(InputError, match=r"processors is .*, expected a number of at least 1"):
        processors_of(run)
