"""The jobs that one site starts from a possibly shared queue, by FCFS, EASY or LIST."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.policies.decentralized.contract import StartAt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.decentralized.contract import ProtocolView

# Each algorithm skips a job that the site can never hold: it is for other sites, and a job that waited for it
# here would wait forever.


def fcfs(site: int, queue: Sequence[Job], view: ProtocolView) -> Iterator[StartAt]:
    """Yield starts of `queue` at `site` in strict order: the first job that does not fit now ends it."""
    for job in queue:
        if not view.can_hold(job, site):
            continue
        if not view.fits(job, site):
            return
        yield StartAt(job, site)


def first_fits(site: int, queue: Sequence[Job], view: ProtocolView) -> Iterator[StartAt]:
    """Yield LIST's starts: repeatedly the first job of `queue` that fits `site` now.

    One walk suffices: a start leaves fewer processors, so a job that did not fit does not fit later.
    """
    free = view.free(site)
    for job in queue:
        # Counting refuses most jobs of a long queue, and asks no site.
        if job.processors <= free and view.fits(job, site):
            yield StartAt(job, site)
            free = view.free(site)


def easy(site: int, queue: Sequence[Job], view: ProtocolView) -> Iterator[StartAt]:
    """Yield EASY's starts of `queue` at `site`.

    The head is the first job that could ever fit the site and does not fit now. A later job starts if it
    fits and either ends by the head's shadow time at this site, a transfer included, or takes no more than
    the processors that the head will leave.
    """
    rest = iter(queue)
    for job in rest:
        if not view.can_hold(job, site):
            continue
        if not view.fits(job, site):
            head = job
            break
        yield StartAt(job, site)
    else:
        return
    shadow, free = view.head_start(head, site), view.free(site)
    for job in rest:
        if job.processors > free or not view.fits(job, site):
            continue
        if view.now + view.delay(job, site) + job.planned_time <= shadow.time:
            yield StartAt(job, site)
        else:
            beyond = job._replace(planned_time=math.inf)
            # A protocol names the site alone, so that a start in chosen nodes is none for it.
            if (start := shadow.admits(beyond)) is None or start.where is not None:
                continue
            yield StartAt(job, site)
            shadow.take(beyond)
        free = view.free(site)
