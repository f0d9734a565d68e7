# Public names of `echelon.workloads.irmasim`: made by docs/generator from the table in its __init__.py.

from echelon.workloads.irmasim.formats import CSV as CSV
from echelon.workloads.irmasim.formats import JSON as JSON
from echelon.workloads.irmasim.formats import read_csv as read_csv
from echelon.workloads.irmasim.reader import read_json as read_json
from echelon.workloads.irmasim.writer import write_json as write_json
