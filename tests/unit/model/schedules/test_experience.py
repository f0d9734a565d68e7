"""By which names a job is known again."""

from __future__ import annotations

from echelon.model import Application, Job, names_of


def test_codes_stand_for_themselves():
    """User, queue and application are digits of codes; what is unknown is empty."""
    assert names_of(Job(0, 1, 0.0, 1, 1.0, user=12, queue=0, executable=3)) == ("12", "0", "3")
    assert names_of(Job(0, 1, 0.0, 1, 1.0)) == ("", "", "")


def test_an_application_goes_by_its_name():
    """The name of a job's application comes before the code of its executable, if it has one."""
    named, nameless = Application("is-A"), Application()
    assert names_of(Job(0, 1, 0.0, 1, 1.0, executable=3, application=named))[2] == "is-A"
    assert names_of(Job(0, 1, 0.0, 1, 1.0, executable=3, application=nameless))[2] == "3"
