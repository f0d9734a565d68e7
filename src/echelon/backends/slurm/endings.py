"""How jobs ended, as Slurm has written it down: its log of ended jobs, or its accounting.

The log does not escape names, so a name with line breaks forges lines. A line counts only if it and both its
neighbors are whole; what it says is weighed in `endings`. A name that forges all neighbors, too, cannot
be distinguished from the truth: where users are not to be trusted the accounting is what counts.
"""

from __future__ import annotations

import calendar
import re
import secrets
import time
from dataclasses import dataclass, replace
from signal import SIGKILL
from typing import TYPE_CHECKING, NamedTuple

from echelon.backends.contract import EndRecord, Outcome
from echelon.backends.slurm.states import ENDED, ending_of, outcome_of, time_of
from echelon.backends.wrapper import UNCLAIMED
from echelon.backends.wrapper_text import PAUSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.backends.slurm.commands import Commands
    from echelon.backends.slurm.settings import SlurmSettings

READ_LOG = 'date +%z; id -u; exec grep -a -F -B 1 -A 1 -f - -- "$1"'
"""Program of the shell: prints the zone of times, the user, and lines of the log beside their neighbors."""

APART = "--"
"""What grep prints between lines that are not neighbors."""

WHOLE = re.compile(
    r"JobId=\d+ UserId=[^ ]+\(\d+\) GroupId=[^ ]+ Name=.* JobState=[A-Z_]+ Partition=.* ExitCode=\d+:\d+ "
)

LINE = re.compile(
    r"JobId=(?P<number>\d+) UserId=[^ ]+\((?P<user>\d+)\) GroupId=[^ ]+ Name=(?P<tag>ech-[a-z0-9-]+) "
    r"JobState=(?P<state>[A-Z_]+) Partition=\S* .*?"
    r"StartTime=(?P<start>\S+) EndTime=(?P<end>\S+) .* ExitCode=(?P<ending>\d+:\d+) "
)
ACCOUNTING, LOG = "accounting", "job completion log"
SACCT_FIELDS = ("JobIDRaw", "JobName", "State", "ExitCode", "Start", "End")
CHUNK = 100
"""Tags that one sacct is asked for."""

SINCE = "now-30days"
NOTHING_FOUND = 1
"""Exit code of grep."""

_STOPS = (Outcome.INTERRUPTED, Outcome.TIMED_OUT, Outcome.CANCELED)
"""Why Slurm stops a job."""


class EndingsError(ValueError):
    """An answer that is not what it must be, or not all of it."""


