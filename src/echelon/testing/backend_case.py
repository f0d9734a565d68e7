"""BackendCase: a cluster on which a back end is checked, and how to wait for it."""

from __future__ import annotations

import shlex
import time
import uuid
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from echelon.backends.contract import Submission

if TYPE_CHECKING:
    from pathlib import Path

    from echelon.backends.contract import Backend


class BackendCase(ABC):
    """A cluster that is only for a check, and runs while it is checked. Subclasses open it.

    Parameters
    ----------
    directory : Path
        Where jobs run and print; absolute, and the same at the cluster.

    Attributes
    ----------
    seconds : float
        How long something that must happen may take, by `now`; 20 by default.
    step : float
        How long to wait between two looks; 0.05 by default.
    runs_commands : bool
        Whether jobs really run; if not, what commands do is not checked. True by default.
    shortest_limit : float, optional
        The shortest time limit that the cluster enforces, in seconds; None: limits are not checked, as those
        of a minute would take too long. 1 by default.
    """

    seconds = 20.0
    step = 0.05
    runs_commands = True
    shortest_limit: float | None = 1.0

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @abstractmethod
    def open(self) -> Backend:
        """Return a back end of the cluster; the one before is closed, or its process has died."""

    def now(self) -> float:
        """Return the time at the cluster, as Unix time in seconds."""
        return time.time()

    def wait(self, seconds: float) -> None:
        """Let so much time pass at the cluster."""
        time.sleep(seconds)

    def tag(self) -> str:
        """Return a tag that was never used."""
        return f"ech-{uuid.uuid4().hex}-1"

    def job(self, *, seconds: float = 0.0, exit_code: int = 0, **fields: Any) -> Submission:  # noqa: ANN401
        """Return a job that ends after so many seconds with this exit code.

        Parameters
        ----------
        seconds : float, default 0
            Its run time.
        exit_code : int, default 0
            Its exit code.
        **given
            Fields of `Submission`; default: a new tag, 1 processor, a limit of one minute.
        """
        command = ("sh", "-c", f"sleep {seconds:g}; exit {exit_code}")
        fixed = {"tag": self.tag(), "command": command, "directory": str(self.directory), "time_limit": 60.0}
        return Submission(**{**fixed, **fields})

    def script(self, text: str, **fields: Any) -> Submission:  # noqa: ANN401  (fields of a submission)
        """Return a job that runs this script for ``sh``."""
        return self.job(command=("sh", "-c", text), **fields)

    def written(self, name: str) -> str:
        """Return what a job has written to a file of the directory; empty: nothing yet."""
        file = self.directory / name
        return file.read_text(encoding="utf-8", errors="surrogateescape") if file.exists() else ""

    def path(self, name: str) -> str:
        """Return the file `name` of the directory as one word for ``sh``."""
        return shlex.quote(str(self.directory / name))
