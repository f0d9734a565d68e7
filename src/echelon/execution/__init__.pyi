# Public names of `echelon.execution`: made by docs/generator from the table in its __init__.py.

from echelon.execution.constant import Constant as Constant
from echelon.execution.contract import Load as Load
from echelon.execution.contract import MemoryModel as MemoryModel
from echelon.execution.contract import NetworkModel as NetworkModel
from echelon.execution.contract import Traffic as Traffic
from echelon.execution.execution import Execution as Execution
from echelon.execution.memory_share import MemoryShare as MemoryShare
from echelon.execution.memory_v1 import MemoryV1 as MemoryV1
from echelon.execution.memory_v2 import MemoryV2 as MemoryV2
from echelon.execution.proportional import Proportional as Proportional
from echelon.execution.registry import MEMORY_MODELS as MEMORY_MODELS
from echelon.execution.registry import NETWORK_MODELS as NETWORK_MODELS
from echelon.execution.registry import execution_named as execution_named
from echelon.execution.registry import execution_of as execution_of
from echelon.execution.registry import format_network as format_network
from echelon.execution.registry import format_time_shared as format_time_shared
from echelon.execution.registry import network_named as network_named
from echelon.execution.registry import network_of as network_of
from echelon.execution.registry import time_shared_named as time_shared_named
from echelon.execution.registry import time_shared_of as time_shared_of
from echelon.execution.speed_factor import speed_factor as speed_factor
from echelon.execution.time_shared import TimeShared as TimeShared
