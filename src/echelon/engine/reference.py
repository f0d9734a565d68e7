"""The reference engine: readable Python, every feature, the definition the compiled engine must equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.clock.simulation import run

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.engine.system import System
    from echelon.model import Schedule


def simulate(scenario: Scenario, progress: Progress | None = None) -> Schedule:
    """Run `scenario` in the reference engine.

    Parameters
    ----------
    scenario : Scenario
        The run; any policy is supported.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        One start a job. Its counts: ``events``, ``passes``, ``decisions``, and with an estimator that
        learns ``corrections``.

    Raises
    ------
    PolicyError
        If a decision of the policy breaks the rules.
    DeadlockError
        If some jobs can never start because the policy starts none.

    Notes
    -----
    Cost: O(log n) per event, in addition to the policy's own.
    """
    return run(_system_of(scenario), progress)


def _system_of(scenario: Scenario) -> System:
    from echelon.engine.assembly import system_of

    return system_of(scenario)
