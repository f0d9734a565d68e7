"""A cluster under Slurm behind the contract of back ends."""

from __future__ import annotations

import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from echelon.backends.claims import Claims
from echelon.backends.contract import Answer, Description, Evidence, Outcome, Refused, Snapshot, Submission
from echelon.backends.slurm.commands import Commands, Reply
from echelon.backends.slurm.configuration import (
    MESSAGE_TIMEOUT,
    ConfigurationError,
    configuration_command,
    parse_configuration,
    parse_processors,
    processors_command,
)
from echelon.backends.slurm.endings import EndedJobs, EndingsError, endings, explain_stop, is_stopped
from echelon.backends.slurm.job import text_of
from echelon.backends.slurm.queue import (
    TAG,
    QueueError,
    in_order,
    other_job,
    other_jobs_command,
    own_job,
    own_jobs_command,
    parse_others,
    parse_own,
)
from echelon.backends.slurm.remote_claims import RemoteClaims
from echelon.backends.slurm.sbatch import Sbatch
from echelon.backends.slurm.settings import SlurmSettings
from echelon.errors import EchelonError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

T = TypeVar("T")

AT_ONCE = 4
"""Commands that run at the same time; more do not make a controller faster."""

CANCEL = (
    'pairs=$(cat); "$1" --local --me --array --noheader -o "%j %i" | grep -a -F -x -e "$pairs" | '
    'cut -d " " -f 2 | xargs -r "$2"'
)
CANCEL_ALL = 'exec xargs -r -n 1 -P 4 "$1" --me --name'
"""Programs of the shell: tags and numbers of jobs, or tags, come in by standard input.

Jobs are canceled by number, for scancel takes long to find a name among many. A number counts only if the
queue has it with its tag right before: it may have been given to another job.
"""

PAIRS = 1000
"""Jobs that are looked up together; an argument of a program has a limit."""


