"""The text that ``sbatch`` gets: a header that this package writes, and the wrapper around the job.

``#SBATCH`` lines in a user's script do nothing: sbatch reads them up to the first line of commands only.
"""

from __future__ import annotations

import math
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from echelon.backends.wrapper import check_command, quote, variable_of, wrap
from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from echelon.backends.contract import Submission
    from echelon.backends.slurm.settings import SlurmSettings

OPTION_VALUE = re.compile(r"[A-Za-z0-9_.:,@+=&|*()\[\]/-]{1,200}")
COUNT = re.compile(r"[1-9][0-9]{0,6}")
OPTIONS = {
    "partition": OPTION_VALUE,
    "account": OPTION_VALUE,
    "qos": OPTION_VALUE,
    "constraint": OPTION_VALUE,
    "gres": OPTION_VALUE,
    "licenses": OPTION_VALUE,
    "reservation": OPTION_VALUE,
    "begin": OPTION_VALUE,
    "nodes": re.compile(r"[1-9][0-9]{0,6}(-[1-9][0-9]{0,6})?"),
    "ntasks-per-node": COUNT,
    "cpus-per-task": COUNT,
}
"""What a job may ask of Slurm for itself, and how its value looks."""

BARE = """\
cd -- %(directory)s || exit 72
exec > %(output)s %(error)s || exit 72
%(script)sexec env -- %(payload)s
"""


def text_of(submission: Submission, settings: SlurmSettings) -> str:
    """Return what sbatch gets for a job by its standard input.

    Raises
    ------
    InputError
        If the job is not what Slurm can be asked for.
    UnknownNameError
        If it has an option that is not allowed.
    """
    if settings.has_claims:
        script = wrap(submission, PurePosixPath(settings.directory), guards=False)
    else:
        script = script_without_claims(submission)
    first, _, rest = script.partition("\n")
    header = [f"#SBATCH --{line}" for line in _header(submission, settings)]
    text = "\n".join([first, *header, "ech_cr=$(printf '\\r')", rest])
    # All texts of users are between single quotes; sbatch takes no text with the line ends of DOS.
    return text.replace("\r", "'\"$ech_cr\"'")


def script_without_claims(submission: Submission) -> str:
    """Return a script that runs a job whenever it starts, where there is no directory for claims."""
    script = ""
    if submission.script:
        script = (
            f'ech_script=$(mktemp) && printf %s {quote(submission.script)} > "$ech_script" || exit 72\n'
            'chmod 700 "$ech_script" || exit 72\n'
        )
    else:
        check_command(submission.command)
    pairs = [variable_of(name, value) for name, value in submission.environment]
    # A program whose name has a '=' would be a variable to env.
    program = ['"$ech_script"'] if submission.script else ["sh", "-c", quote('exec "$@"'), "sh"]
    output = submission.output or f"{submission.tag}.out"
    return "#!/bin/sh\n" + BARE % {
        "directory": quote(submission.directory) if submission.directory else '"${HOME:-/}"',
        "output": quote(output),
        "error": f"2> {quote(submission.error)}" if submission.error not in ("", output) else "2>&1",
        "script": script,
        "payload": " ".join([*pairs, *program, *map(quote, submission.command)]),
    }


def _header(submission: Submission, settings: SlurmSettings) -> list[str]:
    options = {"partition": settings.partition, "account": settings.account, "qos": settings.qos}
    for name, value in submission.options:
        if name not in OPTIONS:
            raise UnknownNameError("option of Slurm for jobs", name, OPTIONS)
        if not OPTIONS[name].fullmatch(value):
            raise InputError(f"got {value!r}, expected {OPTIONS[name].pattern}", field=name)
        options[name] = value
    lines = [f"job-name={submission.tag}", f"ntasks={_tasks(submission.processors, options)}"]
    # The wrapper opens the job's own files, in the job's own folder, once it has the claim.
    lines += ["chdir=/", "output=/dev/null"]
    if submission.time_limit is not None:
        seconds = max(math.ceil(submission.time_limit), 1)
        lines.append(f"time={seconds // 60}:{seconds % 60:02}")
    if submission.memory is not None:
        kilobytes = math.ceil(submission.memory / submission.processors / 1024)
        lines.append(f"mem-per-cpu={max(kilobytes, 1)}K")
    return [*lines, *(f"{name}={value}" for name, value in options.items() if value)]


def _tasks(processors: int, options: dict[str, str]) -> int:
    """Return how many tasks have these processors together."""
    each = int(options.get("cpus-per-task", "1"))
    if processors % each:
        raise InputError(f"{each} does not divide the {processors} processors", field="cpus-per-task")
    return processors // each
