"""Building: the requested libraries, in parallel processes."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from echelon.errors import InputError, NoLibraryError, UnknownNameError
from echelon.file_lock import alone
from echelon.libraries.lookup import file_name
from echelon.libraries.lookup import folder as usual_folder
from echelon.libraries.names import LIBRARIES
from echelon.libraries.processor import kinds as known_kinds
from echelon.libraries.processor import machine
from echelon.libraries.sources import PACKAGE, digest_of, sources_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOGETHER = (
    ("machine", "grid_by_schedules", "grid_by_sums", "grid_room"),
    ("dynamic_machine", "dynamic_nodes", "dynamic_reservations", "dynamic_rows"),
    ("nodes", "node_rows", "peers", "planned_queue", "projection", "swf", "allocation"),
)
"""What one process builds: those that share kernels, in two parts that take about as long. Others alone."""


def build_libraries(
    names: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    folder: Path | None = None,
    *,
    processes: int | None = None,
) -> list[Path]:
    """Build libraries that do not exist yet.

    Parameters
    ----------
    names : sequence of str, optional
        Of `LIBRARIES`. Default: all.
    kinds : sequence of {"baseline", "newer"}, optional
        Of processors. Default: all that machines of this kind know.
    folder : Path, optional
        Where they are written. Default: where they are looked for.
    processes : int, optional
        How many build at once. Default: one a processor.

    Returns
    -------
    list of Path
        Their files, including those that existed already.

    Raises
    ------
    UnknownNameError
        If the library is unknown.
    NoLibraryError
        If a library cannot be built; the message gives the reason.
    """
    wanted = list(LIBRARIES) if names is None else list(dict.fromkeys(names))
    for name in wanted:
        if name not in LIBRARIES:
            raise UnknownNameError("library", name, LIBRARIES)
    chosen = known_kinds() if kinds is None else tuple(kinds)
    if not chosen or not set(chosen) <= set(known_kinds()):
        kinds_here = ", ".join(known_kinds()) or "none"
        raise NoLibraryError(
            f"processors of the kind {machine()!r} have the kinds {kinds_here}, got {chosen}"
        )
    place = usual_folder() if folder is None else folder
    place.mkdir(parents=True, exist_ok=True)
    files = {name: _files(name, chosen, place) for name in wanted}
    with alone(place):
        missing = [name for name in wanted if not all(file.exists() for file in files[name])]
        _build_in_processes(missing, chosen, place, processes or os.cpu_count() or 1)
        # A library that was there may have come without its list, or beside that of another version.
        for name in wanted:
            if name not in missing:
                _write_sources(name, place)
    return [file for name in wanted for file in files[name]]


def _files(name: str, kinds: Sequence[str], folder: Path) -> list[Path]:
    digest = digest_of(sources_of(name))
    return [folder / file_name(name, kind, digest) for kind in kinds]


def groups_of(names: Sequence[str]) -> list[list[str]]:
    """Return the libraries that one process each is to build; each library is in one group."""
    shared = [[name for name in together if name in names] for together in _TOGETHER]
    alone = [[name] for name in names if not any(name in together for together in _TOGETHER)]
    return [group for group in [*shared, *alone] if group]


def _build_in_processes(names: list[str], kinds: Sequence[str], folder: Path, most: int) -> None:
    """Build libraries, as many groups at once as there are processes."""
    groups = groups_of(names)
    running: list[subprocess.Popen[str]] = []
    failed: list[str] = []
    while groups or running:
        while groups and len(running) < most:
            arguments = [*groups.pop(0), "--kinds", *kinds, "--folder", str(folder), "--here"]
            running.append(_start_build(arguments))
        ended = running.pop(0)
        message = ended.communicate()[1]
        if ended.returncode:
            failed.append((message.strip().splitlines() or ["no reason was given"])[-1])
    if failed:
        raise NoLibraryError("; ".join(failed))


def _start_build(arguments: list[str]) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), *sys.path])}
    command = [sys.executable, "-m", "echelon.libraries.build", *arguments]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


def build_here(names: Sequence[str], kinds: Sequence[str], folder: Path) -> None:
    """Build libraries in this process, which must not have imported any kernel."""
    from echelon.libraries import kernel
    from echelon.libraries.build.context import compiler, install, lower
    from echelon.libraries.build.linker import link
    from echelon.libraries.build.machine_code import machine_code
    from echelon.libraries.build.shim import shim
    from echelon.libraries.calls import entry_of, symbol_of

    if any(module in sys.modules for module in LIBRARIES.values()):
        raise InputError("kernels were imported before they could be built", field="names")
    # Lowering makes millions of objects that last: to look for garbage among them takes a fifth of the time.
    gc.disable()
    install()
    kernel.compile_with(compiler)
    for name in names:
        whole = lower(shim(entry_of(name)), symbol_of(name))
        files = _files(name, kinds, folder)
        for kind, file in zip(kinds, files, strict=True):
            link(machine_code(whole, kind), file)
        _remove_old(name, kinds, files, folder)
        _write_sources(name, folder)


def _write_sources(name: str, folder: Path) -> None:
    """Write the list of sources beside the library; a concurrent reader finds the earlier list."""
    with TemporaryDirectory(prefix=".", dir=folder) as scratch:
        written = Path(scratch, "sources")
        written.write_text("\n".join(sources_of(name)) + "\n", encoding="utf-8")
        written.replace(folder / f"{name}.sources")


def _remove_old(name: str, kinds: Sequence[str], present: Sequence[Path], folder: Path) -> None:
    """Remove libraries of obsolete sources."""
    for kind in kinds:
        for old in folder.glob(f"{name}-{kind}-*"):
            if old not in present:
                old.unlink(missing_ok=True)
