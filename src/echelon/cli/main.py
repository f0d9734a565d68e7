"""The entry point: it runs a command and turns an error into one sentence and an exit code.

======  ===========================================================
code    meaning
======  ===========================================================
0       done
1       internal failure: a defect of Echelon or of the machine
2       bad usage or bad input: one sentence on stderr says what
130     interrupted by the user (Ctrl-C)
======  ===========================================================
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO, cast

import typer

from echelon.cli.commands import COMMANDS, WITH_PROGRAM, app_of
from echelon.errors import Cancelled, EchelonError
from echelon.lazy import postpone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COMPLETE = "_ECHELON_COMPLETE"
"""The environment variable by which a shell asks for completions."""

_COMPLETION = ("--install-completion", "--show-completion")

_THREADS_OF_BLAS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

# The base class of typer's usage errors; not every version gives it a public name.
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[2])


def program() -> NoReturn:
    """Run the command line as the only work of this process, and exit with its code.

    A process ends with the last of its own work. Python would take its modules and objects apart one by one,
    which takes a twentieth of a short command; the system takes its memory back as it is.
    """
    status = 1

    def leave() -> None:
        # A tool that watches the process, such as a coverage tool, still has work to do.
        if sys.gettrace() is None and sys.getprofile() is None and _flush_streams():
            os._exit(status)

    # What is registered first is called last: by then threads have ended, and other callbacks are done.
    atexit.register(leave)
    status = main()
    sys.exit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` names and return the exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after ``echelon``. Default: those of this process. ``--debug`` among them prints
        the traceback of an error before its sentence; where they end with a program to be submitted, before
        that.
    """
    # numpy starts these threads when it is imported; no matrix here is large enough for two threads.
    for threads in _THREADS_OF_BLAS:
        os.environ.setdefault(threads, "1")
    # polars imports it for Iceberg tables; the import takes a tenth of the time of polars itself.
    postpone("importlib.metadata")
    arguments = list(sys.argv[1:] if argv is None else argv)
    own = _own_argument_count(arguments)
    tokens = [token for token in arguments[:own] if token != "--debug"] + arguments[own:] or ["--help"]
    if argv is None and (instruction := os.environ.get(_COMPLETE)):
        return _complete(instruction)
    # Python has no stream where the shell closed it (`>&-`); output is then discarded.
    sys.stdout = sys.stdout or _open_null()
    sys.stderr = sys.stderr or _open_null()
    for stream in (sys.stdout, sys.stderr):
        # A star in a table must not end a run whose terminal has no stars.
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
    try:
        with _rare_collections():
            _invoke(tokens, arguments)
        sys.stdout.flush()
    except typer.Exit as leave:
        return leave.exit_code
    except BrokenPipeError:
        _let_go_of_stdout()
    except (KeyboardInterrupt, typer.Abort, Cancelled):
        _print_error("stopped")
        return 130
    except Exception as error:
        if "--debug" in arguments[:own]:
            import traceback

            traceback.print_exception(error)
        return _report(error)
    return 0


def _own_argument_count(arguments: Sequence[str]) -> int:
    """Return how many of the first arguments are Echelon's: a submitted program keeps its ``--debug``."""
    if "--" in arguments:
        return arguments.index("--")
    commands = [place for place, argument in enumerate(arguments) if argument in WITH_PROGRAM]
    return commands[0] + 1 if commands and not set(arguments[: commands[0]]) - {"--debug"} else len(arguments)


def _invoke(tokens: list[str], arguments: list[str]) -> None:
    """Run the command, but not by typer's own entry point, which sets exit codes and prints by itself."""
    asked = tokens[:1] if tokens[0] in COMMANDS.names else COMMANDS.names
    completes = tokens[0].partition("=")[0] in _COMPLETION
    command = typer.main.get_command(app_of(asked, add_completion=completes))
    with command.make_context("echelon", tokens, obj={"command": ["echelon", *arguments]}) as context:
        command.invoke(context)


def _complete(instruction: str) -> int:
    """Print the completion script of a shell, or the completions of a word."""
    from typer.completion import shell_complete

    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    begun = line.split()[1:2]
    asked = begun if begun and begun[0] in COMMANDS.names else COMMANDS.names
    command = typer.main.get_command(app_of(asked, add_completion=True))
    return shell_complete(command, {}, "echelon", _COMPLETE, instruction)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Collect garbage less often: loading libraries makes none, and collection takes a tenth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(300_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _flush_streams() -> bool:
    """Return whether all that was printed is out; if not, Python says why when it ends."""
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except (OSError, ValueError, AttributeError):
        return False
    return True


def _report(error: Exception) -> int:
    if isinstance(error, EchelonError):
        _print_error(str(error))
        return 2
    if isinstance(error, _UsageError):
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "echelon"
        # Typer and click may both make the same suggestion.
        parts = dict.fromkeys(re.split(r"(?<=[.?]) ", error.format_message()))
        _print_error(f"{' '.join(parts).rstrip('.')} (see {command} --help)")
        return 2
    from echelon.workloads.files.atomic import FULL, NO_ROOM

    if isinstance(error, OSError) and error.errno in FULL:
        _print_error(f"{error.filename or 'the output'}: could not be written: {NO_ROOM}")
        return 1
    what = "out of memory" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"
    _print_error(f"failed inside: {what}; run again with --debug for the traceback")
    return 1


def _print_error(sentence: str) -> None:
    sys.stderr.write(f"echelon: {' '.join(sentence.splitlines())}\n")


def _open_null() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _let_go_of_stdout() -> None:
    """Redirect stdout to nowhere: its reader is gone (``| head``), and Python would complain at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
