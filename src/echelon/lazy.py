"""Names that are imported when they are first used: of a package, of a list of rules, of another library.

A command needs a few of the hundreds of modules here. So a package declares where its public names live
(`lazily`), a list of rules where each rule does (`Rules`), and neither imports a module before it is asked
for what is in it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Generic, TypeVar, overload

Rule = TypeVar("Rule", covariant=True)
"""What a list is of: classes, or things of one."""


def lazily(package: str, modules: Mapping[str, str], aliases: Mapping[str, str] | None = None) -> None:
    """Let a package import each of its public names when it is first used.

    Parameters
    ----------
    package : str
        ``__name__`` of the package, whose ``__all__`` these names become. Type checkers read them in the
        stub beside its ``__init__``, which ``make docs`` writes.
    modules : mapping of str to str
        The names that are in each module, with blanks between them. A module is named from the package on
        (``"order.rule"``); under ``""`` are modules that are public names themselves; a module without names
        can be reached, but is not listed.
    aliases : mapping of str to str, default empty
        Earlier public names, and the present name of each. They work, but are not listed.

    Notes
    -----
    Where a module and a public name in it are called the same (``policies.order``), the package's attribute
    is always the public name, whatever was imported before.
    """
    module = sys.modules[package]
    homes = {name: home for home, names in modules.items() for name in names.split()}
    module.__dict__["_home_of"] = homes
    module.__dict__["__all__"] = sorted([*homes, *module.__dict__.keys() & {"__version__"}])
    module.__dict__["_modules"] = tuple(modules)
    module.__dict__["_aliases"] = dict(aliases or {})
    module.__class__ = _Package


def homes_of(package: str) -> Mapping[str, str]:
    """Return the module of each public name of a package that declares them, named from the package on."""
    homes: Mapping[str, str] = import_module(package).__dict__["_home_of"]
    return homes


class _Package(ModuleType):
    """A package whose public names are imported when they are first used."""

    _home_of: Mapping[str, str]
    _modules: tuple[str, ...]
    _aliases: Mapping[str, str]

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever the module holds)
        home = self._home_of.get(name)
        if name in self._aliases:
            value = getattr(self, self._aliases[name])
        elif home:
            value = getattr(import_module(f"{self.__name__}.{home}"), name)
        elif home == "" or name in self._modules:
            value = import_module(f"{self.__name__}.{name}")
        else:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: object) -> None:
        # Importing a module binds it in its package, which must not hide a public name called the same.
        if not (isinstance(value, ModuleType) and name in self._home_of):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return list(self.__all__)


def postpone(module: str, attributes: Mapping[str, Any] | None = None) -> None:
    """Have a module of another library loaded when one of its names is first read, not when it is imported.

    For one that libraries import at once and most runs never use. It is as if this were not called where the
    module is loaded already, or is not there.

    Parameters
    ----------
    module : str
        Its name in full; it is bound in its package, which is imported.
    attributes : mapping of str to object, default empty
        Names of it that are read without loading it, and their values.
    """
    if module in sys.modules or (spec := find_spec(module)) is None:
        return
    # Not Python's own lazy loader: before Python 3.12 importing what it made a second time loads it.
    sys.modules[module] = stand_in = _Postponed(module)
    stand_in.__spec__ = spec
    stand_in.__dict__.update(attributes or {})
    package, _, name = module.rpartition(".")
    if package:
        setattr(sys.modules[package], name, stand_in)


class _Postponed(ModuleType):
    """Stands for a module that is loaded, and takes its own place, when one of its names is read."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever the module holds)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


class Rules(Sequence[Rule], Generic[Rule]):
    """A list of rules in the order in which tables show them; each is imported when it is asked for.

    Parameters
    ----------
    package : str
        ``__package__`` of the module that declares the list.
    places : mapping of str to str
        Where the rule of each name is: ``"easy": "easy.Easy"``, the module from the package on, and the name
        in it.
    aliases : mapping of str to str, default empty
        Other words for a rule, and its name.
    """

    def __init__(
        self, package: str, places: Mapping[str, str], aliases: Mapping[str, str] | None = None
    ) -> None:
        self._package = package
        self._places = dict(places)
        self.words: Mapping[str, str] = {name: name for name in places} | dict(aliases or {})
        """The name that each name and alias stands for."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all rules, without their aliases; nothing is imported."""
        return tuple(self._places)

    def named(self, name: str) -> Rule:
        """Return the rule of that name, and of no alias; a KeyError if there is none."""
        module, attribute = self._home(name)
        rule: Rule = getattr(import_module(module), attribute)
        return rule

    def name_of(self, rule: object) -> str | None:
        """Return the name of a rule that is at hand, None if it is not in the list; nothing is imported."""
        if rule is None:
            return None
        return next((name for name in self._places if self._imported(name) is rule), None)

    def _imported(self, name: str) -> Rule | None:
        """Return the rule of that name if it is at hand; not while another thread imports its module."""
        module, attribute = self._home(name)
        rule: Rule | None = getattr(sys.modules.get(module), attribute, None)
        return rule

    def _home(self, name: str) -> tuple[str, str]:
        """Return the module of a rule, in full, and what the rule is called there."""
        module, _, attribute = self._places[name].rpartition(".")
        return f"{self._package}.{module}", attribute

    @property
    def loaded(self) -> tuple[Rule, ...]:
        """The rules whose modules are imported; a thing that is at hand is one of them, or none at all."""
        return tuple(rule for name in self._places if (rule := self._imported(name)) is not None)

    def __contains__(self, thing: object) -> bool:
        return any(rule is thing for rule in self.loaded)

    @overload
    def __getitem__(self, index: int) -> Rule: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Rule]: ...

    def __getitem__(self, index: int | slice) -> Rule | Sequence[Rule]:
        if isinstance(index, slice):
            return tuple(self)[index]
        return self.named(self.names[index])

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return f"<rules {', '.join(self._places)}>"


class Ready(Rules[Rule]):
    """A list of rules that are at hand, each by its name.

    Parameters
    ----------
    rules : mapping of str to rule
        In the order in which tables show them.
    aliases : mapping of str to str, default empty
        Other words for a rule, and its name.
    """

    def __init__(self, rules: Mapping[str, Any], aliases: Mapping[str, str] | None = None) -> None:
        super().__init__("", dict.fromkeys(rules, ""), aliases)
        self._rules = dict(rules)

    def named(self, name: str) -> Rule:
        """Return the rule of that name, and of no alias; a KeyError if there is none."""
        rule: Rule = self._rules[name]
        return rule

    def name_of(self, rule: object) -> str | None:
        """Return the name of a rule, None if it is not in the list."""
        return next((name for name, entry in self._rules.items() if entry is rule), None)

    @property
    def loaded(self) -> tuple[Rule, ...]:
        """All of them."""
        return tuple(self._rules.values())


def by_word(*lists: Rules[Rule]) -> Mapping[str, Rule]:
    """Return the rules of the lists by name and by alias; only what is asked for is imported."""
    return _ByWord(lists)


class _ByWord(Mapping[str, Rule]):
    """The rules of some lists by name and by alias."""

    def __init__(self, lists: Sequence[Rules[Rule]]) -> None:
        self._places = {word: (rules, name) for rules in lists for word, name in rules.words.items()}

    def __getitem__(self, word: str) -> Rule:
        rules, name = self._places[word]
        return rules.named(name)

    def __contains__(self, word: object) -> bool:
        return word in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
