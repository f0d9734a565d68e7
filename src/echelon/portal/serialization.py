"""Serialization: the state of a metascheduler as JSON and back, so that a portal can be restarted.

One object: ``format``, ``policy`` (its spec), ``seed``, ``window``, ``selections`` and ``numbered`` (how
many selections and generated ids there were), ``last_site``, ``latest`` (the latest time reported), ``sites``
(each with ``name``, ``cores`` and ``loads`` by daemon, ``attributes``, ``available``, current ``runs``, jobs
``ended`` within the window, and the clock of the service its processes have received) and ``cpu_times``
(application, version, site, mean). All times are in seconds.
"""

from __future__ import annotations

import json
import math
from typing import Any

from echelon.errors import InputError
from echelon.portal.checks import check_whole, count_of, name_of, number_of
from echelon.portal.portal_state import PortalState
from echelon.portal.site import Ended, PortalSite, Publication, Run

FORMAT = "echelon metascheduler 1"


def to_json(state: PortalState, policy: str) -> str:
    """Return the state of a metascheduler and the spec of its policy as JSON.

    Raises
    ------
    InputError
        If an attribute of a site cannot be written as JSON.
    """
    means = [[*key, state.cpu_times.mean(key[:2], key[2])] for key in state.observed]
    values = {
        "format": FORMAT,
        "policy": policy,
        "seed": state.seed,
        "window": state.window,
        "selections": state.selections,
        "numbered": state.numbered,
        "last_site": state.last_site,
        "latest": _finite_or_none(state.latest),
        "sites": [_site_to_dict(site) for site in state.sites.values()],
        "cpu_times": means,
    }
    return json.dumps(values, indent=1, allow_nan=False)


def from_json(text: str) -> tuple[str, PortalState]:
    """Return the spec of the policy and the state that `to_json` wrote.

    Raises
    ------
    InputError
        If the text is not such a state.
    """
    try:
        values = json.loads(text)
        return name_of(values["policy"], "policy"), _state(values)
    except InputError as error:
        raise InputError(f"is not the state of a metascheduler: {error}", field="state") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        problem = f"is not the state of a metascheduler: {type(error).__name__}: {error}"
        raise InputError(problem, field="state") from error


def _site_to_dict(site: PortalSite) -> dict[str, object]:
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
        "since": _finite_or_none(site.since),
        "runs": {run_id: [*run.application, *run[2:]] for run_id, run in site.runs.items()},
        "ended": site.ended,
    }


def _state(values: dict[str, Any]) -> PortalState:
    if values["format"] != FORMAT:
        raise InputError(f"must be {FORMAT!r}, got {values['format']!r:.60}", field="format")
    window = number_of(values["window"], "window", least=0.0)
    sites = [_site(site, window) for site in values["sites"]]
    state = PortalState(
        check_whole(values["seed"], "seed", least=0),
        window,
        {site.name: site for site in sites},
        {run_id: site.name for site in sites for run_id in site.runs},
        selections=check_whole(values["selections"], "selections", least=0),
        numbered=check_whole(values["numbered"], "numbered", least=0),
        last_site=check_whole(values["last_site"], "last_site", least=-1),
        latest=_time(values["latest"], "latest"),
    )
    for application, version, site, mean in values["cpu_times"]:
        # The first observation is taken as it is.
        state.observe((application, version), site, number_of(mean, "cpu_times", least=0.0))
    return state


def _site(values: dict[str, Any], window: float) -> PortalSite:
    name = name_of(values["name"], "name")
    site = PortalSite(name, window)
    site.daemons = {daemon: count_of(cores, f"cores of {name}") for daemon, cores in values["cores"].items()}
    site.attributes, site.available = dict(values["attributes"]), bool(values["available"])
    for daemon, (load, time) in values["loads"].items():
        site.published[daemon] = Publication(number_of(load, "loads", least=0.0), number_of(time, "loads"))
    runs = {
        run_id: Run(name, (name_of(application, "runs"), version), count_of(count, "runs"), *_numbers(*times))
        for run_id, (application, version, count, *times) in values["runs"].items()
    }
    ended = [Ended(*_numbers(start, end), count_of(count, "ended")) for start, end, count in values["ended"]]
    site.restore(runs, ended)
    site.served = number_of(values["served"], "served", least=0.0)
    site.since = _time(values["since"], "since")
    return site


def _finite_or_none(time: float) -> float | None:
    """Return a time for JSON, which has no infinity."""
    return None if time == -math.inf else time


def _time(value: object, field: str) -> float:
    return -math.inf if value is None else number_of(value, field)


def _numbers(first: object, second: object) -> tuple[float, float]:
    return number_of(first, "time"), number_of(second, "time")
