"""Sources: the files that a library is built from, and the digest that identifies them."""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.libraries.names import LIBRARIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PACKAGE = Path(__file__).parents[1]
_BUILDER = (
    "libraries/frame.py",
    "libraries/build/context.py",
    "libraries/build/linker.py",
    "libraries/build/machine_code.py",
    "libraries/build/shim.py",
    "libraries/processor.py",
)
"""The files that determine how kernels become machine code."""


def sources_of(name: str) -> list[str]:
    """Return the files that library `name` is built from, as paths in the package, sorted.

    They are the module of its entry, what that imports here, directly or not, and what compiles it.
    A kernel holds the code of those it calls and the constants it reads, so an edit of any may change it.
    Imports inside functions, and imports for type checkers, are not included.
    """
    files, open_ends = set[Path](), [_source(LIBRARIES[name])]
    while open_ends:
        one = open_ends.pop()
        if one is not None and one not in files:
            files.add(one)
            open_ends += _find_imports(one)
    return sorted({*_BUILDER, *(file.relative_to(PACKAGE).as_posix() for file in files)})


def digest_of(sources: Iterable[str]) -> str:
    """Return a short hash of the text of these files of the package.

    Raises
    ------
    FileNotFoundError
        If one is gone.
    """
    text = hashlib.sha256()
    for source in sources:
        text.update(b"%s\0%s\0" % (source.encode(), (PACKAGE / source).read_bytes()))
    return text.hexdigest()[:16]


def _find_imports(file: Path) -> Iterator[Path | None]:
    """Yield the files of this package that `file` imports; of a package, the modules that it names."""
    for node in ast.parse(file.read_bytes()).body:
        if isinstance(node, ast.ImportFrom):
            module = _module_of(node, file)
            for alias in node.names:
                yield _source(f"{module}.{alias.name}") or _source(module)
        elif isinstance(node, ast.Import):
            yield from (_source(alias.name) for alias in node.names)


def _module_of(node: ast.ImportFrom, file: Path) -> str:
    """Return the module that names are imported from, in full where dots begin it."""
    if not node.level:
        return node.module or ""
    above = (PACKAGE.name, *file.relative_to(PACKAGE).parts)[: -node.level]
    return ".".join([*above, *filter(None, [node.module])])


def _source(module: str) -> Path | None:
    """Return the file of `module` if that is a module of this package."""
    package, *parts = module.split(".")
    if package != PACKAGE.name:
        return None
    base = PACKAGE.joinpath(*parts)
    return next((file for file in (base / "__init__.py", base.with_suffix(".py")) if file.is_file()), None)
