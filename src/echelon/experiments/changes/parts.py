"""Parts: what is given as one value or as a list of them, files or tables or values, and back to text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from echelon.experiments.settings.availability import is_none

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class PlacedTable(dict[str, Any]):
    """A table of a file, which knows where it stands.

    Parameters
    ----------
    table : mapping of str to object
        What it says.
    place : str
        File, and which of its tables it is, for messages.
    """

    def __init__(self, table: Mapping[str, Any], place: str) -> None:
        super().__init__(table)
        self.place = place

    def __reduce__(self) -> tuple[type[PlacedTable], tuple[dict[str, Any], str]]:
        """Return how another process makes it."""
        return PlacedTable, (dict(self), self.place)


def place_of(table: Mapping[str, Any], kind: str, number: int) -> str:
    """Return where a table stands, else which of its kind it is, from 1."""
    return table.place if isinstance(table, PlacedTable) else f"{kind} {number}"


def parts_of(spec: Any, part: Callable[[Any], Any]) -> tuple[Any, ...]:  # noqa: ANN401  (whatever is given)
    """Return each part of what is given, as `part` reads it; empty if that is ``none``."""
    if is_none(spec):
        return ()
    listed = isinstance(spec, Sequence) and not isinstance(spec, str)
    return tuple(part(one) for one in (spec if listed else (spec,)))


def format_parts(parts: Sequence[Any], write: Callable[[Any], Any]) -> str:
    """Return a single part as `write` has it if that is text, else all parts as JSON."""
    specs = [write(part) for part in parts]
    if len(specs) == 1 and isinstance(specs[0], str):
        return specs[0]
    return json.dumps(specs, sort_keys=True, default=str)
