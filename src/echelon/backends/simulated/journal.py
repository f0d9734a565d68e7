"""Journal: what a simulated cluster was asked and when, from which it is simulated again."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from echelon.backends.contract import Submission

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from echelon.backends.simulated.simulation import Simulation


class Journal:
    """What a simulated cluster was asked, a JSON object a line.

    Equal questions at equal times have equal answers, so the cluster is what its journal says: jobs run on
    while no process simulates them.

    Parameters
    ----------
    file : Path
        It is made if it is not there. A last line that is not complete, as after a crash, does not count.
    """

    def __init__(self, file: Path) -> None:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        self._lines = whole.splitlines()
        if whole != text:
            file.write_text(whole, encoding="utf-8")
        self._file = file

    def play(self, simulation: Simulation) -> None:
        """Let everything happen again that was asked of the one cluster of a simulation."""
        for line in self._lines:
            record: dict[str, Any] = json.loads(line)
            simulation.advance(record["at"])
            simulation.begin(record["at"])
            for one in record.get("submit", ()):
                simulation.submit(0, _submission(one))
            for tag, native_id in record.get("cancel", ()):
                simulation.cancel(0, tag, native_id)
            simulation.revoke(0, record.get("revoke", ()))
            simulation.decide()
            simulation.settle()
        self._lines = []

    def note_submissions(self, now: float, submissions: Sequence[Submission]) -> None:
        """Note that jobs are submitted; Unix time in seconds."""
        self._write({"at": now, "submit": [asdict(one) for one in submissions]})

    def note_cancellations(self, now: float, jobs: Sequence[tuple[str, str]]) -> None:
        """Note that jobs are canceled, given as (tag, native id or "")."""
        self._write({"at": now, "cancel": [*map(list, jobs)]})

    def note_revocations(self, now: float, tags: Sequence[str]) -> None:
        """Note that claims are taken."""
        self._write({"at": now, "revoke": [*tags]})

    def _write(self, record: dict[str, Any]) -> None:
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record) + "\n")


def _submission(job: dict[str, Any]) -> Submission:
    """Return a submission as it was before it became JSON, which has lists alone."""
    pairs = {name: tuple((key, value) for key, value in job[name]) for name in ("environment", "options")}
    return Submission(**{**job, **pairs, "command": tuple(job["command"])})
