"""The jobs that one site starts from a possibly shared queue, by FCFS, EASY or LIST."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.policies.decentralized.contract import StartAt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.decentralized.contract import ProtocolView

# Each algorithm skips a job larger than the site: it is for other sites, and a job that waited for it here
# would wait forever.


def fcfs(site: int, queue: Sequence[Job], view: ProtocolView) -> Iterator[StartAt]:
    """Yield starts of `queue` at `site` in strict order: the first job that does not fit now ends it."""
    for job in queue:
        if job.processors > view.sizes[site]:
            continue
        if job.processors > view.free(site):
            return
        yield StartAt(job, site)


def first_fits(site: int, queue: Sequence[Job], view: ProtocolView) -> Iterator[StartAt]:
    """Yield LIST's starts: repeatedly the first job of `queue` that fits `site` now.

    One walk suffices: a start leaves fewer processors, so a job that did not fit does not fit later.
    """
    for job in queue:
        if job.processors <= view.free(site):
            yield StartAt(job, site)


def easy(site: int, queue: Sequence[Job], view: ProtocolView) -> Iterator[StartAt]:
    """Yield EASY's starts of `queue` at `site`.

    The head is the first job that could ever fit the site and does not fit now. A later job starts if it
    fits and either ends by the head's shadow time at this site, a transfer included, or takes no more than
    the processors that the head will leave.
    """
    rest = iter(queue)
    for job in rest:
        if view.free(site) < job.processors <= view.sizes[site]:
            head = job
            break
        if job.processors <= view.sizes[site]:
            yield StartAt(job, site)
    else:
        return
    shadow, extra = view.shadow(site, head.processors)
    for job in rest:
        if job.processors > view.free(site):
            continue
        in_time = view.now + view.delay(job, site) + job.planned_time <= shadow
        if in_time or job.processors <= extra:
            yield StartAt(job, site)
            extra -= 0 if in_time else job.processors
