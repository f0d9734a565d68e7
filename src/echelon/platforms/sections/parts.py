"""Parts of a machine in TOML: which keys a core, a processor and a node have, and what is made of them."""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from echelon.errors import InputError
from echelon.model.machines.hardware import MOST_CORES
from echelon.model.machines.node import (
    Core,
    FrequencyLevel,
    MemoryCurveV1,
    MemoryCurveV2,
    Node,
    PowerCurveV2,
    Processor,
    Sleep,
)
from echelon.model.machines.shared_cluster import Workstation
from echelon.platforms.files.fields import number, quantity, share, text, whole
from echelon.platforms.files.units import BANDWIDTH, FREQUENCY, MEMORY, POWER, TIME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from echelon.platforms.files.fields import Field
    from echelon.platforms.files.table import Table

Part: TypeAlias = Core | Processor | Node | Workstation
Values: TypeAlias = "dict[str, Any]"
"""What tables say, by key; None is something wrong, which is noted."""

Groups: TypeAlias = "list[tuple[Any, int]]"
"""Parts, each with how many of it there are."""

_Made = TypeVar("_Made")
_Some = TypeVar("_Some")


class Kind(NamedTuple):
    """A kind of part: its word, its fields, what else it reads, the parts it has, and how it is made."""

    word: str
    fields: tuple[Field, ...]
    tables: dict[str, Callable[[Table, str], object]]
    parts: Kind | None
    make: Callable[[Table, Values], Part | None]

    @property
    def keys(self) -> tuple[str, ...]:
        """All it may have but `type` and `count`."""
        below = (self.parts.word,) if self.parts else ()
        return (*(field.key for field in self.fields), *self.tables, *below)

    def keep_values(self, of_type: Values, own: Values) -> Values:
        """Return what is kept of a type's values: cores in groups and equal ones exclude each other."""
        equal = {field.key for field in (_CORES, *_CORE)} if self.word == "processor" else set()
        if "core" in own:
            return {key: value for key, value in of_type.items() if key not in equal}
        grouped = {"core"} if "cores" in own else set()
        return {key: value for key, value in of_type.items() if key not in grouped}


def make_part(table: Table, maker: Callable[..., _Made], values: Values) -> _Made | None:
    """Return what `maker` makes of the values; None if it refuses, which is noted."""
    try:
        return maker(**values)
    except InputError as error:
        table.note(str(error))
        return None


def expand_groups(groups: Iterable[tuple[_Some, int]]) -> tuple[_Some, ...]:
    """Return each part as often as it is counted."""
    return tuple(chain.from_iterable(repeat(part, count) for part, count in groups))


def fits(table: Table, cores: int, key: str) -> bool:
    """Return whether so many cores can be modeled individually; if not it is noted."""
    if cores > MOST_CORES:
        table.note(f"has {cores} cores, expected at most {MOST_CORES}", key)
    return cores <= MOST_CORES


def _below(maker: Callable[..., _Made], fields: Sequence[Field], *, needed: bool = False) -> Any:  # noqa: ANN401
    """Return a reader of the table at a key, of whose fields all or none are needed."""

    def read(table: Table, key: str) -> _Made | None:
        below = table.below(key, f"a table of {', '.join(field.key for field in fields)}")
        if below is None:
            return None
        before = len(table.mistakes)
        below.refuse_unknown(field.key for field in fields)
        values = below.values(fields, needed=needed)
        return make_part(below, maker, values) if len(table.mistakes) == before else None

    return read


def _levels(table: Table, key: str) -> tuple[FrequencyLevel, ...] | None:
    """Return the levels listed at a key."""
    before = len(table.mistakes)
    levels = []
    for one in table.list_tables(key, "a list of tables of clock and power"):
        one.refuse_unknown(field.key for field in _LEVEL)
        values = one.values(_LEVEL, needed=True)
        levels += [make_part(one, FrequencyLevel, values)] if len(values) == len(_LEVEL) else []
    return tuple(filter(None, levels)) if len(table.mistakes) == before else None


