"""JSON Schema of study files: what editors need to offer keys and names, and to mark what is wrong.

A file names it by a comment on its first line: ``#:schema study.schema.json``, a path or an address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from echelon.experiments.settings.schema import setting_schema
from echelon.experiments.study.file.file_model import MEASURE, StudyFile
from echelon.experiments.study.file.settings import RULES, settings_known
from echelon.experiments.study.plan.replications import BLOCKS, SEEDS, SHAKE
from echelon.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping

Schema: TypeAlias = dict[str, Any]

_SCALAR: Schema = {"type": ["string", "number", "boolean"]}
_TEMPLATE: Schema = {
    "type": "string",
    "pattern": r"\{[A-Za-z_][\w-]*\}",
    "description": "a template; {k} is replaced by each value of the axis k",
}
_LABEL: Schema = {"type": "string", "minLength": 1, "description": "a string; label in tables"}
_RANGE: Schema = {
    "type": "object",
    "description": "a range; numbers between two bounds, drawn by a search or in steps",
    "properties": {
        "low": {"type": "number", "description": "a number < high; the lower bound"},
        "high": {"type": "number", "description": "a number; the upper bound"},
        "log": {"type": "boolean", "description": "true or false; whether the logarithms are uniform"},
        "step": {
            "type": "number",
            "exclusiveMinimum": 0,
            "description": "a number > 0; takes a list of numbers",
        },
    },
    "required": ["low", "high"],
    "additionalProperties": False,
}
_PRIORITIES: Schema = {
    "type": "object",
    "description": "names and their numbers, such as the priorities of queues",
    "minProperties": 1,
    "additionalProperties": {"type": "number"},
}
_PARAMETER: Schema = {"anyOf": [_SCALAR, _PRIORITIES]}
_SPEC: Schema = {
    "type": "object",
    "description": "a name and its parameters; a list as a parameter means one value for each item",
    "properties": {"name": {"type": "string"}, "label": {"$ref": "#/$defs/Label"}},
    "required": ["name"],
    "additionalProperties": {"anyOf": [_PARAMETER, {"type": "array", "minItems": 1, "items": _PARAMETER}]},
}
_SEEDS: Schema = {
    "description": (
        "a number of seeds, a list of whole numbers, or a range; the replications of each combination"
    ),
    "anyOf": [
        {"type": "integer", "minimum": 1},
        {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "integer", "minimum": 0}},
        {"$ref": "#/$defs/Range"},
    ],
    "examples": [30],
}
_SHAKE: Schema = {
    "description": (
        "a number, or a table; copies of each log with submit times shifted at random by up to so many "
        "seconds, default 30, as replications instead of seeds"
    ),
    "anyOf": [
        {"type": "integer", "minimum": 2},
        {
            "type": "object",
            "properties": {
                "copies": {"type": "integer", "minimum": 2, "description": "a whole number >= 2; how many"},
                "seconds": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "a whole number >= 1; largest shift of a submit time, in seconds",
                },
            },
            "required": ["copies"],
            "additionalProperties": False,
        },
    ],
    "examples": [30, {"copies": 30, "seconds": 60}],
}
_BLOCKS: Schema = {
    "description": (
        "a length of time, or a number of seconds; length of the blocks into which each run is cut, as "
        "replications instead of seeds"
    ),
    "anyOf": [
        {"type": "string", "pattern": r"^\s*\d+(\.\d+)?\s*(s|min|h|d|w)\s*$"},
        {"type": "number", "exclusiveMinimum": 0},
    ],
    "examples": ["30d"],
}


def study_schema() -> Schema:
    """Return the schema of study files, in JSON Schema draft 7, which editors know."""
    plain_schema = _simplify(StudyFile.model_json_schema())
    settings = setting_schemas()
    definitions = {
        **plain_schema["$defs"],
        "Measure": {
            "anyOf": [{"enum": [metric.name for metric in METRICS]}, {"type": "string", "minLength": 1}]
        },
        **{_definition(key): _drop_texts(schema) for key, schema in settings.items()},
        **{"Template": _TEMPLATE, "Label": _LABEL, "Range": _RANGE, "Spec": _SPEC},
        "LinkedValue": _table(settings, label=True),
    }
    properties = plain_schema["properties"]
    properties["fixed"] = {**_about(properties["fixed"]), **_table(settings, label=False)}
    properties["axes"] = {**_about(properties["axes"]), **_axes(settings)}
    properties["case"]["items"] = _reference("LinkedValue")
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Study file of Echelon",
        **{key: plain_schema[key] for key in ("description", "type", "properties", "additionalProperties")},
        "$defs": definitions,
    }


def setting_schemas() -> dict[str, Schema]:
    """Return the schema of every key that runs may set, with its description."""
    return {key: setting_schema(setting) for key, setting in settings_known().items()}


def _table(settings: Mapping[str, Schema], *, label: bool) -> Schema:
    """Return the schema of a table that sets keys of runs; one with a label also sets parameters."""
    properties = {
        key: {**_about(schema), "anyOf": [_reference(_definition(key)), _reference("Template")]}
        for key, schema in settings.items()
        if not (label and key == "seed")
    }
    return {
        "type": "object",
        "properties": {"label": _reference("Label"), **properties} if label else properties,
        "additionalProperties": _SCALAR if label else False,
    }


def _axes(settings: Mapping[str, Schema]) -> Schema:
    properties = {SEEDS: _SEEDS, "seed": _SEEDS, SHAKE: _SHAKE, BLOCKS: _BLOCKS}
    for key, schema in settings.items():
        if key != "seed":
            tables = ["Spec", "LinkedValue"] if key in RULES else ["LinkedValue"]
            items = [_reference(name) for name in (_definition(key), "Template", *tables)]
            listed = {"type": "array", "minItems": 1, "items": {"anyOf": items}}
            properties[key] = {**_about(schema), "anyOf": [listed, _reference("Range")]}
    others = {"type": "array", "minItems": 1, "items": {"anyOf": [_SCALAR, _reference("LinkedValue")]}}
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": {
            "description": "a list of values for templates with {name}, or of tables that set several keys",
            "anyOf": [others, _reference("Range")],
        },
    }


def _definition(key: str) -> str:
    return f"setting-{key}"


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _about(schema: Schema) -> Schema:
    return {what: schema[what] for what in ("description", "examples") if what in schema}


def _drop_texts(schema: Schema) -> Schema:
    return {what: value for what, value in schema.items() if what not in ("description", "examples")}


def _simplify(schema: Any) -> Any:  # noqa: ANN401  (what JSON holds)
    """Return a schema of pydantic's without titles, without null, which TOML lacks, and as of draft 7.

    There what stands beside a reference is ignored.
    """
    if isinstance(schema, list):
        return [_simplify(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    described = {key: _simplify(value) for key, value in schema.items() if key not in ("title", "default")}
    if "anyOf" in described:
        kept = [one for one in described.pop("anyOf") if one != {"type": "null"}]
        described |= kept[0] if len(kept) == 1 else {"anyOf": kept}
    if described.pop(MEASURE, False):
        described = {**_about(described), **_reference("Measure")}
    if "$ref" in described and len(described) > 1:
        described["allOf"] = [{"$ref": described.pop("$ref")}]
    return described
