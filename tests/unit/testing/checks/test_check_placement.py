"""check_placement: sound placements pass, and each rule has one that breaks it."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field

import pytest

from echelon import placement
from echelon.errors import InputError, PolicyError
from echelon.policies import ALLOCATORS, RESOURCE_ORDERS
from echelon.testing import check_placement


@dataclass
class Own:
    """A placement that answers by a function of (job, cores, room)."""

    answer: object
    name: str = "own"
    calls: itertools.count = field(default_factory=itertools.count)

    def place(self, job, cores, room):
        """Return what the function says."""
        return self.answer(job, cores, room)


def failed(rule) -> list[str]:
    """Return the names of the required findings that failed."""
    return [f.name for f in check_placement(rule).findings if f.required and not f.passed]


def said(rule, name) -> str:
    """Return what was found of that name."""
    [finding] = [finding for finding in check_placement(rule).findings if finding.name == name]
    return finding.sentence


SPECS = ["best-fit", "worst-fit:random", *(kind.name for kind in (*RESOURCE_ORDERS, *ALLOCATORS))]


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_built_in_placements_pass(spec):
    """Placements that come with the package keep the rules."""
    checked = check_placement(spec)
    assert checked.require() is checked
    assert checked.kind == "placement"


@pytest.mark.slow
def test_a_rule_of_keys_passes():
    """Whatever finite numbers a rule gives, its answers are sound."""

    @placement("tidy", source="none")
    def tidy(core, job):
        """Crowded nodes first."""
        return core.idle_in_node - job.processors

    assert failed(tidy) == []
    assert "places every job that can be placed" in said(tidy, "places")


def from_idle(room, cores, most=99):
    """Return the first idle cores, at most so many of a node, or None if there are too few."""
    found = [core for node in range(len(room.cores)) for core in room.idle(node)[:most]]
    return found[:cores] if len(found) >= cores else None


def only(wanted, answer):
    """Return an answer that places only jobs of one kind."""
    return lambda job, cores, room: answer(room, cores) if wanted(job.demand) else None


def is_plain(demand):
    """Return whether the job is one task without memory that may be anywhere."""
    return demand.tasks == 1 and not demand.sequential


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (only(is_plain, lambda room, cores: [0]), "gets core 0, which is not idle"),
        (only(is_plain, lambda room, cores: [0, 0]), "gets 2 cores, 1 of them different; expected 1"),
        (only(is_plain, lambda room, cores: [-1]), "gets core -1, but there are 0 to 3"),
        (only(is_plain, lambda room, cores: "abc"), "gets 'abc'; expected core numbers or None"),
        (only(is_plain, lambda room, cores: 3), "gets 3; expected core numbers or None"),
        (only(is_plain, lambda room, cores: [0.5]), "gets [0.5]; expected core numbers"),
        (
            only(is_plain, lambda room, cores: 1 / 0),
            "makes the placement fail with ZeroDivisionError: division",
        ),
        (only(is_plain, from_idle), "gets 1 of the cores of node"),
        (
            only(lambda d: d.sequential and d.tasks == 4, lambda room, cores: from_idle(room, cores, 1)),
            "is sequential, but gets cores of 4 nodes",
        ),
        (only(lambda d: d.nodes, from_idle), "cores, but asks for equal ones in 2 nodes"),
        (
            only(lambda d: d.tasks_per_node, lambda room, cores: from_idle(room, cores, 3)),
            "gets 3 cores of a node, but takes at most 2",
        ),
    ],
)
def test_wrong_answers_are_found(answer, sentence):
    """Each is a finding that names the machine and the job, and nothing further is looked at."""
    [found] = check_placement(Own(answer)).findings
    assert found.name == "cores"
    assert sentence in found.sentence
    assert re.match(r"[\w ]+, room \d, job \d: ", found.sentence)
    with pytest.raises(PolicyError, match=r"placement own.*fails the check 'cores'"):
        check_placement(Own(answer)).require()


def test_memory_kept_between_questions_is_found():
    """A placement that counts its questions answers otherwise the second time."""
    calls = itertools.count()

    def answer(job, cores, room):
        if cores > 1:
            return None
        free = [core for n in range(len(room.cores)) for core in room.idle(n)[: room.cores[n]]]
        return [free[next(calls) % len(free)]] if free and not job.demand.memory else None

    assert "same again" in failed(Own(answer))


def test_one_that_refuses_what_could_be_placed_is_noted():
    """It may have its reasons; the note says where."""
    assert failed(Own(lambda job, cores, room: None)) == []
    assert "is not placed, but could be" in said(Own(lambda job, cores, room: None), "places")


def test_one_that_fits_no_machine_is_told():
    """A placement that refuses every machine cannot be checked."""

    @dataclass
    class Picky(Own):
        def check(self, hardware):
            raise InputError("only on the moon")

    with pytest.raises(InputError, match="placement own: supports none of the machines of the check"):
        check_placement(Picky(None))


def test_a_job_number_changes_nothing():
    """One that goes by the number of the job is found."""

    def answer(job, cores, room):
        free = [core for n in range(len(room.cores)) for core in room.idle(n)[: room.cores[n]]]
        return [free[job.job_id % len(free)]] if free and cores == 1 and not job.demand.memory else None

    assert failed(Own(answer)) == ["job numbers"]
