# Public names of `echelon.availability.laws`: made by docs/generator from the table in its __init__.py.

from echelon.availability.laws.distributions import Constant as Constant
from echelon.availability.laws.distributions import Exponential as Exponential
from echelon.availability.laws.distributions import Gamma as Gamma
from echelon.availability.laws.distributions import Lognormal as Lognormal
from echelon.availability.laws.distributions import Weibull as Weibull
from echelon.availability.laws.law import Law as Law
from echelon.availability.laws.registry import LAW as LAW
from echelon.availability.laws.registry import LAWS as LAWS
from echelon.availability.laws.registry import format_law as format_law
from echelon.availability.laws.registry import law as law
from echelon.availability.laws.registry import law_named as law_named
