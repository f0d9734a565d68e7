# Public names of `echelon.service.store`: made by docs/generator from the table in its __init__.py.

from echelon.service.store.opening import migrate as migrate
from echelon.service.store.reader import Finished as Finished
from echelon.service.store.retention import Retention as Retention
from echelon.service.store.store import Store as Store
from echelon.service.store.tokens import TokenRecord as TokenRecord
