# Public names of `echelon.policies.upper_queue`: made by docs/generator from the table in its __init__.py.

from echelon.policies.upper_queue.contract import Copy as Copy
from echelon.policies.upper_queue.contract import Deliver as Deliver
from echelon.policies.upper_queue.contract import Handing as Handing
from echelon.policies.upper_queue.contract import Spread as Spread
from echelon.policies.upper_queue.contract import UpperQueue as UpperQueue
from echelon.policies.upper_queue.contract import UpperView as UpperView
from echelon.policies.upper_queue.limit import AtMost as AtMost
from echelon.policies.upper_queue.limit import QueueLimit as QueueLimit
from echelon.policies.upper_queue.limit import QueueState as QueueState
from echelon.policies.upper_queue.limit import Stable as Stable
from echelon.policies.upper_queue.registry import QUEUE_LIMIT as QUEUE_LIMIT
from echelon.policies.upper_queue.registry import QUEUE_LIMITS as QUEUE_LIMITS
from echelon.policies.upper_queue.registry import UPPER_QUEUE as UPPER_QUEUE
from echelon.policies.upper_queue.registry import UPPER_QUEUES as UPPER_QUEUES
from echelon.policies.upper_queue.registry import format_upper_queue as format_upper_queue
from echelon.policies.upper_queue.registry import names_upper_queue as names_upper_queue
from echelon.policies.upper_queue.registry import queue_limit as queue_limit
from echelon.policies.upper_queue.registry import upper_queue as upper_queue
