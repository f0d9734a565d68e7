"""The public names of packages for editors and type checkers, made from what each package declares."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from echelon.lazy import homes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(__file__).parents[2] / "src"

_HEAD = "# Public names of `{package}`: made by docs/generator from the table in its __init__.py.\n"


def stubs() -> Iterator[tuple[Path, str]]:
    """Yield the stub of each package that imports its names when they are used, and where it belongs."""
    for file in sorted((SOURCES / "echelon").rglob("__init__.py")):
        if "lazily(" in file.read_text(encoding="utf-8"):
            package = ".".join(file.parent.relative_to(SOURCES).parts)
            yield file.with_suffix(".pyi"), stub(package)


def stub(package: str) -> str:
    """Return the stub of `package`, a line a name."""
    places = sorted(
        (f"{package}.{home}" if home else package, _kind(name), name)
        for name, home in homes_of(package).items()
    )
    lines = [f"from {place} import {name} as {name}" for place, _, name in places]
    version = ["", "__version__: str"] if package == "echelon" else []
    return "\n".join([_HEAD.format(package=package), *lines, *version, ""])


def _kind(name: str) -> int:
    """Return the place of constants, classes and functions among the names of one module."""
    return 0 if name.isupper() else 1 if name[0].isupper() else 2