def _core(table: Table, values: Values) -> Core | None:
    if "clock" not in values:
        table.note(f"is missing, expected {_CORE[0].expected}", "clock")
        return None
    return make_part(table, Core, values)


def _processor(table: Table, values: Values) -> Processor | None:
    """Return a processor, of groups of cores or of so many equal ones."""
    of_cores = {field.key: values[field.key] for field in (_CORES, *_CORE) if field.key in values}
    rest = {key: value for key, value in values.items() if key not in of_cores and key != CORE.word}
    groups = values.get(CORE.word)
    if groups is not None and of_cores:
        table.note(f"got `core` tables and {', '.join(of_cores)}, expected one of them")
        return None
    groups = _equal_cores(table, of_cores) if groups is None else groups
    if groups is None or not fits(table, sum(count for _, count in groups), "core"):
        return None
    return make_part(table, Processor, {"cores": expand_groups(groups), **rest})


def _equal_cores(table: Table, values: Values) -> Groups | None:
    missing = [field for field in (_CORES, _CORE[0]) if field.key not in values]
    for field in missing:
        table.note(f"is missing, expected {field.expected}", field.key)
    if missing:
        return None
    count = values.pop(_CORES.key)
    core = make_part(table, Core, values)
    return None if core is None else [(core, count)]


def _node(table: Table, values: Values) -> Node | None:
    groups = values.pop(PROCESSOR.word, None)
    if groups is None:
        table.note(
            "is missing, expected one or more tables of a processor's type, or cores and clock", "processor"
        )
        return None
    if not fits(table, sum(len(processor.cores) * count for processor, count in groups), "processor"):
        return None
    return make_part(table, Node, {"processors": expand_groups(groups), **values})


_CORE = (
    quantity("clock", FREQUENCY, above=0),
    number("operations_per_cycle", above=0),
    quantity("dynamic_power", POWER),
)
_CORES = whole("cores", MOST_CORES)
_LEVEL = (number("clock", above=0), number("power", above=0))
CURVE_V1 = tuple(number(key) for key in MemoryCurveV1.__slots__)
CURVE_V2 = tuple(number(key) for key in MemoryCurveV2.__slots__)
POWER_V2 = tuple(number(key) for key in PowerCurveV2.__slots__)
_SLEEP = (
    quantity("after", TIME, endless=True),
    quantity("power", POWER),
    quantity("wake_time", TIME),
    quantity("wake_power", POWER),
)

CORE = Kind("core", _CORE, {}, None, _core)
PROCESSOR = Kind(
    "processor",
    (
        text("name"),
        _CORES,
        *_CORE,
        quantity("memory_bandwidth", BANDWIDTH, above=0, endless=True),
        quantity("static_power", POWER),
        share("idle_share"),
    ),
    {"levels": _levels, "memory_curve": _below(MemoryCurveV1, CURVE_V1, needed=True)},
    CORE,
    _processor,
)
NODE = Kind(
    "node",
    (
        text("name"),
        quantity("memory", MEMORY, above=0, endless=True),
        quantity("network_bandwidth", BANDWIDTH, above=0, endless=True),
        quantity("power", POWER),
    ),
    {
        "sleep": _below(Sleep, _SLEEP),
        "memory_curve": _below(MemoryCurveV2, CURVE_V2),
        "power_curve": _below(PowerCurveV2, POWER_V2),
    },
    PROCESSOR,
    _node,
)
WORKSTATION = Kind(
    "workstation",
    (
        text("name"),
        number("power", above=0, most=1),
        whole("processors", MOST_CORES),
        quantity("memory", MEMORY, above=0, endless=True),
        quantity("bandwidth", BANDWIDTH, above=0, endless=True),
    ),
    {},
    None,
    lambda table, values: make_part(table, Workstation, values),
)
KINDS = (CORE, PROCESSOR, NODE, WORKSTATION)
