"""Journal: what a simulated cluster was asked and when, from which it is simulated again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from echelon.backends.contract import Submission

if TYPE_CHECKING:
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
                simulation.submit(0, Submission.of_json(one))
            for tag, native_id in record.get("cancel", ()):
                simulation.cancel(0, tag, native_id)
            simulation.revoke(0, record.get("revoke", ()))
            simulation.decide()
            simulation.settle()
        self._lines = []

    def note(self, record: dict[str, Any]) -> None:
        """Note what is asked ``at`` a Unix time: to submit, cancel or revoke, as JSON has it."""
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record) + "\n")
