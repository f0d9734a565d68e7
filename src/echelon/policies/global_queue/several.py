"""JobQueue: one of several global queues, with the jobs that it takes and the meta-policy that serves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError, UnknownNameError
from echelon.lazy import Rules
from echelon.policies.global_queue.membership import Membership
from echelon.policies.global_queue.registry import GLOBAL_QUEUE, QUEUE_LIMIT
from echelon.rules.family import Family, name_as_declared
from echelon.rules.spec import Spec, split_outside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.model import Job
    from echelon.policies.broker.contract import Broker
    from echelon.policies.broker.site_filter import EveryFilter
    from echelon.policies.global_queue.contract import GlobalQueueRule
    from echelon.policies.global_queue.limit import QueueLimit

SERVING_ORDERS = ("listed", "rotating", "oldest")
"""Orders in which several queues are served in one scheduling cycle.

``listed``: in their own order, so that the first has priority. ``rotating``: from the queue after the one
that dispatched a job last, so that each has its turn. ``oldest``: by the arrival of their heads.
"""

MEMBERSHIPS: Rules[type[Membership]] = Rules(
    __package__,
    {
        "priority": "membership.Priority",
        "tasks": "membership.Tasks",
        "type": "membership.OfType",
        "communication": "membership.Communication",
        "time": "membership.PlannedTime",
        "memory": "membership.Memory",
    },
)
"""In the sequence of the tables."""


MEMBERSHIP: Family[Membership] = Family(
    "membership",
    [MEMBERSHIPS],
    example="tasks(most=4)",
    is_rule=lambda thing: hasattr(thing, "meets"),
    is_ready=lambda rule: isinstance(rule, Membership),
    must="have a name and meets(job, names)",
    groups=["echelon.memberships"],
    own=name_as_declared,
)

_META_POLICY = ("rule", "broker", "limit", "sites")


@dataclass(frozen=True, slots=True)
class JobQueue:
    """One of several global queues of a site: a job waits in the first that takes it.

    Parameters
    ----------
    name : str
        In specs and messages: letters, digits, ``-``, ``_``.
    jobs : tuple of Membership, default every job
        Criteria; the queue takes jobs that meet all of them.
    rule : GlobalQueueRule, optional
        Selects the next of its jobs and its site; default: ``fcfs``.
    broker : Broker, optional
        Chooses the site; default: that of the inner site.
    limit : QueueLimit, optional
        Limits the queues below for its jobs; default: that of the inner site.
    sites : EveryFilter, optional
        Leaves sites out for its jobs; default: those of the inner site.

    Raises
    ------
    InputError
        If the name has another character, or a criterion says nothing: bounds without a number.

    Notes
    -----
    Rule, broker, limit and filters are what the source calls the meta-policy of a queue. **Source**: M-CISNE
    thesis, sections 2.3 and 2.5.1, which describe several queues and use one.
    """

    name: str
    jobs: tuple[Membership, ...] = ()
    rule: GlobalQueueRule | None = None
    broker: Broker | None = None
    limit: QueueLimit | None = None
    sites: EveryFilter | None = None

    def __post_init__(self) -> None:
        if not self.name or not all(one.isalnum() or one in "-_" for one in self.name):
            raise InputError(f"must be letters, digits, - and _, got {self.name!r}", field="name of a queue")
        if empty := [one.name for one in self.jobs if getattr(one, "takes_all", False)]:
            raise InputError(
                f"{empty[0]} has no bound, so that it takes every job; give one, as in {empty[0]}(most=4), "
                "or leave it out",
                field=f"queue {self.name}",
            )

    def takes(self, job: Job, names: Callable[[str], Sequence[str]]) -> bool:
        """Return whether it takes `job`; see `Membership.meets`."""
        return all(one.meets(job, names) for one in self.jobs)

    @property
    def spec(self) -> str:
        """Canonical spec: ``small(tasks(most=4), rule=fpfs)``."""
        parts = [_in_parentheses(MEMBERSHIP.format(one)) for one in self.jobs]
        settings = {name: getattr(self, name) for name in _META_POLICY}
        parts += [f"{name}={_format(name, value)}" for name, value in settings.items() if value is not None]
        return f"{self.name}({', '.join(parts)})" if parts else self.name


def job_queues(spec: object) -> tuple[JobQueue, ...]:
    """Return several queues: specs with semicolons between them, or a sequence of specs and queues.

    Raises
    ------
    InputError
        If something else is given, there is none, or two have one name.
    UnknownNameError
        If a criterion, a rule or a parameter is unknown.

    Examples
    --------
    >>> [queue.spec for queue in job_queues("small(tasks(most=4), rule=fpfs); rest")]
    ['small(tasks(most=4), rule=fpfs)', 'rest']
    """
    if isinstance(spec, JobQueue):
        spec = [spec]
    parts: Any = split_outside(spec, ";") if isinstance(spec, str) else spec
    if isinstance(spec, str) and not all(part.strip() for part in parts):
        raise InputError(
            f"names no queue {'between semicolons' if spec.strip() else 'at all'}, got {spec!r:.60}, "
            "expected one or more with semicolons between them: 'small(tasks(most=4)); rest'",
            field="queues",
        )
    if not isinstance(parts, list | tuple):
        raise InputError(
            f"must be specs such as 'small(tasks(most=4)); rest', got {spec!r:.60}", field="queues"
        )
    queues = tuple(part if isinstance(part, JobQueue) else _queue(part) for part in parts)
    names = [queue.name for queue in queues]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"names queue {twice[0]!r} twice; give each a name of its own", field="queues")
    if not queues:
        raise InputError("needs at least one queue, got none", field="queues")
    return queues


def format_job_queues(queues: Sequence[JobQueue] | None) -> str | None:
    """Return the canonical spec of several queues, which `job_queues` reads back; None without any."""
    return "; ".join(queue.spec for queue in queues) if queues else None


def serving_order(name: str) -> str:
    """Return an order in which several queues are served, one of `SERVING_ORDERS`.

    Raises
    ------
    UnknownNameError
        If it is none.
    """
    if name not in SERVING_ORDERS:
        raise UnknownNameError("order of queues", str(name), SERVING_ORDERS)
    return name


def _queue(text: object) -> JobQueue:
    if not isinstance(text, str):
        raise InputError(f"must be the spec of a queue, got {text!r:.60}", field="queues")
    spec = Spec.parse(text, kind="queue", example="small(tasks(most=4), rule=fpfs)")
    if not spec.names:
        raise InputError("must begin with its name: small(tasks(most=4), rule=fpfs)", field=f"queue {text!r}")
    name, *criteria = spec.names
    # Within parentheses a colon does not separate: tasks:most=4 is a criterion there, too.
    criteria += [f"{key}={value}" for key, value in spec.settings if ":" in key]
    meta = {key: value for key, value in spec.settings if ":" not in key}
    if unknown := [key for key in meta if key not in _META_POLICY]:
        raise UnknownNameError("parameter", unknown[0], _META_POLICY, where=f"queue {name}")
    jobs = tuple(_read(_criterion, criterion, f"queue {name}") for criterion in criteria)
    return JobQueue(name, jobs, **_meta_policy(meta, f"queue {name}"))


def _criterion(spec: str) -> Membership:
    criterion = MEMBERSHIP.parse(spec)
    if (name := spec.partition("(")[0].strip()) and spec.replace(" ", "") == f"{name}()":
        example = {"type": "type(mpi), or type(any) for all jobs whose type is known"}.get(name)
        raise InputError(
            f"got {spec!r} with nothing in its parentheses; say which jobs, as in "
            f"{example or f'{name}(most=4)'}"
        )
    return criterion


def _meta_policy(settings: Mapping[str, str], where: str) -> dict[str, Any]:
    from echelon.policies.broker.registry import broker_named
    from echelon.policies.broker.site_filter import site_filter

    read: dict[str, Callable[[str], Any]] = {
        "rule": GLOBAL_QUEUE.parse,
        "broker": broker_named,
        "limit": QUEUE_LIMIT.parse,
        "sites": site_filter,
    }
    return {key: _read(read[key], text, f"{where}, {key}") for key, text in settings.items()}


def _read(read: Callable[[str], Any], spec: str, where: str) -> Any:  # noqa: ANN401  (a rule of any family)
    """Return what `read` makes of a spec; what is wrong names the queue."""
    try:
        return read(spec)
    except UnknownNameError as error:
        raise UnknownNameError(error.kind, error.name, error.known, where=where) from error
    except InputError as error:
        raise InputError(str(error), field=where) from error


def _format(name: str, value: Any) -> str:  # noqa: ANN401  (a rule of any family)
    from echelon.policies.broker.registry import format_broker

    if name == "broker":
        return format_broker(value)
    if name == "limit":
        return QUEUE_LIMIT.format(value)
    return GLOBAL_QUEUE.format(value) if name == "rule" else str(value.spec)


def _in_parentheses(spec: str) -> str:
    """Return ``name(key=value, key=value)`` for ``name:key=value:key=value``."""
    name, *parts = split_outside(spec, ":")
    if not parts or "(" in name or name.endswith(".py"):
        return spec
    return f"{name}({', '.join(parts)})"
