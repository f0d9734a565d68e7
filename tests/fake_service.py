"""A service in memory, for tests of its interface: it keeps jobs and decides nothing."""

from __future__ import annotations

import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

from echelon.errors import InputError, UnknownNameError
from echelon.service.configuration.applications import application_from
from echelon.service.records import (
    AttemptRecord,
    AttemptState,
    Candidate,
    DecisionRecord,
    Event,
    ForecastRecord,
    JobRecord,
    JobState,
)
from echelon.service.refusals import BusyError, ConflictError

SOLVER = {
    "name": "solver",
    "command": ["/opt/solver", "--cells", "{cells}"],
    "parameters": {"cells": "int 1..1000"},
    "processors": "1..64",
    "clusters": ["alpha"],
}


@dataclass
class Token:
    """A token, as the store keeps it."""

    number: int
    user: str
    scopes: tuple[str, ...]
    label: str = ""
    expires_at: float | None = None
    revoked_at: float | None = None


@dataclass
class FakeStore:
    """What a service keeps."""

    kept: dict[int, JobRecord] = field(default_factory=dict)
    keys: dict[tuple[str, str], int] = field(default_factory=dict)
    happened: list[Event] = field(default_factory=list)
    hashes: dict[str, Token] = field(default_factory=dict)
    news: threading.Condition = field(default_factory=threading.Condition)

    def job(self, job):
        for one in [self.kept[job]] if job in self.kept else self.kept.values():
            if job in (one.number, one.id):
                return one
        raise UnknownNameError("job", str(job), ())

    def jobs(self, *, states=None, owner=None, cluster=None, after_number=0, limit=100, newest_first=False):
        found = (
            job
            for number, job in sorted(self.kept.items(), reverse=newest_first)
            if (not after_number or number < after_number if newest_first else number > after_number)
            and (states is None or job.state in states)
            and owner in (None, job.owner)
            and cluster in (None, job.cluster)
        )
        return [job for job, _ in zip(found, range(limit), strict=False)]

    def attempts(self, job):
        return [AttemptRecord(job, 1, 1, "alpha", AttemptState.ACCEPTED, "7", intended_at=1.0)]

    def decisions(self, job):
        found = (Candidate("alpha", wait_time=60.0, run_time=10.0), Candidate("beta", why_not="It is down."))
        return [DecisionRecord(job, 1, 100.0, "ect", found, "alpha", "It ends first there.")]

    def forecasts(self, job):
        return [ForecastRecord(job, 1, 100.0, "request", 60.0, 10.0, 50.0, 80.0)]

    def last_forecasts(self, jobs):
        return {job: self.forecasts(job)[-1] for job in jobs}

    def events(self, after, limit, subject=None):
        return [one for one in self.happened if one.number > after and subject in (None, one.subject)][:limit]

    def last_event(self):
        return len(self.happened)

    def counts(self):
        return Counter(job.state for job in self.kept.values())

    def add_token(self, hash_, user, scopes, expires, label):
        token = Token(len(self.hashes) + 1, user, tuple(scopes), label, expires)
        self.hashes[hash_] = token
        return token

    def token(self, hash_):
        return self.hashes.get(hash_)

    def tokens(self):
        return list(self.hashes.values())

    def revoke_token(self, number):
        for token in self.hashes.values():
            if token.number == number:
                token.revoked_at = time.time()
                return
        raise UnknownNameError("token", str(number), ())

    def note(self, kind, subject, state, reason=""):
        with self.news:
            number = len(self.happened) + 1
            self.happened.append(Event(time.time(), kind, subject, state, reason, number))
            self.news.notify_all()


@dataclass
class FakeService:
    """What the interface asks."""

    config: object = None
    store: FakeStore = field(default_factory=FakeStore)
    ready: bool = True
    most: int = 1_000_000
    fault: Exception | None = None
    modes: dict[str, str] = field(default_factory=lambda: {"alpha": "open", "beta": "open"})

    def __post_init__(self):
        if self.config is None:
            self.config = SimpleNamespace(
                applications=(application_from(SOLVER),), hosts=(), socket=None, listen=None
            )

    def submit(self, owner, specs, keys):
        if self.fault:
            raise self.fault
        kept = self.store.kept
        if len(kept) + len(specs) > self.most:
            raise BusyError("too many jobs wait; try again later", retry_after=7.5)
        answers = []
        for spec, key in zip(specs, keys, strict=True):
            known = kept[self.store.keys[owner, key]] if (owner, key) in self.store.keys else None
            if known is not None and known.spec != spec:
                raise InputError(f"{key!r} was used for another job", field="idempotency_key")
            answers.append((spec, key, known))
        return [
            (known, False) if known else (self._keep(owner, spec, key), True) for spec, key, known in answers
        ]

    def _keep(self, owner, spec, key):
        job = JobRecord(uuid.uuid4().hex, len(self.store.kept) + 1, owner, spec, time.time())
        self.store.kept[job.number] = job
        if key is not None:
            self.store.keys[owner, key] = job.number
        self.store.note("job", job.id, job.state, "Submitted.")
        return job

    def change(self, number, **changes):
        self.store.kept[number] = job = replace(self.store.kept[number], **changes)
        self.store.note("job", job.id, job.state, job.reason)
        return job

    def wish(self, job_id, wanted):
        job = self.store.job(job_id)
        if wanted == "hold" and job.state == JobState.RUNNING:
            raise ConflictError(f"job {job.number} is RUNNING; it cannot be held")
        return self.change(job.number, wanted=wanted)

    def drain(self, cluster, mode):
        self.modes[cluster] = mode

    def clusters(self):
        return [
            SimpleNamespace(
                **{"name": name, "backend": "process", "mode": mode, "reachable": True, "stale": False},
                **{"looked_at": 1000.0, "age": 1.0, "processors": 8, "busy": 2 + 2 * (name == "beta")},
                **{"waiting": 1, "running": 1, "own_waiting": 1, "own_running": 0, "problem": ""},
                policy="easy",
            )
            for name, mode in self.modes.items()
        ]

    def cluster_queue(self, name):
        own = [
            SimpleNamespace(
                **{"job": job.id, "number": job.number, "name": job.spec.name, "state": "waiting"},
                **{"processors": 1, "time_limit": None, "submitted_at": 1.0, "started_at": None},
            )
            for job in self.store.kept.values()
        ]
        other = {"job": None, "number": None, "name": "", "state": "running", "processors": 4}
        return [SimpleNamespace(**other, time_limit=60.0, submitted_at=1.0, started_at=2.0), *own]

    def forecast(self, spec, owner):
        return (
            Candidate("alpha", wait_time=5.0, run_time=10.0, free=6),
            Candidate("beta", "no room"),
        ), "alpha"

    def outlook(self, hours):
        bars = [
            {"job": job.id, "number": job.number, "name": job.spec.name, "start": 0.0, "end": hours}
            for job in self.store.kept.values()
        ]
        return {"now": 5.0, "clusters": [{"name": "alpha", "processors": 8, "bars": bars}]}

    def forecast_errors(self):
        return [
            SimpleNamespace(at=1.0, number=number, forecast=5.0, actual=6.0, estimator="request")
            for number in self.store.kept
        ]

    def wait_for_event(self, after, patience):
        with self.store.news:
            return self.store.news.wait_for(lambda: len(self.store.happened) > after, patience)

    def stats(self):
        return {"decisions": 3, "attempts_unclear": {"alpha": 1}, "queue": 0}
