"""Node: processors that share memory and a network link, and their parts."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from echelon.errors import InputError
from echelon.quantities import is_number


def _check(
    part: object,
    where: str,
    *,
    above_zero: tuple[str, ...] = (),
    at_least_zero: tuple[str, ...] = (),
    finite: bool = True,
) -> None:
    """Refuse a value of `part` that is not a number or out of range; no range means any number."""
    names = above_zero + at_least_zero or tuple(f.name for f in fields(part))  # type: ignore[arg-type]
    for name in names:
        value = getattr(part, name)
        number = is_number(value)
        is_valid = number and (math.isfinite(value) if finite else not math.isnan(value))
        in_range = is_valid and (value > 0 if name in above_zero else value >= 0 or name not in at_least_zero)
        if not in_range:
            kind = "a finite number" if finite else "a number"
            least = " above 0" if name in above_zero else " >= 0" if name in at_least_zero else ""
            raise InputError(f"must be {kind}{least}, got {value!r}", field=f"{where}, {name}")


@dataclass(frozen=True, slots=True)
class Core:
    """One core: the smallest unit that a task can hold.

    Parameters
    ----------
    clock : float
        Cycles a second, > 0.
    operations_per_cycle : float, default 1
        What it can do in a cycle at best, > 0.
    dynamic_power : float, default 0
        Additional power while a task holds it, in W, >= 0.

    Raises
    ------
    InputError
        If one is out of range.
    """

    clock: float
    operations_per_cycle: float = 1.0
    dynamic_power: float = 0.0

    def __post_init__(self) -> None:
        _check(self, "core", above_zero=("clock", "operations_per_cycle"), at_least_zero=("dynamic_power",))

    @property
    def speed(self) -> float:
        """Operations a second: clock x operations per cycle."""
        return self.clock * self.operations_per_cycle


@dataclass(frozen=True, slots=True)
class FrequencyLevel:
    """One setting of dynamic voltage and frequency scaling.

    Parameters
    ----------
    clock : float
        Share of the cores' clock, 0 < clock <= 1.
    power : float
        Share of their dynamic power, > 0.

    Raises
    ------
    InputError
        If one is out of range.
    """

    clock: float
    power: float

    def __post_init__(self) -> None:
        _check(self, "frequency level", above_zero=("clock", "power"))
        if self.clock > 1:
            raise InputError(f"must be at most 1, got {self.clock!r}", field="frequency level, clock")


FULL = FrequencyLevel(1.0, 1.0)
"""The level of a processor without any other."""


@dataclass(frozen=True, slots=True)
class MemoryCurveV1:
    """Parameters of IRMASim's memory contention per processor; bandwidths in MB/s. See `execution`."""

    b: float
    c: float
    da: float
    db: float
    dc: float
    dd: float

    def __post_init__(self) -> None:
        _check(self, "memory curve v1")


@dataclass(frozen=True, slots=True)
class MemoryCurveV2:
    """Parameters of IRMASim's memory contention per node; bandwidths in GB/s. See `execution`."""

    abb: float = 0.0
    aba: float = 0.0
    aab: float = 0.0
    aaa: float = 0.0
    bbb: float = 0.0
    bba: float = 0.0
    bab: float = 0.0
    baa: float = 0.0
    ccb: float = 0.0
    cca: float = 0.0
    cbb: float = 0.0
    cba: float = 0.0
    cab: float = 0.0
    caa: float = 0.0
    dbb: float = 0.0
    dba: float = 0.0
    dab: float = 0.0
    daa: float = 0.0

    def __post_init__(self) -> None:
        _check(self, "memory curve v2")


@dataclass(frozen=True, slots=True)
class PowerCurveV2:
    """Parameters of IRMASim's second model of a node's power, in W, by bandwidth (GB/s) and processes."""

    pidle: float = 0.0
    p00: float = 0.0
    p10: float = 0.0
    p20: float = 0.0
    p01: float = 0.0
    p02: float = 0.0
    p11: float = 0.0

    def __post_init__(self) -> None:
        _check(self, "power curve v2")


