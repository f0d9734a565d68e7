"""Running Slurm's commands, on this machine or over ssh.

No text of a job or a user is ever part of a command: commands are made of what this package writes and of
settings of the user that runs the service, and all else goes in by standard input.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor

    from echelon.backends.slurm.settings import SlurmSettings

LIMIT = 60.0
"""Seconds that a command has, if nothing else is said."""

MARK = "echelon begins"
"""What a remote shell prints before the command, so that greetings of login scripts are not taken for it."""

SOURCE_VARIABLES = r"s/^\(S\(BATCH\|QUEUE\|INFO\|CANCEL\|ACCT\)_[A-Z0-9_]*\)=.*/\1/p"
PRELUDE = (
    f'for name in $(env | sed -n "{SOURCE_VARIABLES}"); do unset "$name"; done; '
    f'unset SLURM_CLUSTERS; echo "{MARK}"; exec env "$@"'
)
"""Of a remote command: variables that would change what Slurm's commands do are dropped."""

KEPT = (
    *("HOME", "USER", "LOGNAME", "SHELL", "PATH", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "SLURM_CONF"),
    *("KRB5CCNAME", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR"),
)
"""Variables that commands get from the service: sbatch hands on what it has to jobs, so no secrets."""

READ = {"LC_ALL": "C", "SLURM_TIME_FORMAT": "%s"}
"""Variables of commands whose answers are read: messages in English, times as Unix seconds."""

UNREACHED = 255
"""Exit code of ssh where it, not the command, has failed."""


class Reply(NamedTuple):
    """What a command has answered.

    Attributes
    ----------
    code : int, optional
        Its exit code; None: it is not known what the command has done.
    output, errors : str
        What it has printed.
    """

    code: int | None
    output: str
    errors: str

    @property
    def problem(self) -> str:
        """Why there is no good answer, in one line; empty if there is one."""
        if self.code == 0:
            return ""
        lines = [line for line in (*self.output.splitlines(), *self.errors.splitlines()) if line.strip()]
        return " ".join(lines[-1].split()) if lines else f"exit code {self.code} and no message"


@dataclass(slots=True)
class Commands:
    """Where Slurm's commands run.

    Parameters
    ----------
    settings : SlurmSettings
        How the cluster is reached.
    """

    settings: SlurmSettings
    _sockets: str = ""

    def run(
        self,
        command: Sequence[str],
        *,
        text: str = "",
        limit: float = LIMIT,
        variables: Mapping[str, str] = READ,
    ) -> Reply:
        """Run a command to its end.

        A command on this machine dies with the service, and so does its connection if it is elsewhere: there
        it ends after `limit` seconds at the latest.

        Parameters
        ----------
        command : sequence of str
            Program and arguments.
        text : str
            Its standard input.
        limit : float, default 60
            Seconds after which it is killed.
        variables : mapping of str to str
            Added to its environment.
        """
        if self.settings.slurm_conf:
            variables = {**variables, "SLURM_CONF": self.settings.slurm_conf}
        if not self.settings.ssh:
            kept = {name: os.environ[name] for name in KEPT if name in os.environ}
            return _run(list(command), text, limit, {**kept, **variables})
        pairs = [f"{name}={value}" for name, value in variables.items()]
        remote = ["timeout", "-s", "KILL", f"{limit:g}", "sh", "-c", PRELUDE, "sh", *pairs]
        answer = _run(
            [*self._ssh(), self.settings.ssh, shlex.join([*remote, *command])],
            text,
            limit + 5.0,  # the far end's own limit comes first
            dict(os.environ),
        )
        return _of_remote(answer)

    @property
    def is_remote(self) -> bool:
        """Whether commands are run over ssh."""
        return bool(self.settings.ssh)

    def run_all(self, commands: Sequence[Sequence[str]], threads: Executor) -> list[Reply]:
        """Run commands that need no input: in threads beside one another here, in one session elsewhere."""
        if not self.is_remote:
            return list(threads.map(self.run, commands))
        # No name of a job can forge what is not known before.
        mark = f"echelon answer {secrets.token_hex(16)}"
        program = "; ".join(f"{shlex.join(line)}; printf '\\n%s %s\\n' '{mark}' $?" for line in commands)
        reply = self.shell(program)
        *pairs, _ = re.split(rf"\n{mark} (\d+)\n", reply.output)
        outputs, codes = pairs[::2], pairs[1::2]
        replies = [Reply(int(code), text, reply.errors) for text, code in zip(outputs, codes, strict=True)]
        problem = reply.problem or "the session ended early"
        return [*replies, *(Reply(None, "", problem) for _ in commands[len(replies) :])]

    def slurm(self, command: Sequence[str]) -> list[str]:
        """Return one of Slurm's commands with the path of its program."""
        program, *arguments = command
        return [f"{self.settings.bin}/{program}" if self.settings.bin else program, *arguments]

    def shell(self, program: str, *arguments: str, text: str = "", limit: float = LIMIT) -> Reply:
        """Run a program of the shell that this package has written, in one line."""
        return self.run(["sh", "-c", program, "sh", *arguments], text=text, limit=limit)

    def close(self) -> None:
        """Close shared connections."""
        if self._sockets:
            _run([*self._ssh(), "-O", "exit", self.settings.ssh], "", 5.0, dict(os.environ))
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = ""

    def _ssh(self) -> list[str]:
        if not self._sockets:
            # A socket has a path of a hundred characters at most: the service's folder may be too deep.
            self._sockets = tempfile.mkdtemp(prefix="echelon-ssh-")
        config = ["-F", self.settings.ssh_config] if self.settings.ssh_config else []
        options = ["BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=5", "ServerAliveCountMax=3"]
        options += ["ControlMaster=auto", "ControlPersist=60", f"ControlPath={self._sockets}/%C"]
        return ["ssh", *config, *(argument for option in options for argument in ("-o", option))]


def _run(command: list[str], text: str, limit: float, environment: dict[str, str]) -> Reply:
    """Run a process that dies with the thread that has started it."""
    # setpriv becomes the command. The input is a file, so that it is whole whenever the service dies.
    bound = ["setpriv", "--pdeathsig", "KILL", "--"] if shutil.which("setpriv") else []
    with tempfile.TemporaryFile() as source:
        source.write(text.encode("utf-8", "surrogateescape"))
        source.seek(0)
        try:
            process = subprocess.Popen(
                [*bound, *command],
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            return Reply(127, "", f"{command[0]}: {error.strerror}")
    with process:
        try:
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            late = f"{command[0]} has not answered within {limit:g} s"
            return Reply(None, output.decode("utf-8", "replace"), late)
    code = process.returncode if process.returncode >= 0 else None
    return Reply(code, output.decode("utf-8", "replace"), errors.decode("utf-8", "replace"))


def _of_remote(reply: Reply) -> Reply:
    """Return what a remote command has answered, without what the login printed before it."""
    before, mark, output = reply.output.partition(MARK + "\n")
    if not mark:
        return Reply(None, "", reply.problem or f"the remote shell printed {before[-200:]!r} only")
    if reply.code in (UNREACHED, 128 + signal.SIGKILL):
        return Reply(None, output, reply.problem)
    return Reply(reply.code, output, reply.errors)
