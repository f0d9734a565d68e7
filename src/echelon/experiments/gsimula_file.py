"""GSimula's files: an experiment configuration (CONFIG.INI) and its grids (grid_config.ini) as a scenario.

::

    &workload name
    grid1:week=3        ; as `echelon run` takes it
    &grid number
    1
    &selection strategies list
    MLp, MPL, LBal_S

A line that starts with ``&`` names a parameter, its value is on the next line, and ``;`` starts a comment. In
grid_config.ini, beside the file, ``&grid 1`` names a grid, and the next line has the processors of its sites;
without that file the numbers 1 to 3 are those of the grid study.

Source: GSimula, the simulator of the grid study (its appendix C), whose parameters these are.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

GRIDS_FILE = "grid_config.ini"
MOST_FACTORS = 1000
"""Factors of admissibility that a configuration may ask for."""

UNUSED = frozenset(
    {
        *("number of experiments", "first experiment", "period of time", "number of jobs or days"),
        *("period alignment unit", "jobs not considered", "total selection strategies", "workload source"),
        *("first job selection", "last job selection", "number of metrics"),
        *("first admissible strategy", "last admissible strategy", "output metrics type"),
        *("scope of metrics", "output metrics list", "interactive", "save workload file"),
        *("sc resource selection", "number of super-clusters", "nodes in super-clusters"),
    }
)
"""Parameters that a scenario has no setting for: of many experiments, of output, of super-clusters."""

_LOCAL = {"beff": "easy", "bf": "first-fit"}
_TRUE, _FALSE = ("1", "yes", "true", "on"), ("0", "no", "false", "off")
_RANGE = (("first", 1.0), ("last", 1.0), ("step", 0.1))
_LOCAL_PARAMETERS = ("first local scheduling", "last local scheduling", "selection scheduler")
_NUMBER = re.compile(r"grid (\d+)")


class Several(list[Any]):
    """Several values of a setting, or the sizes of a platform's sites: what a comparison runs each of."""


class Parameter(NamedTuple):
    """A parameter of a file: its value as text, and the line that names it."""

    value: str
    line: int


def is_gsimula_file(path: str | Path) -> bool:
    """Return whether a path is that of a configuration of GSimula, by its ending."""
    return str(path).lower().endswith(".ini")


def gsimula_settings(text: str, file: Path) -> tuple[dict[str, Any], list[str]]:
    """Return what a configuration says, as keys and values of a scenario file, and what it has no key for.

    Parameters
    ----------
    text : str
        The content.
    file : Path
        Where it stands; its grids are beside it.

    Returns
    -------
    dict, list of str
        Settings by name, several values of one as a list; and the names of the parameters that are not used.

    Raises
    ------
    InputError, UnknownNameError
        If a parameter is unknown, twice there, without a value or wrong.
    """
    entries = parameters(text, file)
    for name, parameter in entries.items():
        if name not in UNUSED and name not in _READERS:
            unknown = UnknownNameError("parameter of GSimula", name, [*UNUSED, *_READERS])
            raise InputError(str(unknown), file=str(file), line=parameter.line)
    settings: dict[str, Any] = {}
    for name, reader in _READERS.items():
        if name in entries:
            try:
                settings |= reader(entries, file)
            except InputError as error:
                raise InputError(
                    f"{name}: {error.problem}", file=str(file), line=entries[name].line
                ) from error
    return settings, sorted(entries.keys() & (UNUSED | _find_ignored(entries)))


def _find_ignored(entries: Mapping[str, Parameter]) -> set[str]:
    """Return parameters that others make useless: of queues under stealing, of stealing in two levels ..."""
    has_one_level = _has_one_level(entries)
    names = {*_LOCAL_PARAMETERS} if has_one_level else {"step stealing"}
    if has_one_level and "step stealing" in entries:
        names.add("selection strategies list")
    if not ("admissible flag" in entries and _is_admissible(entries)):
        names |= {f"{which} admissible selection" for which, _ in _RANGE}
    return names


def parameters(text: str, file: Path) -> dict[str, Parameter]:
    """Return the parameters of a file by name, in small letters and single blanks."""
    entries: dict[str, Parameter] = {}
    name, named = "", 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition(";")[0].strip()
        if line.startswith("&") or (line and not name):
            if name or not line.startswith("&"):
                what = f"expected the value of {name!r}" if name else "expected a name after &"
                raise InputError(f"{what}, got {line!r:.60}", file=str(file), line=number)
            name, named = " ".join(line[1:].replace("_", " ").lower().split()), number
            if name in entries:
                raise InputError(f"{name!r} is given twice", file=str(file), line=number)
        elif line:
            entries[name] = Parameter(line, named)
            name = ""
    if name:
        raise InputError(f"expected the value of {name!r}, got the end", file=str(file), line=named)
    return entries


def _read_workload(entries: Mapping[str, Parameter], _file: Path) -> dict[str, Any]:
    return {"workload": entries["workload name"].value}


def _read_grid(entries: Mapping[str, Parameter], file: Path) -> dict[str, Any]:
    number = entries["grid number"].value
    beside = file.parent / GRIDS_FILE
    if not beside.is_file():
        return {"platform": f"grid{number}"}
    try:
        named = parameters(beside.read_text(encoding="utf-8"), beside)
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{GRIDS_FILE} beside it is not text in UTF-8 that can be read") from None
    grids = {match[1]: one for name, one in named.items() if (match := _NUMBER.fullmatch(name))}
    if number not in grids:
        raise InputError(f"got {number!r}, expected one of {', '.join(grids) or 'none'} in {GRIDS_FILE}")
    sizes = _parts(grids[number].value)
    if wrong := next((size for size in sizes if not size.isdecimal()), None):
        where = f"{GRIDS_FILE}, grid of line {grids[number].line}"
        raise InputError(f"{where}: got {wrong!r}, expected the processors of each site")
    return {"platform": Several(map(int, sizes))}


