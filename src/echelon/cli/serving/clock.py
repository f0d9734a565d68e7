"""The clock of dates that commands of a service read and show: the user's, or that of a named zone."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def on_clock(timezone: str | None) -> Iterator[None]:
    """Have local times be those of a zone in the block; without one they are the user's.

    Parameters
    ----------
    timezone : str or None
        A name of the tz database.

    Raises
    ------
    UnknownNameError, InputError
        If there is no such zone, or the system cannot change its own.
    """
    if timezone is None:
        yield
        return
    from echelon.errors import InputError
    from echelon.model.jobs.time_zone import zone_named

    zone_named(timezone)
    if not hasattr(time, "tzset"):
        raise InputError("cannot be chosen on this system; leave it out", field="timezone")
    before = os.environ.get("TZ")
    _set(timezone)
    try:
        yield
    finally:
        _set(before)


def _set(timezone: str | None) -> None:
    if timezone is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = timezone
    time.tzset()
