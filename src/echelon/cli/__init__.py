"""The command line: parse, call, print. One file a command.

Starting must be quick (``echelon --help`` in less than 0.3 s), so nothing here imports at its top more than
typer; each command imports what it needs when it runs.
"""

from echelon.cli.main import main, program

__all__ = ["main", "program"]
