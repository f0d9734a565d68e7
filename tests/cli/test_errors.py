"""Bad usage and bad input: one sentence on stderr, exit code 2, nothing written."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING

import pytest

from echelon.policies.policy import POLICY

if TYPE_CHECKING:
    from pathlib import Path

LINE = "1 0 0 {} 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n"


def _bytes(kind: str) -> bytes:
    packed = gzip.compress((LINE.format(5) * 1000).encode())
    return {
        "empty.swf": b"",
        "binary.swf": bytes(range(256)) * 20,
        "binary.dat": os.urandom(4000),
        "binary.parquet": b"PAR1" + bytes(range(256)),
        "cut.swf.gz": packed[: len(packed) // 2],
        "plain.swf.gz": LINE.format(5).encode(),
        "nan.swf": LINE.format("nan").encode(),
        "infinite.swf": LINE.format("inf").encode(),
        "huge.swf": LINE.format("9" * 400).encode(),
        "short.swf": b"1 2 3\n",
        "header.swf": b"; MaxProcs: 4\n",
        "empty.csv": b"submit_time,run_time,processors\n",
    }[kind]


GARBAGE = (
    "empty.swf",
    "binary.swf",
    "binary.dat",
    "binary.parquet",
    "cut.swf.gz",
    "plain.swf.gz",
    "nan.swf",
    "infinite.swf",
    "huge.swf",
    "short.swf",
    "header.swf",
    "empty.csv",
)


@pytest.mark.parametrize("command", ["info", "run", "compare", "convert"])
@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage(echelon, tmp_path: Path, command: str, kind: str):
    """Every command that reads a workload names the file that is none, and writes nothing."""
    file = tmp_path / kind
    file.write_bytes(_bytes(kind))
    arguments = {
        "info": (),
        "run": ("--processors", 4, "--out", tmp_path / "out"),
        "compare": ("--processors", 4, "--policies", "fcfs,easy", "--out", tmp_path / "out"),
        "convert": (tmp_path / "out.swf",),
    }[command]
    said = echelon(command, file, *arguments)
    assert said.code == 2
    assert said.sentence.startswith("echelon: ")
    assert kind.split(".", maxsplit=1)[0] in said.sentence
    assert [path.name for path in tmp_path.iterdir()] == [kind]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("run missing.swf", "missing.swf: no such file or data set"),
        ("run .", ".: is a folder, expected a file of jobs"),
        ("run {} --policy esay", "no policy is named 'esay'; did you mean 'easy'?"),
        ("run {} --policy EASI", "no policy is named 'EASI'; did you mean 'easy'?"),
        ("run {} --policy easy(", "easy("),
        ("run {} --policy nowhere.py:rule", "nowhere.py:rule: no such file"),
        ("run {} --processors 0", "processors: got 0, expected a whole number >= 1"),
        ("run {} --estimates guess", "no rule for estimates is named 'guess'"),
        ("run {} --passes never", "no rule of scheduling cycles is named 'never'"),
        ("run {} --engine fast", "no engine is named 'fast'"),
        ("run {} --seed -1", "seed: got -1, expected a whole number >= 0"),
        ("run {} --dates ISO", "--dates: needs a folder for jobs.csv"),
        ("run {} --figures PNG", "--figures: needs a folder for the figures"),
        ("run {} --platform irmasim-a --sleep-after -1", "sleep-after: got '-1', expected seconds >= 0"),
        ("run {} --platform irmasim-a --power-cap -1", "power-cap: got -1.0, expected a number > 0"),
        ("run {} --format doc", "no workload format is named 'doc'"),
        ("run {} --strict", "strict: a simulation would drop jobs"),
        ("info {} --strict", "strict: a simulation would drop jobs"),
        ("info {} --processors 0", "processors: must be at least 1, got 0"),
        ("run {} --out {}", "six.swf: cannot be created as a folder for results"),
        ("compare {} --policies easy,,fcfs", "must be names joined by single commas"),
        ("compare {} --policies easy,easy", "must all be different, got 'easy' twice"),
        ("convert {} out.doc", "out.doc: has no extension of a format that can be written"),
        ("convert {} -", "standard output needs a format; give --to with one of: swf, "),
        ("convert {} out.swf --scale-load 0", "factor: must be a finite number > 0"),
        ("convert {} out.swf --scale-size 0", "must be at least 1, got 0"),
        ("convert {} out.swf --first -1", "must be a number of jobs >= 0, got -1"),
        ("policies nothing-like-it", "no policy is named 'nothing-like-it'"),
        ("datasets kth", "no data set is named 'kth'"),
        ("datasets --fetch", "needs the name of a data set"),
        ("check nowhere.py", "nowhere.py: name a rule of the file: nowhere.py:NAME"),
        ("check nowhere.py:rule", "nowhere.py:rule: no such file"),
        ("report .", "has no run.json"),
        ("report nowhere", "nowhere: is not a folder"),
        ("run", "Missing argument"),
        ("compare {}", "needs policies to compare, give --policies P,Q (or --platform and --brokers)"),
        ("run {} --polcy easy", "No such option"),
        ("run {} --processors many", "Invalid value for '--processors'"),
        ("sudy", "No such command 'sudy'"),
        ("study rum x.toml", "No such command 'rum'"),
    ],
)
def test_bad_arguments(echelon, six_jobs, monkeypatch, arguments, expected):
    """Each wrong word is answered with what is wrong with it."""
    monkeypatch.chdir(six_jobs.parent)
    said = echelon(*arguments.format(*[six_jobs.name] * 2).split())
    assert said.code == 2
    assert expected in said.sentence
    assert [path.name for path in six_jobs.parent.iterdir()] == ["six.swf"]


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ("run {} --policy fcfs --policy easy", "--policy"),
        ("run {} --policy easy --policy=easy", "--policy"),
        ("run {} --strict --drop-invalid", "--strict/--drop-invalid"),
        ("run {} --quiet -q", "--quiet"),
        ("compare {} --policies fcfs --seed 1 --policies easy", "--policies"),
        ("info {} --processors 4 --processors 8", "--processors"),
        ("convert {} out.swf --first 1 --first 2", "--first"),
        ("generate lublin --seed 1 --seed 2", "--seed"),
        ("merge {} --weeks 1 --weeks 2", "--weeks"),
        ("report . --figures png --figures svg", "--figures"),
        ("reproduce grid --seeds 1 --seeds 2", "--seeds"),
        ("study run x.toml --workers 1 --workers 2", "--workers"),
        ("study check x.toml --max 1 --max 2", "--max"),
    ],
)
def test_an_option_given_twice(echelon, six_jobs, monkeypatch, arguments, option):
    """Of two values for one option none is quietly dropped: the command says so and does nothing."""
    monkeypatch.chdir(six_jobs.parent)
    said = echelon(*arguments.format(six_jobs.name).split())
    assert said.code == 2
    assert (
        f"Invalid value for '{option}': is given more than once; give it once (see echelon " in said.sentence
    )
    assert [path.name for path in six_jobs.parent.iterdir()] == ["six.swf"]


def test_options_that_may_be_repeated(echelon, six_jobs, tmp_path):
    """An option that takes several values takes each of them, and asking twice for help is no mistake."""
    metrics = tmp_path / "mine.py"
    metrics.write_text(
        "from echelon import metric\n"
        "@metric('one', unit='s', source='none')\ndef one(m):\n    'One.'\n    return 1.0\n"
        "@metric('two', unit='s', source='none')\ndef two(m):\n    'Two.'\n    return 2.0\n"
    )
    said = echelon("run", six_jobs, "--metric", f"{metrics}:one", "--metric", f"{metrics}:two", "--json")
    assert (said.json["metrics"]["one"], said.json["metrics"]["two"]) == (1.0, 2.0)
    assert echelon("run", "--help", "--help").code == 0


@pytest.mark.parametrize("name", ["", " "])
def test_a_folder_without_a_name(echelon, six_jobs, monkeypatch, name):
    """--out "" is no way to say the folder one is in."""
    monkeypatch.chdir(six_jobs.parent)
    said = echelon("run", six_jobs, "--out", name)
    assert said.code == 2
    assert "Invalid value for '--out': needs the name of a folder" in said.sentence
    assert [path.name for path in six_jobs.parent.iterdir()] == ["six.swf"]


@pytest.mark.parametrize(("first", "second"), [("run", "compare"), ("compare", "run")])
def test_a_run_and_a_comparison_in_one_folder(echelon, six_jobs, tmp_path, first, second):
    """The one refuses the other's folder before anything runs, and leaves it as it was."""
    arguments = {"run": (), "compare": ("--policies", "fcfs,easy")}
    assert echelon(first, six_jobs, *arguments[first], "--out", tmp_path / "out").code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    said = echelon(second, six_jobs, *arguments[second], "--out", tmp_path / "out")
    assert said.code == 2
    kind = {"run": "run", "compare": "comparison"}[first]
    assert f"out: holds a {kind}, with which the files of a " in said.sentence
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == before
    assert echelon(first, six_jobs, *arguments[first], "--out", tmp_path / "out").code == 0


