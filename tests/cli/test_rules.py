"""``echelon rules``, and the rules of other packages in the lists of commands."""

from __future__ import annotations

import pytest

from echelon import read_workload
from echelon.errors import UnknownNameError
from echelon.experiments.study.run.workload_spec import check_workload
from echelon.families import FAMILIES
from echelon.policies import BACKFILLS, ORDERS, PREEMPTIVE


def test_all_families_are_listed(echelon):
    """Each family is there with the names of its rules."""
    said = echelon("rules")
    assert (said.code, said.err) == (0, "")
    flat = " ".join(said.out.split())
    for family in FAMILIES.names:
        assert f"{family} {', '.join(FAMILIES.named(family).names)}" in flat


@pytest.mark.parametrize("family", FAMILIES.names)
def test_a_family_is_listed_and_each_of_its_rules_told(echelon, family):
    """Every built-in rule has a line, and its parameters are told with their defaults."""
    said = echelon("rules", family.replace("-", "_").upper())
    assert (said.code, said.err) == (0, "")
    name = FAMILIES.named(family).lists[0].names[-1]
    assert name in said.out
    told = echelon("rules", family, name)
    assert (told.code, told.err) == (0, "")


def names_listed(text):
    """Return the names at the left of a list of rules."""
    return [line.split()[0] for line in text.splitlines() if line.startswith("  ") and line[2] != " "]


@pytest.mark.parametrize("family", FAMILIES.names)
def test_a_family_lists_exactly_its_rules(echelon, family):
    """The rules of a family are there in their order, with the names for the absence of one."""
    assert names_listed(echelon("rules", family).out) == FAMILIES.named(family).names


@pytest.mark.parametrize(
    ("part", "lists"),
    [
        ("orders", [ORDERS]),
        ("backfillings", [BACKFILLS]),
        ("preemptive", [PREEMPTIVE]),
        ("schedulers", [BACKFILLS, PREEMPTIVE]),
    ],
)
def test_a_part_of_the_policies_lists_exactly_its_rules(echelon, part, lists):
    """Orders, backfillings and preemptive schedulers are listed apart; each is found there by its name."""
    names = [name for rules in lists for name in rules.names]
    assert names_listed(echelon("rules", part).out) == names
    assert echelon("rules", part, names[-1]).out.startswith(f"policy {names[-1]}\n")


@pytest.mark.parametrize("family", FAMILIES.names)
def test_descriptions_are_for_users(echelon, family):
    """The page of a rule has no section about the Python object."""
    for name in FAMILIES.named(family).names:
        lines = echelon("rules", family, name).out.splitlines()
        assert not {"  Raises", "  Returns", "  Attributes", "  Examples", "  Notes"} & set(lines), name


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("brokers", "stealing"), "threshold     a number, default 50."),
        (
            ("monitoring", "exponential"),
            "(or with s, min, h, d, w, y), default 60 s.",
        ),
        (("workload-models", "poisson"), "mean_gap"),
        (("network_models", "constant"), "factor"),
        (("sharings", "none"), "No sharing: a job waits until each of its tasks has a core."),
        (("executions", "fixed"), "Let a job run for its run time everywhere."),
        (("placements", "best-fit"), "A node search"),
    ],
)
def test_parameters_of_a_rule(echelon, arguments, expected):
    """Type, unit and default of each parameter are said."""
    assert expected in echelon("rules", *arguments).out


@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("tasks", ["membership"]),
        ("mpl-below:3", ["site filter"]),
        ("held", ["queue limit"]),
        ("stealing", ["broker"]),
        ("best-fit", ["placement"]),
        ("lublin", ["model"]),
        ("fcfs", ["policy", "global queue"]),
    ],
)
def test_a_rule_is_found_without_its_family(echelon, name, families):
    """Every family that has a rule of that name tells it, as if it were named, too."""
    said = echelon("rules", name)
    assert (said.code, said.err) == (0, "")
    assert [line for line in said.out.splitlines() if line.endswith(f" {name}")] == [
        f"{family} {name}" for family in families
    ]


