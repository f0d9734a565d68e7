"""Options generated from declarations: the settings of runs, changes to jobs, the recipe of a grid."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperOption

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from echelon.experiments.settings.setting import Setting

    Function = TypeVar("Function", bound=Callable[..., Any])

COMMON = "Common options"
"""The heading of the options that most users need; it comes first."""

_BAR = "|"
"""What parts several values of a setting within which commas have a meaning of their own."""

_PARAMETER = re.compile(r"[\w-]+\s*=")
_KINDS = {int: "int", float: "float"}


def settings_of_runs() -> Iterable[Setting]:
    """Return the settings of a run that commands accept."""
    from echelon.experiments.settings.table import SETTINGS

    return (setting for setting in SETTINGS if setting.on_command_line)


def with_setting_options(
    of: Callable[[], Iterable[Setting]] = settings_of_runs, *, several: bool = False
) -> Callable[[Function], Function]:
    """Return a decorator for a command that takes settings by ``**settings`` in addition to its own options.

    Parameters
    ----------
    of : callable () -> iterable of Setting, default those of a run
        The settings; called when the options are requested.
    several : bool, default False
        Whether each option takes several values, as in a comparison.
    """

    def decorate(function: Function) -> Function:
        own = [
            one for one in inspect.signature(function).parameters.values() if one.kind is not one.VAR_KEYWORD
        ]
        function.__signature__ = inspect.Signature(own)  # type: ignore[attr-defined]
        function.setting_options = lambda: [  # type: ignore[attr-defined]
            SettingOption(setting, several=several) for setting in of()
        ]
        return function

    return decorate


class SettingOption(TyperOption):
    """The option of a setting.

    Parameters
    ----------
    setting : Setting
        The setting that the option sets.
    several : bool
        Whether commas separate several values, or both flags of a pair may be given.
    """

    def __init__(self, setting: Setting, *, several: bool) -> None:
        self.setting = setting
        self.several = several and setting.varies
        named = f"--{setting.plural}" if self.several and setting.plural else setting.spelled
        text = (self.several and setting.listed) or setting.help
        super().__init__(
            param_decls=[setting.name, f"{named}/{setting.negative}" if setting.negative else named],
            metavar=_metavar(setting, several=self.several) or None,
            help=text,
            is_flag=setting.types == (bool,) or None,
            multiple=list in setting.types and not setting.varies,
            callback=lambda _ctx, _option, value: self._read(value),
            autocompletion=lambda _ctx, _args, incomplete: self._complete(incomplete),
            rich_help_panel=COMMON if setting.common else setting.group,
        )
        earlier = [f"--{name.replace('_', '-')}" for name in setting.earlier]
        earlier += [setting.earlier_option] if setting.earlier_option else []
        self._hidden = earlier if named == setting.spelled else [setting.spelled, *earlier]
        if self.several and self.is_flag:
            self.multiple = True

    def add_to_parser(self, parser: Any, ctx: Any) -> None:  # noqa: ANN401  (typer's, have no public names)
        """Add the option to a parser, also under its spelling for one value and its earlier names."""
        shown = self.opts
        self.opts = [*shown, *self._hidden]
        super().add_to_parser(parser, ctx)
        self.opts = shown

    def _read(self, value: Any) -> Any:  # noqa: ANN401  (texts or truths to what the setting takes)
        """Return the given value in the type of the setting, or None."""
        if value is None or value == ():
            return None
        if self.is_flag:
            return self._flags(value) if self.several else value
        if self.multiple:
            return list(value)
        if not self.several:
            return self._read_list(value) if list in self.setting.types else self._read_one(value)
        return self._read_several(value)

    def _flags(self, flags: tuple[bool, ...]) -> Any:  # noqa: ANN401  (one truth, or both)
        if len(set(flags)) < len(flags):
            hint = f"'{'/'.join((*self.opts, *self.secondary_opts))}'"
            raise typer.BadParameter("is given more than once; give it once", param_hint=hint)
        return flags[0] if len(flags) == 1 else list(flags)

    def _read_several(self, text: str) -> Any:  # noqa: ANN401  (one value or a list of them)
        setting = self.setting
        if list in setting.types:
            lists = [self._read_list(part) for part in text.split(";")]
            return lists[0] if len(lists) == 1 else lists
        if not setting.is_separable:
            wholes = [part.strip() for part in text.split(_BAR)]
            if len(wholes) > 1 and not all(wholes):
                raise typer.BadParameter(f"needs a value on both sides of {_BAR}, got {text!r}", param=self)
            return wholes if len(wholes) > 1 else self._read_one(text)
        from echelon.policies import split_policies

        parts = split_policies(text, field=self._field)
        values = [*map(self._read_one, _join_parameters(parts) if setting.is_continued else parts)]
        return values if len(values) > 1 or setting.rank > 0 else values[0]

    def _read_list(self, text: str) -> list[Any]:
        from echelon.policies import split_policies

        parts = split_policies(text, field=self._field)
        return [self._number(part, float) for part in parts] if float in self.setting.types else parts

    @property
    def _field(self) -> str:
        """The name of the option in messages about commas."""
        return self.opts[0].removeprefix("--")

    def _read_one(self, text: str) -> Any:  # noqa: ANN401  (a text or a number)
        kind = self.setting.types[0] if len(self.setting.types) == 1 else str
        if self.setting.located.endswith(":path") and not text.strip():
            raise typer.BadParameter("needs the name of a folder, got an empty one", param=self)
        return self._number(text, kind) if kind in _KINDS else text

    def _number(self, text: str, kind: type) -> Any:  # noqa: ANN401  (an int or a float)
        try:
            return kind(text)
        except ValueError:
            raise typer.BadParameter(f"{text!r} is not a valid {_KINDS[kind]}.", param=self) from None

    def _complete(self, incomplete: str) -> list[str]:
        """Return the completions of an incomplete word, whose last name may be in any case."""
        from echelon.experiments.settings.values.completion import offers_of, only

        names = only(self.setting) or offers_of(self.setting)
        end = max(incomplete.rfind(","), incomplete.rfind(":")) + 1
        begun, last = incomplete[:end], incomplete[end:]
        if begun.endswith(".py:"):  # what a file has is not known before it is run
            return []
        return [f"{begun}{last}{name[len(last) :]}" for name in names if name.startswith(last.lower())]


def _join_parameters(parts: list[str]) -> list[str]:
    """Return values of which the parameters after a comma, ``name=value``, belong to the value before."""
    values: list[str] = []
    for part in parts:
        if values and _PARAMETER.match(part):
            values[-1] += f",{part}"
        else:
            values.append(part)
    return values


def _metavar(setting: Setting, *, several: bool) -> str:
    if not (several and setting.metavar) or "," in setting.metavar:
        return setting.metavar
    return f"{setting.metavar},..." if setting.is_separable else f"{setting.metavar}{_BAR}..."


_OTHERS = "Options"
"""Of a command that is not about runs: those that no declaration is behind."""


def write_groups(params: Iterable[Any], ctx: Any, formatter: Any) -> None:  # noqa: ANN401  (typer's)
    """Write arguments and options by group."""
    from echelon.experiments.settings.setting import GROUPS, RESULTS

    listed = list(params)
    titles = [title for one in listed if (title := getattr(one, "rich_help_panel", None))]
    is_of_run = RESULTS in titles
    groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], COMMON: []}
    groups |= {group: [] for group in (GROUPS if is_of_run else dict.fromkeys((*titles, _OTHERS)))}
    for param in listed:
        record = param.get_help_record(ctx)
        if record is not None:
            is_argument = param.param_type_name == "argument"
            rest = RESULTS if is_of_run else _OTHERS
            title = "Arguments" if is_argument else getattr(param, "rich_help_panel", None) or rest
            groups[title].append(record)
    for title, records in groups.items():
        if records:
            with formatter.section(title):
                formatter.write_dl(records)
