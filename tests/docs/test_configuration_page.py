"""The page on the configuration of a service names every key that there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from echelon.service.configuration import applications, config
from echelon.service.configuration.parameters import parameter_of

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "configure-a-service.md").read_text(encoding="utf-8")
FIELDS = (*config._SERVE, *config._RULES, *config._CLUSTER_RULES)
KEYS = sorted({*(field.key for field in FIELDS), *applications._KEYS, "backend"})


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_described(key):
    """A key that can be set can be found."""
    assert f"`{key}`" in PAGE


def test_every_kind_of_a_parameter_can_be_written_as_shown():
    """The kinds of the table are those that a configuration takes."""
    rows = re.findall(r"^\| (`(?:int|choice|text|path).*?) \| ", PAGE, re.MULTILINE)
    kinds = [word.replace("\\|", "|") for row in rows for word in re.findall(r"`(.*?)`", row)]
    found = {parameter_of("one", each).kind for each in kinds}
    assert found == {"int", "float", "choice", "text", "path"}
