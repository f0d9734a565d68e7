"""NodeRules: the settings of a machine with a node-level model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from echelon.errors import InputError, UnknownNameError
from echelon.model.machines.power import idle_power, says_power
from echelon.policies import placement_of

if TYPE_CHECKING:
    from echelon.execution import Execution, NetworkModel
    from echelon.model import Hardware
    from echelon.policies.placement import Placement
    from echelon.policies.sharing import Sharing

Governor: TypeAlias = Literal["highest", "lowest", "capped"]
"""At which frequency level jobs run; see `NodeRules`."""

GOVERNORS: tuple[str, ...] = get_args(Governor)

Release: TypeAlias = Literal["by-kind", "gang"]
"""When a job gives its cores back; see `NodeRules`."""

RELEASES: tuple[str, ...] = get_args(Release)

Sequential: TypeAlias = Literal["one-node", "straddle"]
"""Where the tasks of a sequential job may be; see `NodeRules`."""

SEQUENTIALS: tuple[str, ...] = get_args(Sequential)


@dataclass(frozen=True, slots=True)
class NodeRules:
    """Placement, execution and power of jobs on the machine.

    Parameters
    ----------
    placement : Placement
        Which cores a job takes.
    execution : Execution
        How fast its tasks run on them, and how they slow each other down at memory.
    network : NetworkModel, optional
        How MPI jobs slow each other down at the network; default not at all.
    sharing : Sharing, optional
        How tasks take turns on fewer cores than tasks; default: a job waits for a core for each of its tasks.
        Only jobs that need no plan share: those started by ``none``, ``first-fit`` and ``easy``.
    power_cap : float, default infinity
        Most that the machine may draw at any time, in W, > 0. A job that would exceed it waits.
    governor : {"highest", "lowest", "capped"}, default "highest"
        The frequency level at which a job's cores run from its start to its end: the fastest, the slowest, or
        the fastest with which the machine keeps its power cap.
    sleep_after : float, optional
        Idle time after which a node that can sleep is switched off, in s, >= 0. Default: the node's own.
    release : {"by-kind", "gang"}, default "by-kind"
        When cores are given back. ``by-kind``: a sequential job's each when its task ends, an MPI job's all
        when its last task ends. ``gang``: every job's all when its last task ends, as in IRMASim's public
        program.
    sequential : {"one-node", "straddle"}, default "one-node"
        Whether all tasks of a sequential job are in one node, or wherever cores are idle, as in IRMASim's
        public program under its manager Minimal. It is then placed like an MPI job that names no nodes.

    Raises
    ------
    UnknownNameError
        If `governor`, `release` or `sequential` has an unknown value.
    InputError
        If a number is out of range.
    """

    placement: Placement
    execution: Execution
    network: NetworkModel | None = None
    sharing: Sharing | None = None
    power_cap: float = math.inf
    governor: str = "highest"
    sleep_after: float | None = None
    release: str = "by-kind"
    sequential: str = "one-node"

    def __post_init__(self) -> None:
        # The results of a user's own placement are checked.
        object.__setattr__(self, "placement", placement_of(self.placement))
        if self.governor not in GOVERNORS:
            raise UnknownNameError("governor", self.governor, GOVERNORS)
        if self.release not in RELEASES:
            raise UnknownNameError("release", self.release, RELEASES)
        if self.sequential not in SEQUENTIALS:
            raise UnknownNameError("sequential", self.sequential, SEQUENTIALS)
        if not self.power_cap > 0:
            raise InputError(f"must be above 0 W, got {self.power_cap!r}", field="power-cap")
        if self.execution.fixed and self.network is not None:
            raise InputError(
                f"{self.network.name} slows jobs down, but with --execution fixed they run as long as given; "
                "choose speed or a memory model",
                field="network",
            )
        if self.sleep_after is not None and not self.sleep_after >= 0:
            raise InputError(f"must be at least 0 s, got {self.sleep_after!r}", field="sleep-after")

    @property
    def keeps_run_times(self) -> bool:
        """Whether run times are independent of placement and contention."""
        return self.execution.fixed and self.sharing is None

    @property
    def straddles(self) -> bool:
        """Whether sequential jobs may have their tasks in several nodes."""
        return self.sequential == "straddle"

    @property
    def tasks_per_core(self) -> int:
        """Largest number of tasks of a job that may take turns on a core."""
        return 1 if self.sharing is None else self.sharing.most

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware that these rules cannot work on.

        Raises
        ------
        InputError
            If a model lacks what it needs; if a power cap is below the power of the idle machine, or the
            power of nodes is a curve; if nodes without a sleep state should sleep.
        """
        if self.execution.memory is not None:
            self.execution.memory.check(hardware)
        if self.network is not None:
            self.network.check(hardware)
        if (check := getattr(self.placement, "check", None)) is not None:
            check(hardware)
        if self.sleep_after is not None and all(node.sleep is None for node in hardware.nodes):
            raise InputError(
                f"{self.sleep_after:g} s is for nodes that can be switched off, but no node of "
                f"{hardware.name} defines sleep",
                field="sleep-after",
            )
        if math.isfinite(self.power_cap):
            self._check_cap(hardware)

    def check_described(self, hardware: Hardware) -> None:
        """Refuse a power cap where none of all nodes says anything of power: it would limit nothing.

        Raises
        ------
        InputError
            If there is one.
        """
        if math.isfinite(self.power_cap) and not says_power(hardware):
            raise InputError(
                f"{self.power_cap:g} W caps nothing: no node of {hardware.name!r} has a described power; "
                "describe it in the platform file, or leave it out",
                field="power-cap",
            )

    def _check_cap(self, hardware: Hardware) -> None:
        curved = next((node for node in hardware.nodes if node.power_curve is not None), None)
        if curved is not None:
            raise InputError(
                f"cannot be kept by nodes whose power is a curve, as that of {curved.name or 'a node'!r}",
                field="power-cap",
            )
        idle = sum(map(idle_power, hardware.nodes))
        if idle > self.power_cap:
            raise InputError(
                f"must be at least the {idle:g} W that {hardware.name} draws idle, got {self.power_cap:g} W",
                field="power-cap",
            )
