"""Packages whose names are imported when used, and lists of rules that import a rule when it is named."""

from __future__ import annotations

import ast
import importlib
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import echelon
from echelon.availability.laws.registry import LAWS
from echelon.lazy import Rules, by_word, postpone
from echelon.policies.backfill.easy import Easy
from echelon.policies.backfill.registry import BACKFILLS
from echelon.policies.broker.registry import DISPATCHERS, IMMEDIATE_STRATEGIES, PROTOCOLS, STRATEGIES
from echelon.policies.broker.site_filter import SITE_FILTERS
from echelon.policies.coallocation.registry import CO_ALLOCATIONS
from echelon.policies.estimators.registry import ESTIMATORS
from echelon.policies.global_queue.registry import GLOBAL_QUEUES
from echelon.policies.global_queue.several import MEMBERSHIPS
from echelon.policies.order.registry import ORDERS
from echelon.policies.placement.registry import ALLOCATORS, RESOURCE_ORDERS
from echelon.policies.preemptive.registry import PREEMPTIVE
from echelon.workloads.formats.known_formats import ENDINGS, FORMATS
from echelon.workloads.grid.spec import RECIPES
from echelon.workloads.synthetic.known_models import MODELS

SOURCES = Path(echelon.__file__).parent
LISTS = {
    "orders": ORDERS,
    "backfillings": BACKFILLS,
    "preemptive schedulers": PREEMPTIVE,
    "estimators": ESTIMATORS,
    "brokers": STRATEGIES,
    "brokers of machines without queues": IMMEDIATE_STRATEGIES,
    "dispatchers": DISPATCHERS,
    "co-allocations": CO_ALLOCATIONS,
    "global queues": GLOBAL_QUEUES,
    "memberships": MEMBERSHIPS,
    "site filters": SITE_FILTERS,
    "resource orders": RESOURCE_ORDERS,
    "allocators": ALLOCATORS,
    "formats": FORMATS,
    "laws": LAWS,
    "models": MODELS,
}


def lazy_packages() -> list[str]:
    """Return every package that declares where its names are."""
    files = [file for file in SOURCES.rglob("__init__.py") if "lazily(" in file.read_text(encoding="utf-8")]
    return sorted(".".join(("echelon", *file.parent.relative_to(SOURCES).parts)) for file in files)


def imported_for_types(package: str) -> dict[str, str]:
    """Return the names in the stub that type checkers read of a package, each with the module it is from."""
    file = Path(importlib.import_module(package).__file__ or "").with_suffix(".pyi")
    found = {}
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("echelon"):
            found |= {alias.asname or alias.name: node.module or "" for alias in node.names}
    return found


@pytest.mark.parametrize("package", lazy_packages())
def test_names_are_what_type_checkers_see(package: str) -> None:
    """Each name of a package is imported from the module that the type checker reads it from."""
    module, typed = importlib.import_module(package), imported_for_types(package)
    assert set(module.__all__) - {"__version__"} == set(typed)
    for name, home in typed.items():
        found = importlib.import_module(f"{package}.{name}") if home == package else None
        assert getattr(module, name) is (found or getattr(importlib.import_module(home), name))


@pytest.mark.parametrize("rules", LISTS.values(), ids=LISTS)
def test_a_list_says_what_its_rules_say_of_themselves(rules: Rules[object]) -> None:
    """Names, aliases and order of a list are those of the rules that its modules hold."""
    assert [rule.name for rule in rules] == list(rules.names)
    if rules is ORDERS:  # the aliases of all others are said in the list alone
        aliases = {alias: rule.name for rule in rules for alias in rule.aliases}
        assert {word: name for word, name in rules.words.items() if word != name} == aliases
    assert all(by_word(rules)[word] is rules.named(name) for word, name in rules.words.items())


def test_every_rule_is_in_its_list() -> None:
    """A module of a family that defines a rule with a name and a source is in the family's list."""
    for family, lists in {
        "backfill": [BACKFILLS],
        "preemptive": [PREEMPTIVE],
        "order": [ORDERS],
        "estimators": [ESTIMATORS],
        "global_queue": [GLOBAL_QUEUES, MEMBERSHIPS],
        "coallocation": [CO_ALLOCATIONS],
    }.items():
        listed = {rule.name for rules in lists for rule in rules}
        for file in sorted((SOURCES / "policies" / family).glob("*.py")):
            module = importlib.import_module(f"echelon.policies.{family}.{file.stem}")
            for thing in vars(module).values():
                own = getattr(thing, "__module__", None) == module.__name__ or family == "order"
                if own and isinstance(getattr(thing, "name", None), str) and getattr(thing, "source", None):
                    assert thing.name in listed, f"{thing!r} is in no list"


def test_names_of_arrangements_and_recipes() -> None:
    """Both are mappings whose keys are the names that their values say of themselves."""
    assert {name: kind.name for name, kind in PROTOCOLS.items()} == {name: name for name in PROTOCOLS}
    assert {name: one.name for name, one in RECIPES.items()} == {name: name for name in RECIPES}


def test_endings_are_those_that_formats_claim() -> None:
    """The table by which a reader is chosen says of each format what the format says of itself."""
    assert {known.name: known.suffixes for known in FORMATS} == ENDINGS
    assert list(ENDINGS) == list(FORMATS.names)


