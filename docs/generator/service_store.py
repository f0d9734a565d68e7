"""The reference page on the store of a service: its tables, and what Python reads of it."""

from __future__ import annotations

import inspect

import docstrings
from database_tables import described


def page() -> str:
    """Return the page."""
    from echelon.service.store import Finished, Retention, Store, TokenRecord, migrate
    from echelon.service.store.schema import SCHEMA, VERSION

    parts = [
        "# Store of a service\n\n`echelon.service.store`: what `echelon serve` keeps, in an SQLite file or a "
        "database of PostgreSQL. Programs may read it while the service works; only the service writes.",
        "## Tables\n\nA key is marked with a star, a column that names a row of another table says of which. "
        f"Times are Unix times in seconds. These are version {VERSION}; `echelon serve migrate` makes "
        "them of those of earlier versions.",
        *(described(one) for one in SCHEMA.sorted_tables),
        "## Python",
    ]
    for thing in (Store, Retention, Finished, TokenRecord, migrate):
        parts.append(f"### {thing.__name__}\n\n{docstrings.whole(thing)}")
        if thing is Store:
            methods = inspect.getmembers_static(Store, callable)
            parts += [
                f"#### Store.{name}\n\n{docstrings.whole(method)}"
                for name, method in (("open", Store.open), *methods)
                if not name.startswith("_")
            ]
    return "\n\n".join(parts)
