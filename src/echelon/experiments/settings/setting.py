"""Setting: one parameter of a run, with everything that its users and readers need to know."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from echelon.errors import EchelonError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

PLAIN, NODES, SITES = "plain", "nodes", "sites"
MULTICLUSTER, TIME_SHARED = "multicluster", "time-shared"
"""Kinds of machines; `kind_of_machine` says which a machine is."""

ELSEWHERE = "elsewhere"
"""In the refusals of a scope: every other kind of machine."""

JOBS = "Jobs"
JOB_CHANGES = "Changes to the jobs, made in this order"
MACHINE = "Machine"
SCHEDULING = "Scheduling"
INSIDE = "Nodes and power"
SHARED = "Multiclusters"
DESKS = "Time-shared machines"
CHANGING = "Machines that change"
SIMULATION = "Simulation"
RESULTS = "Results"

GROUPS = (SCHEDULING, MACHINE, JOBS, JOB_CHANGES, INSIDE, SHARED, DESKS, CHANGING, SIMULATION, RESULTS)
"""What settings are for: the headings under which help and the reference list them, in this order."""


@dataclass(frozen=True, eq=False, repr=False)
class Scope:
    """What settings apply to.

    Parameters
    ----------
    noun : str
        What it is called in the reference.
    machines : frozenset of str
        The kinds of machines that have it.
    refusals : mapping of str to str
        By kind of machine, or `ELSEWHERE`: what follows the value in the message that refuses it there.
    """

    noun: str
    machines: frozenset[str]
    refusals: Mapping[str, str]

    def refusal(self, machines: frozenset[str]) -> str | None:
        """Return why a setting of this scope applies to no part of a machine; None if it does to one.

        Parameters
        ----------
        machines : frozenset of str
            The kinds of machine of which it has a part.
        """
        if machines & self.machines:
            return None
        reasons = (self.refusals[kind] for kind in sorted(machines) if kind in self.refusals)
        return next(reasons, self.refusals[ELSEWHERE])


# Made at every start of a command: methods that are never called would take longer than all declarations.
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Setting:
    """One setting of a run.

    Parameters
    ----------
    name : str
        The keyword in Python and the key in files; with dashes, the option.
    group : str
        The heading under which help and the reference list it.
    types : tuple of type
        What files and the command line give: any of ``str, int, float, bool, list``; empty: whatever.
    expected : str
        What it takes, for messages: ``"a number > 0"``.
    about : str
        What it is, with its default, for tables: ``"largest power that the machine may draw, in W, default no
        limit"``.
    help : str
        The same in whole sentences, for the command line and for Python.
    python : str, optional
        The type that editors show, as the generated keywords spell it; default: that of `types`.
    unit : str, optional
        Of a number.
    earlier : tuple of str, optional
        Names that it had before: they still work as keywords, keys and options, and no list shows them.
    default : object, optional
        What is taken if nothing is said; None where that is nothing at all, or depends on the machine.
    scope : Scope, optional
        What it applies to; default: every run.
    above, least : float, optional
        Bounds of a number, exclusive and inclusive; of a text, `least` is its length.
    choices : str, optional
        Where its choices are listed: ``"package.module:NAME"``, loaded when asked.
    offers, families : tuple of str, optional
        Words that its values may begin with, and places of lists of rules whose names they may begin with.
    read, write : str, optional
        Places of the functions that turn a spec into what the engine takes, and that into a canonical spec.
    check : str, optional
        Place of the function that checks what a file says; default: `read`.
    located : str, optional
        Place of the function that says a file's value as seen from here.
    metavar, option, negative : str, optional
        How the command line spells its value, itself, and the flag that says no.
    earlier_option : str, optional
        An option that it had before, which commands still take.
    plural, noun : str, optional
        What a comparison calls several of its values, and one of them in messages.
    listed : str, optional
        The help of a comparison, where values joined by commas mean something of their own.
    rank : int, default 0
        How fast it varies in a comparison, the least the slowest; the label of a run tells those above 0.
    field : str or None, optional
        The field of the rules that it sets; default: its name. None: it sets none.
    summary : str, optional
        What is said of it after a run: a text with ``{}`` for the value.
    silent : tuple, optional
        Values that are not worth saying.
    turn : int, default 0
        How late that is said, after all of a lower turn.
    varies : bool, default True
        Whether a comparison can run several of its values.
    in_python, in_files : bool, default True
        Whether `echelon.simulate` and scenario files have it.
    on_command_line : bool, default True
        Whether ``run`` and ``compare`` have an option for it.
    common : bool, default False
        Whether help lists it first.
    is_rule : bool, default False
        Whether its value is a name with parameters.
    is_problem : bool, default False
        Whether it says what is to be scheduled, and on what; the others say how.
    is_separable : bool, default True
        Whether a comma in its text separates two values; if not, a vertical bar does.
    is_continued : bool, default False
        Whether ``name=value`` after a comma is a parameter of the value before it.
    tables : str, optional
        The name of the tables of a scenario file that say the same, one a row: ``"reservation"``.
    columns : str, optional
        Place of what these tables may say: a mapping of each key to what it holds.
    idle : str, optional
        Place of the function that returns why a value would change nothing, else None: of the setting, all
        that was asked for by name, and the kinds of machine.
    by_site : bool, default False
        Whether sites may each have a value of their own: inner ones, or those with queues for a policy; see
        `settings.by_site`.
    not_in_studies : str, optional
        Why no run of a study may have it.
    examples : tuple, optional
        Values that a schema shows.
    """

    name: str
    group: str
    types: tuple[type, ...]
    expected: str
    about: str
    help: str = ""
    python: str = ""
    unit: str = ""
    earlier: tuple[str, ...] = ()
    default: Any = None
    scope: Scope | None = None
    above: float | None = None
    least: float | None = None
    choices: str = ""
    offers: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    read: str = ""
    write: str = ""
    check: str = ""
    located: str = ""
    metavar: str = ""
    option: str = ""
    negative: str = ""
    earlier_option: str = ""
    plural: str = ""
    noun: str = ""
    listed: str = ""
    rank: int = 0
    field: str | None = ""
    summary: str = ""
    silent: tuple[Any, ...] = ()
    turn: int = 0
    varies: bool = True
    in_python: bool = True
    in_files: bool = True
    on_command_line: bool = True
    common: bool = False
    is_rule: bool = False
    is_problem: bool = False
    is_separable: bool = True
    is_continued: bool = False
    tables: str = ""
    columns: str = ""
    idle: str = ""
    by_site: bool = False
    not_in_studies: str = ""
    examples: tuple[Any, ...] = ()

    @property
    def spelled(self) -> str:
        """The option of the command line."""
        return self.option or f"--{self.dashed}"

    @property
    def dashed(self) -> str:
        """The name as messages about options spell it."""
        return self.name.replace("_", "-")

    @property
    def stored(self) -> str:
        """The key in manifests and in the identities of stored runs: the first name that it had."""
        return self.earlier[-1] if self.earlier else self.name

    @property
    def attribute(self) -> str:
        """The field of the rules that it sets."""
        return self.field or self.name

    def value(self, spec: Any) -> Any:  # noqa: ANN401  (whatever the setting takes)
        """Return what the engine takes for what was asked for, None where nothing was."""
        choice = self.default if spec is None else spec
        if choice is None:
            return None
        if self.by_site:
            from echelon.experiments.settings.values.values_by_site import read_by_site

            return read_by_site(choice, self._within, self.dashed)
        return self._within(choice)

    def _within(self, choice: Any) -> Any:  # noqa: ANN401  (as above)
        """Return what the engine takes for one value, which must be within the bounds."""
        if not self.bounds(choice):
            raise InputError(f"got {choice!r:.80}, expected {self.expected}", field=self.dashed)
        return self.read_one(choice)

    def read_one(self, choice: Any) -> Any:  # noqa: ANN401  (as above)
        """Return what the engine takes for one value; what is wrong with it names the setting."""
        if self.choices and choice != self.default:
            return self.word(choice)
        if not self.read:
            return choice
        try:
            return load(self.read)(choice)
        except InputError as error:
            if error.field is not None or error.file is not None:
                raise
            raise InputError(error.problem, field=self.dashed) from error

    def bounds(self, value: Any) -> bool:  # noqa: ANN401  (as above)
        """Return whether a value is within the bounds of a number; so is one that is not a number."""
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not is_number:
            return True
        if self.above is not None and not value > self.above:
            return False
        return self.least is None or bool(value >= self.least)

    def word(self, value: Any) -> Any:  # noqa: ANN401  (as above)
        """Return the choice that a value is, in any case; or the value, if it is none."""
        from echelon.experiments.settings.values.completion import only
        from echelon.rules.spec import find_choice

        return find_choice(value, only(self)) or value if isinstance(value, str) else value

    def format(self, value: Any) -> Any:  # noqa: ANN401  (as above)
        """Return the canonical spec, or the plain number, of what the engine takes."""
        if self.by_site:
            from echelon.experiments.settings.values.values_by_site import BySite, format_by_site

            if isinstance(value, BySite):
                return format_by_site({path: self.format(one) for path, one in value.values.items()})
        return load(self.write)(value) if self.write else value

    def canonical(self, value: Any) -> str:  # noqa: ANN401  (as above)
        """Return the canonical text of a value: equal ones mean the same."""
        try:
            form = self.format(self.value(value))
        except EchelonError:  # which the run that it belongs to says better
            form = value
        except (AttributeError, TypeError, ValueError):
            if value is not None:
                raise
            form = None  # as if it were not given, which not every place that writes values knows
        if form is None and isinstance(value, str):  # none of them
            form = value.strip().lower()
        if isinstance(form, list | tuple):
            return ",".join(map(str, form))
        return f"{form:g}" if isinstance(form, float) else str(form)


class SettingsByName(dict[str, Setting]):
    """Settings by name, in order; an earlier name also finds its setting, but is not listed."""

    def __init__(self, settings: Iterable[Setting]) -> None:
        super().__init__((one.name, one) for one in settings)
        self._earlier = {earlier: one.name for one in self.values() for earlier in one.earlier}

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._earlier

    def __missing__(self, name: str) -> Setting:
        return self[self._earlier[name]]

    def present(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the same values under the present names of their settings.

        Raises
        ------
        InputError
            If a setting is given under two of its names.
        """
        by_name: dict[str, Any] = {}
        names: dict[str, str] = {}
        for name, value in settings.items():
            now = self._earlier.get(name, name)
            if now in by_name:
                raise InputError(f"has the same meaning as {names[now]}; give one of the two", field=name)
            by_name[now], names[now] = value, name
        return by_name


