"""Real Slurm clusters on the loopback, in a folder: no systemd, no cgroups, no root, no keys.

A cluster is a controller and a slurmd for each of its nodes, which have as many processors as is said: jobs
that sleep make a large machine of a small one. Whoever can reach the loopback can submit: for tests only.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

PATIENCE = 30.0
"""Seconds in which anything here comes about, or it never will."""

HERE = "127.0.0.1"
COMMANDS = ("sbatch", "squeue", "scancel", "sinfo", "scontrol")
PLACES = os.pathsep + "/usr/sbin" + os.pathsep + "/usr/local/sbin"
"""Where daemons are, of which the path of ordinary users may know nothing."""


def path_of(program):
    """Return where a program is, or None."""
    return shutil.which(program, path=os.environ.get("PATH", "") + PLACES)


def require(*programs):
    """Skip the test unless all these programs are installed."""
    missing = [program for program in programs if path_of(program) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed: see .ci/slurm")


def wait_for(fact, patience=PATIENCE, pause=0.03):
    """Wait until `fact()` is true, and return it; fail after `patience` seconds."""
    end = time.monotonic() + patience
    while not (found := fact()):
        assert time.monotonic() < end, f"not within {patience:g} s"
        time.sleep(pause)
    return found


PORTS = range(16_000, 32_000)
"""Ports that no system gives to outgoing connections."""

_held = []
"""What keeps other tests from the ports of these: sockets of names without files, gone with this process."""


def free_ports(count):
    """Return ports of the loopback at which nobody listens, and which no other tests get."""
    found = []
    while len(found) < count:
        port = random.choice(PORTS)
        mark = socket.socket(socket.AF_UNIX)
        try:
            if sys.platform == "linux":
                mark.bind(f"\0echelon-tests-{port}")
            with socket.socket() as probe:
                probe.bind((HERE, port))
        except OSError:
            mark.close()
            continue
        _held.append(mark)
        found.append(port)
    return found


def is_open(port):
    """Return whether somebody listens at a port."""
    with socket.socket() as probe:
        return probe.connect_ex((HERE, port)) == 0


class Daemon:
    """A program in the foreground, which dies with the tests."""

    def __init__(self, words, log, **environment):
        program = path_of(words[0])
        self.words = ["setpriv", "--pdeathsig", "KILL", "--", program, *words[1:]]
        self.log, self.environment = log, {**os.environ, **environment}
        self.process = None

    @property
    def is_up(self):
        """Whether it runs."""
        return self.process is not None and self.process.poll() is None

    def start(self):
        """Start it, unless it runs."""
        if not self.is_up:
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    self.words,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env=self.environment,
                    start_new_session=True,
                )

    def send(self, number):
        """Send a signal; wait for the end if it is a KILL."""
        if self.is_up:
            self.process.send_signal(number)
        if number == signal.SIGKILL and self.process is not None:
            self.process.wait(PATIENCE)

    def stop(self):
        """End it, by force if need be."""
        if self.is_up:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.send(signal.SIGKILL)


class SlurmCluster:
    """One cluster; a context manager.

    Parameters
    ----------
    folder : Path
        For all of its files; must have no blanks.
    name : str
        Of letters.
    nodes, processors : int
        How many nodes, and processors of each.
    accounting : SlurmAccounting, optional
        The daemon that keeps its accounts.
    settings
        Further lines of slurm.conf.
    """

    def __init__(self, folder, name="alpha", nodes=2, processors=4, *, accounting=None, **settings):
        self.folder, self.name, self.accounting = Path(folder), name, accounting
        self.conf = self.folder / "etc" / "slurm.conf"
        self.log = self.folder / "log" / "jobcomp.txt"
        self.total = nodes * processors
        self.environment = {"SLURM_CONF": str(self.conf)}
        self.nodes = [f"{name}{number}" for number in range(1, nodes + 1)]
        for part in ("etc", "state", "log", "run", "shared"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        # Each job listens at a socket there, and a path of more than 107 characters is none for a socket.
        self._spool = tempfile.TemporaryDirectory(prefix="slurmd-", ignore_cleanup_errors=True)
        for node in self.nodes:
            (Path(self._spool.name) / node).mkdir()
        logs = self.folder / "log"
        controller = Daemon(["slurmctld", "-D", "-f", str(self.conf)], logs / "ctld.out", **self.environment)
        self.daemons = {"slurmctld": controller}
        for node in self.nodes:
            words = ["slurmd", "-D", "-N", node, "-f", str(self.conf)]
            self.daemons[node] = Daemon(words, logs / f"{node}.out", **self.environment)
        self._write(processors, settings)

    def __enter__(self):
        try:
            if self.accounting is not None:
                self.accounting.add(self)
            self.start()
            self.await_ready()
            if self.accounting is not None:
                wait_for(self._is_accounted, patience=3 * PATIENCE, pause=1.0)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in self.daemons.values():
            daemon.send(signal.SIGCONT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.run("scancel", "--me", check=False, limit=5)
        for daemon in reversed(self.daemons.values()):
            daemon.stop()
        self._end_jobs()
        self._spool.cleanup()

    def _is_accounted(self):
        """Submit a job; return whether the end of one has arrived: the first ones may count as canceled."""
        self.run("sbatch", "--output=/dev/null", "--wrap=true")
        return "COMPLETED" in self.run("sacct", "-X", "-n", "-P", "--format=State", check=False)

    def settings(self, **others):
        """Return the settings of a back end for it."""
        return {
            "slurm_conf": str(self.conf),
            "directory": str(self.folder / "shared"),
            "completion_log": str(self.log),
            **others,
        }

    def run(self, *words, check=True, limit=30.0, text=None):
        """Run a command of Slurm's; return what it has printed."""
        done = subprocess.run(
            words,
            env={**os.environ, **self.environment},
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=limit,
            cwd=self.folder,
        )
        assert not check or done.returncode == 0, f"{' '.join(words)}: {done.stderr or done.stdout}"
        return done.stdout

    def start(self, *names):
        """Start the daemons of these names, or all."""
        for name in names or self.daemons:
            self.daemons[name].start()
        if "slurmctld" in (names or self.daemons):
            # Slurm's commands take seconds to give up.
            wait_for(lambda: is_open(self.port))

    def kill(self, name, number=signal.SIGKILL):
        """Send a signal to ``slurmctld`` or to the daemon of a node."""
        self.daemons[name].send(number)

    def forget(self):
        """Start the controller again without anything that it knew of jobs."""
        self.kill("slurmctld")
        for file in (self.folder / "state").glob("job_state*"):
            file.unlink()
        self.start("slurmctld")
        self.await_controller()

    def await_controller(self):
        """Wait until the controller answers, whatever it knows of its nodes yet."""
        wait_for(lambda: self.run("squeue", check=False))

    def await_ready(self):
        """Wait until each node can take jobs."""

        def is_ready():
            states = self.run("sinfo", "-h", "-N", "-o", "%T", check=False).split()
            return len(states) == len(self.nodes) and all(
                state in ("idle", "mixed", "allocated", "completing") for state in states
            )

        wait_for(is_ready)

    def resume(self):
        """Do what an operator does: nodes that Slurm drains, as it saw a number of a job twice, come back."""
        states = self.run("sinfo", "-h", "-N", "-o", "%N %T", check=False).split("\n")
        for node in (line.split()[0] for line in states if "drain" in line or "down" in line):
            self.run("scontrol", "update", f"NodeName={node}", "State=RESUME", check=False)

    def empty(self):
        """Bring everything up that is down, and cancel all jobs."""
        for daemon in self.daemons.values():
            daemon.send(signal.SIGCONT)
        self.start()
        self.resume()
        self.await_ready()
        self.run("scancel", "--me")
        wait_for(lambda: not self.run("squeue", "-h").strip())
        # What the controller has forgotten runs on, and keeps the numbers that it gives out again.
        self._end_jobs()

    def _end_jobs(self):
        for process in self._jobs():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def _jobs(self):
        """Find processes of its jobs, and what Slurm has put around them, which waits for a controller."""
        mark = f"SLURM_CONF={self.conf}".encode()
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                found = (folder / "environ").read_bytes().split(b"\0")
                is_step = (folder / "comm").read_text().startswith("slurmstepd")
                if mark in found and (is_step or any(one.startswith(b"SLURM_JOB_ID=") for one in found)):
                    yield int(folder.name)

    def _write(self, processors, settings):
        self.port, *ports = free_ports(1 + len(self.nodes))
        host, user, folder = socket.gethostname().split(".")[0], getpass.getuser(), self.folder
        release = subprocess.run([path_of("slurmctld"), "-V"], capture_output=True, text=True, check=True)
        is_old = tuple(map(int, release.stdout.split()[-1].split(".")[:2])) < (23, 11)
        values = {
            "ClusterName": self.name,
            "SlurmctldHost": f"{host}({HERE})",
            "SlurmctldPort": self.port,
            "SlurmUser": user,
            "SlurmdUser": user,
            "AuthType": "auth/none",
            **({"CredType": "cred/none"} if is_old else {}),
            "StateSaveLocation": f"{folder}/state",
            "SlurmdSpoolDir": f"{self._spool.name}/%n",
            "SlurmctldPidFile": f"{folder}/run/slurmctld.pid",
            "SlurmdPidFile": f"{folder}/run/%n.pid",
            "SlurmctldLogFile": f"{folder}/log/slurmctld.log",
            "SlurmdLogFile": f"{folder}/log/%n.log",
            # What needs privileges is off.
            "ProctrackType": "proctrack/linuxproc",
            "TaskPlugin": "task/none",
            "JobAcctGatherType": "jobacct_gather/none",
            "MpiDefault": "none",
            "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_Core",
            "SlurmdParameters": "config_overrides",
            # What could never run is refused, and a node that comes back is used.
            "EnforcePartLimits": "ALL",
            "ReturnToService": 2,
            "SlurmdTimeout": 4,
            "MessageTimeout": 2,
            "KillWait": 1,
            "SchedulerType": "sched/backfill",
            "SchedulerParameters": "bf_interval=1,batch_sched_delay=0,sched_min_interval=10000",
            "MaxJobCount": 50000,
            "JobCompType": "jobcomp/filetxt",
            "JobCompLoc": self.log,
            **(self.accounting.lines if self.accounting is not None else {}),
            **settings,
        }
        lines = [f"{name}={value}" for name, value in values.items()]
        lines += [
            f"NodeName={node} NodeHostname={host} NodeAddr={HERE} Port={port} CPUs={processors} "
            "RealMemory=16000 State=UNKNOWN"
            for node, port in zip(self.nodes, ports, strict=True)
        ]
        lines.append("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP")
        self.conf.write_text("\n".join(lines) + "\n")
        (self.conf.parent / "cgroup.conf").write_text("" if is_old else "CgroupPlugin=disabled\n")


