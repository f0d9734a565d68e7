# Public names of `echelon.service.api`: made by docs/generator from the table in its __init__.py.

from echelon.service.api.access.limits import Limits as Limits
from echelon.service.api.app import app_of as app_of
from echelon.service.api.server import Server as Server
