"""Rules of other installed packages: found by entry points, and never in the way of the built-in ones."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.execution import format_time_shared, time_shared_of
from echelon.experiments.settings.values.value_reader import execution
from echelon.families import FAMILIES
from echelon.metrics import own_metrics
from echelon.policies.sharing import format_sharing, sharing
from echelon.rules.entry_points import Broken
from echelon.testing import check_rule
from echelon.workloads.synthetic.generation import names_model

MINE = """
from dataclasses import dataclass
from typing import ClassVar

from echelon import broker
from echelon.policies import Strategy


@dataclass(frozen=True)
class Least(Strategy):
    weight: float = 1.0
    name: ClassVar[str] = "least-jobs"
    information: ClassVar[int] = 1
    source: ClassVar[str] = "none"

    def value(self, job, site, view):
        return self.weight * view.jobs(site)


@broker("least-jobs", information=1, source="none")
def least(job, site, view, *, weight: float = 1.0):
    '''Jobs at the site.'''
    return weight * view.jobs(site)


@dataclass(frozen=True)
class Few:
    most: int = 3
    spec: ClassVar[str] = "few"

    def accepts(self, state):
        return state.waiting < self.most


@dataclass(frozen=True)
class Hands:
    name: ClassVar[str] = "hands"

    def dispatch(self, view):
        return []
"""

MINE_POINTS = """
[echelon.brokers]
my-least = own_rules:Least
my-function = own_rules:least

[echelon.queue_limits]
my-few = own_rules:Few

[echelon.global_queues]
my-hands = own_rules:Hands
"""


@pytest.fixture
def policies():
    """Return the family of policies."""
    return FAMILIES.named("policies")


@pytest.mark.slow
def test_a_rule_of_a_package_is_one_by_its_name(install_rules, policies):
    """Orders, schedulers and metrics are named without a file, with parameters, in any case."""
    install_rules("shared")
    assert dict(policies.parse("easy:aged:weight=2").order.rule.values) == {"weight": 2.0}
    found = policies.parse("Tolerant(share=0.7):AGED:weight=3")
    assert (found.scheduler.share, found.order.name, found.name) == (
        0.7,
        "aged",
        "tolerant(share=0.7):aged:weight=3",
    )
    assert FAMILIES.named("metrics").parse("wide_wait:share=0.25").name == "wide_wait:share=0.25"
    assert check_rule("tolerant").passed


def test_a_sharing_and_an_execution_of_a_package_take_parameters(install_rules):
    """Both are named as built-in ones, and checked by their names."""
    install_rules("shared")
    assert format_sharing(sharing("latency:latency=2")) == "latency:latency=2"
    assert format_time_shared(time_shared_of("alike:paging=1")) == "alike:paging=1"
    assert execution("ALIKE:paging=1").paging == 1.0
    for name in ("latency", "alike"):
        assert check_rule(name).passed


def test_a_rule_of_a_package_has_its_declared_name(install_rules):
    """It is labelled as declared, with its parameters, and read by that; a file's rule by its own name."""
    folder = install_rules("own", MINE_POINTS)
    (folder / "own_rules.py").write_text(MINE)
    told = {
        "brokers": ["my-least", "MY_LEAST:weight=2", "my-function:weight=2"],
        "queue-limits": ["my-few", "my-few:most=1"],
        "global-queues": ["my-hands"],
    }
    for family, specs in told.items():
        rules = FAMILIES.named(family)
        made = [rules.parse(spec) for spec in specs]
        assert list(map(rules.format, made)) == [spec.lower().replace("_", "-") for spec in specs]
        assert [rules.parse(rules.format(rule)) for rule in made] == made
    brokers = FAMILIES.named("brokers")
    assert brokers.format(brokers.parse(f"{folder / 'own_rules.py'}:Least:weight=2")) == "least-jobs:weight=2"


def test_a_metric_of_a_package_takes_parameters(install_rules):
    """Where metrics of one's own are given, a declared one is read with its parameters."""
    install_rules("shared")
    (wide,) = own_metrics(["wide_wait:share=0.2"])
    assert wide.name == "wide_wait:share=0.2"


def test_a_data_set_stays_what_it_is(install_rules):
    """A package cannot take the name of a data set, of a grid or of a file."""
    install_rules("shared")
    assert not names_model("kth-sp2")
    assert names_model("ticks")
    assert not names_model("ticks.swf")


def test_a_built_in_name_stays_what_it_is(install_rules, policies):
    """A package cannot take the name of a built-in rule."""
    install_rules("shared")
    assert policies.parse("fcfs") == policies.parse("fifo")


def test_what_is_no_rule_or_can_not_be_loaded_is_one_sentence(install_rules, policies):
    """It names the package and what is wrong, and the others go on working."""
    install_rules("shared")
    with pytest.raises(
        InputError, match=r"policy broken: cannot be loaded from the package shared .*ModuleNotFound"
    ):
        policies.parse("broken")
    with pytest.raises(InputError, match=r"policy number: must be an order \(use @order\) or .*; got int"):
        policies.parse("number")
    with pytest.raises(UnknownNameError, match="did you mean 'tolerant'"):
        policies.parse("tolerent")
    listed = dict(policies.others)
    assert sorted(listed) == ["Aged", "broken", "fcfs", "number", "tolerant"]
    assert isinstance(listed["broken"], Broken)
    assert not isinstance(listed["Aged"], Broken)


def test_two_packages_with_one_name(install_rules, policies):
    """The name is refused with both packages; their other names stay."""
    install_rules("shared")
    install_rules("other", "[echelon.orders]\naged = other_rules:aged\nyoung = other_rules:aged\n")
    with pytest.raises(
        InputError, match="policy aged: is declared by 2 installed packages, other and shared"
    ):
        policies.parse("aged")
    assert policies.parse("young").order.name == "aged"


def test_a_package_in_an_archive_is_found(install_rules, policies, tmp_path, monkeypatch):
    """A rule may be in a package that Python imports from an archive."""
    folder = install_rules("packed", "[echelon.orders]\npacked = packed_rules:aged\n")
    monkeypatch.syspath_prepend(shutil.make_archive(str(tmp_path / "packed"), "zip", folder))
    sys.path.remove(str(folder))
    assert policies.parse("packed").order.name == "aged"


def test_other_packages_are_not_parsed():
    """Where no package declares a rule, a list of all rules does not parse what packages declare."""
    code = (
        "import sys; from echelon.families import FAMILIES; from echelon.rules import entry_points;"
        "has_rules = lambda folder: entry_points._has_rules(entry_points.Path(folder));"
        "sys.path = [folder for folder in sys.path if not has_rules(folder)];"
        "print(FAMILIES.named('policies').others, 'importlib.metadata' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[] False\n"


def test_the_common_path_looks_through_no_packages():
    """Naming built-in rules of every family imports nothing that looks through installed packages."""
    code = (
        "import sys; from echelon.families import FAMILIES;"
        "FAMILIES.named('policies').parse('easy:sjf'); FAMILIES.named('brokers').parse('mct');"
        "FAMILIES.named('estimators').parse('average:alpha=0.25');"
        "print('echelon.rules.entry_points' in sys.modules, 'importlib.metadata' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", "False"]
