# Public names of `echelon.experiments`: made by docs/generator from the table in its __init__.py.

from echelon.experiments.comparison import Comparison as Comparison
from echelon.experiments.comparison import compare as compare
from echelon.experiments.folders.manifest import manifest as manifest
from echelon.experiments.folders.run_folder import make_folder as make_folder
from echelon.experiments.folders.run_folder import without_nan as without_nan
from echelon.experiments.folders.run_folder import write_json as write_json
from echelon.experiments.folders.run_folder import write_run as write_run
from echelon.experiments.job_changes import change_jobs as change_jobs
from echelon.experiments.result import Result as Result
from echelon.experiments.simulation import ENGINES as ENGINES
from echelon.experiments.simulation import run_scenario as run_scenario
from echelon.experiments.simulation import simulate as simulate
