"""Teaching: what an estimator knows before the first job: the store's ended jobs, and a history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.service.core.controllers.lessons import (
    lessons_of_experiences,
    lessons_of_records,
    lessons_of_workload,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.service.configuration.config import Config
    from echelon.service.core import ServiceCore
    from echelon.service.core.controllers.lessons import Lesson
    from echelon.service.store import Store


def teach(core: ServiceCore, config: Config, store: Store) -> int:
    """Let the estimator of a core learn from what has ended; return how many jobs there were.

    One that takes requested times needs nothing.

    Parameters
    ----------
    core : ServiceCore
        Whose estimator learns.
    config : Config
        Its history: runs in a database of `echelon.history`, or an accounting file or log.
    store : Store
        Its ended jobs teach last, in the order of their ends.

    Raises
    ------
    InputError
        If the history cannot be read.
    """
    if config.rules.estimator == "request":
        return 0
    taught = core.controllers.teach(_of_history(config.history)) if config.history else 0
    ended = sorted((one.job for one in store.finished(0.0)), key=lambda job: job.ended_at or 0.0)
    return taught + core.controllers.teach(lessons_of_records(ended))


def _of_history(address: str) -> Iterator[Lesson]:
    if address.startswith(("sqlite:", "postgresql:")) or address.endswith((".db", ".sqlite")):
        from echelon.history import open_history

        with open_history(address, create=False) as history:
            yield from lessons_of_experiences(history.experiences())
        return
    from echelon.workloads import read_workload

    yield from lessons_of_workload(read_workload(address))
