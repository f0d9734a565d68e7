"""A run in a store: its files, read when asked for."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.workloads.files.json_object import parse_object

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import polars as pl

JOBS = "jobs.parquet"
FILES = ("scenario.json", "manifest.json", "metrics.json", JOBS)
"""What the folder of a run holds."""

_NUMBERS = frozenset(("submit_time", "start_time", "end_time", "run_time", "requested_time", "processors"))
"""Columns of jobs that measures read."""

OCCASION = "occasion"
"""The key of ``manifest.json`` under which stands all that differs when the same run is made again."""


def run_in(folder: Path, key: str) -> StoredRun:
    """Return the run with this key in the folder of a study; nothing is read."""
    return StoredRun(folder / "runs" / key[:2] / key)


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One run of a store.

    Parameters
    ----------
    folder : Path
        Its own, named by its key.

    Raises
    ------
    InputError
        From whatever reads a file that is damaged or missing: what to do about it is said.
    """

    folder: Path

    @property
    def key(self) -> str:
        """Hash of its resolved input."""
        return self.folder.name

    @property
    def scenario(self) -> dict[str, Any]:
        """The resolved input: canonical specs of every rule, the machine, hashes of jobs and files."""
        return self._read_json("scenario.json")

    @property
    def manifest(self) -> dict[str, Any]:
        """What it was called, what became of its jobs, which engine ran it, and on which occasion."""
        return self._read_json("manifest.json")

    @property
    def metrics(self) -> dict[str, int | float | None]:
        """Its metrics by name; times in seconds."""
        content = self._read_json("metrics.json")
        for name, value in content.items():
            if not (value is None or isinstance(value, int | float)):
                raise self.error_of("metrics.json", f"{name} is {value!r:.40}, expected a number")
        return content

    @property
    def jobs(self) -> pl.DataFrame:
        """One row a job: the columns of ``jobs.parquet``, times in seconds."""
        return self.jobs_with(None)

    def jobs_with(self, columns: list[str] | None) -> pl.DataFrame:
        """Return some columns of the jobs, None: all."""
        # A heavy library that only tables need.
        import polars as pl

        with self._reading_jobs():
            jobs = pl.read_parquet(self.folder / JOBS, columns=columns)
        for name, kind in jobs.schema.items():
            if name in _NUMBERS and not kind.is_numeric():
                raise self.error_of(JOBS, f"{name} is of {kind}, expected numbers")
        return jobs

    def jobs_schema(self) -> dict[str, pl.DataType]:
        """Return the columns of the jobs with their types; the jobs are not read."""
        import polars as pl

        with self._reading_jobs():
            return dict(pl.read_parquet_schema(self.folder / JOBS))

    @contextmanager
    def _reading_jobs(self) -> Iterator[None]:
        import polars as pl

        try:
            yield
        except (pl.exceptions.PolarsError, OSError) as error:
            raise self.error_of(JOBS, str(error)) from error

    def _read_json(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        try:
            return parse_object(path.read_bytes())
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise self.error_of(name, str(why)) from error

    def error_of(self, name: str, why: str) -> InputError:
        """Return the error that a file of this run is not what was written."""
        return InputError(
            f"cannot be read ({why}); remove the folder of this run and run the study again",
            file=str(self.folder / name),
        )
