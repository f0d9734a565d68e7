"""What two versions of Slurm have printed is read alike. The files are no part of the project."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from echelon.backends.contract import Outcome
from echelon.backends.slurm.configuration import parse_configuration
from echelon.backends.slurm.endings import parse_log


def sample(name):
    """Return the text of a file, or skip where there is none."""
    for folder in os.environ.get("ECHELON_DATA", "").split(os.pathsep):
        file = Path(folder) / "slurm_samples" / name
        if folder and file.is_file():
            return file.read_text()
    pytest.skip(f"slurm_samples/{name} is in no folder of $ECHELON_DATA")


def test_the_configuration_of_a_real_cluster():
    """Version, name and time-out of a controller of 22.05."""
    found = parse_configuration(sample("slurm-22.05/scontrol_show_config.txt"))
    assert (found.version, found.cluster, found.message_timeout) == ("22.05.8", "alpha", 5.0)


@pytest.mark.parametrize(("version", "codes"), [("slurm-22.05", [0, 0]), ("slurm-24.11", [0, 3])])
def test_logs_of_ended_jobs(version, codes):
    """Lines of both versions are whole, and say exit codes and times, once the jobs are called like ours."""
    text = re.sub(r"Name=\w+ JobState", "Name=ech-a-1 JobState", sample(f"{version}/jobcomp_filetxt.txt"))
    found = parse_log(f"+0000\n0\n{text}")
    assert [ended.record.exit_code for ended in found] == codes
    assert {ended.record.outcome for ended in found} <= {Outcome.COMPLETED, Outcome.FAILED}
    assert all(ended.record.started_at <= ended.record.ended_at for ended in found)
