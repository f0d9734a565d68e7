"""The keywords of `echelon.simulate` and `echelon.compare` as types, for editors and mypy."""

from __future__ import annotations

from pathlib import Path

STUB = Path(__file__).parents[2] / "src" / "echelon" / "experiments" / "settings" / "keywords.pyi"

_HEAD = """\
# Keywords of `echelon.simulate` and `echelon.compare`: made by docs/generator from the declarations.
# ruff: noqa: E501

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from echelon.execution import Execution, NetworkModel, TimeShared
from echelon.metrics import Metric
from echelon.model import Hardware, LocalUsers, Monitoring, Platform
from echelon.model.columns import IntColumn
from echelon.policies import Admissible, Estimator, Metascheduler, Order, Policy, Scheduler
from echelon.policies.coallocation.contract import CoAllocation
from echelon.policies.placement import Placement
from echelon.policies.sharing import Sharing
from echelon.policies.upper_queue.contract import UpperQueue
from echelon.policies.upper_queue.limit import QueueLimit
"""


def stub() -> str:
    """Return the stub."""
    from echelon.experiments.settings.signature import annotation
    from echelon.experiments.settings.table import SETTINGS

    known = [one for one in SETTINGS if one.in_python]
    run = [f"    {one.name}: {annotation(one)} | None" for one in known]
    several = [
        f"    {name}: {annotation(one, several=True)} | None"
        for one in known
        for name in filter(None, (one.plural, one.name))
    ]
    parts = [_HEAD, "class RunSettings(TypedDict, total=False):", *run, ""]
    return "\n".join([*parts, "class CompareSettings(TypedDict, total=False):", *several, ""])
