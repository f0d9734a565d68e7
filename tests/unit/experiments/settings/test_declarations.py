"""The declarations of the settings: complete, light, resolvable, and the one place that names most."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import echelon as ec
from echelon.cli.options.setting_options import settings_of_runs
from echelon.experiments.settings.setting import GROUPS, load
from echelon.experiments.settings.setting import JOB_CHANGES as CHANGES_IN_ORDER
from echelon.experiments.settings.signature import annotation
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.settings.values.completion import offers_of, only

SOURCES = Path(ec.__file__).parent
SHOWING = ("reports", "plotting", "metrics", "history")
"""Rooms that show what a run was: they read its results."""
USING = (
    "engine",
    "policies",
    "execution",
    "platforms",
    "model",
    "reproduce",
    "testing",
    "workloads",
    "portal",
)
"""Rooms that do what a setting says."""
PLAIN = (
    *("power_cap", "governor", "sleep_after", "sharing", "co_allocate", "two_phase"),
    *("experience", "cpu_use"),
)
"""Settings whose names are no words of anything else, nor of inner sites."""

IN_PYTHON = [setting for setting in SETTINGS if setting.in_python]


@cache
def names_in(file: Path) -> set[str]:
    """Return the identifiers, keywords and texts of a file, without its docstrings and comments."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.arg | ast.keyword) and node.arg:
            found.add(node.arg)
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return found


def test_every_setting_is_named_once_and_says_what_it_is():
    """Names are distinct, and each has a group, what it takes, what it is and, as an option, its help."""
    assert len({one.name for one in SETTINGS}) == len(SETTINGS)
    for setting in SETTINGS:
        assert setting.group in (*GROUPS, CHANGES_IN_ORDER), setting.name
        assert setting.expected, setting.name
        assert setting.about, setting.name
        assert setting.help or not setting.on_command_line, setting.name


def test_every_place_can_be_loaded():
    """Readers, writers, checks, lists of names: each path leads to something."""
    for setting in SETTINGS:
        places = (setting.read, setting.write, setting.check, setting.located, setting.choices)
        for place in (*places, *setting.families):
            assert not place or load(place) is not None, (setting.name, place)


@pytest.mark.parametrize("setting", [one for one in SETTINGS if one.choices], ids=lambda one: one.name)
def test_words_of_choices_are_those_of_the_engine(setting):
    """What a message and the help say of a choice is what is taken, in this order."""
    if setting.name == "format":
        assert "swf" in only(setting)
        return
    assert setting.expected == f"one of {', '.join(only(setting))}"
    assert setting.metavar == "|".join(only(setting))
    assert setting.default is None or setting.default in only(setting)


def test_names_are_offered_where_rules_are_named():
    """A rule's setting offers names to editors and shells."""
    assert [one.name for one in SETTINGS if one.is_rule and not offers_of(one)] == []


def test_the_declarations_import_no_library():
    """The table can be had without numpy, polars, pydantic and any family of rules."""
    code = (
        "import sys; import echelon.experiments.settings.table;"
        "print(*sorted(name for name in sys.modules if name.partition('.')[0] in "
        "('numpy', 'polars', 'pydantic', 'typer') or name.startswith(('echelon.policies', 'echelon.engine', "
        "'echelon.execution', 'echelon.model', 'echelon.workloads', 'echelon.platforms'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("function", [ec.simulate, ec.compare])
def test_functions_have_every_setting_as_a_keyword(function):
    """The signature has them in order, between the workload and what is no setting, with their types."""
    taken = inspect.signature(function).parameters
    plurals = {one.plural for one in SETTINGS if one.plural}
    named = [name for name in taken if name not in plurals]
    assert named[0] == "workload"
    assert named[1 : 1 + len(IN_PYTHON)] == [one.name for one in IN_PYTHON]
    several = function is ec.compare
    for setting in IN_PYTHON:
        assert taken[setting.name].annotation == annotation(setting, several=several)
        assert taken[setting.name].kind is inspect.Parameter.KEYWORD_ONLY
        assert f"{setting.name} : " in function.__doc__


def test_an_unknown_keyword_names_the_nearest():
    """A keyword that is no setting is an error at once, with the one that was meant."""
    jobs = ec.Workload.from_columns(submit_time=[0], run_time=[1], requested_time=[1], processors=[1])
    with pytest.raises(TypeError, match=r"simulate\(\) has no setting 'polcy'; did you mean 'policy'\?"):
        ec.simulate(jobs, polcy="easy")
    with pytest.raises(TypeError, match=r"compare\(\) has no setting 'goverrnor'; did you mean 'governor'\?"):
        ec.compare(jobs, policies=["easy"], goverrnor="lowest")


def test_every_setting_of_a_run_is_an_option():
    """What Python takes the command line takes, too."""
    options = {setting.name for setting in settings_of_runs()}
    assert {one.name for one in IN_PYTHON} <= options


@cache
def elsewhere():
    """Return the files of all rooms but those that do and show what settings say."""
    rooms = (*SHOWING, *USING)
    return [file for file in SOURCES.rglob("*.py") if file.relative_to(SOURCES).parts[0] not in rooms]


@pytest.mark.parametrize("name", PLAIN)
def test_a_setting_is_named_by_its_declaration_and_what_uses_it(name):
    """Beside the rooms that do and show what it says, at most two files name a setting."""
    files = [file for file in elsewhere() if name in names_in(file)]
    assert len(files) <= 2, files
    assert any(file.parent.name == "settings" for file in files)


@pytest.mark.slow
def test_no_list_of_settings_is_written_by_hand():
    """No function of experiments, nor of run and compare, has over twelve parameters of its own."""
    files = [*(SOURCES / "experiments").rglob("*.py")]
    files += [
        SOURCES / "cli" / f"{name}.py" for name in ("run", "compare", "run_steps", "options/setting_options")
    ]
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                assert len(given) <= 12, f"{file}, line {node.lineno}: {node.name}"


def test_no_setting_is_called_as_a_metric():
    """Tables of studies have a column for each of both."""
    from echelon.metrics.registry.known_metrics import METRICS

    assert {setting.name for setting in SETTINGS}.isdisjoint(metric.name for metric in METRICS)
