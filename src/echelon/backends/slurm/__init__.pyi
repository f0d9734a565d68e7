# Public names of `echelon.backends.slurm`: made by docs/generator from the table in its __init__.py.

from echelon.backends.slurm.backend import SlurmBackend as SlurmBackend
from echelon.backends.slurm.settings import SlurmSettings as SlurmSettings
