"""Extras: libraries that only some purposes need, and the sentence that names the one to install.

What each is for stands in ``docs/how-to/install.md``, what it holds in ``pyproject.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from echelon.errors import MissingExtraError


@dataclass(frozen=True, slots=True)
class Extra:
    """A library that a plain install leaves out.

    Attributes
    ----------
    name : str
        The extra that brings it: ``pip install 'echelon-scheduling[NAME]'``.
    purpose : str
        What needs it, in the plural: the subject of the sentence.
    library : str
        Its name among people.
    module : str
        What is imported of it.
    instead : str, default ""
        What does without it, to end the sentence.
    """

    name: str
    purpose: str
    library: str
    module: str
    instead: str = ""

    @property
    def sentence(self) -> str:
        """Who needs what, and how it is installed."""
        return (
            f"{self.purpose} need {self.library}, which is not installed; run: pip install "
            f"'echelon-scheduling[{self.name}]'{self.instead}"
        )

    def load(self) -> Any:  # noqa: ANN401  (a module, some without types)
        """Return the library's module; ask before any long work that needs it.

        Raises
        ------
        MissingExtraError
            If it is not installed. A library that is there and broken raises what it raises.
        """
        try:
            return import_module(self.module)
        except ModuleNotFoundError as error:
            if not _is_of(error.name, self.module):
                raise
            raise MissingExtraError(self.sentence) from error


def _is_of(missing: str | None, module: str) -> bool:
    """Return whether what was not found is the library itself, not something that it needs."""
    return (missing or "").partition(".")[0] == module.partition(".")[0]


DASK = Extra("distributed", "runs on a Dask cluster", "Dask", "distributed")
HIGHSPY = Extra(
    "exact",
    "the programs of co-allocation",
    "highspy",
    "highspy",
    instead=", or co-allocate by threshold, which is exact too",
)
MATPLOTLIB = Extra("figures", "figures", "matplotlib", "matplotlib")
SQLALCHEMY = Extra("history", "histories", "SQLAlchemy", "sqlalchemy")
PSYCOPG = Extra("history", "histories on a PostgreSQL server", "psycopg", "psycopg")
FASTAPI = Extra("serve", "services", "FastAPI", "fastapi")
UVICORN = Extra("serve", "services", "uvicorn", "uvicorn")
PROMETHEUS = Extra("serve", "metrics of services", "prometheus-client", "prometheus_client")
SCIPY = Extra("stats", "intervals and tests", "scipy", "scipy.stats")
HYPOTHESIS = Extra("testing", "strategies for tests", "hypothesis", "hypothesis.strategies")

EXTRAS = (
    *(DASK, FASTAPI, HIGHSPY, HYPOTHESIS, MATPLOTLIB, PROMETHEUS, PSYCOPG, SCIPY, SQLALCHEMY),
    UVICORN,
)
"""All of them."""
