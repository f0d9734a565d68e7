"""A run in a store: its files, read when asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

FILES = ("scenario.json", "manifest.json", "metrics.json", "jobs.parquet")
"""What the folder of a run holds."""

OCCASION = "occasion"
"""The key of ``manifest.json`` under which stands all that differs when the same run is made again."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One run of a store.

    Parameters
    ----------
    folder : Path
        Its own, named by its key.
    """

    folder: Path

    @property
    def key(self) -> str:
        """Hash of its resolved input."""
        return self.folder.name

    @property
    def scenario(self) -> dict[str, Any]:
        """The resolved input: canonical words of every rule, the machine, hashes of jobs and files."""
        return self._read_json("scenario.json")

    @property
    def manifest(self) -> dict[str, Any]:
        """What it was called, what became of its jobs, which engine ran it, and on which occasion."""
        return self._read_json("manifest.json")

    @property
    def metrics(self) -> dict[str, int | float | None]:
        """Its metrics by name; times in seconds."""
        told = self._read_json("metrics.json")
        for name, value in told.items():
            if not (value is None or isinstance(value, int | float)):
                raise self._damaged("metrics.json", f"{name} is {value!r:.40}, expected a number")
        return told

    @property
    def jobs(self) -> pl.DataFrame:
        """One row a job: the columns of ``jobs.parquet``, times in seconds."""
        # A heavy library that only tables need.
        import polars as pl

        return pl.read_parquet(self.folder / "jobs.parquet")

    def _read_json(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        try:
            told = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise self._damaged(name, str(error)) from error
        if not isinstance(told, dict):
            raise self._damaged(name, f"got {told!r:.40}, expected an object of JSON")
        return told

    def _damaged(self, name: str, why: str) -> InputError:
        return InputError(
            f"cannot be read ({why}); remove the folder of this run and run the study again",
            file=str(self.folder / name),
        )
