"""Run the command line as ``python -m echelon.cli``."""

from echelon.cli import program

program()
