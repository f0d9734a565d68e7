"""An sshd on the loopback that lets only this user in, and the configuration for ssh to reach it."""

from __future__ import annotations

import getpass
import os
import subprocess
from pathlib import Path

from live.slurm_clusters import HERE, Daemon, free_ports, is_open, wait_for


class LoopbackSsh:
    """A host ``loopback`` for ``ssh -F config``; a context manager.

    Parameters
    ----------
    folder : Path
        For keys, configuration and logs.
    """

    host = "loopback"

    def __init__(self, folder):
        self.folder = Path(folder)
        self.config = self.folder / "ssh_config"
        self.port = free_ports(1)[0]
        words = ["sshd", "-D", "-e", "-f", str(self.folder / "sshd_config")]
        self.daemon = Daemon(words, self.folder / "sshd.log")

    def __enter__(self):
        folder = self.folder
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("host_key", "user_key"):
            make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
            subprocess.run(make, check=True)
        if os.getuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)
        (folder / "sshd_config").write_text(
            f"Port {self.port}\nListenAddress {HERE}\nHostKey {folder}/host_key\nPidFile {folder}/sshd.pid\n"
            f"AuthorizedKeysFile {folder}/user_key.pub\nStrictModes no\nUsePAM no\n"
            "PasswordAuthentication no\nMaxStartups 100\n"
            # A bash that is not the first reads no file of the user's, which may take half a second.
            "SetEnv SHLVL=2\n"
        )
        self.config.write_text(
            f"Host {self.host}\n  HostName {HERE}\n  Port {self.port}\n  User {getpass.getuser()}\n"
            f"  IdentityFile {folder}/user_key\n  IdentitiesOnly yes\n  StrictHostKeyChecking accept-new\n"
            f"  UserKnownHostsFile {folder}/known_hosts\n  LogLevel ERROR\n"
        )
        self.daemon.start()
        wait_for(lambda: is_open(self.port))
        return self

    def __exit__(self, *_):
        self.daemon.stop()

    def settings(self, **others):
        """Return the settings of a back end that goes by it."""
        return {"ssh": self.host, "ssh_config": str(self.config), **others}
