"""OutageInput: what a run is given of outages: a file, tables of a scenario file, or `Outages`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.settings.availability import NONE
from echelon.model.machines.outages import Outages

if TYPE_CHECKING:
    from echelon.availability.log_clock import LogClock
    from echelon.availability.machine_nodes import MachineNodes


@dataclass(frozen=True, slots=True)
class OutageInput:
    """Outages as they were given.

    Parameters
    ----------
    parts : tuple
        Each a file that was read, a table ``[[outage]]``, or `Outages`.
    """

    parts: tuple[Any, ...]

    def outages(self, nodes: MachineNodes, clock: LogClock) -> tuple[Outages, tuple[str, ...]]:
        """Return the outages of a machine, and a clause on each thing that nothing models.

        Raises
        ------
        InputError
            If a node or site is none of the machine's, or a date cannot be placed in the log.
        """
        from echelon.availability.calendar import joined
        from echelon.availability.outage_row import outage_rows

        tables = [part for part in self.parts if isinstance(part, Mapping)]
        rows = [
            row
            for number, table in enumerate(tables, start=1)
            for row in outage_rows(table, f"outage {number}", nodes, clock)
        ]
        found, left = [Outages.of(rows)], []
        for part in self.parts:
            if isinstance(part, Outages):
                found.append(part)
            elif not isinstance(part, Mapping):
                told = part.on(nodes, clock)
                found.append(told.outages)
                left += told.not_modelled
        return joined(found), tuple(left)


def outages_of(given: Any) -> OutageInput | None:  # noqa: ANN401  (a path, tables, outages, or several of them)
    """Return outages as given: a path, ``none``, `Outages`, tables of outages, or a list of these.

    Raises
    ------
    InputError
        If a file cannot be read as outages, or what is given is none of these.
    """
    if given is None or isinstance(given, OutageInput):
        return given
    if isinstance(given, str) and given.strip().lower() == NONE:
        return None
    listed = isinstance(given, Sequence) and not isinstance(given, str)
    parts = tuple(_part(one) for one in (given if listed else (given,)))
    return OutageInput(parts) if parts else None


def outages_words(given: OutageInput | None) -> str | None:
    """Return the file of outages, or tables as JSON; None if there are none."""
    if given is None:
        return None
    words = [_words(part) for part in given.parts]
    if len(words) == 1 and isinstance(words[0], str):
        return words[0]
    return json.dumps(words, sort_keys=True, default=str)


def _part(given: Any) -> Any:  # noqa: ANN401  (as above)
    if isinstance(given, Mapping | Outages) or hasattr(given, "on"):
        return given
    if isinstance(given, str | Path):
        from echelon.availability.traces import read_outages

        return read_outages(given)
    raise InputError(f"must be a file, tables or Outages, got {given!r:.60}", field="outages")


def _words(part: Any) -> Any:  # noqa: ANN401  (as above)
    if isinstance(part, Mapping):
        return dict(part)
    if isinstance(part, Outages):
        return f"{len(part)} outages of {len(set(part.node.tolist()))} nodes"
    return str(part.file)
