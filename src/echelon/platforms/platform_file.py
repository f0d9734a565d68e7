"""Platform file: the sites of a grid in TOML.

::

    name = "two sites"
    source = "made up"

    [[site]]
    name = "small"
    processors = 64

    [[site]]
    name = "large"
    processors = 256

    [site.power]
    site_idle = 32
    board_idle = 24
    core_idle = 17.8
    core_working = 26
    efficiency = 1
"""

from __future__ import annotations

import difflib
import sys
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.model import Platform, Power, Site
from echelon.model.platform import MOST_PROCESSORS
from echelon.platforms.key_lines import key_lines, line_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from echelon.platforms.key_lines import Place

_TOP = ("name", "source", "site")
_SITE = ("name", "processors", "power")
_POWER = tuple(field.name for field in fields(Power))

_A_NAME = "a name in quotes"
_A_TEXT = "a text in quotes"
_A_SIZE = f"a whole number from 1 to {MOST_PROCESSORS}"
_A_SITE = "a [[site]] table with name and processors"
_A_DRAW = "a number >= 0"
_AN_EFFICIENCY = "a number > 0"
_LARGEST = sys.float_info.max


def read_platform_file(path: str | Path) -> Platform:
    """Return the platform that a TOML file describes.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8: ``[[site]]`` tables with `name` and `processors`, each with a ``[site.power]`` of
        the fields of `echelon.model.Power` if wanted; at the top `name` (default: the file's own) and
        `source`, if wanted.

    Raises
    ------
    InputError
        If the file can not be read, is not TOML, or says something it may not: all such errors together,
        each with its line, its site, the value got and what is expected, and for an unknown key the nearest.
    """
    file = Path(path)
    text = _text(file, str(path))
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # tomllib lets through what Python says of numbers too long and brackets too deep.
        raise InputError(f"is not TOML: {error}", file=str(path)) from error
    reading = _Reading(key_lines(text))
    platform = reading.platform(content, file.stem)
    if platform is None:
        raise InputError("; ".join(reading.sentences()), file=str(path))
    return platform


def _text(file: Path, shown: str) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError as error:
        raise InputError("no such file, expected a platform in TOML", file=shown) from error
    except OSError as error:
        raise InputError(f"can not be read: {error.strerror}", file=shown) from error
    except UnicodeDecodeError as error:
        problem = f"is no text in UTF-8: byte {error.start} is {error.object[error.start]:#x}"
        raise InputError(problem, file=shown) from error


@dataclass
class _Reading:
    """One reading of a file: everything that is wrong with it is collected."""

    lines: Mapping[Place, int]
    wrong: list[tuple[int, str]] = field(default_factory=list)

    def sentences(self) -> list[str]:
        """Return what is wrong, by line; what belongs to no line comes last."""
        return [sentence for _, sentence in sorted(self.wrong, key=lambda found: found[0])]

    def platform(self, content: Mapping[str, Any], otherwise: str) -> Platform | None:
        """Return the platform, or None if something is wrong."""
        self.refuse_unknown((), content, _TOP)
        told = {"name": otherwise, "source": "", **content}
        name, source = (self.value((), told, key, _is_text, _A_TEXT) for key in ("name", "source"))
        sites = self.sites(content.get("site"))
        return None if self.wrong else Platform(tuple(sites), name, source)

    def sites(self, tables: object) -> list[Site]:
        """Return the sites that are right, and note what is wrong with the others and with all together."""
        if not isinstance(tables, list) or not tables:
            got = "got none" if tables in (None, []) else _got(tables)
            self.note(("site",), f"{got}, expected at least one [[site]] table with name and processors")
            return []
        self.refuse_twins(tables)
        sites = [site for k, table in enumerate(tables) if (site := self.site(k, table))]
        total = sum(site.processors for site in sites)
        if total > MOST_PROCESSORS:
            self.note((), f"all sites together have {total} processors, expected at most {MOST_PROCESSORS}")
        return sites

    def site(self, k: int, table: object) -> Site | None:
        """Return site `k`, or None if something is wrong with it."""
        place, before = ("site", k), len(self.wrong)
        if not isinstance(table, dict):
            self.note(place, f"{_got(table)}, expected {_A_SITE}")
            return None
        self.refuse_unknown(place, table, _SITE)
        name = self.value(place, table, "name", _is_name, _A_NAME)
        size = self.value(place, table, "processors", _is_size, _A_SIZE)
        power = self.power((*place, "power"), table["power"]) if "power" in table else None
        return Site(name, size, power) if len(self.wrong) == before else None

    def power(self, place: Place, table: object) -> Power | None:
        """Return what a site draws, or None if something is wrong with it."""
        before = len(self.wrong)
        if not isinstance(table, dict):
            self.note(place, f"{_got(table)}, expected a [site.power] table")
            return None
        self.refuse_unknown(place, table, _POWER)
        draws = {
            key: self.value(place, table, key, _is_draw, _A_DRAW) for key in _POWER if key != "efficiency"
        }
        efficiency = self.value(place, table, "efficiency", _is_efficiency, _AN_EFFICIENCY)
        if len(self.wrong) > before:
            return None
        return Power(**{key: float(draw) for key, draw in draws.items()}, efficiency=float(efficiency))

    def value(
        self, place: Place, table: Mapping[str, Any], key: str, fits: Callable[[Any], bool], expected: str
    ) -> Any:  # noqa: ANN401  (what the file says)
        """Return a table's value, and note it if it is missing or does not fit."""
        if key not in table:
            self.note((*place, key), f"is missing, expected {expected}")
        elif not fits(table[key]):
            self.note((*place, key), f"{_got(table[key])}, expected {expected}")
        return table.get(key)

    def refuse_unknown(self, place: Place, table: Mapping[str, Any], known: Iterable[str]) -> None:
        """Note every key of a table that is not among those known."""
        for key in [key for key in table if key not in known]:
            near = difflib.get_close_matches(key.lower(), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            self.note((*place, key), f"unknown key {key!r} ({_got(table[key])}), {hint}", named=True)

    def refuse_twins(self, tables: Iterable[object]) -> None:
        """Note every site that has the name of one before it."""
        first: dict[str, int] = {}
        for k, table in enumerate(tables):
            name = table.get("name") if isinstance(table, dict) else None
            if isinstance(name, str) and first.setdefault(name, k) != k:
                line = line_of(("site", first[name], "name"), self.lines)
                where = f" (line {line})" if line else ""
                self.note(
                    ("site", k, "name"),
                    f"{_got(name)}, as site {first[name] + 1}{where} is named, expected another name",
                )

    def note(self, place: Place, problem: str, *, named: bool = False) -> None:
        """Keep what is wrong at a place, with its line; one that is `named` says the last key itself."""
        line = line_of(place, self.lines)
        shown = place[:-1] if named else place
        where = [f"line {line}"] if line else []
        if len(shown) > 1 and shown[0] == "site":
            where.append(f"site {int(shown[1]) + 1}")
            shown = shown[2:]
        if shown:
            where.append(".".join(map(str, shown)))
        sentence = f"{', '.join(where)}: {problem}" if where else problem
        self.wrong.append((line if line is not None else len(self.lines) + MOST_PROCESSORS, sentence))


def _got(value: object) -> str:
    return f"got {value!r:.60}"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_PROCESSORS


def _is_number(value: object) -> bool:
    # A whole number may be too large for a float, which math.isfinite does not take.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _is_draw(value: Any) -> bool:  # noqa: ANN401  (what the file says)
    return _is_number(value) and value >= 0


def _is_efficiency(value: Any) -> bool:  # noqa: ANN401  (as above)
    return _is_number(value) and value > 0
