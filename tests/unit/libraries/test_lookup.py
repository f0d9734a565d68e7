"""A library of other sources is never run: it is rebuilt, or the reference engine runs."""

from __future__ import annotations

import re

import pytest

from echelon.libraries.build import build_libraries
from echelon.libraries.processor import preferred_kinds

pytestmark = pytest.mark.slow

KERNEL = "model/schedules/allocation_kernel.py"

RUN = (
    "import echelon as ec\n"
    "import sys\n"
    "from echelon.libraries.lookup import announcing\n"
    "from echelon.model.schedules.allocation import assign_processors\n"
    "with announcing(lambda sentence: print('said:', sentence)):\n"
    "    held = assign_processors([0.0, 0.0], [1.0, 1.0], [2, 3], 8)\n"
    "    print('held:', held.first.tolist())\n"
)
NOT_BUILDABLE = "import sys; sys.modules['numba'] = None; sys.modules['llvmlite'] = None\n"
SIMULATE = (
    "import echelon as ec, sys\n"
    "from echelon.libraries.lookup import announcing\n"
    "with announcing(lambda sentence: print('said:', sentence)):\n"
    "    workload = ec.generate('lublin', jobs=50, processors=8, seed=1)\n"
    "    for policy in ('easy', 'fcfs'):\n"
    "        print(policy, ec.simulate(workload, policy=policy, processors=8).engine)\n"
)


def test_an_edit_of_a_kernel_rebuilds_it(checkout):
    """What is missing is built, once; after an edit it is built again, and the old one is removed.

    Where nothing can be built, a reader's kernel runs as plain Python, never an outdated library.
    """
    said = checkout.run(RUN)
    assert said.stdout.splitlines() == [
        "said: building kernels of the present sources, once; it takes some seconds",
        "held: [0, 2]",
    ], said.stderr
    (first,) = checkout.built
    assert checkout.run(RUN).stdout == "held: [0, 2]\n"
    checkout.edit(KERNEL, "first[logged] = low[n_free - 1]\n", "first[logged] = 70\n")
    said = checkout.run(RUN).stdout.splitlines()
    assert said[0].startswith("said: building kernels")
    assert said[1] == "held: [70, 70]"
    (second,) = checkout.built
    assert second != first
    checkout.edit(KERNEL, "first[logged] = 70\n", "first[logged] = 71\n")
    assert checkout.run(NOT_BUILDABLE + RUN).stdout.splitlines()[-1] == "held: [71, 71]"
    assert checkout.built == [second]


def test_without_any_library_the_reference_engine_runs(checkout):
    """Every run works, and it is said once why it comes later and what to do."""
    said = checkout.run(NOT_BUILDABLE + SIMULATE)
    first, *others = said.stdout.splitlines()
    assert others == ["easy reference", "fcfs reference"], said.stderr
    assert "cannot be built without numba and llvmlite" in first
    assert "install a wheel of this release" in first


def test_a_library_that_can_not_be_loaded(checkout):
    """A damaged file, or one of another system, is one sentence, and every run works without it."""
    checkout.have("machine", b"no library")
    said = checkout.run(SIMULATE)
    first, *others = said.stdout.splitlines()
    assert others == ["easy reference", "fcfs reference"], said.stderr
    assert re.match(r"said: the library .*machine-.* cannot be loaded \(.*\); results are the same", first)


def test_a_script_is_warned(checkout):
    """Callers from Python get the sentence as a warning, once for each missing library."""
    program = SIMULATE.replace("with announcing(lambda sentence: print('said:', sentence)):", "if True:")
    said = checkout.run(NOT_BUILDABLE + program)
    assert said.stdout == "easy reference\nfcfs reference\n", said.stderr
    assert said.stderr.count("UserWarning: the kernel 'machine' has no library of the present sources") == 1


def test_a_study_says_so_once(checkout):
    """A study whose runs lack the compiled engine says why before it begins."""
    study = "[fixed]\nworkload = 'lublin:jobs=20:processors=8'\n[axes]\npolicy = ['fcfs', 'easy']\n"
    (checkout.package.parent / "study.toml").write_text(study)
    arguments = ["study", "run", "study.toml", "--out", "runs", "--executor", "threads", "--no-report"]
    said = checkout.run(f"{NOT_BUILDABLE}from echelon.cli import main; main({arguments})")
    assert said.stderr.count("the kernel 'machine' has no library of the present sources") == 1
    assert "2 runs made" in said.stdout, said.stderr


@pytest.mark.parametrize(
    ("arguments", "lines"), [(["run", "--quiet"], 0), (["run"], 1), (["check", "easy"], 1)]
)
def test_commands_say_it_in_a_line(checkout, arguments, lines):
    """What a script reads as a warning is a line of a command, and nothing where it is to be quiet."""
    if arguments[0] == "run":
        arguments = [
            *arguments,
            "lublin:jobs=20:processors=8",
            "--policy",
            "easy",
            "--out",
            "run",
            "--no-report",
        ]
    said = checkout.run(f"{NOT_BUILDABLE}from echelon.cli import main; main({arguments})")
    assert [line[:9] for line in said.stderr.splitlines() if "machine" in line] == ["echelon: "] * lines
    assert "Warning" not in said.stderr


def test_plain_python_needs_no_library(checkout):
    """With the switch for debuggers kernels run where no library is, and none is built."""
    said = checkout.run(NOT_BUILDABLE + SIMULATE, ECHELON_KERNELS="python")
    assert said.stdout == "easy compiled\nfcfs compiled\n", said.stderr
    assert checkout.built == []


def test_the_compiled_engine_by_name_is_refused(checkout):
    """Requesting the compiled engine by name gives the reason why it is missing."""
    program = SIMULATE.replace("processors=8).engine", "processors=8, engine='compiled').engine")
    said = checkout.run(NOT_BUILDABLE + program)
    assert "UnsupportedError: the compiled engine cannot run this" in said.stderr
    assert "cannot be built without numba" in said.stderr


@pytest.mark.parametrize("kept", [0.0, 0.02, 0.5, 0.99])
def test_a_library_that_is_cut_short(checkout, kept):
    """Of a part of a library, which Linux would load and die of, it is said so, and every run works."""
    (library,) = build_libraries(["machine"], kinds=[preferred_kinds()[0]])
    part = library.read_bytes()[: int(library.stat().st_size * kept)]
    place = checkout.package / "libraries" / "built"
    place.mkdir()
    (place / library.name).write_bytes(part)
    first, *others = checkout.run(SIMULATE).stdout.splitlines()
    assert others == ["easy reference", "fcfs reference"]
    assert re.match(r"said: the library .*machine-.* cannot be loaded \(.*\); results are the same", first)


@pytest.mark.parametrize("breaking", ["return no_such_name\n", "return (\n"])
def test_a_kernel_that_does_not_compile(checkout, breaking):
    """What the compiler says of a mistake in a kernel is passed on in one sentence; the run goes on."""
    checkout.edit(KERNEL, "    return why\n", f"    {breaking}")
    said = checkout.run("from echelon.libraries.lookup import why_not\nprint(why_not('allocation'))")
    assert "could not be built" in said.stdout or "SyntaxError" in said.stderr
