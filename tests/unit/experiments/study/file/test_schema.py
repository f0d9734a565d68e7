"""The JSON Schema of study files."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from echelon.experiments.settings.values.completion import offers_of
from echelon.experiments.study.file.example import EXAMPLE
from echelon.experiments.study.file.schema import study_schema
from echelon.experiments.study.file.settings import check_value, settings_known

SCHEMA = study_schema()
EXAMPLES = sorted((Path(__file__).parents[5] / "examples" / "studies").glob("*.toml"))
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Return whether a value fits a schema: those keywords of JSON Schema that ours uses, and no others."""
    checks = {
        "$ref": lambda name: fits(value, SCHEMA["$defs"][name.removeprefix("#/$defs/")]),
        "allOf": lambda all_of: all(fits(value, one) for one in all_of),
        "anyOf": lambda any_of: any(fits(value, one) for one in any_of),
        "enum": lambda names: value in names,
        "type": lambda kinds: any(
            is_a(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)
        ),
        "properties": lambda told: all(fits(value[k], one) for k, one in told.items() if k in value),
        "additionalProperties": lambda rest: all(
            fits(value[k], rest) if isinstance(rest, dict) else rest
            for k in value
            if k not in schema.get("properties", {})
        ),
        "required": lambda names: all(name in value for name in names),
        "items": lambda one: all(fits(item, one) for item in value),
        "minItems": lambda least: len(value) >= least,
        "maxItems": lambda most: len(value) <= most,
        "uniqueItems": lambda _: len({repr(item) for item in value}) == len(value),
        "minLength": lambda least: len(value) >= least,
        "pattern": lambda pattern: re.search(pattern, value) is not None,
        "minimum": lambda bound: value >= bound,
        "maximum": lambda bound: value <= bound,
        "exclusiveMinimum": lambda bound: value > bound,
        "exclusiveMaximum": lambda bound: value < bound,
        "description": lambda _: True,
        "examples": lambda _: True,
    }
    inner = {key: told for key, told in schema.items() if key not in ("$schema", "$defs", "title")}
    order = sorted(inner, key=lambda key: key != "type")
    return all(checks[key](inner[key]) for key in order)


def is_a(value: Any, kind: str) -> bool:
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def test_the_examples_fit():
    """What is shown as right is right by the schema, too."""
    assert len(EXAMPLES) > 1
    for text in (EXAMPLE, *(file.read_text() for file in EXAMPLES)):
        assert fits(tomllib.loads(text), SCHEMA)


@pytest.mark.parametrize(
    "text",
    [
        "nam = 'x'",
        "measures = []",
        "[fixed]\nestimate = 'kill'",
        "[fixed]\nestimates = 'kil'",
        "[fixed]\nprocessors = 0",
        "[axes]\npolicy = 'easy'",
        "[axes]\npolicy = []",
        "[axes]\nload = [-1.0]",
        "[axes]\nload = {low = 1}",
        "[axes]\nseeds = 0",
        "[search]\nkind = 'randm'",
        "[search]\neta = 1",
        "[statistics]\npareto = [['mean_wait']]",
        "[execution]\nexecutor = 'thread'",
    ],
)
def test_mistakes_do_not_fit(text):
    """Editors mark wrong keys, names, kinds and numbers."""
    assert not fits(tomllib.loads(text), SCHEMA)


@pytest.mark.parametrize(
    "told", ["shake = 30", "shake = { copies = 3, seconds = 60 }", 'blocks = "30d"', "blocks = 86400"]
)
def test_replications_other_than_seeds_fit(told):
    """Shaken copies and blocks are on the axes."""
    assert fits(tomllib.loads(f"[axes]\n{told}"), SCHEMA)


@pytest.mark.parametrize("told", ["shake = 1", "shake = { seconds = 60 }", 'blocks = "soon"', "blocks = 0"])
def test_replications_that_are_none_do_not_fit(told):
    """One copy, no number of copies, no length."""
    assert not fits(tomllib.loads(f"[axes]\n{told}"), SCHEMA)


def test_every_key_is_described():
    """Nothing is offered without a word on it, and every setting is."""
    for table in (SCHEMA["properties"], SCHEMA["properties"]["fixed"]["properties"]):
        assert all(schema["description"] for schema in table.values())
    assert list(SCHEMA["properties"]["fixed"]["properties"]) == list(settings_known())
    assert set(SCHEMA["properties"]["axes"]["properties"]) == {*settings_known(), "seeds", "shake", "blocks"}


def test_names_are_offered_and_others_allowed():
    """Known names come first; one's own and parameters are fine."""
    policy = SCHEMA["$defs"]["setting-policy"]
    assert "easy" in policy["anyOf"][0]["enum"]
    assert fits("my.py:Rule", policy)
    assert not fits(3, policy)


OFFERED = {key: offers_of(one) for key, one in settings_known().items() if list not in one.types}


@pytest.mark.parametrize("key", OFFERED)
def test_every_name_offered_is_taken(key):
    """What editors offer is what a study takes."""
    assert [check_value(key, value, Path()) for value in OFFERED[key]] == list(OFFERED[key])


def test_it_is_plain_json():
    """No null, which TOML lacks, is anywhere, and no title of pydantic's."""
    text = json.dumps(SCHEMA)
    assert '"null"' not in text
    assert text.count('"title"') == 1
