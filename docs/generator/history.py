"""The reference page on histories: their tables, and what is done with them from Python."""

from __future__ import annotations

import inspect

import docstrings
from database_tables import described


def page() -> str:
    """Return the page."""
    from echelon.history import experiences_of, open_history
    from echelon.history.schema import SCHEMA, VERSION, WAS
    from echelon.history.store import Experiment, History
    from echelon.model import Experience

    parts = [
        "# History\n\n`echelon.history`: finished runs in a database, for estimators that learn from them "
        "and for queries in SQL. See [Keep a history](../how-to/history.md).",
        "## Tables\n\nThose of the repository of the M-CISNE thesis (appendix B), adapted: the last column "
        "says what a column is called there, where it is there; why it differs is in [decision 38]"
        "(../decisions/0038-histories-in-a-database.md). A key is marked with a star, a column that names a "
        f"row of another table says of which. Times are seconds of the run. These are version {VERSION}.",
        *(described(one, WAS.get(one.name, ("", {}))) for one in SCHEMA.sorted_tables),
        "## Python",
    ]
    for thing in (open_history, experiences_of, History, Experiment, Experience):
        parts.append(f"### {thing.__name__}\n\n{docstrings.whole(thing)}")
        if thing is History:
            parts += [_method(name) for name in ("record", "experiences", "experiments", "mark", "forget")]
    return "\n\n".join(parts)


def _method(name: str) -> str:
    from echelon.history.store import History

    return f"#### History.{name}\n\n{docstrings.whole(inspect.getattr_static(History, name))}"
