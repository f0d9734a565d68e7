# Public names of `echelon.service.core.controllers`: made by docs/generator from the table in its __init__.py.

from echelon.service.core.controllers.controllers import Controllers as Controllers
