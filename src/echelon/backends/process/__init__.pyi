# Public names of `echelon.backends.process`: made by docs/generator from the table in its __init__.py.

from echelon.backends.process.backend import ProcessBackend as ProcessBackend
