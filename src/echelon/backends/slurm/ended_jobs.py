"""Asking a cluster how jobs ended that it lists no more."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.backends.slurm.endings import (
    READ_LOG,
    Ended,
    EndingsError,
    parse_log,
    parse_sacct,
    sacct_command,
    sacct_names,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.backends.slurm.commands import Commands
    from echelon.backends.slurm.settings import SlurmSettings

NOTHING_FOUND = 1
"""Exit code of grep."""


@dataclass(frozen=True, slots=True)
class EndedJobs:
    """The log of ended jobs and the accounting of a cluster, where it has them.

    Parameters
    ----------
    commands : Commands
        How the cluster is reached.
    settings : SlurmSettings
        Which of both are to be read.
    """

    commands: Commands
    settings: SlurmSettings

    def of(self, tags: Sequence[str]) -> list[Ended]:
        """Return all ends that are written down of jobs of these names; the accounting's word comes last.

        Raises
        ------
        EndingsError
            If it cannot be read whole.
        """
        log = self._of_log(tags) if self.settings.completion_log else []
        accounting = self._of_accounting(tags) if self.settings.accounting else []
        asked = set(tags)
        return [one for one in (*log, *accounting) if one.tag in asked]

    def _of_log(self, tags: Sequence[str]) -> list[Ended]:
        reply = self.commands.shell(READ_LOG, self.settings.completion_log, text="\n".join(tags) + "\n")
        if reply.code not in (0, NOTHING_FOUND) or reply.errors.strip():
            raise EndingsError(f"the log of ended jobs cannot be read: {reply.problem}")
        return parse_log(reply.output)

    def _of_accounting(self, tags: Sequence[str]) -> list[Ended]:
        separator = secrets.token_hex(16)
        words = self.commands.slurm(sacct_command(separator))
        reply = self.commands.shell('exec xargs -r -n 1 "$@"', *words, text=sacct_names(tags))
        if reply.code != 0:
            raise EndingsError(f"the accounting does not answer: {reply.problem}")
        return parse_sacct(reply.output, separator)