class SlurmBackend:
    """One cluster under Slurm.

    Parameters
    ----------
    name : str
        Of the cluster, for messages.
    settings : mapping of str to object
        See `SlurmSettings`.
    state : Path
        Folder of the service, where the mark of the directory is kept.

    Raises
    ------
    InputError
        If a setting is not what it must be.
    """

    def __init__(self, name: str, settings: Mapping[str, object], state: Path) -> None:
        self.name = name
        self._settings = SlurmSettings.of(settings, cluster=name)
        self._commands = Commands(self._settings)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix=f"slurm-{name}")
        directory = self._settings.directory
        self._claims: Claims | RemoteClaims = (
            RemoteClaims(self._commands, directory, state)
            if self._settings.ssh
            else Claims(Path(directory), state)
        )
        self._sbatch = Sbatch(self._commands, self._threads)
        self._ended_jobs = EndedJobs(self._commands, self._settings)
        self._message_timeout = MESSAGE_TIMEOUT
        self._is_prepared = False
        self._outcomes: dict[str, Outcome] = {}

    def describe(self) -> Description:
        """Return what the cluster is; see `Backend.describe`."""
        configuration = self._ask(configuration_command(), parse_configuration)
        processors = self._ask(processors_command(self._settings.partition), parse_processors)
        self._message_timeout = configuration.message_timeout
        if processors.total < 1:
            raise InputError(self._sentence("sinfo shows no processors"), field="partition")
        if why := self._why_unprepared():
            raise InputError(self._sentence(f"cannot be used: {why}"), field="directory")
        return Description(
            processors.total,
            has_claims=self._settings.has_claims,
            patience=2 * configuration.message_timeout,
            policy=configuration.policy,
            version=f"Slurm {configuration.version}",
        )

    def submit(self, submissions: Sequence[Submission]) -> list[Answer]:
        """Submit jobs, several at a time; see `Backend.submit`."""
        if why := self._why_unprepared():
            reason = f"the directory of claims cannot be used: {why}"
            return [Refused(reason, is_permanent=False) for _ in submissions]
        texts: list[str] = []
        answers: list[Answer | None] = []
        for submission in submissions:
            try:
                texts.append(text_of(submission, self._settings))
                answers.append(None)
            except EchelonError as error:
                answers.append(Refused(str(error), is_permanent=True))
        # It is over, here and at the far end, before the service may give it up.
        limit = max(2 * self._message_timeout - 1.0, 1.0)
        sent = iter(self._sbatch.submit(texts, limit=limit))
        return [answer or next(sent) for answer in answers]

    def look(self) -> Snapshot:
        """Return all jobs of the cluster; see `Backend.look`.

        The starts that Slurm plans follow from time limits and change with each plan, so none is reserved.
        """
        began_at = time.time()
        separator = secrets.token_hex(16)
        partition = self._settings.partition
        ask = (own_jobs_command(separator), other_jobs_command(partition), processors_command(partition))
        asked = [*(self._commands.slurm(arguments) for arguments in ask), ["id", "-u"]]
        own, others, nodes, user = self._commands.run_all(asked, self._threads)
        try:
            own_jobs = in_order(parse_own(_output(own), separator, now=began_at))
            their_jobs = parse_others(_output(others), now=began_at, but=_output(user).strip())
            processors = parse_processors(_output(nodes)).in_service
        except (QueueError, ConfigurationError) as error:
            return Snapshot(began_at, is_complete=False, problem=str(error))
        ours = [job for job in own_jobs if TAG.fullmatch(job.name)]
        mine = tuple(own_job(job, has_claims=self._settings.has_claims) for job in ours)
        self._outcomes = {job.tag: job.outcome for job in mine if job.outcome is not None}
        # What this account runs on its own is a load like that of others.
        rest = [job for job in own_jobs if job.phase != "ended" and not TAG.fullmatch(job.name)]
        return Snapshot(
            began_at,
            is_complete=True,
            processors=processors,
            own=mine,
            others=tuple(other_job(job) for job in in_order([*their_jobs, *rest])),
        )

    def evidence(self, tags: Sequence[str]) -> Evidence:
        """Return records of ends, the jobs' own first, and claims; see `Backend.evidence`."""
        asked = [tag for tag in tags if TAG.fullmatch(tag)]
        began_at = time.time()
        own = self._own_evidence(asked, began_at)
        unknown = [tag for tag in asked if tag not in own.records]
        stopped = [tag for tag, record in own.records.items() if is_stopped(record)]
        ends, problem = [], ""
        if unknown or stopped:
            try:
                ends = self._ended_jobs.of([*unknown, *stopped])
            except EndingsError as error:
                problem = str(error)
        theirs = endings(ends, claimed=own.claimed if self._settings.has_claims else None)
        records = {
            tag: explain_stop(record, self._outcomes.get(tag), theirs.get(tag))
            for tag, record in {**theirs, **own.records}.items()
        }
        if problem and unknown:
            return replace(own, is_complete=False, records=records, problem=problem)
        return replace(own, records=records)

    def _own_evidence(self, tags: Sequence[str], began_at: float) -> Evidence:
        """Return what jobs themselves have left, where they do."""
        if why := self._why_unprepared():
            problem = f"the directory of claims cannot be used: {why}"
            return Evidence(began_at, is_complete=False, problem=problem)
        return (
            self._claims.evidence(tags) if self._settings.has_claims else Evidence(began_at, is_complete=True)
        )

    def cancel(self, jobs: Sequence[tuple[str, str]]) -> None:
        """Ask for the end of jobs; see `Backend.cancel`. scancel itself has nothing to answer."""
        own_jobs = [(tag, number) for tag, number in jobs if TAG.fullmatch(tag)]
        pairs = [f"{tag} {number}" for tag, number in own_jobs if number.isdecimal()]
        names = [tag for tag, number in own_jobs if not number]
        squeue, scancel = self._commands.slurm(["squeue"]), self._commands.slurm(["scancel"])
        for start in range(0, len(pairs), PAIRS):
            some = "\n".join(pairs[start : start + PAIRS])
            self._commands.shell(CANCEL, *squeue, *scancel, text=some)
        if names:
            self._commands.shell(CANCEL_ALL, *scancel, text="\n".join(names) + "\n")

    def revoke(self, tags: Sequence[str]) -> dict[str, bool]:
        """Take the claims of jobs; see `Backend.revoke`."""
        if self._why_unprepared() or not self._settings.has_claims:
            return {}
        return self._claims.revoke(tags)

    def close(self) -> None:
        """End threads and connections; jobs run on."""
        self._threads.shutdown()
        self._commands.close()

    def _ask(self, arguments: Sequence[str], parse: Callable[[str], T]) -> T:
        """Return what a command of Slurm's says, which must answer."""
        reply = self._commands.run(self._commands.slurm(arguments))
        try:
            return parse(_output(reply))
        except (QueueError, ConfigurationError) as error:
            raise InputError(self._sentence(str(error))) from None

    def _why_unprepared(self) -> str:
        """Make the directory of claims, once; return why that is not possible, empty: it is there."""
        if self._settings.has_claims and not self._is_prepared:
            try:
                self._claims.prepare()
            except OSError as error:
                return str(error) or type(error).__name__
            self._is_prepared = True
        return ""

    def _sentence(self, problem: str) -> str:
        return f"cluster {self.name}: {problem}"


def _output(reply: Reply) -> str:
    """Return what a command has printed, if it has succeeded."""
    if reply.code != 0:
        raise QueueError(reply.problem)
    return reply.output
