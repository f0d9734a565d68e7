"""Settings of a cluster under Slurm, as the configuration of the service has them."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTING_VALUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:@,+=-]*")
"""Names of hosts, partitions, accounts ...: what no program takes for an option."""


@dataclass(frozen=True, slots=True)
class SlurmSettings:
    """How a cluster under Slurm is reached, and what its jobs get.

    Attributes
    ----------
    ssh : str
        Host as ``ssh`` knows it; empty: Slurm's commands run on this machine.
    ssh_config : str
        File of configuration for ``ssh -F``; empty: that of the user.
    slurm_conf : str
        File for ``SLURM_CONF``; empty: Slurm finds its own.
    bin : str
        Folder of Slurm's commands; empty: they are in ``PATH``.
    partition, account, qos : str
        For each job that does not name its own; empty: Slurm's defaults. With a partition, only its jobs and
        nodes are counted.
    directory : str
        Absolute path of a folder that this account can write and all nodes share: claims and records of ends
        are kept there. Empty: there are no claims.
    claims : bool, default True
        Whether jobs claim themselves in the directory.
    completion_log : str
        Path of the file that ``JobCompType=jobcomp/filetxt`` writes; empty: there is none to read.
    accounting : bool, default False
        Whether ``sacct`` is asked how jobs ended.
    """

    ssh: str = ""
    ssh_config: str = ""
    slurm_conf: str = ""
    bin: str = ""
    partition: str = ""
    account: str = ""
    qos: str = ""
    directory: str = ""
    claims: bool = True
    completion_log: str = ""
    accounting: bool = False

    @property
    def has_claims(self) -> bool:
        """Whether jobs claim themselves."""
        return self.claims and bool(self.directory)

    @classmethod
    def of(cls, settings: Mapping[str, object], *, cluster: str) -> SlurmSettings:
        """Return settings as they stand in a configuration.

        Raises
        ------
        UnknownNameError
            If there is no setting of a name.
        InputError
            If a value is not what it must be.
        """
        types = {field.name: field.type for field in fields(cls)}
        for name, value in settings.items():
            if name not in types:
                raise UnknownNameError("setting of Slurm", name, types, where=f"cluster {cluster}")
            _check(name, value, is_flag=types[name] == "bool")
        slurm = cls(**settings)  # type: ignore[arg-type]
        if slurm.ssh_config and not slurm.ssh:
            raise InputError("is given without ssh: name the host, or leave it out", field="ssh_config")
        return slurm


def _check(name: str, value: object, *, is_flag: bool) -> None:
    """Raise InputError if a value is not what its setting must be."""
    if is_flag:
        if not isinstance(value, bool):
            raise InputError(f"got {value!r}, expected true or false", field=name)
        return
    if not isinstance(value, str):
        raise InputError(f"got {value!r}, expected text", field=name)
    if not value:
        return
    if name in ("ssh", "partition", "account", "qos"):
        if not SETTING_VALUE.fullmatch(value):
            raise InputError(f"got {value!r}, expected a name of letters, digits and ._:@,+=-", field=name)
    elif not PurePosixPath(value).is_absolute() or not value.isprintable():
        raise InputError(f"got {value!r}, expected an absolute path without line breaks", field=name)
