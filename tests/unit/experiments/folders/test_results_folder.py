"""Results appear whole or not at all."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.experiments.folders.results_folder import filling, refuse_mixing


def test_files_move_in_when_all_are_there(tmp_path):
    """Until the end the folder holds nothing anybody sees; then it holds just the files."""
    target = tmp_path / "deep" / "out"
    with filling(target, "run") as folder:
        (folder / "run.json").write_text("{}")
        (folder / "easy").mkdir()
        (folder / "easy" / "jobs.csv").write_text("job_id")
        assert [path.name.startswith(".") for path in target.iterdir()] == [True]
    names = sorted(path.relative_to(target).as_posix() for path in target.rglob("*"))
    assert names == ["easy", "easy/jobs.csv", "run.json"]


def fill(target, *, stop=None):
    """Write two files into `target`, and stop between them."""
    with filling(target, "run") as folder:
        (folder / "jobs.csv").write_text("new")
        if stop is not None:
            raise stop
        (folder / "run.json").write_text("new")


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), InputError("disk full"), SystemExit(1)])
def test_stopped_between_two_files(tmp_path, stop):
    """A new folder is not left, nor those made above it; an old one keeps its files, all of one run."""
    with pytest.raises(type(stop)):
        fill(tmp_path / "deep" / "out", stop=stop)
    assert list(tmp_path.iterdir()) == []
    names = ("jobs.csv", "run.json", "report.html")
    for name in names:
        (tmp_path / name).write_text("old")
    with pytest.raises(type(stop)):
        fill(tmp_path, stop=stop)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(names, "old")
    fill(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(names[:2], "new")


def test_an_old_page_goes(tmp_path):
    """Page, segments and figures of an earlier run do not stay beside new numbers, other files do."""
    for name in ("easy", "figures"):
        (tmp_path / name).mkdir()
    old = ("report.html", "segments.csv", "easy/segments.parquet", "figures/schedule.svg", "notes.txt")
    for name in old:
        (tmp_path / name).write_text("old")
    with filling(tmp_path, "run") as folder:
        (folder / "run.json").write_text("{}")
        (folder / "easy").mkdir()
        (folder / "easy" / "jobs.csv").write_text("")
    names = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    assert names == ["jobs.csv", "notes.txt", "run.json"]


def test_folders_that_can_not_be(tmp_path):
    """A file in the way, of the folder or of one of its files, is told."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(InputError, match="taken: cannot be created as a folder for results"):
        fill(tmp_path / "taken")
    (tmp_path / "run.json").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        fill(tmp_path)


def test_kinds_do_not_mix(tmp_path):
    """A run's folder is refused for a comparison and the other way round; an empty one takes either."""
    refuse_mixing(tmp_path, "run")
    refuse_mixing(tmp_path / "absent", "comparison")
    (tmp_path / "run.json").write_text("{}")
    refuse_mixing(tmp_path, "run")
    with pytest.raises(InputError, match="holds a run, with which the files of a comparison would mix"):
        refuse_mixing(tmp_path, "comparison")


def test_a_study_is_not_overwritten(tmp_path):
    """The report of a study has the same name as that of a run: its folder is refused for one."""
    (tmp_path / "study.json").write_text("{}")
    with pytest.raises(InputError, match="holds a study, with which the files of a run would mix"):
        refuse_mixing(tmp_path, "run")
