"""The trace of the study: LANL05, as the Failure Trace Archive has it, put into a folder by the user.

It is not downloaded: the archive gives it behind a form. Wherever it is found, the SHA-256 of its
decompressed text must be the one recorded here.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from echelon.availability.traces.compression import unpack
from echelon.availability.traces.trace_reader import parse_trace
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.availability.traces.failure_trace import FailureTrace

FILES = ("LANL05-event_trace.tab", "FTA-event_trace.tab", "event_trace.tab")
"""Names under which it is looked for; each may end in ``.gz`` or ``.xz``, too."""

SHA256 = "b2c9fbc12a00fafdea2db11238ea69fd86c1702ade96b31eb71d44a5eb254e47"
"""Of its text, in hexadecimal."""

WHERE = (
    "the event trace of LANL05 is in no folder of $ECHELON_DATA and is not downloaded; the Failure Trace "
    f"Archive (fta.scem.uws.edu.au) has it as LANL05: put its event_trace.tab there as {FILES[0]}"
)
"""What to do where it is not found."""


def trace() -> FailureTrace:
    """Return the trace.

    Raises
    ------
    InputError
        If it is in no folder of ``$ECHELON_DATA``, or only under the name of a file that is another one.
    """
    files = list(_candidates())
    for path in files:
        with path.open("rb") as file:
            text = unpack(file, str(path))
        if hashlib.sha256(text).hexdigest() == SHA256:
            return parse_trace(text, str(path), format="fta")
    if files:
        others = ", ".join(map(str, files))
        raise InputError(f"{WHERE}; not the same: {others}", field="LANL05")
    raise InputError(WHERE, field="LANL05")


def is_here() -> bool:
    """Return whether a file of one of its names is in a folder of ``$ECHELON_DATA``."""
    return next(_candidates(), None) is not None


def _candidates() -> Iterator[Path]:
    """Yield the files that may be it: the archive calls the trace of every system alike."""
    folders = [Path(name) for name in os.environ.get("ECHELON_DATA", "").split(os.pathsep) if name]
    for folder in folders:
        for name in FILES:
            for path in (folder / f"{name}{ending}" for ending in ("", ".gz", ".xz")):
                if path.is_file():
                    yield path
