# Public names of `echelon.workloads.local_users`: made by docs/generator from the table in its __init__.py.

from echelon.workloads.local_users.owners import Owners as Owners
from echelon.workloads.local_users.profile import PROFILES as PROFILES
from echelon.workloads.local_users.profile import Profile as Profile
from echelon.workloads.local_users.registry import LOCAL_TRACES as LOCAL_TRACES
from echelon.workloads.local_users.registry import LOCAL_USER as LOCAL_USER
from echelon.workloads.local_users.registry import LOCAL_USERS as LOCAL_USERS
from echelon.workloads.local_users.registry import local_users as local_users
from echelon.workloads.local_users.registry import local_users_named as local_users_named
from echelon.workloads.local_users.registry import names_local_users as names_local_users
from echelon.workloads.local_users.trace import LocalTrace as LocalTrace
from echelon.workloads.local_users.trace import read_local_trace as read_local_trace
from echelon.workloads.local_users.user_model import OwnUsers as OwnUsers