class SlurmAccounting:
    """A MariaDB and a slurmdbd for any number of clusters; a context manager."""

    def __init__(self, folder):
        self.folder, self.user = Path(folder), getpass.getuser()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port, self.sql_port = free_ports(2)
        self.lines = {
            "AccountingStorageType": "accounting_storage/slurmdbd",
            "AccountingStorageHost": HERE,
            "AccountingStoragePort": self.port,
        }
        self._sockets = tempfile.TemporaryDirectory(prefix="mariadb-", ignore_cleanup_errors=True)
        data, socket_file = self.folder / "data", f"{self._sockets.name}/socket"
        words = ["mariadbd", "--no-defaults", f"--datadir={data}", f"--socket={socket_file}"]
        words += [f"--user={self.user}", f"--port={self.sql_port}", f"--bind-address={HERE}"]
        # Tests may lose what a crash of the machine would lose.
        words += ["--innodb-flush-log-at-trx-commit=0", "--performance-schema=off"]
        words += ["--innodb-buffer-pool-size=64M", "--innodb-lock-wait-timeout=900"]
        self.database = Daemon(words, self.folder / "database.out")
        self.daemon = None

    def __enter__(self):
        try:
            make = ["mariadb-install-db", "--no-defaults", f"--datadir={self.folder}/data", "--skip-test-db"]
            make += [f"--user={self.user}", "--auth-root-authentication-method=normal"]
            subprocess.run(make, check=True, capture_output=True)
            self.database.start()
            wait_for(lambda: is_open(self.sql_port))
            allow = (
                "CREATE USER IF NOT EXISTS slurm@'127.0.0.1'; GRANT ALL ON slurm_acct.* TO slurm@'127.0.0.1';"
            )
            client = ["mariadb", "--no-defaults", f"--socket={self._sockets.name}/socket", "--user=root"]
            words = [*client, "-e", allow]
            # It listens before it takes everything.
            wait_for(lambda: subprocess.run(words, check=False, capture_output=True).returncode == 0)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in (self.daemon, self.database):
            if daemon is not None:
                daemon.stop()
        self._sockets.cleanup()

    def add(self, cluster):
        """Keep the accounts of a cluster."""
        if self.daemon is None:
            self._start(cluster)
        manage = ("sacctmgr", "--immediate", "add")
        cluster.run(*manage, "cluster", cluster.name, check=False)
        cluster.run(*manage, "account", "main", check=False)
        cluster.run(*manage, "user", self.user, "account=main", check=False)

    def _start(self, cluster):
        values = {
            "DbdHost": socket.gethostname().split(".")[0],
            "DbdAddr": HERE,
            "DbdPort": self.port,
            "SlurmUser": self.user,
            "AuthType": "auth/none",
            "StorageType": "accounting_storage/mysql",
            "StorageHost": HERE,
            "StoragePort": self.sql_port,
            "StorageUser": "slurm",
            "StorageLoc": "slurm_acct",
            "PidFile": f"{self.folder}/slurmdbd.pid",
            "LogFile": f"{self.folder}/slurmdbd.log",
        }
        conf = cluster.conf.parent / "slurmdbd.conf"
        conf.touch(mode=0o600)
        conf.write_text("".join(f"{name}={value}\n" for name, value in values.items()))
        self.daemon = Daemon(["slurmdbd", "-D"], self.folder / "slurmdbd.out", **cluster.environment)
        self.daemon.start()
        wait_for(lambda: is_open(self.port))