@dataclass(frozen=True, slots=True)
class Sleep:
    """How a node can be switched off.

    Parameters
    ----------
    after : float, default infinity
        Idle time after which it is switched off, in s, >= 0; infinity: never.
    power : float, default 0
        What it draws while off, in W, >= 0.
    wake_time : float, default 0
        From the start of a job on it to the first progress of its tasks, in s, finite and >= 0.
    wake_power : float, default 0
        What the node draws while it wakes up, in W, >= 0.

    Raises
    ------
    InputError
        If one is out of range.
    """

    after: float = math.inf
    power: float = 0.0
    wake_time: float = 0.0
    wake_power: float = 0.0

    def __post_init__(self) -> None:
        _check(self, "sleep", at_least_zero=("power", "wake_time", "wake_power"))
        _check(self, "sleep", at_least_zero=("after",), finite=False)


@dataclass(frozen=True, slots=True)
class Processor:
    """One processor: cores that share a memory bus.

    Parameters
    ----------
    cores : tuple of Core
        At least one; equal or not.
    memory_bandwidth : float, default infinity
        Bytes a second to memory, > 0.
    static_power : float, default 0
        Power while at least one of its cores is held, without the cores, in W, >= 0.
    idle_share : float, default 1
        Share of the static power that it draws while none is, 0 to 1.
    levels : tuple of FrequencyLevel, default the full clock alone
        The fastest first.
    memory_curve : MemoryCurveV1, optional
        For the execution model ``memory-v1``.
    name : str, default ``""``
        Of its type.

    Raises
    ------
    InputError
        If there is no core or no level, levels are not in order, or a number is out of range.
    """

    cores: tuple[Core, ...]
    memory_bandwidth: float = math.inf
    static_power: float = 0.0
    idle_share: float = 1.0
    levels: tuple[FrequencyLevel, ...] = (FULL,)
    memory_curve: MemoryCurveV1 | None = None
    name: str = ""

    def __post_init__(self) -> None:
        where = f"processor {self.name!r}" if self.name else "processor"
        _check(self, where, above_zero=("memory_bandwidth",), finite=False)
        _check(self, where, at_least_zero=("static_power", "idle_share"))
        if self.idle_share > 1:
            raise InputError(f"must be at most 1, got {self.idle_share!r}", field=f"{where}, idle_share")
        if not self.cores:
            raise InputError("needs at least one core, got none", field=where)
        clocks = [level.clock for level in self.levels]
        if not clocks or clocks != sorted(set(clocks), reverse=True):
            raise InputError(
                f"must be one or more, the fastest first, got clocks {clocks}", field=f"{where}, levels"
            )


@dataclass(frozen=True, slots=True)
class Node:
    """One node: processors that share memory and a network link.

    Parameters
    ----------
    processors : tuple of Processor
        At least one; equal or not.
    memory : float, default infinity
        In bytes, > 0.
    network_bandwidth : float, default infinity
        Bytes a second to other nodes, > 0.
    power : float, default 0
        Power while it is on, without its processors, in W, >= 0.
    sleep : Sleep, optional
        How it can be switched off; default not at all.
    memory_curve : MemoryCurveV2, optional
        For the execution model ``memory-v2``.
    power_curve : PowerCurveV2, optional
        What the whole node draws, instead of the figures of its parts.
    name : str, default ``""``
        Of its type.

    Raises
    ------
    InputError
        If there is no processor, or a number is out of range.
    """

    processors: tuple[Processor, ...]
    memory: float = math.inf
    network_bandwidth: float = math.inf
    power: float = 0.0
    sleep: Sleep | None = None
    memory_curve: MemoryCurveV2 | None = None
    power_curve: PowerCurveV2 | None = None
    name: str = ""

    def __post_init__(self) -> None:
        where = f"node {self.name!r}" if self.name else "node"
        _check(self, where, above_zero=("memory", "network_bandwidth"), finite=False)
        _check(self, where, at_least_zero=("power",))
        if not self.processors:
            raise InputError("needs at least one processor, got none", field=where)

    @property
    def cores(self) -> int:
        """Cores of all its processors."""
        return sum(len(processor.cores) for processor in self.processors)
