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

_Policy: TypeAlias = str | Order | Scheduler | Policy | Mapping[str, str | Order | Scheduler | Policy]
_Platform: TypeAlias = str | Path | Platform | Hardware | Sequence[int] | IntColumn
_Broker: TypeAlias = str | Metascheduler | Mapping[str, str | Metascheduler]
_Admissible: TypeAlias = float | str | Admissible | Mapping[str, float | str | Admissible]
_Information: TypeAlias = str | Information | Mapping[str, str | Information]
_Refresh: TypeAlias = float | str | Mapping[str, float | str]
_GlobalQueue: TypeAlias = str | GlobalQueueRule | Mapping[str, str | GlobalQueueRule]
_QueueLimit: TypeAlias = str | int | QueueLimit | Mapping[str, str | int | QueueLimit]
_Queues: TypeAlias = str | Sequence[str | JobQueue] | Mapping[str, str | Sequence[str | JobQueue]]
_SiteFilter: TypeAlias = str | SiteFilter | Mapping[str, str | SiteFilter]
_LongestStay: TypeAlias = float | str | Mapping[str, float | str]
_DecisionTime: TypeAlias = str | float | Mapping[str, str | float]
_Outages: TypeAlias = str | Path | Outages | FailureTrace | Sequence[Mapping[str, Any]]
_Reservations: TypeAlias = str | Path | Reservation | Sequence[Reservation | Mapping[str, Any]]

class RunSettings(TypedDict, total=False):
    format: str | None
    timezone: str | None
    policy: _Policy | None
    processors: int | None
    platform: _Platform | None
    broker: _Broker | None
    admissible: _Admissible | None
    information: _Information | None
    refresh: _Refresh | None
    place: str | Placement | None
    execution: str | Execution | TimeShared | None
    network: str | NetworkModel | None
    sharing: str | Sharing | None
    power_cap: float | None
    governor: str | None
    sleep_after: float | str | None
    release: str | None
    sequential: str | None
    global_queue: _GlobalQueue | None
    upper_queue: _GlobalQueue | None
    queue_limit: _QueueLimit | None
    queues: _Queues | None
    queue_order: str | Mapping[str, str] | None
    site_filter: _SiteFilter | None
    co_allocate: str | CoAllocation | None
    two_phase: bool | None
    longest_stay: _LongestStay | None
    local_users: str | Path | LocalLoadModel | None
    watch: str | Sequence[str | Estimator] | None
    history: str | Path | None
    monitoring: str | Monitoring | None
    decision_time: _DecisionTime | None
    experience: str | None
    cpu_use: str | None
    outages: _Outages | None
    failures: str | FailureProcess | Law | None
    repair_times: str | Law | None
    repair: str | float | None
    on_failure: str | None
    requeue_order: str | None
    requeue_delay: float | str | None
    max_requeues: int | None
    maintenance: str | None
    reservations: _Reservations | None
    reservation_conflict: str | None
    checkpoint: str | float | CheckpointRule | None
    checkpoint_cost: float | str | None
    restart_cost: float | str | None
    checkpoint_mtbf: float | str | None
    limit_per: str | None
    estimates: str | None
    dependencies: str | None
    cancellations: str | None
    max_time: float | str | None
    longer_jobs: str | None
    estimator: str | Estimator | None
    cycles: str | None
    passes: str | None
    engine: str | None
    seed: int | None
    strict: bool | None
    metrics: Sequence[str | Metric] | None
    window: Sequence[float] | None
    skip: int | None
    first: int | None
    scale_size: int | None
    load: float | None
    shake_by: int | None
    off_line: bool | None
    repair_estimates: bool | None
    estimates_model: str | None
    dependencies_model: str | None
    tasks: str | None
    workload_seed: int | None

