"""Configuration: the rules of a file are those of the service, and what cannot be meant is refused."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.service.configuration.config import read_config

CLUSTER = '\n[[cluster]]\nname = "alpha"\nbackend = "process"\n'


def read(tmp_path, serve):
    """Read a configuration with these lines of [serve]."""
    file = tmp_path / "site.toml"
    file.write_text(f"[serve]\n{serve}\n{CLUSTER}")
    return read_config(file)


def test_rules_are_read_from_the_file(tmp_path):
    """Numbers and specs of [serve] are the fields of the rules."""
    rules = read(tmp_path, 'launch_retries = 0\nseed = 7\nbroker = "ect"').rules
    assert (rules.launch_retries, rules.seed, rules.broker) == (0, 7, "ect")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("launch_retries = -1", "a whole number from 0 to"),
        ("launch_retries = 1.5", "a whole number from 0 to"),
        ("seed = 1.5", "a whole number from 0 to"),
        ("max_queued = 0", "a whole number from 1 to"),
    ],
)
def test_numbers_that_cannot_be_meant_are_refused_with_what_is_expected(tmp_path, line, expected):
    """One sentence with file, key and range; nothing is cut off or rounded."""
    with pytest.raises(InputError) as caught:
        read(tmp_path, line)
    assert expected in str(caught.value)
    assert line.split()[0] in str(caught.value)
