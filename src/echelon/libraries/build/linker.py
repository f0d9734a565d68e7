"""From an object file to a shared library that any Python can load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from echelon.errors import NoLibraryError
from echelon.libraries.lookup import linker


def link(code: bytes, file: Path) -> None:
    """Write the library of an object file; it appears whole or not at all.

    Raises
    ------
    NoLibraryError
        If there is no linker, or it fails.
    """
    command = linker()
    if command is None:
        raise NoLibraryError("no C compiler was found, nor the package ziglang, which links without one")
    # A separate folder, since two processes may build the same library.
    with TemporaryDirectory(prefix=".", dir=file.parent) as scratch:
        source, library = Path(scratch, "code.o"), Path(scratch, file.name)
        source.write_bytes(code)
        ended = subprocess.run(
            [*command, "-shared", *_OPTIONS, "-o", str(library), str(source), *_MATH],
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode:
            raise NoLibraryError(f"{command[0]} could not link {file.name}: {ended.stderr.strip()}")
        library.replace(file)


# Names of internal functions are not needed. A Mac's linker signs what it links for arm64.
_OPTIONS = [] if sys.platform == "win32" else ["-Wl,-x"] if sys.platform == "darwin" else ["-s"]
_MATH = [] if sys.platform in ("win32", "darwin") else ["-lm"]
