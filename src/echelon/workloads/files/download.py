"""Download: a file from an address, kept only if it is what was wanted."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from pathlib import Path
from typing import IO, TYPE_CHECKING

from echelon.errors import InputError
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.workloads.files.datasets import Progress

_CHUNK = 1 << 16
_TIMEOUT = 30.0


def download(
    url: str, target: Path, *, accept: Callable[[Path], None], progress: Progress | None = None
) -> None:
    """Fetch `url` into `target`, which appears only when all bytes have come and been accepted.

    Parameters
    ----------
    url : str
        An ``https``, ``http`` or ``file`` address.
    target : Path
        Its folder is made if need be.
    accept : callable (path: Path) -> None
        Given the fetched file before it takes its place; raises to refuse it.
    progress : callable (bytes_done: int, bytes_total: int or None) -> None, optional
        Called after every chunk.

    Raises
    ------
    InputError
        If the address cannot be reached, answers with an error or stops short, the file is refused, or the
        folder cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be created: {error.strerror}", file=str(target.parent)) from error
    with replacing(target) as file:
        try:
            with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer:
                _copy(answer, file, progress)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise InputError(f"could not be downloaded: {_reason(error)}", file=url) from error
        file.flush()
        accept(Path(file.name))


def _copy(answer: http.client.HTTPResponse, file: IO[bytes], progress: Progress | None) -> None:
    length = answer.headers.get("Content-Length")
    total = int(length) if length is not None else None
    done = 0
    while chunk := answer.read(_CHUNK):
        file.write(chunk)
        done += len(chunk)
        if progress is not None:
            progress(done, total)
    if total is not None and done != total:
        raise http.client.IncompleteRead(b"", total - done)


def _reason(error: Exception) -> str:
    """Return why, and what to do about it."""
    if isinstance(error, urllib.error.HTTPError):
        error.close()  # it holds the connection
        return f"the server answered {error.code} {error.reason}; set ECHELON_ARCHIVE to a mirror"
    if isinstance(error, http.client.IncompleteRead):
        return f"the connection ended {error.expected} bytes early; try again"
    why = error.reason if isinstance(error, urllib.error.URLError) else error
    return f"{why}; check the network, or put the file into a folder of ECHELON_DATA"