def test_debug_shows_the_traceback_before_the_sentence(echelon):
    """With --debug, anywhere, the same error comes with its traceback."""
    said = echelon("policies", "--debug", "esay")
    assert said.code == 2
    assert said.err.startswith("Traceback")
    assert said.err.endswith("echelon: no policy is named 'esay'; did you mean 'easy'?\n")


def test_a_failure_inside_is_exit_code_1(echelon, monkeypatch):
    """What is nobody's input error says so, and how to see more."""

    def fail(_: str) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(POLICY, "parse", fail)
    said = echelon("policies", "easy")
    assert said.code == 1
    assert said.sentence == (
        "echelon: failed inside: KeyError: 'lost'; run again with --debug for the traceback"
    )


RULES = '''
from echelon import Start, order


@order("fails", source="none")
def fails(job, view):
    """Nothing."""
    return 1 / 0


class Greedy:
    name = "greedy"

    def decide(self, view):
        for job in view.queue:
            yield Start(job)


class Idle:
    name = "idle"

    def decide(self, view):
        return ()
'''


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fails", "ZeroDivisionError"),
        ("Greedy", "was started on 4 processors, but"),
        ("Idle", "can never start"),
        ("Gredy", "did you mean 'Greedy'?"),
    ],
)
def test_a_users_rule_that_breaks_the_rules(echelon, six_jobs, name, expected):
    """A policy of the user's own is input: its mistakes are told in a sentence, and nothing is written."""
    rules = six_jobs.parent / "rules.py"
    rules.write_text(RULES)
    said = echelon("run", six_jobs, "--policy", f"{rules}:{name}", "--out", six_jobs.parent / "out")
    assert said.code == 2
    assert expected in said.sentence
    assert not (six_jobs.parent / "out").exists()
