# Public names of `echelon.history`: made by docs/generator from the table in its __init__.py.

from echelon.history.access import open_history as open_history
from echelon.history.experiences import experiences_of as experiences_of
