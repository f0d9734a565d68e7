"""Claims: the directory in which jobs claim themselves and record their ends."""

from __future__ import annotations

import os
import shutil
import signal
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from echelon.backends.contract import EndRecord, Evidence, Outcome
from echelon.backends.mark import Mark, ensure_mark, mark_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from pathlib import Path

OWN_RECORD = "exit record"
"""Source of a record that the job itself has written."""

_SERVICE, _OWNER_WRITES = 0o500, 0o200


class Claims:
    """The directory of a cluster that its nodes share with the service.

    ``claims/TAG`` is made once, by ``mkdir``, by the job or by the service: that one has the claim.
    Its mode is given with it in the same call: the owner can write to that of a job, not to that of the
    service. So no crash can leave a claim whose owner is not known. ``exits/TAG`` is the record of an end,
    see `wrap`; ``jobs/TAG`` is what else belongs to a job.

    Parameters
    ----------
    directory : Path
        Absolute.
    folder : Path, optional
        The service's own folder of this cluster, where it remembers the mark of the directory, see `Mark`.

    Notes
    -----
    **Cost**: one or two calls of the file system for each tag.
    """

    def __init__(self, directory: Path, folder: Path | None = None) -> None:
        self.directory, self._mark = directory, Mark(folder)
        self._claims, self._exits = directory / "claims", directory / "exits"

    def prepare(self) -> None:
        """Make the directories, for the service's user alone, where they are missing.

        Raises
        ------
        OSError
            If they cannot be made, or this is not the directory that it was.
        """
        if why := self._mark.why_another(mark_of(self.directory), self.directory):
            raise OSError(why)
        for path in (self.directory, self._claims, self._exits, self.directory / "jobs"):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._mark.remember(ensure_mark(self.directory))

    def why_away(self) -> str:
        """Return why the directory cannot be used now; empty: it can."""
        try:
            mark = mark_of(self.directory)
        except OSError as error:
            return f"{self.directory} cannot be read: {error.strerror}"
        return "" if mark else f"{self.directory} has gone, or was emptied"

    def revoke(self, tags: Sequence[str]) -> dict[str, bool]:
        """Take the claims of jobs; see `Backend.revoke`. What is taken stays so, if the machine crashes."""
        claims: dict[str, bool] = {}
        try:
            with _open_folder(self._claims) as folder:
                for tag in tags:
                    with suppress(OSError):
                        claims[tag] = _take(tag, folder)
                os.fsync(folder)
        except OSError:
            # What was made may not last.
            return {tag: is_ours for tag, is_ours in claims.items() if not is_ours}
        return claims

    def spend(self, tag: str) -> bool:
        """Take the claim of a job in its own name, as if it had run; return whether it is the job's now.

        Raises
        ------
        OSError
            If that is not known.
        """
        with suppress(FileExistsError):
            (self._claims / tag).mkdir(mode=0o700)
        return tag in self.find_claimed([tag])

    def record_stop(self, tag: str, at: float) -> None:
        """Record the end of a job that has its claim, and was stopped by TERM before its payload started.

        Parameters
        ----------
        tag : str
            Of the job.
        at : float
            Unix time in seconds.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        new = self._exits / f"{tag}.new"
        new.write_text(f"- {signal.SIGTERM:d} {at:.3f} {at:.3f} stopped\n", encoding="ascii")
        new.rename(self._exits / tag)

    def prune(self, before: float, kept: Container[str]) -> None:
        """Remove what is left of jobs that ended, or were revoked, before this time.

        Parameters
        ----------
        before : float
            Unix time in seconds.
        kept : container of str
            Tags of jobs of which nothing is removed.
        """
        for claim in os.scandir(self._claims):
            record = self._exits / claim.name
            last = record if record.exists() else claim
            if claim.name not in kept and last.stat().st_mtime < before:
                shutil.rmtree(self.directory / "jobs" / claim.name, ignore_errors=True)
                record.unlink(missing_ok=True)
                (self._claims / claim.name).rmdir()

    def find_claimed(self, tags: Sequence[str]) -> frozenset[str]:
        """Return the tags whose claims the jobs have.

        Raises
        ------
        OSError
            If that is not known.
        """
        with _open_folder(self._claims) as folder:
            return frozenset(tag for tag in tags if _is_job_s(tag, folder))

    def records(self, tags: Sequence[str]) -> dict[str, EndRecord]:
        """Return the records of ends that are there, by tag.

        Raises
        ------
        OSError
            If that is not known.
        """
        with _open_folder(self._exits) as folder:
            texts = ((tag, _content(tag, folder)) for tag in tags)
            pairs = ((tag, record_of(text)) for tag, text in texts if text is not None)
            return {tag: record for tag, record in pairs if record is not None}

    def evidence(self, tags: Sequence[str]) -> Evidence:
        """Return claims and records; see `Backend.evidence`."""
        began_at = time.time()
        try:
            # In this order: a record that is there belongs to a claim that may not have been there yet.
            claimed = self.find_claimed(tags)
            return Evidence(began_at, is_complete=True, records=self.records(tags), claimed=claimed)
        except OSError as error:
            return Evidence(began_at, is_complete=False, problem=f"cannot read claims: {error}")


def record_of(text: str) -> EndRecord | None:
    """Return what the record of an end says; None if it is damaged."""
    try:
        code, number, started, ended, cause = text.split()
        exit_code = None if code == "-" else int(code)
        return EndRecord(
            _outcome(exit_code, cause),
            exit_code=exit_code,
            signal=int(number) or None,
            started_at=float(started),
            ended_at=float(ended),
            source=OWN_RECORD,
        )
    except ValueError:
        return None


def _outcome(exit_code: int | None, cause: str) -> Outcome:
    if cause == "limit":
        return Outcome.TIMED_OUT
    if cause == "stopped":
        return Outcome.CANCELED
    return Outcome.COMPLETED if exit_code == 0 else Outcome.FAILED


@contextmanager
def _open_folder(folder: Path) -> Iterator[int]:
    """Provide the descriptor of a folder."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield number
    finally:
        os.close(number)


def _take(tag: str, folder: int) -> bool:
    """Return whether the claim is the service's, now or before."""
    try:
        os.mkdir(tag, _SERVICE, dir_fd=folder)
    except FileExistsError:
        return not _is_job_s(tag, folder)
    return True


def _is_job_s(tag: str, folder: int) -> bool:
    try:
        return bool(os.stat(tag, dir_fd=folder).st_mode & _OWNER_WRITES)
    except FileNotFoundError:
        return False


def _content(tag: str, folder: int) -> str | None:
    try:
        file = os.open(tag, os.O_RDONLY, dir_fd=folder)
    except FileNotFoundError:
        return None
    with os.fdopen(file, encoding="ascii", errors="replace") as opened:
        return opened.read()
