"""Tests of settings in seconds: all of them take a number, or one with a unit."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.experiments.settings.setting import load
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.settings.values import value_format as written
from echelon.experiments.settings.values.value_reader import read_value, seconds, stay
from echelon.experiments.systems.immediate import decision_time

IN_SECONDS = [setting for setting in SETTINGS if setting.unit == "s" and {str, float} <= set(setting.types)]


def test_the_settings_that_people_give_in_seconds_are_here():
    """Those of platforms, brokers and machines that change."""
    names = {setting.name for setting in IN_SECONDS}
    assert {"sleep_after", "refresh", "decision_time", "longest_stay", "requeue_delay"} <= names


@pytest.mark.parametrize("setting", IN_SECONDS, ids=lambda setting: setting.name)
def test_words_with_a_unit_are_read_wherever_seconds_are(setting, tmp_path):
    """A file may say 5min, and what reads the setting makes 300 s of it; an unknown unit is refused."""
    assert read_value(setting, "5min", tmp_path) == "5min"
    if setting.read:
        assert load(setting.read)("5min") == load(setting.read)(300) == 300.0
    with pytest.raises(InputError):
        read_value(setting, "5 parsecs", tmp_path)


@pytest.mark.parametrize(
    ("words", "number"), [("8h", 28800.0), ("3d", 259200.0), ("90", 90.0), ("1e2", 100.0)]
)
def test_units(words, number):
    """Hours, days and plain numbers mean the same to every reader, and are written as plain seconds."""
    assert seconds(words) == stay(words) == decision_time(words, None) == number
    assert written.seconds(words) == number
    assert (written.seconds("own"), stay("inf")) == ("own", float("inf"))