class CompareSettings(TypedDict, total=False):
    format: str | Sequence[str] | None
    timezone: str | Sequence[str] | None
    policies: _Policy | Sequence[_Policy] | None
    policy: _Policy | Sequence[_Policy] | None
    processors: int | Sequence[int] | None
    platform: _Platform | Sequence[_Platform] | None
    brokers: _Broker | Sequence[_Broker] | None
    broker: _Broker | Sequence[_Broker] | None
    admissible: _Admissible | Sequence[_Admissible] | None
    information: _Information | Sequence[_Information] | None
    refresh: _Refresh | Sequence[_Refresh] | None
    places: str | Placement | Sequence[str | Placement] | None
    place: str | Placement | Sequence[str | Placement] | None
    execution: str | Execution | TimeShared | Sequence[str | Execution | TimeShared] | None
    network: str | NetworkModel | Sequence[str | NetworkModel] | None
    sharing: str | Sharing | Sequence[str | Sharing] | None
    power_cap: float | Sequence[float] | None
    governor: str | Sequence[str] | None
    sleep_after: float | str | Sequence[float | str] | None
    release: str | Sequence[str] | None
    sequential: str | Sequence[str] | None
    global_queue: _GlobalQueue | Sequence[_GlobalQueue] | None
    upper_queue: _GlobalQueue | Sequence[_GlobalQueue] | None
    queue_limit: _QueueLimit | Sequence[_QueueLimit] | None
    queues: _Queues | Sequence[_Queues] | None
    queue_order: str | Mapping[str, str] | Sequence[str | Mapping[str, str]] | None
    site_filter: _SiteFilter | Sequence[_SiteFilter] | None
    co_allocate: str | CoAllocation | Sequence[str | CoAllocation] | None
    two_phase: bool | Sequence[bool] | None
    longest_stay: _LongestStay | Sequence[_LongestStay] | None
    local_users: str | Path | LocalLoadModel | Sequence[str | Path | LocalLoadModel] | None
    watch: str | Sequence[str | Estimator] | Sequence[str | Sequence[str | Estimator]] | None
    history: str | Path | Sequence[str | Path] | None
    monitoring: str | Monitoring | Sequence[str | Monitoring] | None
    decision_time: _DecisionTime | Sequence[_DecisionTime] | None
    experience: str | Sequence[str] | None
    cpu_use: str | Sequence[str] | None
    outages: _Outages | Sequence[_Outages] | None
    failures: str | FailureProcess | Law | Sequence[str | FailureProcess | Law] | None
    repair_times: str | Law | Sequence[str | Law] | None
    repair: str | float | Sequence[str | float] | None
    on_failure: str | Sequence[str] | None
    requeue_order: str | Sequence[str] | None
    requeue_delay: float | str | Sequence[float | str] | None
    max_requeues: int | Sequence[int] | None
    maintenance: str | Sequence[str] | None
    reservations: _Reservations | Sequence[_Reservations] | None
    reservation_conflict: str | Sequence[str] | None
    checkpoint: str | float | CheckpointRule | Sequence[str | float | CheckpointRule] | None
    checkpoint_cost: float | str | Sequence[float | str] | None
    restart_cost: float | str | Sequence[float | str] | None
    checkpoint_mtbf: float | str | Sequence[float | str] | None
    limit_per: str | Sequence[str] | None
    estimates: str | Sequence[str] | None
    dependencies: str | Sequence[str] | None
    cancellations: str | Sequence[str] | None
    max_time: float | str | Sequence[float | str] | None
    longer_jobs: str | Sequence[str] | None
    estimator: str | Estimator | Sequence[str | Estimator] | None
    cycles: str | Sequence[str] | None
    passes: str | Sequence[str] | None
    engine: str | Sequence[str] | None
    seed: int | Sequence[int] | None
    strict: bool | Sequence[bool] | None
    metrics: Sequence[str | Metric] | None
    window: Sequence[float] | Sequence[Sequence[float]] | None
    skip: int | Sequence[int] | None
    first: int | Sequence[int] | None
    scale_size: int | Sequence[int] | None
    load: float | Sequence[float] | None
    shake_by: int | Sequence[int] | None
    off_line: bool | Sequence[bool] | None
    repair_estimates: bool | Sequence[bool] | None
    estimates_model: str | Sequence[str] | None
    dependencies_model: str | Sequence[str] | None
    tasks: str | Sequence[str] | None
    workload_seed: int | Sequence[int] | None

class ChangeSettings(TypedDict, total=False):
    drop_invalid: bool | None
    window_start: float | None
    window_end: float | None
    skip: int | None
    first: int | None
    load: float | None
    scale_size: int | None
    shake_by: int | None
    off_line: bool | None
    repair_estimates: bool | None
    estimates_model: str | None
    dependencies_model: str | None
    max_time: float | str | None
    longer_jobs: str | None
    sort: bool | None
    renumber: bool | None
    tasks: str | None
