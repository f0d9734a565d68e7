"""JSON Schema of settings, in draft 7: what editors need to offer values, and to mark what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from echelon.experiments.settings.setting import load
from echelon.experiments.settings.values.completion import offers_of, only

if TYPE_CHECKING:
    from echelon.experiments.settings.setting import Setting

Schema: TypeAlias = dict[str, Any]

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def setting_schema(setting: Setting) -> Schema:
    """Return the schema of the values that a file may give a setting, with its description."""
    schema: Schema = {"description": f"{setting.expected}; {setting.about}"}
    if setting.examples:
        schema["examples"] = list(setting.examples)
    if setting.choices:
        return schema | {"enum": only(setting)}
    bare = _bare(setting)
    if setting.by_site:  # by the paths of inner sites, or a rule's name and parameters
        bare = {"anyOf": [*bare.get("anyOf", [bare]), {"type": "object"}]} if bare else {}
    if (setting.offers or setting.families) and list not in setting.types:
        return schema | {"anyOf": [{"enum": offers_of(setting)}, *bare.get("anyOf", [bare])]}
    return schema | bare


def scenario_schema() -> Schema:
    """Return the schema of scenario files, in JSON Schema draft 7, which editors know."""
    from echelon.experiments.scenario_file import keys_of_files, keys_of_tables

    tables = {key: _tables(setting) for key, setting in keys_of_tables().items()}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Scenario file of Echelon",
        "description": "One simulation. Keys and values are those of the command line.",
        "type": "object",
        "properties": {key: _one_or_several(setting) for key, setting in keys_of_files().items()} | tables,
        "required": ["workload"],
        "additionalProperties": False,
    }


def _one_or_several(setting: Setting) -> Schema:
    """Return the schema of a value of a scenario file, or of several of them for a comparison."""
    one = setting_schema(setting)
    if not setting.varies or list in setting.types:
        return one
    about = {name: one.pop(name) for name in ("description", "examples") if name in one}
    return about | {"anyOf": [one, {"items": one, "minItems": 1, "type": "array"}]}


def _tables(setting: Setting) -> Schema:
    """Return the schema of the tables that say the same as a setting, one a row."""
    columns: Any = load(setting.columns)
    items = {
        "type": "object",
        "properties": {name: {"description": meaning} for name, meaning in columns.items()},
        "additionalProperties": False,
    }
    return {"description": f"one of them a table; added to {setting.name}", "items": items, "type": "array"}


def _bare(setting: Setting) -> Schema:
    """Return what JSON Schema says of the types and bounds of a setting."""
    if list in setting.types:
        items = {"type": _TYPES[setting.types[-1]]}
        size = {} if setting.least is None else {"maxItems": setting.least, "minItems": setting.least}
        return {"items": items, **size, "type": "array"}
    kinds = [{**_bounds(setting, one), "type": _TYPES[one]} for one in setting.types]
    return {} if not kinds else kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _bounds(setting: Setting, kind: type) -> Schema:
    if kind is str:
        return {} if setting.least is None else {"minLength": setting.least}
    bounds = {"exclusiveMinimum": setting.above, "minimum": setting.least}
    return {name: bound for name, bound in bounds.items() if bound is not None}
