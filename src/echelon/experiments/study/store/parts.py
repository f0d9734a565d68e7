"""Parts: runs that are being written, and by which process: the remains of killed ones are recognized."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import sys
import time
from functools import lru_cache
from pathlib import Path

ABANDONED = 86_400.0
"""Age in seconds from which a part of a process that cannot be asked for counts as left behind."""


def part_name() -> str:
    """Return a new name of a part that this process writes."""
    return f"{_here()}-{os.getpid()}-{secrets.token_hex(6)}"


def is_abandoned(part: Path) -> bool:
    """Return whether no process writes a part any more.

    A process of this machine is asked for; one of another machine, or from before this one last started, is
    taken to live until the part is `ABANDONED` seconds old.
    """
    here, _, rest = part.name.partition("-")
    process = rest.partition("-")[0]
    try:
        if here == _here() and process.isdecimal() and sys.platform != "win32":
            os.kill(int(process), 0)
            return False
        return time.time() - part.stat().st_mtime > ABANDONED
    except ProcessLookupError:
        return True
    except OSError:
        return False


@lru_cache(maxsize=1)
def _here() -> str:
    """Return a name of where the numbers of processes mean the same: machine, its last start, container."""
    lines = [socket.gethostname()]
    for path in ("/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"):
        try:
            lines.append(
                str(Path(path).readlink()) if "/ns/" in path else Path(path).read_text(encoding="ascii")
            )
        except OSError:
            continue
    return hashlib.sha256(" ".join(lines).encode()).hexdigest()[:12]
