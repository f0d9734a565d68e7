"""Claims and records of ends in a directory that only the cluster's side can read, see `Claims`."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from echelon.backends.claims import record_of
from echelon.backends.contract import EndRecord, Evidence
from echelon.backends.mark import Mark, new_mark

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from echelon.backends.slurm.commands import Commands, Reply

PREPARE = r"""umask 077
[ -s "$1/mark" ] || {
    [ "$2" ] && exit 0
    for name in claims exits jobs; do mkdir -p -- "$1/$name" || exit 1; done
    echo "$3" > "$1/mark.$$" || exit 1
    ln -- "$1/mark.$$" "$1/mark" 2> /dev/null || [ -s "$1/mark" ] || mv -f -- "$1/mark.$$" "$1/mark" || exit 1
    rm -f -- "$1/mark.$$"
}
for name in claims exits jobs; do mkdir -p -- "$1/$name" || exit 1; done
cat -- "$1/mark"
"""
OWNERS = 'cd -- "$1/claims" && exec xargs -r stat -c "%a %n" --'
RECORDS = 'cd -- "$1/exits" && exec xargs -r grep -H "" --'
TAKE = 'cd -- "$1/claims" && { (umask 0277; exec xargs -r mkdir --); sync . && echo kept; }'
"""Programs of the shell; the directory is their argument, tags come in by standard input.

The first one has a known and a new mark, too; it makes nothing in a directory that has lost the known one.
"""

OWNER_WRITES = 0o200
MISSING = ": No such file or directory"
SOME_FAILED = (0, 2, 123)
"""Exit codes of xargs that ran all it should: some of its commands may have failed."""


class RemoteClaims:
    """The directory of a cluster that is reached by commands only.

    Parameters
    ----------
    commands : Commands
        How the cluster is reached.
    directory : str
        Absolute path there.
    folder : Path, optional
        The service's own folder of this cluster, see `Claims`.
    """

    def __init__(self, commands: Commands, directory: str, folder: Path | None = None) -> None:
        self._commands, self._directory, self._mark = commands, directory, Mark(folder)

    def prepare(self) -> None:
        """Make the directories where they are missing.

        Raises
        ------
        OSError
            If they cannot be made, or this is not the directory that it was.
        """
        reply = self._commands.shell(PREPARE, self._directory, self._mark.known, new_mark())
        if reply.code != 0:
            raise OSError(reply.problem)
        mark = reply.output.strip()
        if why := self._mark.why_another(mark, self._directory):
            raise OSError(why)
        self._mark.remember(mark)

    def revoke(self, tags: Sequence[str]) -> dict[str, bool]:
        """Take the claims of jobs; see `Backend.revoke`."""
        if not tags:
            return {}
        reply = self._run(TAKE, tags)
        is_kept = reply.code == 0 and reply.output.endswith("kept\n")
        try:
            owners = self._owners(tags)
        except OSError:
            return {}
        # What may not last is not said to be taken.
        return {tag: not is_job_s for tag, is_job_s in owners.items() if is_job_s or is_kept}

    def evidence(self, tags: Sequence[str]) -> Evidence:
        """Return claims and records; see `Backend.evidence`."""
        began_at = time.time()
        if not tags:
            return Evidence(began_at, is_complete=True)
        try:
            # In this order: a record that is there belongs to a claim that may not have been there yet.
            claimed = frozenset(tag for tag, is_job_s in self._owners(tags).items() if is_job_s)
            return Evidence(began_at, is_complete=True, records=self._records(tags), claimed=claimed)
        except OSError as error:
            return Evidence(began_at, is_complete=False, problem=f"cannot read claims: {error}")

    def _owners(self, tags: Sequence[str]) -> dict[str, bool]:
        """Return the claims that are there: whether it is the job's."""
        reply = self._run(OWNERS, tags)
        _check(reply, "stat: ")
        rows = (line.split(" ", 1) for line in reply.output.splitlines())
        return {name: bool(int(mode, 8) & OWNER_WRITES) for mode, name in rows}

    def _records(self, tags: Sequence[str]) -> dict[str, EndRecord]:
        reply = self._run(RECORDS, tags)
        _check(reply, "grep: ")
        rows = (line.split(":", 1) for line in reply.output.splitlines())
        pairs = ((name, record_of(text)) for name, text in rows)
        return {name: record for name, record in pairs if record is not None}

    def _run(self, program: str, tags: Sequence[str]) -> Reply:
        return self._commands.shell(program, self._directory, text="\n".join(tags) + "\n")


def _check(reply: Reply, program: str) -> None:
    """Raise OSError unless all that is missing is missing for certain."""
    wrong = [line for line in reply.errors.splitlines() if not _says_missing(line, program)]
    if reply.code not in SOME_FAILED or wrong:
        raise OSError(wrong[-1] if wrong else reply.problem or "no answer")


def _says_missing(line: str, program: str) -> bool:
    return bool(re.match(program, line)) and line.endswith(MISSING)
