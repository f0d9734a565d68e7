"""The names of ``import echelon``: they are there, say what they are, and cost little."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import echelon
from echelon import availability, policies

NAMES = [name for name in echelon.__all__ if callable(getattr(echelon, name))]
HEAVY = {"matplotlib", "numba", "numpy", "polars", "pydantic", "rich", "typer"}


def documented(name: str) -> set[str]:
    """Names that the docstring explains: in its lists, in its text, or where it points to for the rest."""
    text = inspect.getdoc(getattr(echelon, name)) or ""
    listed = re.findall(r"^\*{0,2}(\w[\w, ]*?) : ", text, flags=re.MULTILINE)
    names = {part.strip() for line in listed for part in line.split(",")}
    names |= set(re.findall(r"`(\w+)`", text))
    for other in re.findall(r"(?:see|as in|as) `(?:echelon\.)?(\w+)`", text):
        names |= documented(other) if other in NAMES and other != name else set()
    return names


def parameters(thing: Any) -> list[str]:
    if inspect.isclass(thing) and not ({"__init__", "__new__"} & set(vars(thing))):
        return []
    if getattr(thing, "_is_protocol", False):
        return []
    own = inspect.signature(thing).parameters.values()
    return [one.name for one in own if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]


def raises(thing: Any) -> bool:
    """Whether the function, or the making of the class, has a raise statement of its own."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
    makers = [tree]
    if inspect.isclass(thing):
        makers = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.name in ("__init__", "__post_init__")
        ]
    return any(isinstance(node, ast.Raise) and node.exc for maker in makers for node in ast.walk(maker))


@pytest.mark.parametrize("name", NAMES)
def test_name_says_what_it_is(name: str) -> None:
    """Every public name has a docstring whose first paragraph is a sentence."""
    summary = (inspect.getdoc(getattr(echelon, name)) or "").split("\n\n")[0]
    assert summary.endswith((".", "::")), summary


@pytest.mark.parametrize("name", NAMES)
def test_name_explains_its_parameters(name: str) -> None:
    """Every parameter is explained in the docstring, or where the docstring points to."""
    assert set(parameters(getattr(echelon, name))) - documented(name) == set()


@pytest.mark.parametrize("name", NAMES)
def test_name_says_what_it_raises(name: str) -> None:
    """What has a raise statement has a section that says when."""
    thing = getattr(echelon, name)
    assert not raises(thing) or re.search(r"^Raises\n-+$", inspect.getdoc(thing) or "", re.MULTILINE)


def test_the_checks_see_something() -> None:
    """The helpers above find parameters and raise statements where there are some."""
    assert {"workload", "policy", "seed"} <= set(parameters(echelon.simulate))
    assert raises(echelon.metric)
    assert raises(echelon.Schedule) is raises(echelon.Workload) is True
    assert "processors" in documented("compare")
    assert "nonsense" not in documented("compare")


def test_all_names_are_there_and_sorted() -> None:
    """__all__ lists every name once, in order, and dir() shows the same."""
    assert echelon.__all__ == sorted(set(echelon.__all__)) == dir(echelon)
    for name in echelon.__all__:
        assert getattr(echelon, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A name that is not public fails as on any module, and says which."""
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = echelon.simulat  # type: ignore[attr-defined]


def test_import_takes_no_heavy_module() -> None:
    """``import echelon`` loads none of the large libraries."""
    code = "import sys, echelon; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "echelon" in done.stdout.split()
    assert set(done.stdout.split()) & HEAVY == set()


PACKAGES = sorted(
    ".".join(("echelon", *file.parent.relative_to(Path(echelon.__file__).parent).parts))
    for file in Path(echelon.__file__).parent.rglob("__init__.py")
    if "aliases" in file.read_text(encoding="utf-8")
)
"""Packages that have earlier public names."""


@pytest.mark.parametrize("package", PACKAGES)
def test_earlier_names_work_and_are_not_listed(package: str) -> None:
    """Each earlier name of a package is what its present name is, and is not among the names to use."""
    module = import_module(package)
    for earlier, present in module._aliases.items():
        assert getattr(module, earlier) is getattr(module, present)
        assert earlier not in dir(module)
        assert present in dir(module)


def test_earlier_names_of_specs_are_there() -> None:
    """Programs that call the earlier names of functions that format specs still run."""
    rule = policies.estimator("li")
    assert policies.estimator_words(rule) == policies.format_estimator(rule) == "li"
    assert policies.policy_words is policies.policy_names
    assert availability.FailureProcess.parse("exponential:mean=1h").spec == "exponential:mean=3600"
