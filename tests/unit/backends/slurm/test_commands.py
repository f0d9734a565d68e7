"""Commands run with their arguments and input unchanged, end in time, and die with the service."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from echelon.backends.slurm.commands import MARK, Commands, Reply
from echelon.backends.slurm.settings import SlurmSettings

HOSTILE = ["a b", "q'\"\n$x `y` !\\", "", "-n", "é"]

FAKE_SSH = """#!/bin/sh
# ssh hands its last word to the shell of the user at the other side.
for word in "$@"; do last=$word; done
echo "Welcome to this machine"
exec sh -c "$last"
"""


@pytest.fixture
def here():
    """Return commands of this machine."""
    return Commands(SlurmSettings())


@pytest.fixture
def there(tmp_path, monkeypatch):
    """Return commands that go by a program named ssh, which runs them in a shell after a greeting."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "ssh").write_text(FAKE_SSH)
    (folder / "ssh").chmod(0o700)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    made = Commands(SlurmSettings(ssh="far"))
    yield made
    made.close()


@pytest.fixture(params=["here", "there"])
def commands(request):
    """Return commands of either place."""
    return request.getfixturevalue(request.param)


def test_words_and_input_arrive_unchanged(commands):
    """Neither a local process nor a remote shell changes an argument or the input."""
    assert commands.run(["printf", "%s|", *HOSTILE]).output == "|".join(HOSTILE) + "|"
    assert commands.run(["cat"], text="\n".join(HOSTILE)).output == "\n".join(HOSTILE)


def test_exit_codes_and_messages_come_back(commands):
    """An error is a reply with its code and its last message."""
    reply = commands.shell("echo out; echo first >&2; echo second >&2; exit 3")
    assert (reply.code, reply.output, reply.problem) == (3, "out\n", "second")
    assert commands.run(["no-such-program-at-all"]).code == 127


def test_a_command_that_takes_too_long_has_no_code(commands):
    """After its limit a command is killed, and nobody knows what it has done."""
    began = time.monotonic()
    assert commands.run(["sleep", "30"], limit=0.2).code is None
    assert time.monotonic() - began < 4


def test_a_connection_that_breaks_has_no_code(there):
    """Exit code 255 is that of ssh; and where the mark is missing nothing has run for certain."""
    assert there.shell("exit 255").code is None
    silent = Path(os.environ["PATH"].split(os.pathsep)[0]) / "ssh"
    silent.write_text("#!/bin/sh\necho Welcome\nexit 0\n")
    reply = there.run(["echo", "x"])
    assert (reply.code, reply.output) == (None, "")
    assert "Welcome" in reply.problem


def test_variables_that_change_commands_are_dropped(commands, monkeypatch):
    """Whatever the account sets for Slurm's commands, they do what is asked; secrets stay here."""
    for name in ("SQUEUE_FORMAT", "SBATCH_JOB_NAME", "SLURM_CLUSTERS", "SCANCEL_STATE"):
        monkeypatch.setenv(name, "evil")
    printed = commands.run(["env"]).output
    assert "evil" not in printed
    assert "SLURM_TIME_FORMAT=%s" in printed


def test_a_local_command_gets_no_secret(here, monkeypatch):
    """What sbatch would hand on to jobs has no variable of the service but those of any login."""
    monkeypatch.setenv("ECHELON_SECRET", "s3cret")
    assert "s3cret" not in here.run(["env"]).output


def test_many_commands_have_an_answer_each(commands):
    """Each reply has the output and the code of its command; no output can forge another's."""
    with ThreadPoolExecutor(3) as threads:
        forged = "x\n\nechelon answer 0\n" + MARK
        lines = [["printf", "a\\n"], ["sh", "-c", "echo b; exit 4"], ["printf", "%s\n", forged]]
        first, second, third = commands.run_all(lines, threads)
    assert (first.code, first.output) == (0, "a\n")
    assert (second.code, second.output) == (4, "b\n")
    assert (third.code, third.output) == (0, forged + "\n")


def test_folder_and_configuration_are_used():
    """Settings say where Slurm's commands are and which cluster they talk to."""
    settings = SlurmSettings(bin="/opt/slurm/bin", slurm_conf="/etc/slurm/alpha.conf")
    commands = Commands(settings)
    assert commands.slurm(["squeue", "--me"]) == ["/opt/slurm/bin/squeue", "--me"]
    assert "SLURM_CONF=/etc/slurm/alpha.conf" in commands.run(["env"]).output


def test_a_problem_is_one_line():
    """The last line that says something, or at least the code."""
    assert Reply(0, "fine", "warning").problem == ""
    assert Reply(1, "out\n", " \n").problem == "out"
    assert "code 4" in Reply(4, "", "").problem


def test_a_command_dies_with_the_service(tmp_path):
    """After a kill -9 of whoever has started it, a command does not go on."""
    file = tmp_path / "number"
    program = (
        "from pathlib import Path\n"
        "from echelon.backends.slurm.commands import Commands\n"
        "from echelon.backends.slurm.settings import SlurmSettings\n"
        f"Commands(SlurmSettings()).shell('echo $$ > {file}; exec sleep 60')\n"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as service:
        end = time.monotonic() + 10
        while not (file.exists() and file.read_text().strip()):
            assert time.monotonic() < end
            time.sleep(0.01)
        number = int(file.read_text())
        service.send_signal(signal.SIGKILL)
    end = time.monotonic() + 5
    while Path(f"/proc/{number}").exists() and "Z" not in Path(f"/proc/{number}/stat").read_text():
        assert time.monotonic() < end
        time.sleep(0.01)
