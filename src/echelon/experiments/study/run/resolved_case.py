"""Resolved: a case with every spec made canonical and every default filled in, ready to be run."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.folders.manifest import cancellation_settings, limit_settings
from echelon.experiments.scenario import scenario_of
from echelon.experiments.settings.availability import BEGIN, SYSTEM
from echelon.experiments.settings.setting import CHANGING
from echelon.experiments.settings.values.value_format import format_admissible
from echelon.experiments.study.file.settings import NOT_IN_STUDIES, settings_known
from echelon.experiments.study.run.case_workload import load_workload, run_settings
from echelon.experiments.study.run.identity import file_digest, file_stamp, key_of
from echelon.experiments.systems.grid import broker_text, has_local_policy
from echelon.experiments.systems.immediate import immediate_settings
from echelon.experiments.systems.multicluster import (
    information_settings,
    multicluster_settings,
    shared_rules_in,
)
from echelon.experiments.systems.nodes import node_settings
from echelon.experiments.systems.site_trees import control_settings, controllers_in
from echelon.experiments.systems.stays import stay_settings
from echelon.metrics import own_metrics
from echelon.platforms import platform as as_platform
from echelon.platforms.serialization import machine_to_dict, to_dict
from echelon.policies import Decentralized, format_estimator
from echelon.workloads.local_users import LOCAL_TRACES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.contract import Scenario
    from echelon.experiments.study.run.case import Case
    from echelon.metrics import Metric
    from echelon.model import Platform

RESULTS = 2
"""Number of what runs give: goes up when the same input gives other start times or files of other columns."""

_OF_CONTROLLERS = ("decision_time", "upper_queue", "queue_limit")
"""What each inner site of a tree has of its own, and not the rules of leaves."""

_APART = ("platform", "engine", "metrics")
_OWN_FILE = re.compile(r"[^:,()=]+\.py(?=:)")


class Resolved(NamedTuple):
    """A case as it will be run.

    Attributes
    ----------
    scenario : Scenario
        What the engine takes.
    metrics : tuple of Metric
        The user's own.
    engine : str
        The one asked for.
    described : dict
        The resolved input as plain values, the content of ``scenario.json``.
    key : str
        Its hash, which names the run.
    streams : tuple of str
        Names of the random streams that its jobs were drawn from; none of a log.
    """

    scenario: Scenario
    metrics: tuple[Metric, ...]
    engine: str
    described: dict[str, Any]
    key: str
    streams: tuple[str, ...]


def resolve(case: Case) -> Resolved:
    """Return `case` with its specs read and its defaults filled in.

    Raises
    ------
    InputError, UnknownNameError
        If a setting is unknown or wrong, as `echelon.simulate` says it.
    """
    settings = {key: value for key, value in case.settings.items() if value is not None}
    _check_keys(settings)
    jobs = load_workload(settings)
    machine = _machine(settings["platform"]) if "platform" in settings else None
    rest = {key: value for key, value in run_settings(settings).items() if key not in _APART}
    scenario = scenario_of(
        jobs.workload, platform=machine and machine.platform, **_drop_idle(rest, case.labels)
    )
    own, engine = list(settings.get("metrics", ())), settings.get("engine", "auto")
    described = {
        **_rule_content(scenario),
        "results": RESULTS,
        "jobs": jobs.digest,
        "machine": _machine_content(scenario, machine),
        "engine": engine,
        "strict": bool(settings.get("strict", False)),
        "metrics": own,
    }
    paths = _own_files(settings)
    registry = settings_known()
    described["files"] = {registry[key].stored: settings[key] for key in paths}
    digests = {path: file_digest(path) for files in paths.values() for path in files}
    plain = _to_plain(described, digests)
    return Resolved(scenario, own_metrics(own), engine, plain, key_of(plain), jobs.streams)


def _drop_idle(settings: Mapping[str, Any], axes: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings without those that this run has no use for, where a study varies what uses them.

    So ``failures = ["none", ...]`` may stand beside one law of repair times, as in a comparison.
    """
    if not any(name in settings_known() and settings_known()[name].group == CHANGING for name in axes):
        return dict(settings)
    from echelon.experiments.changes.idle_changes import idle_changes

    idle = idle_changes(settings)
    return {name: value for name, value in settings.items() if name not in idle}


