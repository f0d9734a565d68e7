"""Functions whose keywords are the settings: their signature and docstring, and the check of keywords."""

from __future__ import annotations

import difflib
import inspect
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeVar

    from echelon.experiments.settings.setting import Setting, SettingsByName

    Function = TypeVar("Function", bound=Callable[..., Any])

_ENTRY = re.compile(r"^( *)\*\*settings : .*\n(?:\1    .*\n)+", re.MULTILINE)
_WIDTH = 105
_NAMES = {str: "str", int: "int", float: "float", bool: "bool"}


def with_settings(settings: Iterable[Setting], *, several: bool = False) -> Callable[[Function], Function]:
    """Return a decorator that gives a function of ``**settings`` its real signature and docstring.

    Parameters
    ----------
    settings : iterable of Setting
        The keywords that it takes.
    several : bool, default False
        Whether each may be a list of values, as in a comparison.
    """
    listed = tuple(settings)

    def decorate(function: Function) -> Function:
        plain = inspect.signature(function)
        first = [one for one in plain.parameters.values() if one.kind is not one.VAR_KEYWORD]
        cut = next((number for number, one in enumerate(first) if one.kind is one.KEYWORD_ONLY), len(first))
        keywords = [
            _parameter(name, one, several) for one in listed for name in _spellings(one, several=several)
        ]
        parameters = [*first[:cut], *keywords, *first[cut:]]
        function.__signature__ = plain.replace(parameters=parameters)  # type: ignore[attr-defined]
        function.__doc__ = _ENTRY.sub(
            lambda entry: "".join(_entry(one, entry[1], several=several) for one in listed),
            function.__doc__ or "",
        )
        return function

    return decorate


def check_keywords(
    function: str, keywords: Mapping[str, Any], settings: SettingsByName, others: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the settings that were asked for by their present names, without those that are None.

    Parameters
    ----------
    function : str
        The function, for messages.
    keywords : mapping of str to object
        Its keywords.
    settings : SettingsByName
        The settings that it takes.
    others : iterable of str, default empty
        Further keywords that it takes.

    Raises
    ------
    TypeError
        If one is unknown; the message names the nearest.
    InputError
        If a setting is given under two of its names.
    """
    names = (*settings, *others)
    for name in keywords:
        if name not in settings and name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(names)}"
            raise TypeError(f"{function}() has no setting {name!r}; {hint}")
    return settings.present({name: value for name, value in keywords.items() if value is not None})


def annotation(setting: Setting, *, several: bool = False) -> str:
    """Return the type of a setting, as editors show it."""
    plain = setting.python or " | ".join(_NAMES[one] for one in setting.types)
    if setting.by_site:
        plain = f"{plain} | Mapping[str, {plain}]"
    return f"{plain} | Sequence[{plain}]" if several and setting.varies else plain


def _parameter(name: str, setting: Setting, several: bool) -> inspect.Parameter:
    usual = None if several or setting.scope else setting.default
    kind = annotation(setting, several=several)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=usual, annotation=kind)


def _spellings(setting: Setting, *, several: bool) -> tuple[str, ...]:
    return (setting.plural, setting.name) if several and setting.plural else (setting.name,)


def _entry(setting: Setting, indent: str, *, several: bool) -> str:
    """Return a setting as an entry of a docstring in NumPy style."""
    choices = setting.expected.removeprefix("one of ").split(", ") if setting.choices else []
    kind = (
        "{" + ", ".join(f'"{choice}"' for choice in choices) + "}"
        if len(choices) > 1
        else annotation(setting)
    )
    usual = ", optional" if setting.default is None or setting.unit else f", default {setting.default!r}"
    text = setting.help if not several else setting.listed or setting.help
    bounds = f" {setting.expected[0].upper()}{setting.expected[1:]}." if setting.unit else ""
    unit = f" In {setting.unit}." if setting.unit else ""
    scope = f" For {setting.scope.noun}." if setting.scope else ""
    names = ", ".join(_spellings(setting, several=several))
    return f"{indent}{names} : {kind}{usual}\n{_wrap(f'{text}{bounds}{unit}{scope}', indent + '    ')}\n"


def _wrap(text: str, indent: str) -> str:
    lines = [indent]
    for word in text.split():
        if len(lines[-1]) + len(word) > _WIDTH:
            lines.append(indent)
        lines[-1] += f"{word} "
    return "\n".join(line.rstrip() for line in lines)
