# Public names of `echelon.rules`: made by docs/generator from the table in its __init__.py.

from echelon.rules.description import parameter_rows as parameter_rows
from echelon.rules.family import Family as Family
from echelon.rules.parameter import Named as Named
from echelon.rules.parameter import Parameter as Parameter
from echelon.rules.parameter import announce as announce
from echelon.rules.parameter import arguments as arguments
from echelon.rules.parameter import parameters as parameters
from echelon.rules.parameter import settings_of as settings_of
from echelon.rules.parameter import text_of as text_of
from echelon.rules.spec import Spec as Spec
from echelon.rules.spec import split_outside as split_outside
