"""The locks: what is installed, from wherever, is always the same."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = sorted(ROOT.glob("requirements*.lock"))
PIN = re.compile(r"^([a-z0-9-]+)==([\w.]+)(?: ; (.*?))? \\$", re.MULTILINE)


def pins(name: str) -> set[tuple[str, str, str]]:
    """Return name, version and condition of each library of a lock."""
    return set(PIN.findall((ROOT / name).read_text(encoding="utf-8")))


def named(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=;]", one)[0] for one in requirements}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_everything_has_a_hash_and_no_address(lock):
    """Each line is a pinned version or the hash of one of its files; where files come from is not said."""
    text = lock.read_text(encoding="utf-8")
    assert PIN.sub("", text).replace("\\\n", "").split() == re.findall(r"--hash=sha256:[0-9a-f]{64}", text)
    assert len(re.findall(r"\\\n    --hash=", text)) >= len(PIN.findall(text)) > 0
    assert "://" not in text


@pytest.mark.parametrize("lock", ["requirements-plain.lock", "requirements-build.lock"])
def test_a_stage_takes_nothing_that_a_later_one_replaces(lock):
    """`make test` after `make demo` adds libraries; those that are there stay as they are."""
    whole = {(name, version) for name, version, _ in pins("requirements.lock")}
    assert {(name, version) for name, version, _ in pins(lock)} <= whole


def test_the_plain_lock_holds_the_main_job_and_no_extra():
    """`make demo` installs what `dependencies` says, and nothing that compiles or draws."""
    plain = {name for name, _, _ in pins("requirements-plain.lock")}
    assert named(PROJECT["project"]["dependencies"]) <= plain
    others = [one for some in PROJECT["project"]["optional-dependencies"].values() for one in some]
    assert not plain & named([*others, "numba", "llvmlite", "ziglang"])


def test_the_other_locks_hold_their_groups():
    """What builds, and what links where no C compiler is, can be had by the locks alone."""
    groups = PROJECT["dependency-groups"]
    assert named(groups["build"]) <= {name for name, _, _ in pins("requirements-build.lock")}
    assert named(groups["linker"]) == {name for name, _, _ in pins("requirements-linker.lock")}
