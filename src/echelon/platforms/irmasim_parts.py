"""Nodes and processors of IRMASim's platform files, by their types, in its units: GHz, GB, GB/s, W."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from echelon.model.machines.hardware import MOST_CORES
from echelon.model.machines.node import Core, MemoryCurveV1, MemoryCurveV2, Node, PowerCurveV2, Processor
from echelon.platforms.files.fields import name, number, scale_field, share, whole
from echelon.platforms.files.mistakes import nearest
from echelon.platforms.sections.parts import CURVE_V1, CURVE_V2, POWER_V2, expand_groups, fits, make_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from echelon.platforms.files.fields import Field
    from echelon.platforms.files.table import Table

_Curve = TypeVar("_Curve")

USUAL_IDLE_SHARE = 0.05
"""Of the static power, where a file does not say ``min_power``: IRMASim's own before files said it."""

_TYPE = name("type")
_NUMBER = whole("number", MOST_CORES)
_CORES = whole("cores", MOST_CORES)
_CLOCK = scale_field(number("clock_rate", above=0), 1e9, "GHz")
_OPERATIONS = number("dpflops_per_cycle", above=0)
_DYNAMIC = (number("dynamic_power", least=0), number("pb", least=0))
_STATIC = (number("static_power", least=0), number("pa", least=0))
_IDLE = share("min_power")
_TO_MEMORY = scale_field(number("mem_bw", above=0), 1e9, "GB/s")
_CAPACITY = scale_field(number("capacity", above=0), 1e9, "GB")
_TO_NETWORK = (number("comm_bw", above=0), number("comm_vol", above=0))

_OF_PROCESSORS = {
    *(one.key for one in (_CORES, _CLOCK, _OPERATIONS, *_DYNAMIC, *_STATIC, _IDLE, _TO_MEMORY)),
    *(one.key for one in (*CURVE_V1, *CURVE_V2, *POWER_V2)),
}
_OF_NODES = {"processors", "memory", *(one.key for one in _TO_NETWORK)}
_NAMES = {"id"}
"""Say nothing that is not known."""


@dataclass
class IrmasimTypes:
    """The types of nodes and processors of a platform, each made once.

    Parameters
    ----------
    nodes, processors : mapping of str to Table
        By name.
    """

    nodes: Mapping[str, Table]
    processors: Mapping[str, Table]
    unused: set[str] = field(default_factory=set)
    _parts: dict[tuple[str, str], Any] = field(default_factory=dict)

    def groups(self, table: Table, key: str) -> list[tuple[Any, int]] | None:
        """Return the parts listed at a key, with their numbers; None if something is wrong with one."""
        word = "node" if key == "nodes" else "processor"
        before = len(table.mistakes)
        groups = []
        for one in table.list_tables(key, f"a list of {word}s, each with its type", alone=False):
            count = one.value(_NUMBER) if _NUMBER.key in one else 1
            groups.append((self._part(one, word), count))
            self.leave(one, word, {_TYPE.key, _NUMBER.key})
        complete = all(part is not None and count for part, count in groups)
        return groups if groups and complete and len(table.mistakes) == before else None

    def leave(self, table: Table, word: str, read: Iterable[str]) -> None:
        """Remember the keys of a table, of what a word says, that nothing here uses."""
        self.unused |= {f"{word}.{key}" for key in set(table.content) - {*read, *_NAMES}}

    def _part(self, table: Table, word: str) -> Any:  # noqa: ANN401  (a Node or a Processor)
        """Return the part that a table names by `type`; None if something is wrong, which is noted."""
        types = self.nodes if word == "node" else self.processors
        called = table.require(_TYPE)
        if called is not None and called not in types:
            table.note(f"no {word} type is named {called!r}, {nearest(called, types)}", _TYPE.key)
        if called not in types:
            return None
        if (word, called) not in self._parts:
            make = self._new_node if word == "node" else self._new_processor
            self._parts[word, called] = make(types[called], called)
        return self._parts[word, called]

    def _new_node(self, table: Table, called: str) -> Node | None:
        """Return a node of processors by type, or, as in model V2, of cores of its own."""
        before = len(table.mistakes)
        values = _rename_key(self._memory(table), "memory")
        values |= _rename_key(_first(table, _TO_NETWORK), "network_bandwidth")
        groups, curves = self._of_node(table, called)
        values |= _curves(curves)
        cores = sum(len(one.cores) * count for one, count in groups or ())
        if groups is None or len(table.mistakes) > before or not fits(table, cores, "processors"):
            return None
        return make_part(table, Node, {"processors": expand_groups(groups), **values, "name": called})

    def _of_node(self, table: Table, called: str) -> tuple[list[tuple[Any, int]] | None, Table | None]:
        """Return the processors of a node, and the table that its curves of model V2 would stand in."""
        if "cores" not in table or "processors" in table:
            self.leave(table, "node", _OF_NODES)
            groups, alone = self.groups(table, "processors"), self._only_processor(table)
            if alone is None:
                self._leave_curves(table)
            return groups, alone
        self.leave(table, "node", (_OF_PROCESSORS | _OF_NODES) - {_OPERATIONS.key})
        processor = self._new_processor(table, called, operations=None)
        return None if processor is None else [(processor, 1)], table

    def _new_processor(
        self, table: Table, called: str, *, operations: Field | None = _OPERATIONS
    ) -> Processor | None:
        """Return a processor of equal cores, whose operations per cycle are 1 where no field says them."""
        before = len(table.mistakes)
        if operations is not None:
            self.leave(table, "processor", _OF_PROCESSORS)
        count, core = table.require(_CORES), _core_values(table, operations)
        values = _processor_values(table)
        if len(table.mistakes) > before:
            return None
        made_core = make_part(table, Core, core)
        if made_core is None:
            return None
        return make_part(table, Processor, {"cores": (made_core,) * count, **values, "name": called})

    def _memory(self, table: Table) -> float | None:
        """Return the bytes of a node's memory, whose type says nothing that is used."""
        below = table.below("memory", "an object with capacity, in GB")
        if below is None:
            return None
        self.leave(below, "memory", {_CAPACITY.key})
        capacity: float | None = below.value(_CAPACITY)
        return capacity

    def _leave_curves(self, table: Table) -> None:
        """Remember curves of model V2 in the types of several processors: they are of a node, not of one."""
        for one, _ in self._list_types(table):
            self.unused |= {f"processor.{key}" for key in one.values((*CURVE_V2, *POWER_V2))}

    def _only_processor(self, table: Table) -> Table | None:
        """Return the type of the only processor of a node, whose curves of model V2 are the node's."""
        listed = self._list_types(table)
        return listed[0][0] if len(listed) == 1 and listed[0][1] == 1 else None

    def _list_types(self, table: Table) -> list[tuple[Table, object]]:
        """Return the types of a node's processors that are known, with how many there are of each."""
        listed = table.content.get("processors")
        entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        named = [(one.get(_TYPE.key), one.get(_NUMBER.key, 1)) for one in entries]
        type_counts = [(name, count) for name, count in named if isinstance(name, str)]
        return [(self.processors[name], count) for name, count in type_counts if name in self.processors]


