"""The whole command line, with all its commands."""

from echelon.cli.commands import COMMANDS, app_of

app = app_of(COMMANDS.names)
