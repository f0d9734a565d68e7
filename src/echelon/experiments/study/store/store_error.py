"""StoreError: the folder of a study cannot be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.workloads.files.atomic import write_problem

if TYPE_CHECKING:
    from pathlib import Path


class StoreError(InputError):
    """The folder of a study cannot be written: no run can go on.

    Parameters
    ----------
    folder : Path
        The study's.
    error : OSError
        What the operating system said.
    """

    def __init__(self, folder: Path | str, error: OSError | str) -> None:
        why = error if isinstance(error, str) else write_problem(error) or str(error)
        super().__init__(f"cannot be written: {why}; finished runs are kept", file=str(folder))
        self._made_of = (str(folder), why)

    def __reduce__(self) -> tuple[type[StoreError], tuple[str, str]]:
        """Return how it is made again in another process."""
        return type(self), self._made_of
