"""FailingUnit: nodes that go down together, and the name of the random stream that says when."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.machines.site_path import above

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.availability.machine_nodes import MachineNodes
    from echelon.model.jobs.columns import IntColumn


class FailingUnit(NamedTuple):
    """What has a process of failures of its own.

    Parameters
    ----------
    name : str
        End of the name of its random streams: ``"uab/7"``; of one machine ``"machine/7"``.
    site : int
        Index of the site of its nodes, or of the first of its sites.
    nodes : tuple of (int, IntColumn)
        Each site and its nodes, from 0, that go down with it.
    """

    name: str
    site: int
    nodes: tuple[tuple[int, IntColumn], ...]


def failing_units(of: str, machine: MachineNodes) -> Iterator[FailingUnit]:
    """Yield what fails by itself: each node, each machine, each site, or each link.

    Parameters
    ----------
    of : {"node", "machine", "site", "link"}
        See `FailureProcess`.
    machine : MachineNodes
        Its nodes by site. The links are those of the tree of its sites: one above each site, and one above
        each inner site but the root.
    """
    paths = machine.paths or ("machine",)
    every = [np.arange(count, dtype=np.int64) for count in machine.counts]
    for site, (path, nodes) in enumerate(zip(paths, every, strict=True)):
        if of == "node":
            for node in nodes.tolist():
                yield FailingUnit(f"{path}/{node}", site, ((site, nodes[node : node + 1]),))
        else:
            yield FailingUnit(path, site, ((site, nodes),))
    if of != "link":
        return
    for path in dict.fromkeys(path for one in machine.paths for path in above(one) if path):
        below = machine.sites(path)
        yield FailingUnit(path, below[0], tuple((site, every[site]) for site in below))