class Ended(NamedTuple):
    """An end that Slurm has written down."""

    tag: str
    record: EndRecord


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
        """Return all ends that are written down of jobs of these names; those of the accounting come last.

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
        command = self.commands.slurm(sacct_command(separator))
        reply = self.commands.shell('exec xargs -r -n 1 "$@"', *command, text=sacct_names(tags))
        if reply.code != 0:
            raise EndingsError(f"the accounting does not answer: {reply.problem}")
        return parse_sacct(reply.output, separator)


def sacct_command(separator: str) -> list[str]:
    """Return the command that asks the accounting for jobs by their names, which come by standard input.

    Parameters
    ----------
    separator : str
        Of letters and digits, drawn for this command alone.
    """
    ask = ["sacct", "--local", "--allocations", "--parsable", f"--delimiter=|{separator}|"]
    return [*ask, f"--starttime={SINCE}", f"--format={','.join(SACCT_FIELDS)}", "--name"]


def sacct_names(tags: Sequence[str]) -> str:
    """Return names as `sacct_command` wants them, a list a line."""
    chunks = (tags[start : start + CHUNK] for start in range(0, len(tags), CHUNK))
    return "".join(",".join(chunk) + "\n" for chunk in chunks)


def parse_sacct(text: str, separator: str) -> list[Ended]:
    """Return the ends that `sacct_command` has printed.

    Raises
    ------
    EndingsError
        If the answer is not whole.
    """
    *pieces, rest = text.split(f"|{separator}|")
    count = len(SACCT_FIELDS)
    if len(pieces) % count or rest.strip() or not pieces or pieces[0] != SACCT_FIELDS[0]:
        raise EndingsError(f"the answer of sacct is not whole: it ends with {text[-80:]!r}")
    ends = []
    for start in range(0, len(pieces), count):
        _, tag, state, code, began, ended = pieces[start : start + count]
        record = _record(state, code, time_of(began), time_of(ended), ACCOUNTING)
        if record is not None:
            ends.append(Ended(tag, record))
    return ends


def parse_log(text: str) -> list[Ended]:
    """Return the ends that `READ_LOG` has printed, of jobs of its user.

    Raises
    ------
    EndingsError
        If the answer has no zone of times and no user.
    """
    zone, user, *lines = f"{text}\n".split("\n")
    parts = re.fullmatch(r"([+-])(\d\d)(\d\d)", zone)
    if parts is None or not user.isdecimal():
        raise EndingsError(f"the log of ended jobs cannot be read: date has printed {zone[:80]!r}")
    east = (1 if parts[1] == "+" else -1) * (3600 * int(parts[2]) + 60 * int(parts[3]))
    ends = []
    lines = [APART, *lines]
    for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
        row = LINE.fullmatch(line)
        if row is None or row["user"] != user or not (_is_edge(before) and _is_edge(after)):
            continue
        began, ended = (_local_time(row[name], east) for name in ("start", "end"))
        record = _record(row["state"], row["ending"], began, ended, LOG)
        if record is not None:
            ends.append(Ended(row["tag"], record))
    return ends


def endings(ends: Iterable[Ended], *, claimed: frozenset[str] | None) -> dict[str, EndRecord]:
    """Return one end for each tag.

    The last run counts, as Slurm has a line for each. A job that has found its claim taken says nothing of
    the one that has it, so it is left out. A log is not believed that says a job has completed which has not
    even claimed itself, or that it completed in less time than a job that cannot write its record needs to
    give that up: a controller that lost its state gives the number of a running job once more, and takes
    the end of the one for that of the other.

    Parameters
    ----------
    ends : iterable of Ended
        In the order in which they were written.
    claimed : frozenset of str or None
        Tags that their jobs have claimed; None: there are no claims.
    """
    if claimed is None:
        return dict(ends)
    return {tag: record for tag, record in ends if _is_credible(record, has_claim=tag in claimed)}


def _is_credible(record: EndRecord, *, has_claim: bool) -> bool:
    """Return whether an end without the job's own record can be that of a job that claims itself."""
    if record.outcome is Outcome.FAILED:
        return record.exit_code != UNCLAIMED
    if record.outcome is Outcome.COMPLETED and record.source != ACCOUNTING:
        return has_claim and not _is_too_short(record)
    return True


def _is_too_short(record: EndRecord) -> bool:
    """Return whether a job cannot have completed so soon without its own record."""
    if record.started_at is None or record.ended_at is None:
        return False
    return record.ended_at - record.started_at < sum(PAUSES) - 1  # times of the log are whole seconds


def explain_stop(record: EndRecord, seen: Outcome | None, written: EndRecord | None) -> EndRecord:
    """Return the record of a job that was stopped, or killed, with the reason, which it cannot know itself.

    It then has the source of the reason, too; else nothing of Slurm's explains that it was stopped.

    Parameters
    ----------
    record : EndRecord
        The job's own.
    seen : Outcome, optional
        What the queue says of it.
    written : EndRecord, optional
        What Slurm has written down of it.
    """
    reasons = [(seen, "queue")] if written is None else [(seen, "queue"), (written.outcome, written.source)]
    for reason, source in reasons:
        if is_stopped(record) and reason in _STOPS:
            record = replace(record, outcome=reason, source=source)
    return record


def is_stopped(record: EndRecord) -> bool:
    """Return whether a job's own record says that something from outside may have stopped it."""
    is_killed = record.outcome is Outcome.FAILED and record.signal == SIGKILL
    return is_killed or record.outcome is Outcome.CANCELED


def _record(
    state: str, code: str, started_at: float | None, ended_at: float | None, source: str
) -> EndRecord | None:
    if state.split(" ")[0] not in ENDED:
        return None
    ending = ending_of(code)
    outcome = outcome_of(state, ending, has_claims=False)
    if outcome is None:
        return None
    # A job that was stopped has the exit code 0, which says nothing.
    has_code = outcome in (Outcome.COMPLETED, Outcome.FAILED)
    return EndRecord(outcome, ending.code if has_code else None, ending.signal, started_at, ended_at, source)


def _is_edge(line: str) -> bool:
    """Return whether a line can stand beside a true one; the last is empty."""
    return line in (APART, "") or WHOLE.fullmatch(line) is not None


def _local_time(text: str, east: int) -> float | None:
    """Return Unix time of a local one; `east` is how many seconds it is ahead of UTC."""
    try:
        return float(calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%S")) - east)
    except ValueError:
        return time_of(text)
