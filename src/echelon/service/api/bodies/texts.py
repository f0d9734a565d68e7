"""Texts in bodies of requests: which characters each kind may have, and how many."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, StrictStr, WithJsonSchema

from echelon.quantities import is_whole
from echelon.service.api.access.limits import LONGEST_KEY

LOWER_CASE = r"^[a-z0-9-]*$"
IDENTIFIER = r"^[A-Za-z_][A-Za-z0-9_]*$"
OPTION = r"^[a-z][a-z0-9_-]*$"
PRINTABLE = r"^[ -~]*$"
WITHOUT_BLANKS = r"^[!-~]+$"
NUMBER_OR_ID = r"^([0-9a-f]{32}|[1-9][0-9]{0,17})$"
DIGITS = r"^[0-9]{1,18}$"
PHRASES = {
    LOWER_CASE: "lower-case letters, digits and hyphens",
    IDENTIFIER: "letters, digits and underscores, no digit first",
    OPTION: "lower-case letters, digits, hyphens and underscores, a letter first",
    PRINTABLE: "characters of ASCII that print",
    WITHOUT_BLANKS: "characters of ASCII that print, without blanks",
    NUMBER_OR_ID: "the number or the id of a job",
    DIGITS: "a number of at most 18 digits",
}
"""What is expected, by pattern: callers need not read regular expressions."""


def _without_zero(text: str) -> str:
    # No system call takes it, and no text of PostgreSQL.
    if "\0" in text:
        message = "must not hold the character NUL"
        raise ValueError(message)
    return text


def _as_text(content: object) -> object:
    return str(content) if is_whole(content) else content


Text = Annotated[StrictStr, Field(max_length=131_071), AfterValidator(_without_zero)]
"""As long as Linux takes an argument."""
Path = Annotated[StrictStr, Field(max_length=4096), AfterValidator(_without_zero)]
Name = Annotated[StrictStr, Field(max_length=32, pattern=LOWER_CASE)]
Variable = Annotated[StrictStr, Field(max_length=256, pattern=IDENTIFIER)]
OptionName = Annotated[StrictStr, Field(max_length=64, pattern=OPTION)]
OptionValue = Annotated[StrictStr, Field(max_length=1000, pattern=PRINTABLE)]
Script = Annotated[StrictStr, Field(max_length=1_000_000), AfterValidator(_without_zero)]
ParameterName = Annotated[StrictStr, Field(max_length=32)]
NumberOrText = Annotated[object, WithJsonSchema({"type": ["number", "string"]})]
"""Read by what it is for, whose message says what is expected."""
JobName = Annotated[
    StrictStr,
    BeforeValidator(_as_text),
    Field(max_length=32, pattern=NUMBER_OR_ID),
    WithJsonSchema({"type": ["integer", "string"]}),
]
"""A job by its number or its id."""
Key = Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_KEY, pattern=WITHOUT_BLANKS)]
"""Characters of ASCII that print, without blanks."""
