"""How many: of seeds, weeks ..., as a person says for a study that is run again."""

from __future__ import annotations

from echelon.errors import InputError


def check_how_many(given: object, *, least: int, most: int, field: str) -> None:
    """Refuse what is no whole number within its bounds.

    Raises
    ------
    InputError
        If `given` is none from `least` to `most`; `field` says of what.
    """
    if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
        raise InputError(f"must be a whole number from {least} to {most}, got {given!r}", field=field)