def _core_values(table: Table, operations: Field | None) -> dict[str, Any]:
    speed = None if operations is None else table.value(operations)
    return {
        "clock": table.require(_CLOCK),
        **_rename_key(speed, "operations_per_cycle"),
        **_rename_key(_first(table, _DYNAMIC), "dynamic_power"),
    }


def _processor_values(table: Table) -> dict[str, Any]:
    """Return the attributes of a processor without its cores; wrong values of any curve are noted."""
    curve = None
    if any(one.key in table for one in CURVE_V1):
        curve = _make_curve(table, MemoryCurveV1, CURVE_V1, needed=True)
    return {
        "idle_share": USUAL_IDLE_SHARE,
        **_rename_key(_first(table, _STATIC), "static_power"),
        **_rename_key(table.value(_IDLE), "idle_share"),
        **_rename_key(table.value(_TO_MEMORY), "memory_bandwidth"),
        **_rename_key(curve, "memory_curve"),
    }


def _first(table: Table, fields: Iterable[Field]) -> float | None:
    """Return the value of the first of these fields that is there: a key and its older name."""
    values: list[float | None] = [table.value(one) for one in fields if one.key in table]
    return values[0] if values else None


def _rename_key(value: Any, key: str) -> dict[str, Any]:  # noqa: ANN401  (a figure or a curve)
    return {} if value is None else {key: value}


def _curves(table: Table | None) -> dict[str, Any]:
    """Return the curves of model V2 of a node, if the table has them; what is not said of one is 0."""
    if table is None:
        return {}
    contention = any(one.key in table for one in CURVE_V2)
    power = any(one.key in table for one in POWER_V2)
    return {
        **(_rename_key(_make_curve(table, MemoryCurveV2, CURVE_V2), "memory_curve") if contention else {}),
        **(_rename_key(_make_curve(table, PowerCurveV2, POWER_V2), "power_curve") if power else {}),
    }


def _make_curve(
    table: Table, maker: Callable[..., _Curve], fields: Sequence[Field], *, needed: bool = False
) -> _Curve | None:
    """Return a curve of the fields of a table; None if one is wrong, or missing though needed."""
    values = table.values(fields, needed=needed)
    wrong = any(one.key not in values for one in fields if needed or one.key in table)
    return None if wrong else make_part(table, maker, values)
