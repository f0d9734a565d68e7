"""The keywords of `echelon.simulate`, `compare` and `change_jobs` as types, for editors and mypy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

STUB = Path(__file__).parents[2] / "src" / "echelon" / "experiments" / "settings" / "keywords.pyi"

_LONGEST = 36

_HEAD = """\
# Keywords of `echelon.simulate`, `compare` and `change_jobs`: made by docs/generator from the declarations.

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

from echelon.availability import CheckpointRule
from echelon.availability.laws import Law
from echelon.availability.processes import FailureProcess
from echelon.availability.traces import FailureTrace
from echelon.execution import Execution, NetworkModel, TimeShared
from echelon.metrics import Metric
from echelon.model import Hardware, LocalLoadModel, Monitoring, Platform
from echelon.model.jobs.columns import IntColumn
from echelon.model.machines.outages import Outages
from echelon.model.machines.reservations import Reservation
from echelon.policies import Admissible, Estimator, Information, Metascheduler, Order, Policy, Scheduler
from echelon.policies.broker.site_filter import SiteFilter
from echelon.policies.coallocation.contract import CoAllocation
from echelon.policies.global_queue.contract import GlobalQueueRule
from echelon.policies.global_queue.limit import QueueLimit
from echelon.policies.global_queue.several import JobQueue
from echelon.policies.placement import Placement
from echelon.policies.sharing import Sharing
"""


def stub() -> str:
    """Return the stub."""
    from echelon.experiments.settings.changes import OF_FILES
    from echelon.experiments.settings.signature import annotation
    from echelon.experiments.settings.table import SETTINGS

    known = [one for one in SETTINGS if one.in_python]
    long = {one.name: annotation(one) for one in known if len(annotation(one)) > _LONGEST}
    aliases = [f"{_camel(name)}: TypeAlias = {type_text}" for name, type_text in long.items()]
    run = [
        f"    {name}: {_alias(one.name, annotation(one), long)} | None"
        for one in known
        for name in (one.name, *one.earlier)
    ]
    changes = [f"    {one.name}: {annotation(one)} | None" for one in OF_FILES]
    several = [
        f"    {name}: {_alias(one.name, annotation(one, several=True), long)} | None"
        for one in known
        for name in filter(None, (one.plural, one.name, *one.earlier))
    ]
    parts = [_HEAD, *aliases, "", "class RunSettings(TypedDict, total=False):", *run, ""]
    parts += ["class CompareSettings(TypedDict, total=False):", *several, ""]
    return "\n".join([*parts, "class ChangeSettings(TypedDict, total=False):", *changes, ""])


def _alias(name: str, type_text: str, long: Mapping[str, str]) -> str:
    return type_text.replace(long[name], _camel(name)) if name in long else type_text


def _camel(name: str) -> str:
    return f"_{name.title().replace('_', '')}"
