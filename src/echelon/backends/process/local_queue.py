"""LocalQueue: the jobs of a cluster of processes: what waits, what runs, and what has ended lately."""

from __future__ import annotations

import os
import time
from itertools import islice
from typing import TYPE_CHECKING

from echelon.backends.contract import Accepted, Outcome, Refused, Unclear
from echelon.backends.process import wrappers
from echelon.backends.process.endings import ending, recover, script_of
from echelon.backends.process.entry import Entry, entries_of
from echelon.backends.process.journal import Journal
from echelon.backends.process.planner import Asked, Held, Planner
from echelon.backends.wrapper import wrap
from echelon.errors import EchelonError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.backends.claims import Claims
    from echelon.backends.contract import Answer, OwnJob, Submission
    from echelon.backends.process.journal import Line

_MANY = 5000
"""Jobs that are not listed any more, after which the journal is written again."""

_MONTH = 30 * 86400.0
"""Seconds for which claims and records of ends are kept."""


class LocalQueue:
    """Jobs on processors of this machine. What it answers is on disk before.

    It is not for several threads at once.

    Parameters
    ----------
    claims : Claims
        Of its own directory, which is made where it is missing.
    planner : Planner
        Decides what starts.
    grace : float
        Seconds from TERM to KILL.
    remembers : float
        Seconds for which ended jobs are listed.
    depth : int
        Waiting jobs that the planner is shown, the first submitted ones.

    Attributes
    ----------
    claims : Claims
        Of its jobs.
    problem : str
        Why nothing starts; empty: nothing is in the way.
    running : dict of int to Wrapper
        By number.

    Raises
    ------
    InputError
        If another process has the directory.
    OSError
        If it cannot be used.
    """

    def __init__(
        self, claims: Claims, planner: Planner, *, grace: float, remembers: float, depth: int
    ) -> None:
        self.claims, directory = claims, claims.directory
        claims.prepare()
        self._planner, self._grace, self._remembers, self._depth = planner, grace, remembers, depth
        self._directory = directory
        self._journal = Journal(directory)
        self._boot = wrappers.boot()
        self.problem = ""
        entries, self._following = entries_of(self._journal.read())
        self._entries, identities = recover(entries, self.claims, self._boot)
        self.running = {number: wrappers.Wrapper(identity) for number, identity in identities.items()}
        self._waiting = dict.fromkeys(self._in_state("waiting"))
        self._ended = dict.fromkeys(self._in_state("ended"))
        self._by_tag: dict[str, list[int]] = {}
        for number, entry in self._entries.items():
            self._by_tag.setdefault(entry.submission.tag, []).append(number)
        self._forgotten = 0
        self._changed = True
        self._forget(time.time())
        self._journal.replace(self._lines())
        self.claims.prune(time.time() - _MONTH, self._by_tag.keys())

    def _in_state(self, state: str) -> Iterator[int]:
        return (number for number, entry in self._entries.items() if entry.listed.state == state)

    def _lines(self) -> Iterator[Line]:
        yield {"next": self._following}
        for entry in self._entries.values():
            yield from entry.lines()

    def submit(self, submissions: Sequence[Submission]) -> list[Answer]:
        """Let jobs wait; see `Backend.submit`."""
        if why := self.claims.why_away():
            return [Refused(why, is_permanent=False) for _ in submissions]
        now = time.time()
        answers: list[Answer] = []
        new: list[Entry] = []
        for submission in submissions:
            if why := self._why_never(submission):
                answers.append(Refused(why, is_permanent=True))
                continue
            entry = Entry.make_waiting(self._following + len(new), submission, now)
            new.append(entry)
            answers.append(Accepted(str(entry.number)))
        self._following += len(new)
        try:
            self._journal.add(entry.submitted_line() for entry in new)
        except OSError as error:
            unclear = Unclear(f"cannot write the job down: {error}")
            return [unclear if isinstance(answer, Accepted) else answer for answer in answers]
        for entry in new:
            self._entries[entry.number] = entry
            self._waiting[entry.number] = None
            self._by_tag.setdefault(entry.submission.tag, []).append(entry.number)
        self._changed |= bool(new)
        return answers

    def _why_never(self, submission: Submission) -> str:
        """Return why a job can never run here; empty: it can."""
        if not 1 <= submission.processors <= self._planner.slots:
            return f"it asks for {submission.processors} processors, and there are {self._planner.slots}"
        if submission.options:
            return f"it has the option {submission.options[0][0]!r}, and processes have none"
        try:
            self._text(submission)
        except InputError as error:
            return str(error)
        return ""

    def _text(self, submission: Submission) -> str:
        return wrap(submission, self._directory, guards=True, grace=self._grace)

    def refresh(self) -> None:
        """Take in what has ended, and start what starts now.

        Notes
        -----
        **Cost**: O(running jobs) if nothing has changed.
        """
        now = time.time()
        if why := self.claims.why_away():
            # It may come back, with all that is in it.
            self.problem, self._changed = why, True
            return
        try:
            self._collect(now)
            self._forget(now)
            self._fill(now)
        except (OSError, EchelonError) as error:
            self.problem = str(error)

    def _collect(self, now: float) -> None:
        """Take in the ends of running jobs."""
        over = [number for number, wrapper in self.running.items() if wrapper.has_ended]
        if not over:
            return
        ended: list[Entry] = []
        for number in over:
            entry, wrapper = self._entries[number], self.running.pop(number)
            others = any(other in self.running for other in self._by_tag[entry.submission.tag])
            outcome = ending(entry, wrapper, self.claims, now, is_double=others)
            wrapper.release()
            if isinstance(outcome, Entry):
                ended.append(outcome)
            else:
                self.running[number] = wrappers.Wrapper(outcome)
        self._note_ends(ended)

    def _note_ends(self, ended: Sequence[Entry], *, lasts: bool = False) -> None:
        """Note ends; those of jobs that ran follow from their records, too, if this does not last."""
        self._journal.add((entry.ended_line() for entry in ended), lasts=lasts)
        for entry in ended:
            self._entries[entry.number] = entry
            self._waiting.pop(entry.number, None)
            self._ended[entry.number] = None
        self._changed |= bool(ended)

    def _forget(self, now: float) -> None:
        """Forget jobs that ended long ago."""
        old = now - self._remembers
        for number in [*self._ended]:
            entry = self._entries[number]
            if (entry.listed.ended_at or 0.0) > old:
                break
            del self._ended[number], self._entries[number]
            numbers = self._by_tag[entry.submission.tag]
            numbers.remove(number)
            if not numbers:
                del self._by_tag[entry.submission.tag]
            self._forgotten += 1
        if self._forgotten > max(_MANY, len(self._entries)):
            self._journal.replace(self._lines())
            self._forgotten = 0

    def _fill(self, now: float) -> None:
        """Start the waiting jobs that start now."""
        if not self._changed:
            return
        slots = self._planner.slots
        held = [self._holding_of(number, now) for number in self.running]
        if self._waiting and sum(one.processors for one in held) < slots:
            able = (
                number for number in self._waiting if self._entries[number].submission.processors <= slots
            )
            shown = [*islice(able, self._depth)]
            asked = [
                Asked(self._entries[number].submission.processors, self._entries[number].planned_time)
                for number in shown
            ]
            self._start([shown[place] for place in self._planner.starts(held, asked)], now)
        self._changed = False
        self.problem = ""

    def _holding_of(self, number: int, now: float) -> Held:
        entry = self._entries[number]
        age = max(0.0, now - (entry.listed.started_at or now))
        return Held(entry.submission.processors, entry.planned_time, age)

    def _start(self, numbers: Sequence[int], now: float) -> None:
        """Start jobs. If the machine crashes, those that may have claimed themselves are known."""
        starting = [self._entries[number].start(now, self._boot) for number in numbers]
        self._journal.add(entry.started_line() for entry in starting)
        for entry in starting:
            submission = entry.submission
            script = script_of(self._directory, entry)
            script.parent.mkdir(mode=0o700, exist_ok=True)
            script.write_text(self._text(submission), encoding="utf-8", errors="surrogateescape")
            processors = str(submission.processors)
            environment = {**os.environ, "ECHELON_TAG": submission.tag, "ECHELON_PROCESSORS": processors}
            self.running[entry.number] = wrappers.start(script, environment, self._directory / "wrappers.log")
            self._entries[entry.number] = entry
            del self._waiting[entry.number]

    def jobs(self) -> tuple[OwnJob, ...]:
        """Return what a look lists, in its order."""
        running = sorted(self.running, key=lambda number: self._entries[number].listed.started_at or 0.0)
        return tuple(self._entries[number].listed for number in (*running, *self._waiting, *self._ended))

    def cancel(self, jobs: Sequence[tuple[str, str]]) -> None:
        """Cancel jobs; see `Backend.cancel`."""
        now = time.time()
        waiting: dict[int, Entry] = {}
        for tag, native_id in jobs:
            for number in self._by_tag.get(tag, ()):
                if native_id not in ("", str(number)):
                    continue
                if number in self.running:
                    self.running[number].terminate()
                elif number in self._waiting:
                    waiting[number] = self._entries[number].with_end(Outcome.CANCELED, now, "it was canceled")
        self._note_ends([*waiting.values()], lasts=True)

    def revoke(self, tags: Sequence[str]) -> dict[str, bool]:
        """Take the claims of jobs, and let those go that wait; see `Backend.revoke`."""
        claims = self.claims.revoke(tags)
        now = time.time()
        gone = [number for tag, is_ours in claims.items() if is_ours for number in self._by_tag.get(tag, ())]
        self._note_ends(
            [
                self._entries[number].with_end(Outcome.CANCELED, now, "its claim was revoked")
                for number in gone
                if number in self._waiting
            ]
        )
        return claims

    def handles(self) -> Iterable[int | None]:
        """Return what can be waited for: one file descriptor, or None, a running job."""
        return [wrapper.handle for wrapper in self.running.values()]

    def close(self) -> None:
        """Release all files; jobs run on."""
        for wrapper in self.running.values():
            wrapper.release()
        self._journal.close()
