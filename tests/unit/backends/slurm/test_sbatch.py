"""Jobs reach sbatch whole or not at all, one process each or many in a session, and each has its answer."""

from __future__ import annotations

import base64
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from echelon.backends.contract import Accepted, Refused, Unclear
from echelon.backends.slurm.commands import Commands, Reply
from echelon.backends.slurm.sbatch import ALL, Sbatch
from echelon.backends.slurm.settings import SlurmSettings

FAKE = """#!/bin/sh
# Keeps each text in a file of its own; a text says what is answered.
text=$(cat)
file=$(mktemp {folder}/job.XXXXXX)
printf '%s' "$text" > "$file"
case "$text" in
  *refuse*) echo "sbatch: error: Batch job submission failed: Invalid partition name specified" >&2; exit 1 ;;
  *silent*) echo "sbatch: error: Unable to contact slurm controller (connect failure)" >&2; exit 1 ;;
  *hangs*) exec sleep 30 ;;
  *warns*) echo "sbatch: warning: mind the gap" >&2 ;;
esac
echo "${{text##* }}"
"""


class There(Commands):
    """Commands that say they go by ssh, and run here."""

    is_remote = True


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a program sbatch, which keeps in it what it gets."""
    (tmp_path / "sbatch").write_text(FAKE.format(folder=tmp_path))
    (tmp_path / "sbatch").chmod(0o700)
    return tmp_path


@pytest.fixture(params=[Commands, There])
def sbatch(request, folder):
    """Return what submits, by processes or by sessions."""
    with ThreadPoolExecutor(4) as threads:
        yield Sbatch(request.param(SlurmSettings(bin=str(folder))), threads)


def texts_in(folder):
    """Return the texts that sbatch has got."""
    return sorted(file.read_text() for file in folder.glob("job.*"))


@pytest.mark.slow
def test_each_job_has_its_own_answer(sbatch, folder):
    """Accepted and refused jobs side by side are told apart, and texts arrive unchanged."""
    texts = [
        f"#!/bin/sh\necho 'é \\n $x' `q` {'refuse' if number % 3 == 0 else 'warns'} {number}"
        for number in range(30)
    ]
    answers = sbatch.submit(texts, limit=10.0)
    for number, answer in enumerate(answers):
        if number % 3 == 0:
            assert isinstance(answer, Refused)
            assert answer.is_permanent
        else:
            assert answer == Accepted(str(number))
    assert texts_in(folder) == sorted(texts)


def test_nothing_is_nothing(sbatch):
    """No job has no answer."""
    assert sbatch.submit([], limit=1.0) == []


def test_a_silent_controller_is_not_asked_for_each_job(sbatch, folder):
    """Once the controller is away, what has not begun is refused for now, and was never tried."""
    answers = sbatch.submit([f"silent {number}" for number in range(40)], limit=10.0)
    assert all(isinstance(answer, Refused) and not answer.is_permanent for answer in answers)
    assert len(texts_in(folder)) <= 4
    assert sum(answer.reason.startswith("not tried") for answer in answers) >= 36


def test_a_submission_that_hangs_is_unclear(sbatch):
    """What has not answered in time may have arrived; what came before it is known."""
    first, second = sbatch.submit(["good 1", "hangs 2"], limit=0.4)
    assert first == Accepted("1")
    assert isinstance(second, Unclear)


def test_a_text_that_is_cut_off_is_not_submitted(folder):
    """If a connection breaks in the midst of a text, the rest of the session submits nothing."""
    lines = [base64.b64encode(text.encode()).decode() for text in ("whole 1", "cut off 2" * 50)]
    program = ["sh", "-c", ALL, "sh", str(folder / "sbatch")]
    for end in (0, 1, 7, len(lines[1]) // 2, len(lines[1])):
        for file in folder.glob("job.*"):
            file.unlink()
        sent = f"{lines[0]}\n{lines[1][:end]}".encode()
        subprocess.run(program, input=sent, check=True, capture_output=True)
        assert texts_in(folder) == ["whole 1"]


def test_few_sessions_take_many_jobs(folder, monkeypatch):
    """A session takes up to 25 jobs, as a login costs as much as many of them."""
    sizes = []

    def run(*_, text, **__):
        sizes.append(text.count("\n"))
        return Reply(0, "5\nechelon answer 0\n" * sizes[-1] + "echelon stops\n", "")

    monkeypatch.setattr(There, "run", run)
    with ThreadPoolExecutor(1) as threads:
        sbatch = Sbatch(There(SlurmSettings()), threads)
        for count in (1, 8, 40, 120):
            assert sbatch.submit(["text"] * count, limit=10.0) == [Accepted("5")] * count
    assert sizes == [1, 8, 10, 10, 10, 10, 25, 25, 25, 25, 20]


def test_a_session_that_breaks_leaves_the_rest_unclear(folder, monkeypatch):
    """Answers that came before the break hold; of all others nothing is known."""
    reply = Reply(None, "17\nechelon answer 0\n18\nechelon ans", "Connection closed")
    monkeypatch.setattr(There, "run", lambda *_, **__: reply)
    with ThreadPoolExecutor(1) as threads:
        answers = Sbatch(There(SlurmSettings()), threads).submit(["a", "b", "c"], limit=1.0)
    assert answers == [Accepted("17"), Unclear("Connection closed"), Unclear("Connection closed")]
