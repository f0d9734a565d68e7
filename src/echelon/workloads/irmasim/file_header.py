"""The top of a file: units, header and names behind codes, beside its jobs."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from echelon.model.jobs.fields import FIELDS
from echelon.workloads.irmasim.names import TOP_NAMES, UNIT_NAMES, UNITS
from echelon.workloads.irmasim.problems import Problems, show_value
from echelon.workloads.irmasim.records import squeeze

if TYPE_CHECKING:
    from collections.abc import Mapping


def top_of(content: object, problems: Problems) -> dict[str, object]:
    """Return the jobs and the further entries of the file, by our names."""
    top: dict[str, object] = {}
    for key, value in content.items() if isinstance(content, dict) else ():
        name = TOP_NAMES.get(squeeze(key))
        if name in top:
            problems.add(name, "is given twice")
        elif name is not None:
            top[name] = value
    return top


def guess(content: object) -> str:
    """Return what a file without jobs may be instead, as the end of a message."""
    if isinstance(content, dict) and {"jobs_simulated", "versions"} <= set(content):
        return _record(content)
    if isinstance(content, dict) and {"platform", "processor", "node"} & set(content):
        return "; this is a platform, to be given to --platform"
    return f"; its keys are {', '.join(content)[:120]}" if isinstance(content, dict) and content else ""


def _record(content: Mapping[str, object]) -> str:
    """Return the end of the message on a run.json, which is given by a user who wants to repeat the run."""
    command = content.get("command")
    arguments = [str(argument) for argument in command] if isinstance(command, list) else []
    again = f"; repeat it by its command: {shlex.join(arguments):.400}" if arguments else ""
    return f"; this is the record of a run, which names its jobs but has none{again}"


def objects(top: Mapping[str, object], name: str, problems: Problems) -> Mapping[str, object]:
    """Return the object under a name, empty if there is none."""
    value = top.get(name)
    if value is None or isinstance(value, dict):
        return value or {}
    problems.add(name, f"got {show_value(value)}, expected an object in braces")
    return {}


def units_of(value: object, problems: Problems) -> dict[str, int]:
    """Return the powers of ten of bytes of each quantity: `UNITS`, and what the file says otherwise."""
    units = dict(UNITS)
    for key, prefix in objects({"units": value}, "units", problems).items():
        name = next((unit for unit in UNITS if squeeze(unit) == squeeze(key)), None)
        if name is None:
            problems.add(f"units.{key}", f"is not a quantity with a unit, expected one of {', '.join(UNITS)}")
        elif not isinstance(prefix, str) or prefix not in UNIT_NAMES:
            problems.add(f"units.{key}", f"got {show_value(prefix)}, expected one of {', '.join(UNIT_NAMES)}")
        else:
            units[name] = UNIT_NAMES[prefix]
    return units


def header_lines(top: Mapping[str, object], problems: Problems) -> list[tuple[str | None, str]]:
    """Return the header's lines; a size of the machine that old files copy about is only a note."""
    lines: list[tuple[str | None, str]] = []
    value = top.get("header") or []
    if not isinstance(value, list):
        problems.add("header", f"got {show_value(value)}, expected a list")
        return lines
    for place, line in enumerate(value):
        match line:
            case [str() | None as label, str(text)]:
                lines.append((label, text))
            case _:
                problems.add(f"header[{place}]", f"got {show_value(line)}, expected [label or null, text]")
    if "nb_res" in top:
        lines.append(("Note", f"nb_res of the file: {show_value(top['nb_res'])}"))
    return lines


def names_of(value: object, problems: Problems) -> dict[str, tuple[str, ...]]:
    """Return the names behind the codes of columns."""
    names: dict[str, tuple[str, ...]] = {}
    columns = {spec.name for spec in FIELDS}
    for column, texts in objects({"names": value}, "names", problems).items():
        if column not in columns or not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
            problems.add(f"names.{column}", "expected a column's name and a list of strings")
        else:
            names[column] = tuple(texts)
    return names
