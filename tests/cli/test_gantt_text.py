"""Gantt charts as text, with `run` and `compare`."""

from __future__ import annotations

import pytest

from echelon.cli import gantt_text


@pytest.fixture
def two_jobs(tmp_path, monkeypatch):
    """Return a file of two jobs for one processor, read in a pipe of 80 columns."""
    monkeypatch.delenv("COLUMNS", raising=False)
    path = tmp_path / "two.csv"
    path.write_text("job_id,submit_time,run_time,processors\nA,0,6,1\nB,1,3,1\n")
    return path


def test_run_draws_the_schedule_below_its_metrics(echelon, two_jobs):
    """One row, names in boxes, times below, arrivals above; nothing else changes."""
    plain = echelon("run", two_jobs, "--processors", 1)
    said = echelon("run", two_jobs, "--processors", 1, "--gantt")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[: len(plain.out.splitlines()) - 2] == plain.out.splitlines()[:-2]
    assert said.out.splitlines()[-7:] == [
        "A       B",
        "▼       ▼",
        "┌───────────────────────────────────────────────┬───────────────────────┐",
        "│                       A                       │           B           │",
        "└───────────────────────────────────────────────┴───────────────────────┘",
        "0                                               6                       9",
        "time (s)",
    ]


def test_compare_draws_one_below_the_other(echelon, two_jobs):
    """Each policy's chart is below its name, on the same time axis."""
    said = echelon("compare", two_jobs, "--processors", 1, "--policies", "fcfs,srtf", "--gantt")
    lines = said.out.splitlines()
    first, second = lines.index("fcfs:"), lines.index("srtf:")
    assert first < second
    assert lines[first + 6].index("9") == lines[second + 6].index("9")
    assert lines[second + 4].replace("│", " ").split() == ["A", "B", "A"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--gantt", "--json"), "--gantt: draws text, and --json prints nothing else; give one of them"),
        (("--gantt-window", "0-5"), "--gantt-window: applies to --gantt; give --gantt, too"),
        (
            ("--gantt", "--gantt-window", "5"),
            "--gantt-window: expected FROM-TO in seconds, such as 0-500, got '5'",
        ),
        (("--gantt", "--gantt-window", "5-2"), "--gantt-window: must end after it begins, got '5-2'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(echelon, two_jobs, arguments, sentence):
    """Before the simulation starts, with what to give instead."""
    said = echelon("run", two_jobs, "--processors", 1, *arguments)
    assert (said.code, said.sentence) == (2, f"echelon: {sentence}")


def test_a_window_is_a_part_of_the_time(echelon, two_jobs):
    """In seconds of the log, with what it leaves out."""
    said = echelon("run", two_jobs, "--processors", 1, "--gantt", "--gantt-window", "6.5-8")
    assert said.out.endswith("Shown: 6.5 s to 8 s, in which 1 of 2 jobs held processors.\n")
    assert echelon("run", two_jobs, "--processors", 1, "--gantt", "--quiet").out == ""


def test_the_terminal_decides_on_width_letters_and_colors(monkeypatch):
    """$COLUMNS counts, else the terminal, else 80; ASCII unless it writes UTF-8; colors on terminals."""

    class Stream:
        encoding = "latin-1"

        def isatty(self):
            return True

        def fileno(self):
            raise OSError

    monkeypatch.setattr(gantt_text.sys, "stdout", Stream())
    monkeypatch.setenv("COLUMNS", "123")
    assert gantt_text._width() == 123
    monkeypatch.delenv("COLUMNS")
    assert gantt_text._width() == 80
    assert not gantt_text._writes_unicode()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert gantt_text._shows_colors()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not gantt_text._shows_colors()
