"""Own rules: how a manifest names rules that are not built in, and where their files are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.settings.values.values_by_site import format_by_site, parts_of
from echelon.rules.family import names_own_rule
from echelon.user_file import is_file, is_in_file, with_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from echelon.experiments.result import Result
    from echelon.model import Platform

METRICS = "metrics"
"""The setting whose rules are recorded in ``own_metrics``."""

_RULES = {
    setting.name
    for setting in SETTINGS
    if setting.is_rule or setting.families or setting.name in ("queues", METRICS)
} - {"platform"}
"""Settings whose values name rules; a platform, which may name some, is recorded as a whole."""

_STORED = {setting.name: setting.stored for setting in SETTINGS}
_BY_SITE = tuple(setting for setting in SETTINGS if setting.by_site)


def own_specs(settings: Mapping[str, Any], among: Iterable[str] | None = None) -> tuple[tuple[str, Any], ...]:
    """Return the settings that name a rule that is not built in, each by its spec as it was given.

    Parameters
    ----------
    settings : mapping of str to object
        What a run was asked for, by setting; rules that are given as objects have no spec.
    among : iterable of str, default all
        The settings looked at.
    """
    names = settings if among is None else [name for name in among if name in settings]
    specs = ((name, _spec(settings[name])) for name in names if name in _RULES)
    return tuple((name, spec) for name, spec in specs if any(map(names_own_rule, _texts(spec))))


def with_own_rules(record: dict[str, Any], result: Result) -> dict[str, Any]:
    """Return a manifest in which rules that are not built in have the specs that they were given by.

    Added are ``names``, what tables call them where that is shorter, and ``rule_files``, for each Python file
    its name in the specs, its path and its SHA-256. Without such rules nothing is added.
    """
    specs = dict(result.specs)
    if result.platform is not None:
        specs = _of_platform(result.platform, record) | specs
    described = list(_find_machine_specs(record["hardware"], record["platform"]))
    if not specs and not described:
        return record
    metrics = specs.pop(METRICS, [])
    stored = {_STORED.get(name, name): spec for name, spec in specs.items()}
    names = {key: record[key] for key, spec in stored.items() if record.get(key) not in (None, spec)}
    files = [_file(name) for name in _files_in([*stored.values(), metrics, described])]
    own = [
        {**one, "spec": spec} if is_named else one
        for one, spec, is_named in _with_specs(record["own_metrics"], metrics)
    ]
    return {**record, **stored, "own_metrics": own, "names": names, "rule_files": files}


def with_short_names(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a manifest in which each rule is called what tables call it."""
    names = record.get("names")
    return {**record, **names} if isinstance(names, Mapping) else record


def _of_platform(platform: Platform, record: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings in which a platform's own rules decide at its sites, with the specs of these."""
    sites = {inner.path: inner for inner in platform.inner} | {site.name: site for site in platform.sites}
    own_settings: dict[str, str] = {}
    for setting in _BY_SITE:
        value_by_path = {path: site.settings.get(setting.name) for path, site in sites.items()}
        own = {
            path: text
            for path, text in value_by_path.items()
            if isinstance(text, str) and names_own_rule(text)
        }
        spec = record.get(setting.stored)
        if own and isinstance(spec, str):
            short = {path: setting.format(setting.value(text)) for path, text in own.items()}
            parts = parts_of(spec)
            specs = {path: own[path] if part == short.get(path) else part for path, part in parts.items()}
            own_settings |= {setting.name: format_by_site(specs)} if specs != parts else {}
    return own_settings


def _find_machine_specs(*parts: object) -> Iterator[str]:
    """Yield the specs of a file's rules in what is recorded of a machine: topologies, and rules of sites."""
    for part in parts:
        if isinstance(part, str) and is_in_file(part):
            yield part
        elif isinstance(part, Mapping):
            yield from _find_machine_specs(*part.values())
        elif isinstance(part, list | tuple):
            yield from _find_machine_specs(*part)


def _spec(value: object) -> Any:  # noqa: ANN401  (a text, a list of texts, or None)
    """Return a given value as text that can be given again; None of what has none."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, Mapping) and all(isinstance(part, str) for pair in value.items() for part in pair):
        return format_by_site(value)
    is_list = isinstance(value, list | tuple) and all(isinstance(part, str) for part in value)
    return list(value) if is_list else None  # type: ignore[call-overload]


def _texts(spec: object) -> Iterable[str]:
    return [spec] if isinstance(spec, str) else spec if isinstance(spec, list) else []


def _files_in(specs: Iterable[Any]) -> list[str]:
    """Return the names of Python files in specs, each once."""
    names: dict[str, None] = {}
    for text in (text for spec in specs for text in _texts(spec)):
        with_files(text, lambda name: str(names.setdefault(name) or name))
    return [name for name in names if is_file(name)]


def _file(name: str) -> dict[str, str]:
    from echelon.experiments.study.run.identity import file_digest

    return {"file": name, "path": str(Path(name).resolve()), "sha256": file_digest(name)}


def _with_specs(own: list[dict[str, Any]], specs: list[str]) -> Iterator[tuple[dict[str, Any], str, bool]]:
    """Yield each metric with its spec, if all were given by specs."""
    are_named = len(own) == len(specs)
    for place, one in enumerate(own):
        yield one, specs[place] if are_named else "", are_named
