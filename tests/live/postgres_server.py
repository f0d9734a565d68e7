"""A PostgreSQL server of a test's own, which may be killed: its socket alone leads to it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from live.slurm_clusters import Daemon, path_of, wait_for


def program(name):
    """Return the path of a program of PostgreSQL's newest version here; skip the test without one."""
    found = path_of(name) or max(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), default=None)
    return found or pytest.skip(f"{name} not installed: see .ci/postgres")


class PostgresServer:
    """A server; a context manager. It does not run as root, which it refuses."""

    def __init__(self):
        # A short name: that of a socket may have only a hundred letters.
        self.folder = Path(tempfile.mkdtemp(prefix="echelon-pg-", dir="/tmp"))
        self.address = f"postgresql://echelon@/postgres?host={self.folder}"
        user = pwd.getpwnam("nobody")
        self._as = []
        if os.getuid() == 0:
            shutil.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        # Processes are killed, not machines: what is written stays.
        options = [
            "-c",
            "listen_addresses=",
            "-c",
            f"unix_socket_directories={self.folder}",
            "-c",
            "fsync=off",
        ]
        serve = [program("postgres"), "-D", str(self.folder / "data"), *options]
        words = [*self._as, "--pdeathsig", "KILL", "--", *serve] if self._as else serve
        self._daemon = Daemon(words, Path(f"{self.folder}.log"))

    def __enter__(self):
        make = [program("initdb"), "-D", "data", "-U", "echelon", "-A", "trust", "--no-sync"]
        subprocess.run([*self._as, *make], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        self.start()
        return self

    def start(self):
        """Start it, and wait until it answers; what an earlier one left behind may keep it for a moment."""
        wait_for(self._is_up, patience=60, pause=0.2)

    def kill(self):
        """Kill it with -9; its processes notice and end."""
        self._daemon.send(signal.SIGKILL)

    def _is_up(self):
        import psycopg

        self._daemon.start()
        try:
            psycopg.connect(self.address, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def __exit__(self, *_):
        self._daemon.send(signal.SIGINT)
        self._daemon.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
        Path(f"{self.folder}.log").unlink(missing_ok=True)
