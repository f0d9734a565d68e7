# Public names of `echelon.policies.preemptive`: made by docs/generator from the table in its __init__.py.

from echelon.policies.preemptive.priority import PreemptivePriority as PreemptivePriority
from echelon.policies.preemptive.registry import PREEMPTIVE as PREEMPTIVE
from echelon.policies.preemptive.round_robin import RoundRobin as RoundRobin
from echelon.policies.preemptive.srtf import ShortestRemainingTimeFirst as ShortestRemainingTimeFirst
