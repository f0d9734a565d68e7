"""Files that appear whole or not at all, and what is said where they cannot."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from echelon import Workload, simulate
from echelon.errors import InputError
from echelon.experiments import manifest, write_run
from echelon.experiments.folders.results_folder import filling
from echelon.experiments.study.store.store_error import StoreError
from echelon.workloads.files.atomic import NO_ROOM, replacing, write_problem

FULL = Path("/dev/full")
needs_a_full_device = pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder on a disk of 64 KB, which only the superuser can make."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("may not mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@needs_a_full_device
@pytest.mark.parametrize("write", ["write_parquet", "write_csv"])
def test_a_library_that_writes_to_a_full_disk(write):
    """Whatever error a library makes of a full disk, it is one sentence with the file and the cause."""
    table = pl.DataFrame({"number": range(100_000)})
    with pytest.raises(InputError) as caught, replacing(FULL) as file:
        getattr(table, write)(file)
    assert str(caught.value) == f"/dev/full: could not be written: {NO_ROOM}"


def test_errors_about_other_things_stay_as_they_are(tmp_path):
    """An error that says nothing of files passes through, and leaves nothing behind."""

    def fail(file):
        file.write(b"half")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), replacing(tmp_path / "a") as file:
        fail(file)
    assert list(tmp_path.iterdir()) == []
    assert write_problem(KeyError("os error")) is None


@pytest.mark.parametrize(
    ("error", "phrase"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), NO_ROOM),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), NO_ROOM),
        (pl.exceptions.ComputeError("underlying IO error: No space left on device (os error 28)"), NO_ROOM),
        (OSError("No space left on device (os error 28)"), NO_ROOM),
        (OSError(errno.EACCES, "Permission denied"), "Permission denied"),
        (pl.exceptions.ComputeError("File too large (os error 27)"), "File too large"),
    ],
)
def test_why_a_file_could_not_be_written(error, phrase):
    """The cause is the operating system's phrase, a full disk with what to do about it."""
    assert write_problem(error) == phrase


def test_a_full_disk_under_a_study():
    """The store of a study tells a full disk by the same phrase, and that its runs are kept."""
    error = StoreError("folder", OSError(errno.ENOSPC, "No space left on device"))
    assert str(error) == f"folder: cannot be written: {NO_ROOM}; finished runs are kept"


@pytest.mark.slow
@needs_a_full_device
def test_standard_output_on_a_full_disk():
    """A command whose output has no room says so in one sentence instead of failing inside."""
    with FULL.open("w") as full:
        said = subprocess.run(
            [sys.executable, "-m", "echelon.cli", "metrics"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert said.returncode == 1
    assert said.stderr.decode() == f"echelon: the output: could not be written: {NO_ROOM}\n"


@pytest.mark.parametrize("jobs", [1500, 20_000])
def test_a_run_folder_on_a_full_disk(small_disk, jobs):
    """A run that finds no room names the file it was at, where it would have been, and leaves nothing.

    With few jobs the CSV is the first file without room, with many the Parquet file before it.
    """
    result = simulate(
        Workload.from_columns(
            submit_time=range(jobs), run_time=[n % 977 + 1 for n in range(jobs)], processors=[1] * jobs
        ),
        processors=4,
    )
    with pytest.raises(InputError) as caught, filling(small_disk / "out", "run") as folder:
        write_run(result, folder, manifest(result))
    kind = "csv" if jobs == 1500 else "parquet"
    assert str(caught.value) == f"{small_disk / 'out' / 'jobs'}.{kind}: could not be written: {NO_ROOM}"
    assert list(small_disk.iterdir()) == []
