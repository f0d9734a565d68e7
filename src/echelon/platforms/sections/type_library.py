"""Type library: cores, processors and nodes defined once, under a name, in a file or those it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.model.machines.hardware import MOST_CORES
from echelon.platforms.files.fields import name as name_field
from echelon.platforms.files.fields import whole
from echelon.platforms.files.mistakes import nearest
from echelon.platforms.sections.parts import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.platforms.files.table import Table
    from echelon.platforms.sections.parts import Groups, Kind, Part, Values

_TYPE = name_field("type")
_COUNT = whole("count", MOST_CORES)
TYPE_KEYS = tuple(f"{kind.word}_type" for kind in KINDS)
"""Tables of types at the top of a file."""


class TypeLibrary:
    """The types of one file, and those of the libraries that it reads.

    A name means the file's own type, else that of the first library that has it. A type may itself be `of
    type`: it has that one's values, but for its own. Equal parts are one object.

    Parameters
    ----------
    file : Table
        The whole file.
    libraries : sequence of TypeLibrary
        Those it reads, in order.
    """

    def __init__(self, file: Table, libraries: Sequence[TypeLibrary]) -> None:
        self.libraries = libraries
        self.tables = {kind.word: _types(file, kind) for kind in KINDS}
        self._values: dict[tuple[str, str], Values | None] = {}
        self._parts: dict[tuple[str, str], Part | None] = {}
        self._reading: list[tuple[str, str]] = []

    def check(self) -> None:
        """Read every type of the file and its libraries: mistakes in unused types are noted, too."""
        for library in self.libraries:
            library.check()
        for kind in KINDS:
            for name in self.tables[kind.word]:
                self.values(kind, name)

    def groups(self, kind: Kind, table: Table, key: str = "") -> Groups | None:
        """Return the parts listed in a table, each with its count; None if something is wrong with one.

        They are listed at `key`, by default the kind's word.
        """
        before = len(table.mistakes)
        groups = []
        for one in table.list_tables(key or kind.word, f"one or more tables of a {kind.word}'s type or keys"):
            count = one.value(_COUNT) if _COUNT.key in one else 1
            groups.append((self._part(kind, one), count))
        complete = all(part is not None and count for part, count in groups)
        return groups if complete and len(table.mistakes) == before else None

    def part(self, kind: Kind, name: str) -> Part | None:
        """Return the part of a type of this file; None if something is wrong with it."""
        key = (kind.word, name)
        if key not in self._parts:
            values = self.values(kind, name)
            table = self.tables[kind.word][name]
            self._parts[key] = None if values is None else kind.make(table, dict(values))
        return self._parts[key]

    def values(self, kind: Kind, name: str) -> Values | None:
        """Return what a type of this file says, and the type it is of; None if something is wrong."""
        key, table = (kind.word, name), self.tables[kind.word][name]
        if key in self._reading:
            circle = [*self._reading[self._reading.index(key) :], key]
            table.note(
                f"has itself as its type: {' is of type '.join(repr(name) for _, name in circle)}", "type"
            )
            return None
        if key not in self._values:
            self._reading.append(key)
            values = self._read(kind, table, (_TYPE.key,))
            if values is not None and "name" in kind.keys:
                values["name"] = table.content.get("name", name)
            self._values[key] = values
            self._reading.pop()
        return self._values[key]

    def home(self, kind: Kind, name: str) -> TypeLibrary | None:
        """Return the library that a type's name is found in."""
        if name in self.tables[kind.word]:
            return self
        return next(filter(None, (library.home(kind, name) for library in self.libraries)), None)

    def names(self, kind: Kind) -> Iterable[str]:
        """Return the names of all types of a kind that are found."""
        return [
            *self.tables[kind.word],
            *(name for library in self.libraries for name in library.names(kind)),
        ]

    def _part(self, kind: Kind, table: Table) -> Part | None:
        """Return the part that a table describes or names."""
        if set(table.content) - {_COUNT.key} == {_TYPE.key}:
            home = self._home_of(kind, table)
            return None if home is None else home.part(kind, table.content[_TYPE.key])
        values = self._read(kind, table, (_TYPE.key, _COUNT.key))
        return None if values is None else kind.make(table, values)

    def _read(self, kind: Kind, table: Table, besides: tuple[str, ...]) -> Values | None:
        """Return what a table says, with what its type says; None if something is wrong with it."""
        before = len(table.mistakes)
        table.refuse_unknown((*kind.keys, *besides))
        own = table.values(kind.fields)
        own |= {key: read(table, key) for key, read in kind.tables.items() if key in table}
        if kind.parts and kind.parts.word in table:
            own[kind.parts.word] = self.groups(kind.parts, table)
        of_type: Values | None = {}
        if _TYPE.key in table:
            home = self._home_of(kind, table)
            of_type = None if home is None else home.values(kind, table.content[_TYPE.key])
        if of_type is None or None in own.values() or len(table.mistakes) > before:
            return None
        return {**kind.keep_values(of_type, own), **own}

    def _home_of(self, kind: Kind, table: Table) -> TypeLibrary | None:
        """Return the library of the type that a table names; None if there is none, which is noted."""
        name = table.value(_TYPE)
        home = None if name is None else self.home(kind, name)
        if name is not None and home is None:
            hint = nearest(name, self.names(kind))
            table.note(f"no {kind.word}_type is named {name!r}, {hint}", _TYPE.key)
        return home


def _types(file: Table, kind: Kind) -> dict[str, Table]:
    """Return the tables of a file's types of a kind."""
    key = f"{kind.word}_type"
    types = file.below(key, f"tables [{key}.NAME]")
    if types is None:
        return {}
    tables = {name: types.below(name, f"a table [{key}.{name}]") for name in types.content}
    return {name: table for name, table in tables.items() if table is not None}
