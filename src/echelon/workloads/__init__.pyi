# Public names of `echelon.workloads`: made by docs/generator from the table in its __init__.py.

from echelon.workloads import transform as transform
from echelon.workloads.anomalies import find_anomalies as find_anomalies
from echelon.workloads.files.datasets import DATASETS as DATASETS
from echelon.workloads.files.datasets import Dataset as Dataset
from echelon.workloads.files.datasets import fetch as fetch
from echelon.workloads.files.datasets import find as find
from echelon.workloads.files.workload_reader import read_swf as read_swf
from echelon.workloads.files.workload_reader import read_workload as read_workload
from echelon.workloads.files.workload_reader import write_swf as write_swf
from echelon.workloads.files.workload_reader import write_workload as write_workload
from echelon.workloads.formats.format import Format as Format
from echelon.workloads.formats.known_formats import FORMATS as FORMATS
from echelon.workloads.grid import GridRecipe as GridRecipe
from echelon.workloads.grid import GridWorkload as GridWorkload
from echelon.workloads.grid import SiteLog as SiteLog
from echelon.workloads.grid import grid_workload as grid_workload
from echelon.workloads.synthetic import MODELS as MODELS
from echelon.workloads.synthetic import FittedModel as FittedModel
from echelon.workloads.synthetic import fit_model as fit_model
from echelon.workloads.synthetic import generate as generate
from echelon.workloads.synthetic import read_fitted_model as read_fitted_model