def load(place: str) -> Callable[..., Any]:
    """Return what stands at a place, ``"package.module:NAME"`` without the leading ``echelon.``."""
    from importlib import import_module

    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"echelon.{module}"), name)
    return function


_GIVE = "(--platform FILE|PRESET)"
_ONE_MACHINE = "applies to nodes of which jobs hold cores; on a multicluster tasks share the least used nodes"
_NODES = f"applies to nodes; give a platform with nodes {_GIVE}"

OF_SITES = Scope(
    "several sites",
    frozenset({SITES, MULTICLUSTER, TIME_SHARED}),
    {ELSEWHERE: f"applies to several sites; give a platform with sites {_GIVE}"},
)
OF_NODES = Scope(
    "nodes modeled individually", frozenset({NODES}), {MULTICLUSTER: _ONE_MACHINE, ELSEWHERE: _NODES}
)
OF_NODES_OR_MULTICLUSTERS = Scope(
    "nodes modeled individually, and the shared nodes of a multicluster",
    frozenset({NODES, MULTICLUSTER}),
    {ELSEWHERE: _NODES},
)
OF_MULTICLUSTERS = Scope(
    "the shared nodes of a multicluster",
    frozenset({MULTICLUSTER}),
    {ELSEWHERE: f"applies to a multicluster, whose nodes are shared; give one {_GIVE}"},
)
OF_TIME_SHARED = Scope(
    "time-shared machines",
    frozenset({TIME_SHARED}),
    {ELSEWHERE: f"applies to time-shared machines; give a platform with such machines {_GIVE}"},
)