@pytest.mark.parametrize("name", ["tasks", "not-running:mpi", "held", "at-most"])
def test_policies_know_queue_limits_memberships_and_site_filters(echelon, name):
    """By name alone, also a rule that needs a value; an unknown name lists them."""
    said = echelon("policies", name)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[0].endswith(f" {name}")
    assert f" {name.partition(':')[0]}," in echelon("policies", "xyzzy").sentence


def test_what_is_no_family(echelon):
    """The nearest family is suggested."""
    said = echelon("rules", "broker")
    assert (said.code, said.err) == (
        2,
        "echelon: no family of rules is named 'broker'; did you mean 'brokers'?\n",
    )


def test_lists_show_them(install_rules, echelon):
    """``echelon policies`` and ``echelon rules`` list the rules of packages, and why one is broken."""
    install_rules("shared")
    said = echelon("policies")
    assert said.code == 0
    assert "Policy rules of other packages" in said.out
    flat = " ".join(said.out.split())
    assert "tolerant Start what fits." in flat
    assert "cannot be loaded from the package shared" in flat
    assert "wide_wait" in echelon("rules", "metrics").out
    described = echelon("policies", "tolerant")
    assert "share  a number, default 0.5. Of the machine, 0 to 1." in described.out


def test_a_model_and_a_format_of_a_package_are_a_workload(install_rules, tmp_path, echelon):
    """A declared model is what is run, described, generated and named by scenario and study files."""
    install_rules("shared")
    jobs = read_workload("ticks:jobs=5,period=30")
    assert jobs.submit_time.tolist() == [0, 30, 60, 90, 120]
    said = echelon("run", "Ticks:jobs=5", "--processors", 2, "--policy", "fcfs", "--json")
    assert said.json["metrics"]["jobs"] == 5
    assert echelon("info", "ticks:jobs=7").code == 0
    assert "did you mean 'ticks'" in echelon("run", "tick").sentence
    (tmp_path / "s.toml").write_text('workload = "ticks:jobs=3"\nprocessors = 2\npolicy = "fcfs"\n')
    assert echelon("run", tmp_path / "s.toml", "--json").json["metrics"]["jobs"] == 3
    check_workload("ticks:jobs=3:period=5")
    with pytest.raises(UnknownNameError, match="did you mean 'period'"):
        check_workload("ticks:perod=5")
    (tmp_path / "a.log").write_text("1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n")
    assert len(read_workload(tmp_path / "a.log", format="lines")) == 1
    assert echelon("run", tmp_path / "a.log", "--format", "lines", "--processors", 1, "--quiet").code == 0
    assert "did you mean 'lines'" in echelon("run", tmp_path / "a.log", "--format", "line").sentence


OWN = """
class Constant:
    '''One prediction for all jobs.'''

    name = "constant"

    def memory(self):
        return self


class Few:
    '''Accept while few jobs wait.'''

    words = "few"

    def accepts(self, state):
        return state.waiting < 3
"""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("policies", "Constant"), "--estimator constant"),
        (("policies", "Few"), "--queue-limit {file}:Few"),
        (("rules", "Constant"), "estimator {file}:Constant"),
        (("rules", "Few"), "queue limit {file}:Few"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_rule_of_a_file_is_found_in_its_family(echelon, tmp_path, arguments, expected):
    """Rules of a user's file are described wherever rules of their families are."""
    file = tmp_path / "own.py"
    file.write_text(OWN)
    command, name = arguments
    said = echelon(command, f"{file}:{name}")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(expected.format(file=file))


def test_a_name_that_is_no_rule_of_a_file_is_refused(echelon, tmp_path):
    """The sentence names the file and what is not in it."""
    file = tmp_path / "own.py"
    file.write_text(OWN)
    assert "Many: is no rule of any family" in echelon("rules", f"{file}:Many").err
    assert "no policy in" in echelon("policies", f"{file}:Many").err