def test_a_list_is_a_sequence() -> None:
    """A list of rules has a length, an order, slices and members; a rule that is not loaded is none yet."""
    assert len(BACKFILLS) == len(BACKFILLS.names)
    assert BACKFILLS[2] is Easy is BACKFILLS.named("easy") is list(BACKFILLS)[2]
    assert BACKFILLS[-1] is list(BACKFILLS)[-1]
    assert tuple(BACKFILLS[1:3]) == tuple(BACKFILLS)[1:3]
    assert Easy in BACKFILLS
    assert int not in BACKFILLS
    assert repr(PREEMPTIVE) == "<rules srtf, preemptive-priority, round-robin>"
    with pytest.raises(KeyError):
        BACKFILLS.named("aggressive")
    assert by_word(BACKFILLS, PREEMPTIVE)["gang"] is PREEMPTIVE.named("round-robin")


def test_naming_a_rule_imports_no_other() -> None:
    """In a fresh interpreter, the spec of one policy imports its order and its backfilling alone."""
    code = (
        "import sys; from echelon.policies import policy_named; policy_named('easy:shortest-first');"
        "print(*(name.rpartition('.')[2] for name in sys.modules"
        " if name.startswith(('echelon.policies.order.', 'echelon.policies.backfill.'))))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rules = {"one_formula", "none", "easy"}
    shared = {"registry", "rule", "cycle_reservations"}
    assert set(said.stdout.split()) == rules | shared


def test_a_module_never_hides_a_name() -> None:
    """`policies.order` is the decorator, whether or not the module of that name was imported before it."""
    code = (
        "import echelon.policies.order.one_formula, echelon.policies as p;"
        "from echelon.policies import order;"
        "print(p.order is order, p.order.__module__, hasattr(p, 'nonsense'))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["True", "echelon.policies.order.rule", "False"]


def test_a_rule_can_be_sent_to_another_process() -> None:
    """A policy survives pickling, as workers need it."""
    from echelon.policies import policy_named

    given = policy_named("easy:multifactor")
    assert pickle.loads(pickle.dumps(given)) == given


def test_a_rule_is_known_by_its_name() -> None:
    """A list tells the name of a rule that is at hand, and of nothing else."""
    assert BACKFILLS.name_of(Easy) == "easy"
    assert BACKFILLS.name_of(object) is None
    assert BACKFILLS.name_of(None) is None


def test_a_postponed_module_is_loaded_when_it_is_used() -> None:
    """Importing it loads nothing; reading a name of it does, and then it is the module itself everywhere."""
    code = (
        "import sys; from echelon.lazy import postpone; postpone('importlib.metadata');"
        "import importlib.metadata;"
        "before = 'email' in sys.modules; version = importlib.metadata.version('numpy');"
        "from importlib.metadata import version as other; import importlib.metadata as last;"
        "print(before, version == other('numpy'), last is sys.modules['importlib.metadata'], last.__name__,"
        " hasattr(last, 'postpone'), 'email' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", "True", "True", "importlib.metadata", "False", "True"]


def test_a_module_that_is_loaded_or_missing_is_left_alone() -> None:
    """There is nothing to postpone of what is already there, nor of what is nowhere."""
    postpone("ast")
    assert sys.modules["ast"] is ast
    postpone("nowhere_to_be_found")
    assert "nowhere_to_be_found" not in sys.modules


@pytest.mark.slow
def test_a_name_that_is_known_loads_nothing() -> None:
    """A name told beforehand is read without the module; reading another loads it, with its own names."""
    code = (
        "import sys; import numpy; from echelon.lazy import postpone;"
        "postpone('numpy.ma', {'nomask': 'none at all'});"
        "told = numpy.ma.nomask; before = 'numpy.ma.core' in sys.modules;"
        "masked = numpy.ma.masked_array([1, 2], [0, 1]);"
        "print(told, before, masked.count(), numpy.ma.nomask, numpy.ma is sys.modules['numpy.ma'])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["none", "at", "all", "False", "1", "False", "True"]


@pytest.mark.slow
def test_a_run_does_not_load_what_polars_postpones(tmp_path: Path) -> None:
    """The command line reads no metadata of packages and masks nothing: what polars would load stays out."""
    arguments = [
        "run",
        "lublin:jobs=9:processors=8",
        "--processors",
        "8",
        "--no-report",
        "--out",
        str(tmp_path / "a"),
    ]
    code = (
        f"import sys; from echelon.cli import main; main({arguments!r});"
        "print('polars' in sys.modules, 'email' in sys.modules, 'numpy.ma.core' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split()[-3:] == ["True", "False", "False"]


def test_earlier_names_still_work():
    """An alias is the thing itself, and is not listed."""
    model = importlib.import_module("echelon.model")
    assert model.Nobody is model.NoLocalLoad
    assert model.LocalUsers is model.LocalLoadModel
    assert "Nobody" not in dir(model)
    policies = importlib.import_module("echelon.policies")
    assert policies.PeersView is policies.ProtocolView
    testing = importlib.import_module("echelon.testing")
    assert testing.StillRoom is testing.FixedRoom


def test_a_rule_whose_module_is_being_imported_is_not_at_hand(monkeypatch):
    """While another thread imports a rule's module, the list knows the other rules and fails on none."""
    module = "echelon.policies.backfill.plan"
    importlib.import_module(module)
    assert "plan" in [rule.name for rule in BACKFILLS.loaded]
    monkeypatch.setitem(sys.modules, module, ModuleType(module))
    assert Easy in BACKFILLS.loaded
    assert "plan" not in [rule.name for rule in BACKFILLS.loaded]
