"""What a caller sees: the jobs of the caller's own, or those of all."""

from __future__ import annotations

import re
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Annotated, TypeVar, cast

from fastapi import Depends, Request

from echelon.errors import UnknownNameError
from echelon.service.api.answers.answers import NamedJob
from echelon.service.api.answers.problems import Problem

if TYPE_CHECKING:
    from echelon.service.api.access.callers import Caller
    from echelon.service.records import JobRecord
    from echelon.service.service import Service

_MOST_OWNERS = 100_000
"""Jobs whose owners are remembered."""

_ID = re.compile(r"[0-9a-f]{32}|[1-9][0-9]{0,17}")


def job_seen(name: str, caller: Caller, service: Service) -> JobRecord:
    """Return a job of the caller's by its id or number.

    Raises
    ------
    Problem
        404 if there is none, or it is another user's and the caller may not see those: the answers are the
        same, so that no caller finds out which jobs there are.
    """
    job = job_of(name, service) if _ID.fullmatch(name) else None
    if job is None or (job.owner != caller.user and not caller.sees_all):
        raise Problem(404, f"there is no job {name[:60]!a}", field="job")
    return job


def job_of(name: str, service: Service) -> JobRecord | None:
    """Return the job of an id or number, None if there is none."""
    try:
        return service.store.job(name if len(name) == 32 else int(name))
    except UnknownNameError:
        return None


class Owners:
    """The owners of jobs, looked up once; an owner never changes.

    Parameters
    ----------
    service : Service
        The service whose jobs they are.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._owners: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def of(self, job: str) -> str | None:
        """Return the owner of a job, given by its id; None if there is no such job."""
        with self._lock:
            if job in self._owners:
                return self._owners[job]
        record = job_of(job, self._service) if _ID.fullmatch(job) else None
        if record is None:
            return None
        with self._lock:
            self._owners[job] = record.owner
            if len(self._owners) > _MOST_OWNERS:
                self._owners.popitem(last=False)
        return record.owner

    def may_see(self, caller: Caller, job: str) -> bool:
        """Return whether a job is the caller's business."""
        return caller.sees_all or self.of(job) == caller.user


Named = TypeVar("Named", bound=NamedJob)


def hide_names(rows: list[Named], caller: Caller, owners: Owners) -> list[Named]:
    """Return rows without the names of jobs that are not the caller's business."""
    for row in rows:
        if row.job is None or not owners.may_see(caller, row.job):
            row.job, row.number, row.name = None, None, ""
    return rows


async def owners_of(request: Request) -> Owners:
    """Return the known owners of jobs."""
    return cast("Owners", request.app.state.owners)


Owning = Annotated[Owners, Depends(owners_of)]
