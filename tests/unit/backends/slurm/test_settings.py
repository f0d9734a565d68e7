"""Settings of a cluster under Slurm are checked by name and value."""

from __future__ import annotations

import pytest

from echelon.backends.slurm.settings import SlurmSettings
from echelon.errors import InputError, UnknownNameError


def test_no_settings_are_the_defaults():
    """Slurm of this machine, no claims, since there is no directory for them."""
    made = SlurmSettings.of({}, cluster="alpha")
    assert made == SlurmSettings()
    assert not made.has_claims


def test_a_directory_is_for_claims_unless_they_are_off():
    """Claims need a directory, and can be turned off."""
    assert SlurmSettings.of({"directory": "/shared/echelon"}, cluster="a").has_claims
    assert not SlurmSettings.of({"directory": "/shared/echelon", "claims": False}, cluster="a").has_claims


def test_an_unknown_name_is_refused_with_the_nearest():
    """A mistyped setting is an error that names the right one and the cluster."""
    with pytest.raises(UnknownNameError, match=r"alpha.*did you mean 'partition'"):
        SlurmSettings.of({"partitoin": "main"}, cluster="alpha")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ssh", "-oProxyCommand=evil"),
        ("ssh", "host name"),
        ("partition", "a;b"),
        ("account", "$(id)"),
        ("qos", "-x"),
        ("directory", "relative"),
        ("directory", "/a\nb"),
        ("completion_log", 7),
        ("claims", "yes"),
        ("accounting", 1),
        ("ssh_config", "/etc/config"),
    ],
)
def test_a_wrong_value_is_refused(name, value):
    """What could be an option, a command, or no path at all is an error of that field."""
    with pytest.raises(InputError) as error:
        SlurmSettings.of({name: value}, cluster="alpha")
    assert error.value.field == name
