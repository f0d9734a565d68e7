"""The command line: it parses, calls and prints. Each command has one file.

The command line must start quickly (``echelon --help`` in less than 0.3 s). Therefore modules here import
only typer at the top; each command imports what it needs when it runs.
"""

from echelon.cli.main import main, program

__all__ = ["main", "program"]
