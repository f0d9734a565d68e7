"""A table of a file: what it says, where it stands, and who keeps what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.platforms.files.mistakes import format_got

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from echelon.platforms.files.fields import Field
    from echelon.platforms.files.key_lines import Place
    from echelon.platforms.files.mistakes import Mistakes


@dataclass(frozen=True)
class Table:
    """One table.

    Parameters
    ----------
    content : mapping
        What it says.
    place : tuple of str and int
        Where it stands in its file.
    mistakes : Mistakes
        Of that file.
    folder : Path, optional
        Of that file, from which its paths lead. Default: where one is.
    """

    content: Mapping[str, Any]
    place: Place
    mistakes: Mistakes
    folder: Path = Path()

    def __contains__(self, key: str) -> bool:
        """Return whether it has this key."""
        return key in self.content

    def note(self, problem: str, *keys: str | int) -> None:
        """Keep what is wrong with it, or with what is below it at `keys`."""
        self.mistakes.note((*self.place, *keys), problem)

    def where(self, *keys: str | int) -> str:
        """Return the file and line of what is below it at `keys`, for messages; empty if it is in no file."""
        return self.mistakes.where((*self.place, *keys))

    def refuse_unknown(self, keys: Iterable[str]) -> None:
        """Note every key that is not among those known."""
        names = tuple(keys)
        for key in [key for key in self.content if key not in names]:
            self.mistakes.note_unknown((*self.place, key), self.content[key], names)

    def value(self, field: Field) -> Any:  # noqa: ANN401  (what the file says)
        """Return the value of a field, or None if it is not there, or wrong, which is noted."""
        if field.key not in self.content:
            return None
        entry = field.read(self.content[field.key])
        if entry is None:
            self.note(f"{format_got(self.content[field.key])}, expected {field.expected}", field.key)
        return entry

    def require(self, field: Field) -> Any:  # noqa: ANN401  (as above)
        """Return the value of a field, or None if it is wrong or missing, which is noted."""
        if field.key not in self.content:
            self.note(f"is missing, expected {field.expected}", field.key)
        return self.value(field)

    def values(self, fields: Iterable[Field], *, needed: bool = False) -> dict[str, Any]:
        """Return the values of the fields that are there and right; if `needed`, those missing are noted."""
        entries = {field.key: self.require(field) if needed else self.value(field) for field in fields}
        return {key: value for key, value in entries.items() if value is not None}

    def below(self, key: str, expected: str) -> Table | None:
        """Return the table at `key`, or None if there is none or something else, which is noted."""
        entry = self.content.get(key)
        if isinstance(entry, dict):
            return replace(self, content=entry, place=(*self.place, key))
        if entry is not None:
            self.note(f"{format_got(entry)}, expected {expected}", key)
        return None

    def list_tables(self, key: str, expected: str, *, alone: bool = True) -> list[Table]:
        """Return the tables listed at `key`, of which one may stand alone; what is no table is noted."""
        entry = self.content.get(key)
        if alone and isinstance(entry, dict):
            return [replace(self, content=entry, place=(*self.place, key))]
        if not isinstance(entry, list) or not entry:
            self.note(f"{'got none' if entry in (None, []) else format_got(entry)}, expected {expected}", key)
            return []
        for k, one in enumerate(entry):
            if not isinstance(one, dict):
                self.note(f"{format_got(one)}, expected {expected}", key, k)
        return [
            replace(self, content=one, place=(*self.place, key, k))
            for k, one in enumerate(entry)
            if isinstance(one, dict)
        ]
