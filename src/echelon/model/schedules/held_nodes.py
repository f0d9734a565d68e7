"""The nodes of a schedule, with what the tasks of its jobs demanded and held of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.jobs.demands import Demands
    from echelon.model.machines.hardware import Hardware
    from echelon.model.schedules.holdings import Holdings
    from echelon.model.schedules.schedule import Schedule


class HeldNodes(NamedTuple):
    """What is known of a schedule that has `echelon.model.schedules.features.Feature.CORES`.

    Attributes
    ----------
    hardware : Hardware
        The nodes.
    demands : Demands
        What the tasks of each job asked for.
    holdings : Holdings
        Which cores they held.
    """

    hardware: Hardware
    demands: Demands
    holdings: Holdings

    @property
    def node(self) -> IntColumn:
        """Node of each holding."""
        return self.hardware.node_of_processor[self.holdings.processor]


def held_nodes(
    schedule: Schedule, problem: str = "needs a run on nodes, with the cores that its tasks held"
) -> HeldNodes:
    """Return the nodes of a schedule and what was held of them.

    Raises
    ------
    InputError
        With `problem`, if it is not known which cores tasks held.
    """
    hardware, demands, holdings = schedule.instance.hardware, schedule.instance.demands, schedule.holdings
    if hardware is None or demands is None or holdings is None:
        raise InputError(problem)
    return HeldNodes(hardware, demands, holdings)
