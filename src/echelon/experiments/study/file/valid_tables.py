"""The tables of a TOML file that a model describes: what is right is kept, what is wrong is noted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from echelon.platforms.files.mistakes import format_got

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic.config import JsonDict
    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails

    from echelon.platforms.files.key_lines import Place
    from echelon.platforms.files.mistakes import Mistakes

_File = TypeVar("_File", bound=BaseModel)

OPEN: JsonDict = {"x-open": True}
"""Marks a field whose keys its user chooses, and whose description is that of each value."""


def valid_tables(model: type[_File], content: Mapping[str, Any], mistakes: Mistakes) -> _File:
    """Return the tables of a file; keys that are wrong are noted, and taken as left out.

    Parameters
    ----------
    model : type
        Of the whole file. A mistake tells as expected what the description of a field says up to its
        semicolon.
    content : mapping of str to object
        What the file says.
    mistakes : Mistakes
        Receives what is wrong.
    """
    right = {}
    for key, value in content.items():
        try:
            right[key] = getattr(model.model_validate({key: value}), key, None)
        except ValidationError as errors:
            for error in errors.errors():
                _note(error, model, content, mistakes)
            if isinstance(value, dict):
                right |= _drop_wrong(model, key, value, errors.errors())
    return model.model_construct(**right)


def _drop_wrong(
    model: type[BaseModel], key: str, table: Mapping[str, Any], errors: list[ErrorDetails]
) -> dict[str, Any]:
    """Return a table without its wrong keys, so that the others are checked, too."""
    wrong = {error["loc"][1] for error in errors if len(error["loc"]) > 1}
    rest = {name: value for name, value in table.items() if name not in wrong}
    try:
        return {key: getattr(model.model_validate({key: rest}), key, None)}
    except ValidationError:
        return {}


def _note(
    error: ErrorDetails, model: type[BaseModel] | None, content: Mapping[str, Any], mistakes: Mistakes
) -> None:
    """Note what pydantic found: its place, the value got, and what the field expects."""
    place: Place = ()
    field: FieldInfo | None = None
    for key in error["loc"]:
        if field is not None and field.json_schema_extra == OPEN and len(place) == 1:
            # A key that the user chose: the table below it, or its value, is described by the field.
            place = (*place, key)
        elif model is not None and key in model.model_fields:
            place, field = (*place, key), model.model_fields[key]
            model = _model_of(field)
        else:
            break
    if error["type"] == "extra_forbidden" and model is not None:
        mistakes.note_unknown(error["loc"], error["input"], model.model_fields)
        return
    got: Any = content
    for key in place:
        got = got[key]
    expected = ((field and field.description) or "").split(";")[0]
    mistakes.note(place, f"{format_got(got)}, expected {expected}")


def _model_of(field: FieldInfo) -> type[BaseModel] | None:
    kinds = [field.annotation, *get_args(field.annotation)]
    kinds += [part for kind in kinds for part in get_args(kind)]
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None)
