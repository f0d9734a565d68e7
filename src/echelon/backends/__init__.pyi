# Public names of `echelon.backends`: made by docs/generator from the table in its __init__.py.

from echelon.backends.claims import Claims as Claims
from echelon.backends.contract import Accepted as Accepted
from echelon.backends.contract import Answer as Answer
from echelon.backends.contract import Backend as Backend
from echelon.backends.contract import Description as Description
from echelon.backends.contract import EndRecord as EndRecord
from echelon.backends.contract import Evidence as Evidence
from echelon.backends.contract import OtherJob as OtherJob
from echelon.backends.contract import Outcome as Outcome
from echelon.backends.contract import OwnJob as OwnJob
from echelon.backends.contract import Refused as Refused
from echelon.backends.contract import Snapshot as Snapshot
from echelon.backends.contract import Submission as Submission
from echelon.backends.contract import Unclear as Unclear
from echelon.backends.registry import backend_of as backend_of
from echelon.backends.wrapper import wrap as wrap
