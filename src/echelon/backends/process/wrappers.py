"""Wrappers: processes around jobs, known by number and start tick, also if another service started them."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_PROCESSES = Path("/proc")
_SHELL = "/bin/sh"


class Identity(NamedTuple):
    """A process: its number may be given to another one later, but not with the same start tick."""

    pid: int
    born: int

    @property
    def is_alive(self) -> bool:
        """Whether it runs; one that has ended and waits for its parent does not."""
        stat = _stat(self.pid)
        return stat is not None and stat.born == self.born and stat.state not in "ZX"

    def kill(self) -> None:
        """Kill it and its process group, whose leader may be dead."""
        if self.is_alive:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(os.getpgid(self.pid), signal.SIGKILL)


class _Stat(NamedTuple):
    state: str
    session: int
    born: int


class Wrapper:
    """The process around a running job.

    Parameters
    ----------
    identity : Identity
        Which it is.

    Attributes
    ----------
    handle : int, optional
        File descriptor that can be read once it has ended; None where the system has none.
    exit_code : int, optional
        Of a child of this process that has ended; negative: the signal.
    is_asked : bool
        Whether it was asked to end its job.
    """

    def __init__(self, identity: Identity) -> None:
        self.identity = identity
        self.handle: int | None = None
        self.exit_code: int | None = None
        self.is_asked = False
        # If it has ended, or the kernel has none, there is none.
        with suppress(OSError):
            self.handle = os.pidfd_open(identity.pid)

    @property
    def has_ended(self) -> bool:
        """Whether it has; a child is reaped the first time."""
        stat = _stat(self.identity.pid)
        if stat is None or stat.born != self.identity.born:
            return True
        if stat.state == "Z":
            # Of a child of another process nothing more can be known.
            with suppress(ChildProcessError):
                _, status = os.waitpid(self.identity.pid, os.WNOHANG)
                self.exit_code = os.waitstatus_to_exitcode(status)
        return stat.state in "ZX"

    def terminate(self) -> None:
        """Ask it to end its job."""
        self.is_asked = True
        signal_group(self.identity, signal.SIGTERM)

    def release(self) -> None:
        """Release the handle."""
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None


def start(script: Path, environment: Mapping[str, str], log: Path) -> Wrapper:
    """Start the wrapper in file `script` as the leader of a session of its own.

    Parameters
    ----------
    script : Path
        What `wrap` made, with guards.
    environment : mapping of str to str
        All its variables.
    log : Path
        File to which its shell writes what it has to say.

    Raises
    ------
    OSError
        If the machine has no room for it.
    """
    append = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    pid = os.posix_spawn(
        _SHELL,
        [_SHELL, str(script)],
        environment,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(log), append, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
            *((os.POSIX_SPAWN_CLOSE, file) for file in _list_inherited()),
        ],
        setsid=True,
        # Python ignores them, and programs must not.
        setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
    )
    stat = _stat(pid)
    # Unless children are not to be waited for, one that has ended is there until it is.
    return Wrapper(Identity(pid, stat.born if stat is not None else 0))


@cache
def _list_inherited() -> tuple[int, ...]:
    """Return the files that this process was started with; what Python opens is not inherited."""
    files = []
    for file in [int(path.name) for path in (_PROCESSES / "self" / "fd").iterdir()]:
        # The one of the folder is closed by now.
        with suppress(OSError):
            if file > 2 and os.get_inheritable(file):
                files.append(file)
    return tuple(files)


def find(folder: Path) -> tuple[dict[Path, Identity], list[Identity]]:
    """Return the wrappers whose scripts are below `folder`, by script, and what others have left.

    Notes
    -----
    **Cost**: O(processes of the machine), some 20 us each.
    """
    identities: dict[Path, Identity] = {}
    others: list[tuple[Path, Identity]] = []
    for entry in os.scandir(_PROCESSES):
        if entry.name.isdigit() and (script := _script_of(int(entry.name), folder)) is not None:
            pid = int(entry.name)
            stat = _stat(pid)
            if stat is None or stat.state in "ZX":
                continue
            if stat.session == pid:
                identities[script] = Identity(pid, stat.born)
            else:
                others.append((script, Identity(pid, stat.born)))
    return identities, [identity for script, identity in others if script not in identities]


def kill_payload(file: Path) -> None:
    """Kill what is left of a payload whose wrapper is dead; `file` has its number and start tick."""
    try:
        pid, born = (int(field) for field in file.read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return
    signal_group(Identity(pid, born), signal.SIGKILL)


def signal_group(leader: Identity, number: signal.Signals) -> None:
    """Send a signal to the process group of `leader`.

    No new group gets the number of a group that has a member. So if no process has it, it is the old group.
    """
    stat = _stat(leader.pid)
    if stat is not None and stat.born != leader.born:
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader.pid, number)


def boot() -> str:
    """Return what names this run of the machine."""
    return (_PROCESSES / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def _script_of(pid: int, folder: Path) -> Path | None:
    """Return the script of a process, if it is a wrapper below `folder`."""
    try:
        arguments = (_PROCESSES / str(pid) / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return None
    if len(arguments) != 3 or arguments[0] != _SHELL.encode():
        return None
    script = Path(os.fsdecode(arguments[1]))
    return script if script.is_relative_to(folder) else None


def _stat(pid: int) -> _Stat | None:
    try:
        text = (_PROCESSES / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # The name, in parentheses, may hold anything.
    fields = text[text.rindex(b")") + 2 :].split()
    return _Stat(fields[0].decode(), int(fields[3]), int(fields[19]))
