# Public names of `echelon.engine.compiled`: made by docs/generator from the table in its __init__.py.

from echelon.engine.compiled.engine import simulate as simulate
from echelon.engine.compiled.engine import supports as supports
