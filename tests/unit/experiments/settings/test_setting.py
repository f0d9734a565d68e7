"""One setting: its bounds and its words, whichever way its value comes."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.table import SETTINGS

BY_NAME = {setting.name: setting for setting in SETTINGS}
BOUNDED = [
    one
    for one in SETTINGS
    if {int, float} & {*one.types} and list not in one.types and (one.above, one.least) != (None, None)
]
CHOOSING = [one for one in SETTINGS if one.choices]


@pytest.mark.parametrize("setting", BOUNDED, ids=lambda one: one.name)
def test_a_number_out_of_bounds_names_the_setting(setting):
    """A number below the bound of a setting is refused under its name, with what it takes."""
    with pytest.raises(InputError, match=f"^{setting.dashed}: got -5, expected {setting.expected}"):
        setting.value(-5)


def test_what_cannot_be_read_names_the_setting():
    """A reader that refuses a text says of which setting it is."""
    with pytest.raises(InputError, match=r"^sleep-after: got '-1', expected seconds >= 0, or with a unit"):
        BY_NAME["sleep_after"].value("-1")
    with pytest.raises(InputError, match=r"^longest-stay: got 'long', expected seconds > 0, or with a unit"):
        BY_NAME["longest_stay"].value("long")


@pytest.mark.parametrize("setting", CHOOSING, ids=lambda one: one.name)
def test_words_are_read_in_any_case(setting):
    """The only words of a setting may have capitals and underscores; another word stays what it is."""
    words = setting.expected.removeprefix("one of ").split(", ")
    assert [setting.value(word.upper().replace("-", "_")) for word in words] == words
    assert setting.value("nonsense") == "nonsense"


def test_a_run_has_the_listed_word(four_jobs):
    """A run under words in capitals is that under the listed ones, and nonsense is still refused."""
    found = ec.simulate(four_jobs, engine="REFERENCE", estimates="Kill", cycles="Instant")
    assert (found.engine, found.scenario.instance.estimates) == ("reference", "kill")
    with pytest.raises(UnknownNameError, match="no engine is named 'REFERENC'; did you mean 'reference'"):
        ec.simulate(four_jobs, engine="REFERENC")
