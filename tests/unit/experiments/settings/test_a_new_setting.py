"""A new setting: one declaration and the code that uses it make it known everywhere."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

INVENT = """
from dataclasses import dataclass

import echelon.experiments.settings.nodes as nodes
from echelon.experiments.settings.setting import INSIDE
from echelon.experiments.settings.setting import OF_NODES
from echelon.experiments.settings.setting import Setting

nodes.INSIDE_NODES += (
    Setting(
        name="frugality",
        group=INSIDE,
        types=(float,),
        least=0,
        expected="a number >= 0",
        about="how sparing the machine is, default 0",
        help="How sparing the machine is. Default: 0.",
        metavar="X",
        default=0.0,
        scope=OF_NODES,
        summary="frugality {}",
        silent=(0.0,),
    ),
)

import echelon.engine.nodes.rules as rules

@dataclass(frozen=True)
class Rules(rules.NodeRules):
    frugality: float = 0.0

rules.NodeRules = Rules
"""
"""What a developer would write into two files."""

TOUR = """
import contextlib, inspect, io, json, sys
from pathlib import Path

import echelon as ec
from echelon.cli.main import main
from echelon.experiments.settings.schema import scenario_schema
from echelon.experiments.study.file.settings import check_value, settings_known

def said(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(words))
    return [code, out.getvalue(), err.getvalue()]

def refusal(**settings):
    try:
        ec.simulate(log, platform="irmasim-a", **settings)
    except ec.InputError as error:
        return str(error)

log, scenario = sys.argv[1:]
nodes = ["--platform", "irmasim-a", "--engine", "reference"]
told = {
    "help": said("run", "--help")[1],
    "signature": "frugality" in inspect.signature(ec.simulate).parameters,
    "run": json.loads(said("run", log, *nodes, "--frugality", "2", "--json")[1])["run"]["frugality"],
    "sentence": said("run", log, *nodes, "--frugality", "2")[1],
    "elsewhere": said("run", log, "--frugality", "2")[2],
    "compared": list(json.loads(said("compare", log, *nodes, "--frugality", "1,2", "--json")[1])["runs"]),
    "scenario": said("run", scenario)[2],
    "option": said("run", log, *nodes, "--frugality", "-1")[2],
    "one of several": said("compare", log, *nodes, "--frugality", "1,-1")[2],
    "keyword": refusal(frugality=-1),
    "schema": scenario_schema()["properties"]["frugality"],
    "study": check_value("frugality", 3, Path()),
    "known": "frugality" in settings_known(),
}
print(json.dumps(told))
"""
"""What everybody else then sees of it."""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """Return what a process sees in which the setting was declared."""
    folder = tmp_path_factory.mktemp("invented")
    log, scenario = folder / "jobs.swf", folder / "wrong.toml"
    log.write_text("; MaxProcs: 4\n1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n")
    scenario.write_text('workload = "jobs.swf"\nplatform = "irmasim-a"\nfrugality = -1\n')
    done = subprocess.run(
        [sys.executable, "-c", INVENT + TOUR, str(log), str(scenario)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_command_line_has_it(seen):
    """It has an option with its help, under its group, and what was asked for is said after the run."""
    assert "--frugality X" in seen["help"].split("Nodes and power:")[1].split("Multiclusters:")[0]
    assert "frugality 2.0." in seen["sentence"].replace("\n", " ")


def test_python_has_it(seen):
    """It is a keyword of simulate."""
    assert seen["signature"]


def test_the_manifest_has_it(seen):
    """A run tells its value."""
    assert seen["run"] == 2.0


def test_it_is_refused_where_it_does_not_apply(seen):
    """On a machine without nodes the message says why."""
    assert "frugality: 2.0 applies to nodes" in seen["elsewhere"]


def test_a_comparison_varies_it(seen):
    """Each value is a run, which is called by it."""
    assert seen["compared"] == ["frugality=1 + fcfs", "frugality=2 + fcfs"]


def test_its_bounds_hold_whichever_way_it_comes(seen):
    """An option, one value of a comparison and a keyword are refused in the words of a file."""
    ways = ("option", "one of several", "keyword")
    assert [way for way in ways if "frugality: got -1" not in seen[way]] == []
    assert [way for way in ways if "expected a number >= 0" not in seen[way]] == []


def test_files_have_it(seen):
    """Scenario files check it, studies take it, and the schema describes it."""
    assert "frugality: got -1, expected a number >= 0" in seen["scenario"]
    assert (seen["study"], seen["known"]) == (3.0, True)
    one = {"minimum": 0, "type": "number"}
    assert seen["schema"] == {
        "description": "a number >= 0; how sparing the machine is, default 0",
        "anyOf": [one, {"items": one, "minItems": 1, "type": "array"}],
    }
