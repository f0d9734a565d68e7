"""Endless input: refused by what it is or by a limit, never read until memory ends."""

from __future__ import annotations

import gzip
import io
import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from echelon import read_workload
from echelon.errors import InputError
from echelon.workloads.files import bounded_reading
from echelon.workloads.files.bounded_reading import BLOCK, available_memory, take

LINE = b"1 0 0 100 3 -1 -1 3 100 -1 1 1 1 -1 -1 -1 -1 -1\n"
LIMIT = 1_500_000_000
"""Memory of the commands below, in bytes: enough for the program, not for anything endless."""


class Endless(io.RawIOBase):
    """Gives the same block forever, and counts how many bytes were asked for."""

    def __init__(self, block: bytes) -> None:
        super().__init__()
        self.block, self.given = block, 0

    def read(self, size: int = -1) -> bytes:
        at, self.given = self.given % len(self.block), self.given + size
        return (self.block * (size // len(self.block) + 2))[at : at + size]


@pytest.fixture
def little_memory(monkeypatch):
    """Let 80 MB of memory be available, a quarter of which is 20 MB."""
    monkeypatch.setattr(bounded_reading, "available_memory", lambda: 80_000_000)


def test_what_is_binary_is_refused_by_its_first_block(little_memory):
    """Zeros without end are refused after two blocks."""
    zeros = Endless(b"\0")
    with pytest.raises(InputError, match=r"zeros: is binary \(a NUL byte in its first MB\), expected text"):
        take(zeros, "zeros", name="zeros")
    assert zeros.given <= 2 * BLOCK + 2


def test_a_text_without_lines_is_refused(little_memory):
    """A line without end is refused after 16 MB."""
    line = Endless(b"a")
    with pytest.raises(InputError, match="a: has no line end in its first 16 MB, expected lines of text"):
        take(line, "a", name="a")
    assert line.given < 20 * BLOCK


@pytest.mark.parametrize("block", [LINE, b"[1,", b"{\n", b"PAR1"])
def test_a_stream_is_read_up_to_a_quarter_of_the_memory(little_memory, block):
    """Lines, JSON in one line and Parquet without end stop at the limit, which the message says."""
    stream = Endless(block)
    sentence = r"^-: gives more than 20 MB, a quarter of the memory available; it may be endless"
    with pytest.raises(InputError, match=sentence):
        take(stream, "-", name="-")
    assert stream.given < 20_000_000 + 2 * BLOCK


def test_a_format_that_is_not_recognized_ends_the_reading(little_memory):
    """What recognizes formats is asked once, before the stream is read on."""
    stream, asked = Endless(b"y\n"), []

    def recognize(head):
        asked.append(len(head))
        raise InputError("is has no known format", file="-")

    with pytest.raises(InputError, match="no known format"):
        take(stream, "-", name="-", recognize=recognize)
    assert asked == [BLOCK]
    assert stream.given <= 2 * BLOCK + 2


@pytest.mark.slow
def test_a_small_file_that_unpacks_to_a_large_one(tmp_path, little_memory):
    """A gzip file of a few KB that holds 30 MB is refused by what it holds, not by its size."""
    path = tmp_path / "bomb.swf.gz"
    path.write_bytes(gzip.compress(LINE * 600_000))
    assert path.stat().st_size < 100_000
    with pytest.raises(InputError, match=r"bomb\.swf\.gz: holds, once decompressed, more than 20 MB"):
        read_workload(path)


def test_a_file_larger_than_memory(tmp_path, little_memory):
    """A regular file is refused by its size before it is read, however many holes it has."""
    path = tmp_path / "large.swf"
    with path.open("wb") as file:
        file.truncate(90_000_000)
    with pytest.raises(InputError, match=r"large\.swf: holds 90 MB, more than the 80 MB of memory"):
        read_workload(path)


@pytest.mark.parametrize("packed", [False, True])
def test_several_blocks_are_read_as_they_are(tmp_path, packed):
    """A file of several blocks, compressed or not, gives its bytes and their digest unchanged."""
    import hashlib

    content = b"; MaxProcs: 4\n" + LINE * 60_000
    raw = gzip.compress(content) if packed else content
    path = tmp_path / "log.swf"
    path.write_bytes(raw)
    with path.open("rb") as file:
        taken = take(file, "log", name="log.swf")
    assert len(content) > 2 * BLOCK
    assert taken == (content, hashlib.sha256(raw).hexdigest())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_named_pipe_is_a_file_like_any_other(tmp_path):
    """What another program writes into a pipe is read to its end."""
    path = tmp_path / "pipe.swf"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(LINE * 3,))
    writer.start()
    assert len(read_workload(path)) == 3
    writer.join()


@pytest.mark.skipif(not Path("/proc/meminfo").exists(), reason="the system does not tell")
def test_the_memory_available_minds_the_limit_of_the_process():
    """Below `ulimit -v` no more is available than that leaves; without it, what the system has."""
    code = "from echelon.workloads.files.bounded_reading import available_memory; print(available_memory())"
    told = subprocess.run(
        [sys.executable, "-c", code],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
        capture_output=True,
        check=True,
    )
    assert 0 < int(told.stdout) < LIMIT
    assert available_memory() > 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device of zeros")
@pytest.mark.parametrize(
    ("shell", "sentence"),
    [
        ("{} info /dev/zero", "/dev/zero: is binary (a NUL byte in its first MB)"),
        ("{} info - < /dev/zero", "standard input: is binary (a NUL byte in its first MB)"),
        ("yes | {} info -", "standard input: has no known format by its name or first bytes"),
        ("yes | {} run - --format swf --processors 4", "standard input: gives more than"),
        (
            "yes | head -c 10000000 | gzip > y.gz; yes y.gz | xargs cat 2> y.err | {} info - --format swf",
            "standard input: holds, once decompressed, more than",
        ),
    ],
)
def test_commands_with_endless_input(shell, sentence, tmp_path):
    """No command reads on until memory ends: each says what is wrong, in one sentence, with exit code 2."""
    done = subprocess.run(
        ["bash", "-c", shell.format(f"{sys.executable} -m echelon.cli")],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"echelon: {sentence}")
    assert done.stderr.count("\n") == 1
