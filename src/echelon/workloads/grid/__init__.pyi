# Public names of `echelon.workloads.grid`: made by docs/generator from the table in its __init__.py.

from echelon.workloads.grid.builder import grid_workload as grid_workload
from echelon.workloads.grid.contribution import Contribution as Contribution
from echelon.workloads.grid.recipe import GRID1 as GRID1
from echelon.workloads.grid.recipe import GRID2 as GRID2
from echelon.workloads.grid.recipe import GRID3 as GRID3
from echelon.workloads.grid.recipe import GridRecipe as GridRecipe
from echelon.workloads.grid.recipe import SiteLog as SiteLog
from echelon.workloads.grid.recipe import recipe_of as recipe_of
from echelon.workloads.grid.spec import RECIPES as RECIPES
from echelon.workloads.grid.weeks import GridWorkload as GridWorkload
from echelon.workloads.grid.weeks import write_weeks as write_weeks
