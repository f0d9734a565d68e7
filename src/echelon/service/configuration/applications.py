"""Applications: programs that users may run by name, with parameters that the configuration allows.

::

    [[application]]
    name = "solver"
    command = ["/opt/solver", "--cells", "{cells}", "--input={input}"]
    parameters = { cells = "int 1..1000000", input = "path under /data/inputs" }
    processors = "1..64"
    time_limit = "2 h"
    clusters = ["alpha"]
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.platforms.files.units import TIME, in_base_unit
from echelon.service.configuration.parameters import Parameter, parameter_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_PROCESSORS = 2**31 - 1

_KEYS = ("name", "command", "parameters", "processors", "time_limit", "clusters", "description")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_PLACE = re.compile(r"\{([a-z][a-z0-9_-]*)\}")
"""Where a value goes in an argument; all other braces are as they are."""


@dataclass(frozen=True, slots=True)
class Application:
    """A program that users may run by name.

    Attributes
    ----------
    name : str
        Of ``[a-z0-9-]``, at most 32 characters.
    command : tuple of str
        Program and arguments, in which ``{PARAMETER}`` stands for a value.
    parameters : tuple of Parameter
        In the order of the configuration.
    least, most : int
        Processors that a job of it may have; the least is the default.
    time_limit : float, optional
        Its jobs' time limit in seconds where users give none.
    clusters : tuple of str
        The only clusters that may run it; empty: all.
    description : str
        For people.
    """

    name: str
    command: tuple[str, ...]
    parameters: tuple[Parameter, ...] = ()
    least: int = 1
    most: int = MOST_PROCESSORS
    time_limit: float | None = None
    clusters: tuple[str, ...] = ()
    description: str = ""

    def values(self, arguments: Mapping[str, object]) -> dict[str, str]:
        """Return the value of each parameter, given or by default.

        Raises
        ------
        UnknownNameError
            If it has no parameter of a given name.
        InputError
            If a value is not allowed, or one is missing.
        """
        names = {parameter.name for parameter in self.parameters}
        for name in arguments:
            if name not in names:
                raise UnknownNameError(f"parameter of {self.name}", name[:60], names, where="parameters")
        values = {}
        for one in self.parameters:
            value = arguments.get(one.name, one.default)
            if value is None:
                problem = f"is missing; {self.name} needs {one.expected}"
                raise InputError(problem, field=f"parameters.{one.name}")
            values[one.name] = one.value(value)
        return values

    def command_of(self, arguments: Mapping[str, object]) -> tuple[str, ...]:
        """Return program and arguments with the values in their places.

        A value stays within its argument, whatever is in it: nothing splits it and no shell reads it.

        Raises
        ------
        InputError, UnknownNameError
            See `values`.
        """
        values = self.values(arguments)
        # Once: braces in a value are not places.
        return tuple(_PLACE.sub(lambda place: values[place[1]], argument) for argument in self.command)


def application_named(name: str, applications: Sequence[Application]) -> Application:
    """Return the application of that name.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    for application in applications:
        if application.name == name:
            return application
    names = [application.name for application in applications]
    raise UnknownNameError("application", name[:60], names, where="application")


def application_from(content: Mapping[str, object]) -> Application:
    """Return the application of a table ``[[application]]``.

    Raises
    ------
    InputError
        If a key is unknown or missing, a value is not what it must be, the command names a parameter that
        there is not, or a parameter has no place in it.
    """
    for key in content:
        if key not in _KEYS:
            raise UnknownNameError("key of an application", str(key)[:60], _KEYS)
    name = content.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        problem = f"must be of small letters, digits and hyphens, at most 32, got {name!r:.60}"
        raise InputError(problem, field="name")
    command = _texts(content.get("command"), "command")
    parameters = tuple(_parameters(content.get("parameters", {})))
    _check_places(command, parameters)
    least, most = _processors(content.get("processors", 1), is_given="processors" in content)
    return Application(
        name=name,
        command=command,
        parameters=parameters,
        least=least,
        most=most,
        time_limit=_time_limit(content.get("time_limit")),
        clusters=_texts(content["clusters"], "clusters") if "clusters" in content else (),
        description=str(content.get("description", "")),
    )


def _parameters(content: object) -> list[Parameter]:
    if not isinstance(content, Mapping):
        raise InputError(f"must be a table of names and kinds, got {content!r:.60}", field="parameters")
    return [
        parameter_of(
            str(name), *((declaration,) if isinstance(declaration, str) else _with_default(name, declaration))
        )
        for name, declaration in content.items()
    ]


def _with_default(name: str, declaration: object) -> tuple[str, object]:
    if isinstance(declaration, Mapping) and set(declaration) <= {"kind", "default"}:
        kind = declaration.get("kind")
        if isinstance(kind, str):
            return kind, declaration.get("default")
    problem = f'must be a string such as "int 1..10" or a table of kind and default, got {declaration!r:.60}'
    raise InputError(problem, field=f"parameters.{name}")


def _check_places(command: Sequence[str], parameters: Sequence[Parameter]) -> None:
    """Refuse a command whose places and parameters differ."""
    names = {parameter.name for parameter in parameters}
    places = {place for argument in command for place in _PLACE.findall(argument)}
    for place in sorted(places - names):
        raise UnknownNameError("parameter", place, names, where="command")
    for name in sorted(names - places):
        raise InputError(f"has no place {{{name}}} in the command", field=f"parameters.{name}")
    if _PLACE.search(command[0]):
        raise InputError("must name its program, without parameters in it", field="command")


def _processors(setting: object, *, is_given: bool) -> tuple[int, int]:
    """Return least and most: ``8`` is exactly 8."""
    if not is_given:
        return 1, MOST_PROCESSORS
    bounds = str(setting).split("..") if isinstance(setting, str) else [str(setting)]
    if all(re.fullmatch(r"\s*[0-9]{1,10}\s*", bound) for bound in bounds) and len(bounds) <= 2:
        least, most = int(bounds[0]), int(bounds[-1])
        if 1 <= least <= most <= MOST_PROCESSORS and not isinstance(setting, bool):
            return least, most
    raise InputError(
        f'must be a whole number or a range such as "1..64", got {setting!r:.60}', field="processors"
    )


def _time_limit(setting: object) -> float | None:
    if setting is None:
        return None
    seconds = in_base_unit(setting, TIME)
    if seconds is None or not 0 < seconds < float("inf"):
        raise InputError(
            f'must be a number > 0 of s or a text such as "2 h", got {setting!r:.60}', field="time_limit"
        )
    return seconds


def _texts(setting: object, field: str) -> tuple[str, ...]:
    texts = tuple(setting) if isinstance(setting, list | tuple) else ()
    if not texts or not all(isinstance(one, str) and "\0" not in one for one in texts) or not texts[0]:
        raise InputError(f"must be a list of strings that is not empty, got {setting!r:.60}", field=field)
    return texts