def _read_type(entries: Mapping[str, Parameter], _file: Path) -> dict[str, Any]:
    text = entries["scheduling type"].value
    kind = text.lower().replace("-", "").replace(" ", "")
    if kind not in ("online", "offline"):
        raise InputError(f"got {text!r}, expected on line or off line")
    return {"off_line": True} if kind == "offline" else {}


def _read_estimator(entries: Mapping[str, Parameter], _file: Path) -> dict[str, Any]:
    estimator = entries["system runtime prediction"].value.lower()
    return {"estimator": "request" if estimator in ("user", "user's", "users", "0") else estimator}


def _read_brokers(entries: Mapping[str, Parameter], _file: Path) -> dict[str, Any]:
    return {
        "broker": _one_or_more([_word(one) for one in _parts(entries["selection strategies list"].value)])
    }


def _read_stealing(entries: Mapping[str, Parameter], _file: Path) -> dict[str, Any]:
    """Return stealing with its threshold, where the grid has one level."""
    return {"broker": f"stealing:{entries['step stealing'].value}"} if _has_one_level(entries) else {}


def _has_one_level(entries: Mapping[str, Parameter]) -> bool:
    levels = entries.get("grid scheduling levels")
    return levels is not None and levels.value.lower() in ("1", "one")


def _read_levels(entries: Mapping[str, Parameter], _file: Path) -> dict[str, Any]:
    if (levels := entries["grid scheduling levels"].value.lower()) not in ("1", "one", "2", "two"):
        raise InputError(f"got {levels!r}, expected 1 or 2: there are no super-clusters")
    return {}


def _read_local(entries: Mapping[str, Parameter], _file: Path) -> dict[str, Any]:
    if _has_one_level(entries):  # sites that steal have no queues of their own
        return {}
    names = ("first local scheduling", "last local scheduling")
    names_in_file = [_word(entries[name].value) for name in names if name in entries] or ["fcfs"]
    order = _word(entries["selection scheduler"].value) if "selection scheduler" in entries else "fifo"
    rules = dict.fromkeys(_policy_with_order(_LOCAL.get(word, word), order) for word in names_in_file)
    return {"policy": _one_or_more(list(rules))}


def _policy_with_order(rule: str, order: str) -> str:
    """Return a local scheduler whose queue has this order; FCFS is the usual one."""
    if order in ("fifo", "fcfs"):
        return rule
    return order if rule in ("fifo", "fcfs") else f"{rule}:{order}"


def _read_admissible(entries: Mapping[str, Parameter], _file: Path) -> dict[str, Any]:
    if not _is_admissible(entries):
        return {}
    first, last, step = (_number(entries, which, usual) for which, usual in _RANGE)
    if not step > 0:
        raise InputError(f"got a step of {step:g}, expected one above 0")
    if not 0 < first <= last <= 1:
        raise InputError(f"got {first:g} to {last:g}, expected factors above 0 up to 1, the least one first")
    count = math.floor((last - first) / step + 1e-9)
    if count >= MOST_FACTORS:
        raise InputError(f"got a step of {step:g}, expected at most {MOST_FACTORS} factors")
    return {"admissible": _one_or_more([round(first + step * k, 6) for k in range(count + 1)])}


def _is_admissible(entries: Mapping[str, Parameter]) -> bool:
    """Return whether the flag of admissibility is set."""
    flag = entries["admissible flag"].value.lower()
    if flag not in (*_TRUE, *_FALSE):
        raise InputError(f"got {flag!r}, expected 1 or 0")
    return flag in _TRUE


def _number(entries: Mapping[str, Parameter], which: str, usual: float) -> float:
    name = f"{which} admissible selection"
    text = entries[name].value if name in entries else str(usual)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{name} got {text!r}, expected a number")
    return number


def _read_nothing(_entries: Mapping[str, Parameter], _file: Path) -> dict[str, Any]:
    return {}


def _read_out(entries: Mapping[str, Parameter], _file: Path) -> dict[str, Any]:
    return {"out": entries["path local directory"].value}


_READERS: Mapping[str, Callable[[Mapping[str, Parameter], Path], dict[str, Any]]] = {
    "workload name": _read_workload,
    "grid number": _read_grid,
    "scheduling type": _read_type,
    "system runtime prediction": _read_estimator,
    "selection strategies list": _read_brokers,
    "grid scheduling levels": _read_levels,
    "step stealing": _read_stealing,
    "selection scheduler": _read_local,
    "first local scheduling": _read_local,
    "last local scheduling": _read_local,
    "admissible flag": _read_admissible,
    "first admissible selection": _read_nothing,
    "last admissible selection": _read_nothing,
    "step admissible selection": _read_nothing,
    "path local directory": _read_out,
}


def _parts(text: str) -> list[str]:
    return [part for part in re.split(r"[\s,]+", text) if part]


def _word(name: str) -> str:
    return name.strip().lower().replace("_", "-")


def _one_or_more(values: list[Any]) -> Any:  # noqa: ANN401  (a value or a list of them)
    return values[0] if len(values) == 1 else Several(values)
