"""The conformance suite of back ends finds what back ends do wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon.backends.contract import Accepted, Outcome, Snapshot
from echelon.backends.process import ProcessBackend
from echelon.errors import UnknownNameError
from echelon.testing import BACKEND_CHECKS, HARMLESS_CHECKS, BackendCase, check_backend


class Lying(ProcessBackend):
    """A back end with one fault."""

    def __init__(self, folder, fault):
        super().__init__(folder / "cluster", 2, grace=1.0)
        self.fault = fault

    def submit(self, submissions):
        if self.fault == "one answer":
            return super().submit(submissions)[:1]
        if self.fault == "takes everything":
            answers = super().submit(submissions)
            return [answer if isinstance(answer, Accepted) else Accepted("0") for answer in answers]
        if self.fault == "raises":
            raise RuntimeError("out of reach")
        if self.fault == "one word":
            submissions = [replace(one, command=tuple(" ".join(one.command).split())) for one in submissions]
        return super().submit(submissions)

    def look(self):
        seen = super().look()
        if self.fault == "nothing there":
            return replace(seen, own=())
        if self.fault == "old look":
            return replace(seen, began_at=seen.began_at - 60)
        if self.fault == "incomplete":
            return Snapshot(seen.began_at, is_complete=False, problem="no answer")
        return seen

    def cancel(self, jobs):
        if self.fault == "trusts numbers":
            tags = {one.native_id: one.tag for one in super().look().own}
            jobs = [(tags.get(number, tag), number) for tag, number in jobs]
        super().cancel(jobs)

    def evidence(self, tags):
        found = super().evidence(tags)
        if self.fault == "all well":
            ended = {tag: replace(one, outcome=Outcome.COMPLETED) for tag, one in found.records.items()}
            return replace(found, records=ended)
        return found

    def revoke(self, tags):
        taken = super().revoke(tags)
        return dict.fromkeys(taken, True) if self.fault == "takes all claims" else taken


class Case(BackendCase):
    def __init__(self, directory, fault):
        super().__init__(directory)
        self.fault = fault
        # What is never written is waited for to the end.
        self.seconds = 1.5 if fault == "one word" else 20.0

    def open(self):
        return Lying(self.directory, self.fault)


@pytest.mark.parametrize(
    ("fault", "name", "sentence"),
    [
        ("one answer", "acceptance", "gave 1 answers"),
        ("takes everything", "refusal", "expected Refused"),
        ("raises", "failure", "raises RuntimeError: out of reach"),
        ("one word", "arguments", "is written"),
        ("nothing there", "acceptance", "look() lists the ids []"),
        ("old look", "unknown jobs", "look() began at"),
        ("incomplete", "unknown jobs", "is not complete: no answer"),
        ("trusts numbers", "handles", "canceled by the id of another"),
        ("all well", "failure", "a job that exits with 3 ended as completed"),
        ("takes all claims", "revoke running", "revoke() says True; expected False"),
    ],
)
def test_each_fault_is_found(tmp_path, fault, name, sentence):
    """A back end with one fault fails the check that is about it, with a sentence that says what is wrong."""
    check = check_backend(Case(tmp_path, fault), [name])
    assert not check.passed
    assert sentence in check.findings[0].sentence


def test_what_does_not_apply_is_passed(tmp_path):
    """Limits that would take too long are not checked, and the finding says so."""
    case = Case(tmp_path, "")
    case.shortest_limit = None
    (finding,) = check_backend(case, ["time limit"]).findings
    assert (finding.passed, finding.sentence) == (True, "does not apply to it")


def test_harmless_checks_submit_nothing(tmp_path):
    """The harmless checks pass with a back end that cannot submit."""
    assert check_backend(Case(tmp_path, "raises"), [HARMLESS_CHECKS[0]]).passed
    assert {*HARMLESS_CHECKS} < {*BACKEND_CHECKS}


def test_unknown_checks_are_refused(tmp_path):
    """A misspelled check names the nearest."""
    with pytest.raises(UnknownNameError, match="did you mean 'refusal'"):
        check_backend(Case(tmp_path, ""), ["refusl"])
