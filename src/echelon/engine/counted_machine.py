"""Machines of counted processors, whose processors have numbers where single ones may go down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.machine import Machine
from echelon.engine.queue.cluster import Cluster

if TYPE_CHECKING:
    from echelon.engine.ledger.ledger import Ledger


def counted_machine(ledger: Ledger, processors: int, name: str = "", *, site: int | None = None) -> Machine:
    """Return a machine of counted processors: where single ones may go down, they have numbers.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run.
    processors : int
        At least 1.
    name : str, default ``""``
        Of the site.
    site : int, optional
        Its index in the platform; default: none, for a single machine.
    """
    if not ledger.scenario.machine_changes:
        return Machine(ledger, processors, name, site=site)
    from echelon.engine.nodes.numbered import Numbered

    numbered = Numbered(processors, ledger.held, site=-1 if site is None else site)
    return Machine(ledger, processors, name, cluster=Cluster(ledger, numbered, site=name), site=site)
