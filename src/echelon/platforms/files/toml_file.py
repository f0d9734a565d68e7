"""A TOML file with types of parts: what it says, on which lines, and the libraries that it reads."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.platforms.files.key_lines import key_lines
from echelon.platforms.files.mistakes import Mistakes, format_got
from echelon.platforms.files.table import Table
from echelon.platforms.files.text_file import text_of
from echelon.platforms.sections.type_library import TypeLibrary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_EXPECTED = "a TOML file, or a list of TOML files, with types of parts"


@dataclass(frozen=True)
class TomlFile:
    """A file that was read, with its libraries.

    Parameters
    ----------
    path : Path
        Where it is.
    shown : str
        As its user named it.
    top : Table
        What it says.
    above : tuple of Path
        The files that read it as a library, in a chain.
    registry : dict of Path to TomlFile
        Every library read so far for the first file of the chain: each is read once.
    """

    path: Path
    shown: str
    top: Table
    above: tuple[Path, ...] = ()
    registry: dict[Path, TomlFile] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, *, shown: str, expected: str = "a platform in TOML") -> TomlFile:
        """Read a file, and the libraries that it names; `expected` is what it should hold, for messages.

        Raises
        ------
        InputError
            If it cannot be read or is no TOML; what is wrong with a library is noted.
        """
        file = cls(path, shown, _top(path, shown, expected))
        file.libraries  # noqa: B018  (read now, so that all mistakes are registry)
        return file

    @cached_property
    def libraries(self) -> tuple[TomlFile, ...]:
        """The libraries that it reads, in order."""
        return tuple(self._libraries())

    @cached_property
    def types(self) -> TypeLibrary:
        """Its types and those of its libraries."""
        return TypeLibrary(self.top, [library.types for library in self.libraries])

    def sentences(self) -> list[str]:
        """Return what is wrong with it, and then with its libraries."""
        own = self.top.mistakes.sentences()
        return own + [
            f"in {file.shown}: {sentence}"
            for file in self.registry.values()
            for sentence in file.top.mistakes.sentences()
        ]

    def _libraries(self) -> Iterator[TomlFile]:
        entry = self.top.content.get("library", [])
        if not isinstance(entry, str | list):
            self.top.note(f"{format_got(entry)}, expected {_EXPECTED}", "library")
            return
        for name in [entry] if isinstance(entry, str) else entry:
            if not isinstance(name, str) or not name.strip() or "\0" in name:
                self.top.note(f"{format_got(name)}, expected {_EXPECTED}", "library")
            elif library := self._library(name):
                yield library

    def _library(self, name: str) -> TomlFile | None:
        """Return a library by its path from this file's folder; None if that is wrong, which is noted."""
        path, chain = self.path.parent / name, (*self.above, self.path)
        place = path.resolve()
        if place in {one.resolve() for one in chain}:
            names = " reads ".join(one.name for one in (*chain, path))
            self.top.note(f"got {name!r}, but a library must not read itself in turn: {names}", "library")
            return None
        if place not in self.registry:
            try:
                self.registry[place] = TomlFile(path, name, _top(path, name), chain, self.registry)
            except InputError as error:
                self.top.note(f"{name}: {error.problem}", "library")
                return None
            self.registry[place].libraries  # noqa: B018  (as above)
        return self.registry[place]


def _top(path: Path, shown: str, expected: str = _EXPECTED) -> Table:
    written = text_of(path, shown, expected=expected)
    try:
        content = tomllib.loads(written)
    except (ValueError, RecursionError) as error:
        # tomllib lets through what Python says of numbers too long and brackets too deep.
        raise InputError(f"is not TOML: {error}", file=shown) from error
    return Table(content, (), Mistakes(key_lines(written), file=shown), path.parent)