def _check_keys(settings: Mapping[str, Any]) -> None:
    for key in settings:
        if key in NOT_IN_STUDIES:
            raise InputError(NOT_IN_STUDIES[key], field=key)
        if key not in settings_known():
            raise UnknownNameError("setting of a run", key, settings_known())
    if "workload" not in settings:
        raise InputError(
            "is missing, expected a path, the name of a data set or a model with its parameters",
            field="workload",
        )


class _Machine(NamedTuple):
    platform: Platform
    described: dict[str, Any]


def _machine(spec: Any) -> _Machine:  # noqa: ANN401  (a spec, or what as_platform takes)
    if not isinstance(spec, str):
        return _read_machine(tuple(spec), None)
    path = spec.rpartition(":")[0] if ".json:" in spec else spec
    return _read_machine(spec, file_stamp(path))


@lru_cache(maxsize=32)
def _read_machine(spec: Any, stamp: tuple[int, int] | None) -> _Machine:  # noqa: ANN401  (as above)
    """Return a platform and its plain values, without its name and the source of its figures."""
    platform = as_platform(spec if isinstance(spec, str) else list(spec))
    hardware = platform.hardware
    described = to_dict(platform) if hardware is None else machine_to_dict(hardware)
    return _Machine(
        platform, {key: value for key, value in described.items() if key not in ("name", "source")}
    )


def forget_machines() -> None:
    """Have platform files read again: what they take from other files may have been written since."""
    _read_machine.cache_clear()


def _machine_content(scenario: Scenario, machine: _Machine | None) -> dict[str, Any]:
    return {"processors": scenario.instance.processors} if machine is None else machine.described


def _rule_content(scenario: Scenario) -> dict[str, Any]:
    """Return the canonical specs of a scenario's rules; what does not apply is left out."""
    alone = isinstance(scenario.broker, Decentralized)
    rules: dict[str, Any] = {
        "policy": scenario.policy.name if has_local_policy(scenario) else None,
        "estimates": scenario.instance.estimates,
        "estimator": format_estimator(scenario.estimator),
        "passes": scenario.cycles,
        "seed": scenario.seed,
        **node_settings(scenario.nodes),
    }
    if scenario.broker is not None:
        rules |= {
            "broker": broker_text(scenario),
            "admissible": None if alone else format_admissible(scenario.admissible),
        }
    if (shared := shared_rules_in(scenario)) is not None:
        inside = rules["execution"]
        rules |= multicluster_settings(shared) | information_settings(scenario)
        if inside is not None:  # sites with nodes beside them
            rules |= {"execution": inside, "shared_execution": rules["execution"]}
    if scenario.immediate is not None:
        rules |= immediate_settings(scenario.immediate)
    if controllers_in(scenario):
        rules |= {**dict.fromkeys(_OF_CONTROLLERS), **control_settings(scenario)}
    rules |= stay_settings(scenario)
    if scenario.instance.dependencies is not None:
        rules["dependencies"] = "keep"
    if scenario.has_changes:
        from echelon.experiments.changes.planned_changes import planned_changes_of

        rules |= planned_changes_of(scenario).asked
    rules |= cancellation_settings(scenario.instance.workload) | limit_settings(scenario.instance.workload)
    return {key: value for key, value in rules.items() if value is not None}


def _own_files(settings: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the files that settings name, by setting: rules of a user's own, recorded loads."""
    files: dict[str, list[str]] = {}
    for key, value in run_settings(settings).items():
        texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        for text in (text for text in texts if isinstance(text, str)):
            paths = [path.strip() for path in _OWN_FILE.findall(text)]
            if text.strip().lower().endswith(LOCAL_TRACES):
                paths.append(text.strip())
            elif settings_known()[key].tables:  # files of outages and reservations
                paths.append(text.strip().partition(SYSTEM)[0].partition(BEGIN)[0])
            files.setdefault(key, []).extend(path for path in paths if Path(path).is_file())
    return {key: paths for key, paths in sorted(files.items()) if paths}


def _to_plain(value: Any, digests: Mapping[str, str]) -> Any:  # noqa: ANN401  (whatever has plain values)
    """Return a value for JSON: equal numbers alike, and for the path of a file what is in it."""
    if isinstance(value, dict):
        return {key: _to_plain(part, digests) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_to_plain(part, digests) for part in value]
    if isinstance(value, str):
        for path in sorted(digests, key=len, reverse=True):
            value = value.replace(path, f"sha256-{digests[path]}{Path(path).suffix}")
        return value
    if isinstance(value, np.generic):
        value = value.item()
    return int(value) if isinstance(value, float) and value.is_integer() else value
