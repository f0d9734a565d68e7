"""State: all that a metascheduler knows as JSON, and back, so that a portal can be restarted.

One object: ``format``, ``policy`` (its words), ``seed``, ``window``, ``selections`` and ``numbered`` (how
many selections and made-up ids there were), ``last_site``, ``latest`` (the latest time told), ``sites`` (each
with ``name``, ``cores`` and ``loads`` by daemon, ``attributes``, ``available``, ``runs`` under way, what
``ended`` within the window, and the clock of what its processes have been served) and ``cpu_times``
(application, version, site, mean). All times are in seconds.
"""

from __future__ import annotations

import json
import math
from typing import Any

from echelon.errors import InputError
from echelon.portal.books import PortalBooks
from echelon.portal.checks import count_of, name_of, number_of
from echelon.portal.site import Ended, PortalSite, Publication, Run

FORMAT = "echelon metascheduler 1"


def told(books: PortalBooks, words: str) -> str:
    """Return books and the words of a policy as JSON.

    Raises
    ------
    InputError
        If an attribute of a site is nothing that JSON can hold.
    """
    means = [[*key, books.cpu_times.mean(key[:2], key[2])] for key in books.observed]
    state = {
        "format": FORMAT,
        "policy": words,
        "seed": books.seed,
        "window": books.window,
        "selections": books.selections,
        "numbered": books.numbered,
        "last_site": books.last_site,
        "latest": _known(books.latest),
        "sites": [_told_site(site) for site in books.sites.values()],
        "cpu_times": means,
    }
    return json.dumps(state, indent=1, allow_nan=False)


def read(text: str) -> tuple[str, PortalBooks]:
    """Return the words of the policy and the books that `told` wrote.

    Raises
    ------
    InputError
        If the text is none of it.
    """
    try:
        state = json.loads(text)
        return name_of(state["policy"], "policy"), _books(state)
    except InputError as error:
        raise InputError(f"is no state of a metascheduler: {error}", field="state") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        problem = f"is no state of a metascheduler: {type(error).__name__}: {error}"
        raise InputError(problem, field="state") from error


def _told_site(site: PortalSite) -> dict[str, object]:
    try:
        json.dumps(site.attributes, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"cannot be kept as JSON: {error}", field=f"attributes of site {site.name!r}"
        ) from error
    return {
        "name": site.name,
        "cores": site.daemons,
        "attributes": site.attributes,
        "available": site.available,
        "loads": site.published,
        "served": site.served,
        "since": _known(site.since),
        "runs": {run_id: [*run.application, *run[2:]] for run_id, run in site.runs.items()},
        "ended": site.ended,
    }


def _books(state: dict[str, Any]) -> PortalBooks:
    if state["format"] != FORMAT:
        raise InputError(f"must be {FORMAT!r}, got {state['format']!r:.60}", field="format")
    window = number_of(state["window"], "window", least=0.0)
    sites = [_site(one, window) for one in state["sites"]]
    books = PortalBooks(
        _whole(state["seed"], "seed", least=0),
        window,
        {site.name: site for site in sites},
        {run_id: site.name for site in sites for run_id in site.runs},
        selections=_whole(state["selections"], "selections", least=0),
        numbered=_whole(state["numbered"], "numbered", least=0),
        last_site=_whole(state["last_site"], "last_site", least=-1),
        latest=_time(state["latest"], "latest"),
    )
    for application, version, site, mean in state["cpu_times"]:
        # The first observation is taken whole.
        books.observe((application, version), site, number_of(mean, "cpu_times", least=0.0))
    return books


def _site(told: dict[str, Any], window: float) -> PortalSite:
    name = name_of(told["name"], "name")
    site = PortalSite(name, window)
    site.daemons = {daemon: count_of(cores, f"cores of {name}") for daemon, cores in told["cores"].items()}
    site.attributes, site.available = dict(told["attributes"]), bool(told["available"])
    for daemon, (load, time) in told["loads"].items():
        site.published[daemon] = Publication(number_of(load, "loads", least=0.0), number_of(time, "loads"))
    runs = {
        run_id: Run(name, (name_of(application, "runs"), version), count_of(count, "runs"), *_numbers(*times))
        for run_id, (application, version, count, *times) in told["runs"].items()
    }
    ended = [Ended(*_numbers(start, end), count_of(count, "ended")) for start, end, count in told["ended"]]
    site.restore(runs, ended)
    site.served = number_of(told["served"], "served", least=0.0)
    site.since = _time(told["since"], "since")
    return site


def _known(time: float) -> float | None:
    """Return a time for JSON, which has no infinity."""
    return None if time == -math.inf else time


def _time(value: object, field: str) -> float:
    return -math.inf if value is None else number_of(value, field)


def _numbers(first: object, second: object) -> tuple[float, float]:
    return number_of(first, "time"), number_of(second, "time")


def _whole(value: object, field: str, *, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError(f"must be a whole number >= {least}, got {value!r:.60}", field=field)
    return value
