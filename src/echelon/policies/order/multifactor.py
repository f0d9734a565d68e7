"""Multifactor priority: a weighted sum of age, size, queue, partition and fair share."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.policies.order.priorities import NO_PRIORITIES, Priorities
from echelon.policies.order.rule import Order

if TYPE_CHECKING:
    from collections.abc import Collection

    from echelon.model import Job
    from echelon.policies.contract import SystemView

_DAY = 86400.0
LN2 = math.log(2.0)

WEIGHTS = ("age", "size", "queue", "partition", "fair_share")
PRIORITIES = {"queue": "qos", "partition": "partitions"}
"""The parameters with the factors of coded columns; the weight of each column has the column's name."""


@dataclass(frozen=True, slots=True)
class Multifactor:
    """Multifactor: the largest weighted sum of age, size, queue and fair share first. Changes with time.

    Each factor lies between 0 and 1:

    * age: wait / `max_age`, at most 1, so that no job starves while `age` > 0;
    * size: processors / processors of the machine;
    * queue: the factor of the job's queue in `qos` (the QOS in Slurm's accounting); 0 if absent;
    * partition: the factor of the job's partition in `partitions`; 0 if absent;
    * fair share: 2^(-u m), where u is the user's share of all processor time used so far, and m the number
      of users in the workload, who are all entitled to equal shares: 1 for a user without usage, 1/2 for a
      user who used exactly the entitled share. Usage decays with `half_life`: after it a processor-second
      counts half.

    Parameters
    ----------
    age, size, queue, partition, fair_share : float, defaults 1000, 1000, 1000, 1000, 10000
        Weights; finite, with a finite sum. A negative weight reverses its factor (``size=-1000``: small jobs
        first).
    max_age : float, default 7 days
        Wait at which the age factor is full, in seconds, > 0.
    half_life : float, default 7 days
        Half-life of the processor time that a user has used, in seconds, > 0; infinity: no decay.
    qos, partitions : Priorities or mapping of str to float, default empty
        Factors of queues and of partitions, from 0 to 1, by the names in the log, or by their numbers where
        it has no names: ``high=1+normal=0.5``. A log names the queue of a job but not the queue's priority,
        so a queue without a given factor has 0.

    Raises
    ------
    InputError
        If a weight is not finite, a time not above 0 or a factor not from 0 to 1.

    Notes
    -----
    **Ties**: by submit time, then position. **Cost**: O(queue log queue) per scheduling cycle.
    **Source**: Slurm's priority/multifactor plug-in with the classic fair share; Yoo, Jette and Grondona,
    JSSPP 2003. Its QOS factor is a QOS's priority divided by the largest of all QOS, its partition factor
    the same of the PriorityJobFactor of partitions. Slurm applies the decay every few minutes and ages by
    whole seconds; here both are exact in every cycle.
    """

    age: float = 1000.0
    size: float = 1000.0
    queue: float = 1000.0
    fair_share: float = 10_000.0
    max_age: float = field(default=7 * _DAY, metadata={"unit": "s"})
    half_life: float = field(default=7 * _DAY, metadata={"unit": "s"})
    partition: float = 1000.0
    qos: Priorities = NO_PRIORITIES
    partitions: Priorities = NO_PRIORITIES

    def __post_init__(self) -> None:
        for name in WEIGHTS:
            if not math.isfinite(getattr(self, name)):
                raise InputError("must be finite", field=f"multifactor, {name.replace('_', '-')}")
        if not math.isfinite(sum(abs(getattr(self, name)) for name in WEIGHTS)):
            raise InputError("must have a finite sum", field="multifactor, weights")
        for name in ("max_age", "half_life"):
            if not getattr(self, name) > 0:
                problem = f"must be above 0 s, got {getattr(self, name):g}"
                raise InputError(problem, field=f"multifactor, {name.replace('_', '-')}")
        for name in PRIORITIES.values():
            # Users pass a mapping; the field must be immutable, so it becomes a value.
            object.__setattr__(self, name, Priorities.of(getattr(self, name)))

    def asked_priorities(self, named: Collection[str]) -> dict[str, Priorities]:
        """Return the factors of each coded column whose weight is not 0, even if the log names none."""
        return {column: getattr(self, word) for column, word in PRIORITIES.items() if getattr(self, column)}

    def __call__(self, job: Job, view: SystemView) -> float:
        """Return minus the priority of `job`."""
        fair_share = math.exp(-(view.usage_share(job, self.half_life) * view.users * LN2))
        return -(
            self.age * min((view.now - job.submit_time) / self.max_age, 1.0)
            + self.size * (job.processors / view.processors)
            + self.queue * self.qos.factor(job.queue, view.names("queue"))
            + self.partition * self.partitions.factor(job.partition, view.names("partition"))
            + self.fair_share * fair_share
        )


multifactor = Order(
    "multifactor", Multifactor(), "Yoo, Jette and Grondona, JSSPP 2003 (Slurm, priority/multifactor)"
)
