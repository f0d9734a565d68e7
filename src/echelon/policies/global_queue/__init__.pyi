# Public names of `echelon.policies.global_queue`: made by docs/generator from the table in its __init__.py.

from echelon.policies.global_queue.contract import Copy as Copy
from echelon.policies.global_queue.contract import Deliver as Deliver
from echelon.policies.global_queue.contract import GlobalQueueRule as GlobalQueueRule
from echelon.policies.global_queue.contract import GlobalQueueView as GlobalQueueView
from echelon.policies.global_queue.contract import Handing as Handing
from echelon.policies.global_queue.contract import Spread as Spread
from echelon.policies.global_queue.limit import AtMost as AtMost
from echelon.policies.global_queue.limit import QueueLimit as QueueLimit
from echelon.policies.global_queue.limit import QueueState as QueueState
from echelon.policies.global_queue.limit import Stable as Stable
from echelon.policies.global_queue.registry import GLOBAL_QUEUE as GLOBAL_QUEUE
from echelon.policies.global_queue.registry import GLOBAL_QUEUES as GLOBAL_QUEUES
from echelon.policies.global_queue.registry import QUEUE_LIMIT as QUEUE_LIMIT
from echelon.policies.global_queue.registry import QUEUE_LIMITS as QUEUE_LIMITS
from echelon.policies.global_queue.registry import format_global_queue as format_global_queue
from echelon.policies.global_queue.registry import global_queue as global_queue
from echelon.policies.global_queue.registry import names_global_queue as names_global_queue
from echelon.policies.global_queue.registry import queue_limit as queue_limit
