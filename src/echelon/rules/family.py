"""Family: the rules of one kind by name: built in, in a user's file, or of another installed package."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from echelon.errors import InputError, UnknownNameError
from echelon.rules.parameter import (
    bearer,
    canonical_spec,
    find_keyless,
    make_rule,
    named_types,
    own_spec,
    parameters,
    settings_of,
)
from echelon.rules.spec import WORD, Spec, format_spec, normalize, with_article
from echelon.user_file import is_file, is_in_file, open_user_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.lazy import Rules
    from echelon.rules.parameter import Named

R = TypeVar("R")

_DECLARED: set[str] = set()


def names_own_rule(text: str) -> bool:
    """Return whether a spec names a rule of a file, or one that was loaded from another package."""
    return is_in_file(text) or not _DECLARED.isdisjoint(map(normalize, WORD.findall(text)))


class Family(Generic[R]):
    """The rules of one kind.

    Parameters
    ----------
    kind : str
        The name of a rule in messages: ``"estimator"``.
    lists : sequence of Rules
        The built-in rules, in the sequence of the tables; imported when they are used.
    example : str
        An example of a spec, for messages.
    is_rule : callable (object) -> bool
        Whether an object in a user's file or another package looks like such a rule (a class or a ready
        rule).
    is_ready : callable (object) -> bool
        Whether a ready rule belongs to the family.
    must : str
        The requirement on a user's own rule, for messages: ``"have a name and memory()"``.
    groups : sequence of str, default empty
        Groups of entry points in which other packages declare rules: ``"echelon.estimators"``.
    own : callable (rule, spec) -> rule, optional
        Checks or wraps a rule that is not built in. The spec is None for a rule given as an object.
    nothing : mapping of str to callable () -> rule, default empty
        Names for the absence of a rule: ``none``. The docstring of the callable describes it.

    Notes
    -----
    A spec is ``name``, ``name:key=value`` or ``name(key=value)``; the name is that of a built-in rule or an
    alias, in any case and with underscores or hyphens, ``FILE.py:NAME``, or the name of a rule of another
    package. A rule with a `bare_word` takes one parameter without its key: ``stealing:50``.
    """

    def __init__(
        self,
        kind: str,
        lists: Sequence[Rules[Any]],
        *,
        example: str,
        is_rule: Callable[[Any], bool],
        is_ready: Callable[[Any], bool] | None = None,
        must: str = "",
        groups: Sequence[str] = (),
        own: Callable[[Any, Spec | None], R] | None = None,
        nothing: Mapping[str, Callable[[], R]] | None = None,
    ) -> None:
        self.kind, self.example, self.groups, self.lists = kind, example, tuple(groups), tuple(lists)
        self._looks, self.must, self._own = is_rule, must, own
        self._is_ready = is_ready or is_rule
        self.nothing = dict(nothing or {})
        self._home = {
            normalize(alias): (rules, name) for rules in lists for alias, name in rules.words.items()
        }

    @property
    def names(self) -> list[str]:
        """Names of all built-in rules without aliases, in the sequence of the tables; nothing is imported."""
        return [name for rules in self.lists for name in rules.names] + list(self.nothing)

    @property
    def names_and_aliases(self) -> list[str]:
        """Every name and alias of the built-in rules; nothing is imported."""
        return [name for rules in self.lists for name in rules.words] + list(self.nothing)

    @property
    def spellings(self) -> list[str]:
        """Every name and alias, of the built-in rules and of those that other packages declare."""
        from echelon.rules.entry_points import names

        return [*self.names_and_aliases, *names(self.groups)]

    @property
    def others(self) -> list[tuple[str, Any]]:
        """Names and rules that other packages declare; a broken rule carries its error."""
        from echelon.rules.entry_points import load_all

        return list(load_all(self.groups, self.kind))

    def aliases(self, name: str) -> list[str]:
        """Return the aliases of a built-in rule."""
        return [alias for rules in self.lists for alias, of in rules.words.items() if of == name != alias]

    def restrict(self, lists: Sequence[Rules[Any]], groups: Sequence[str], example: str) -> Family[R]:
        """Return the family as a list of these of its lists and groups of entry points, with an example."""
        part = copy(self)
        part.lists, part.groups, part.example, part.nothing = tuple(lists), tuple(groups), example, {}
        return part

    @staticmethod
    def named_types() -> Sequence[Named]:
        """Return the types of parameters whose values have names, which are those of every family."""
        return named_types()

    def has(self, name: str) -> bool:
        """Return whether a built-in rule has this name or alias; nothing is imported."""
        return normalize(name) in self._home or normalize(name) in self.nothing

    def built_in(self, name: str) -> Any:  # noqa: ANN401  (a class, or a rule that is ready)
        """Return the listed built-in rule of this name or alias, or raise a KeyError."""
        rules, name = self._home[normalize(name)]
        return rules.named(name)

    def is_built_in(self, rule: object) -> bool:
        """Return whether a rule, or its class, is built in; nothing is imported."""
        return any(rule in rules or type(rule) in rules for rules in self.lists)

    def parse(self, text: str) -> R:
        """Return the rule of the spec `text`.

        Raises
        ------
        UnknownNameError
            If a name or a parameter is unknown.
        InputError
            If a parameter is wrong, a user's file or another package cannot be loaded, or the object there is
            not a rule of this family.
        """
        spec = self.spec(text)
        name, rest = self.head(spec)
        return self.assemble(name, self.find(name), rest, dict(spec.settings), spec)

    def of(self, rule: object) -> R:
        """Return `rule`, a rule or its spec, as a rule; None means ``none`` if the family has it.

        Raises
        ------
        InputError
            If it is neither.
        """
        if isinstance(rule, str):
            return self.parse(rule)
        if rule is None and "none" in self.nothing:
            return self.nothing["none"]()
        if isinstance(rule, type) or not self._is_ready(rule):
            raise InputError(
                f"must be a spec or {with_article(self.kind)}, got {rule!r:.80}", field=self.kind
            )
        if self._own is None or self.is_built_in(rule):
            return cast("R", rule)
        return self._own(rule, None)

    def format(self, rule: Any) -> str:  # noqa: ANN401  (R, or what it wraps)
        """Return the canonical spec of a rule, without parameters at their defaults."""
        if rule is None and "none" in self.nothing:
            return "none"
        spec = own_spec(rule)
        return spec if isinstance(spec, str) else canonical_spec(rule)

    def spec(self, text: str) -> Spec:
        """Return the parsed spec, with any names."""
        return Spec.parse(text, kind=self.kind, example=self.example)

    def head(self, spec: Spec) -> tuple[str, tuple[str, ...]]:
        """Return the first name of a spec (``FILE.py:NAME`` counts as one), and the names after it."""
        names = spec.names
        if not names:
            raise InputError(f"must begin with a name: {self.example}", field=f"{self.kind} {spec.text!r}")
        if self.has(names[0]) or is_in_file(names[0]):
            return names[0], names[1:]
        ends = [place for place, name in enumerate(names[:-1]) if name.endswith(".py")]
        if ends and (is_file(":".join(names[: ends[0] + 1])) or not self.declares(names[0])):
            return ":".join(names[: ends[0] + 2]), names[ends[0] + 2 :]
        return names[0], names[1:]

    def find(self, name: str) -> Any:  # noqa: ANN401  (a class, or a rule that is ready)
        """Return the object of a name that is listed, in a file or declared: a class, or a ready rule.

        Raises
        ------
        UnknownNameError, InputError
            As in `parse`.
        """
        if normalize(name) in self.nothing:
            return None
        if self.has(name):
            return self.built_in(name)
        if is_in_file(name):
            return self._in_file(name)
        # Imported here, so that runs of built-in rules do not scan the installed packages.
        from echelon.rules.entry_points import load

        if (rule := load(self.groups, name, self.kind)) is None:
            raise self.refusal(name)
        _DECLARED.add(normalize(name))
        if not self._looks(rule):
            where = f"{self.kind} {name}"
            raise InputError(f"must {self.must}; got {_type_name(rule)}", field=where)
        return rule

    def refusal(self, name: str) -> UnknownNameError:
        """Return the refusal of an unknown name: it lists the names of the rules without aliases."""
        from echelon.rules.entry_points import names

        return unknown_name(self.kind, name, [*self.names, *names(self.groups)], self.spellings)

    def entry(self, name: str) -> Any:  # noqa: ANN401  (whatever has a docstring or a summary)
        """Return what describes a built-in rule, or the absence of one, in a list of the family."""
        return self.nothing[normalize(name)] if (rule := self.find(name)) is None else rule

    def assemble(
        self,
        name: str,
        rule_object: Any,  # noqa: ANN401  (a class, or a rule that is ready)
        rest: Sequence[str],
        settings: Mapping[str, str],
        spec: Spec,
    ) -> R:
        """Return the rule made from the object found and the parameters after its name.

        Raises
        ------
        UnknownNameError, InputError
            As in `parse`.
        """
        field = f"{self.kind} {name}"
        if normalize(name) in self.nothing:
            if rest or settings:
                raise InputError(f"takes no parameters, got {', '.join([*rest, *settings])}", field=field)
            return self.nothing[normalize(name)]()
        rule = self.make(name, rule_object, self.add_keyless(name, rule_object, rest, settings))
        return cast("R", rule) if self.has(name) or self._own is None else self._own(rule, spec)

    def make(self, name: str, rule_object: Any, settings: Mapping[str, str]) -> Any:  # noqa: ANN401
        """Return the rule found under a name with these settings; a user's own rule is checked.

        Raises
        ------
        UnknownNameError, InputError
            As in `parse`.
        """
        field = f"{self.kind} {name}"
        if settings and _is_made(rule_object) and not self.has(name):
            raise InputError(f"takes no parameters, got {', '.join(settings)}", field=field)
        rule = make_rule(
            rule_object, name.rpartition(":")[2], settings, named_types() if settings else (), field=field
        )
        if not (self.has(name) or self._is_ready(rule)):
            self._refuse(rule, name)
        return rule

    def add_keyless(
        self, name: str, rule_object: object, rest: Sequence[str], settings: Mapping[str, str]
    ) -> Mapping[str, str]:
        """Return the settings, including the one without a key if the rule takes such a setting.

        Raises
        ------
        InputError
            If there are more values than the rule takes.
        """
        field = f"{self.kind} {name}"
        bare = getattr(rule_object, "bare_word", "")
        if rest and not (bare or self.has(name) or _is_made(rule_object)):
            bare, read = find_keyless(rule_object, named_types())
            if read is not None and bare not in settings:
                return _with_rule(rule_object, bare, read, rest, settings)
        if len(rest) > bool(bare):
            takes = f"takes one value without a key, its {bare}" if bare else "takes key=value only"
            raise InputError(f"{takes}, got {', '.join(rest)}", field=field)
        if rest and bare in settings:
            raise InputError(f"{bare} is set twice", field=field)
        # The name of a yes-or-no parameter alone means yes: stable:predicted.
        return {**settings, bare: "yes" if rest[0] == bare else rest[0]} if rest else settings

    def in_file(self, text: str) -> bool:
        """Return whether ``FILE.py:NAME:key=value`` names a rule of this family; this runs the file."""
        spec = self.spec(text)
        if not spec.names or self.has(spec.names[0]):
            return False
        name, _ = self.head(spec)
        if not is_in_file(name):
            return False
        _, own, things = open_user_file(name, kind="rule")
        return self.recognizes(self._thing(things, own))

    def means(self, text: str) -> bool:
        """Return whether a spec begins with the name of one of these: built in, in a file, or declared."""
        spec = self.spec(text)
        name = self.head(spec)[0] if spec.names else ""
        is_there = is_in_file(name) and is_file(name.rpartition(":")[0])
        return self.has(name) or (is_there and self.in_file(text)) or self.declares(name)

    def recognizes(self, thing: object) -> bool:
        """Return whether an object looks like a rule of this family; an import of a file does not.

        Such are base classes, and modules with a function of the same name as a rule's.
        """
        is_base = isinstance(thing, type) and thing.__module__.startswith("echelon.")
        imported = is_base or isinstance(thing, ModuleType)
        return thing is not None and not imported and self._looks(thing)

    def declares(self, name: str) -> bool:
        """Return whether another package declares a rule of this name; it is not imported."""
        from echelon.rules.entry_points import names

        return normalize(name) in map(normalize, names(self.groups))

    def _thing(self, things: Mapping[str, object], own: str) -> object:
        """Return the object `own` of a file, by its Python name or its rule name."""
        if own in things:
            return things[own]
        ready = (thing for thing in things.values() if not isinstance(thing, type) and self._looks(thing))
        return next((thing for thing in ready if getattr(thing, "name", None) == own), None)

    def rule_names_in(self, things: Mapping[str, object]) -> set[str]:
        """Return the names of the rules of this family among the things of a file."""
        mine = {key: thing for key, thing in things.items() if self.recognizes(thing)}
        # A rule made by a decorator can also be found under its given name.
        by_decorator = ((key, thing) for key, thing in mine.items() if bearer(thing) is not thing)
        return {*mine, *(str(getattr(thing, "name", key)) for key, thing in by_decorator)}

    def _in_file(self, name: str) -> object:
        file, own, things = open_user_file(name, kind=self.kind)
        rule = self._thing(things, own)
        if rule is None and own not in things:
            raise UnknownNameError(f"{self.kind} in {file}", own, self.rule_names_in(things))
        if not (isinstance(rule, type) or callable(rule) or self._is_ready(rule) or self._looks(rule)):
            self._refuse(rule, name)
        return rule

    def _refuse(self, rule: object, name: str) -> None:
        file, _, own = name.rpartition(":")
        raise InputError(
            f"must {self.must}; got {_type_name(rule)}",
            file=file or None,
            field=own or f"{self.kind} {name}",
        )

    def __repr__(self) -> str:
        return f"<{self.kind} rules {', '.join(self.names)}>"


def unknown_name(kind: str, name: str, names: Sequence[str], spellings: Sequence[str]) -> UnknownNameError:
    """Return the refusal of a name: it suggests the nearest of `spellings`, or else lists `names`."""
    is_near = get_close_matches(name.lower(), [spelling.lower() for spelling in spellings], n=1)
    return UnknownNameError(kind, name, spellings if is_near else names)


def name_as_declared(rule: R, spec: Spec | None) -> R:
    """Return the rule of a spec; if a package declares it, under the name that the spec begins with.

    Parameters
    ----------
    rule : rule
        Made from the spec. One without a place for another name stays as it is.
    spec : Spec or None
        None for a rule given as an object, which keeps its name; so does one of a file.
    """
    if spec is None or is_in_file(spec.text):
        return rule
    name, own = normalize(spec.names[0]), own_spec(rule)
    label = own if isinstance(own, str) else str(getattr(rule, "name", ""))
    if normalize(label.partition(":")[0].partition("(")[0]) == name:
        return rule
    if is_dataclass(rule) and any(field.name == "name" for field in fields(rule)):
        return cast("R", replace(rule, name=name))  # type: ignore[type-var]
    renamed = copy(rule)
    labels = {"name": name, **({"spec": format_spec(name, settings_of(rule))} if own is not None else {})}
    for word, label in labels.items():
        with suppress(AttributeError):  # of a property, which follows from the other
            object.__setattr__(renamed, word, label)
    return renamed


def _is_made(rule: object) -> bool:
    """Return whether an object of a file or a package is a ready rule, which takes no parameters."""
    return not isinstance(rule, type | FunctionType) and rule is bearer(rule)


def _with_rule(
    rule: object, word: str, read: Callable[[str], object], rest: Sequence[str], settings: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the settings of a rule that is followed by the value of its parameter `word`, such as an order.

    What the rule has no parameter for is the order's, if that takes any.
    """
    text, own = ":".join(rest), set(map(normalize, parameters(rule)))
    further = {key: value for key, value in settings.items() if normalize(key) not in own}
    if not (further and parameters(read(text))):
        return {**settings, word: text}
    text = ":".join([text, *(f"{key}={value}" for key, value in further.items())])
    return {**{key: value for key, value in settings.items() if key not in further}, word: text}


def _type_name(rule: object) -> str:
    return rule.__name__ if isinstance(rule, type) else type(rule).__name__
