# Public names of `echelon.workloads.synthetic`: made by docs/generator from the table in its __init__.py.

from echelon.workloads.synthetic.fits.fit import fit_model as fit_model
from echelon.workloads.synthetic.fitted_model import FittedModel as FittedModel
from echelon.workloads.synthetic.fitted_model import read_fitted_model as read_fitted_model
from echelon.workloads.synthetic.generation import generate as generate
from echelon.workloads.synthetic.known_models import MODELS as MODELS
from echelon.workloads.synthetic.known_models import model_named as model_named
from echelon.workloads.synthetic.model import Model as Model
from echelon.workloads.synthetic.parameter import Parameter as Parameter
