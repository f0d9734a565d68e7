"""A user's own law: what it must have, and the guard around its calls."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn
    from echelon.rules.spec import Spec


def looks_like_law(thing: object) -> bool:
    """Return whether an object looks like a law: it has a mean and can be drawn from."""
    return hasattr(thing, "sample") and hasattr(thing, "mean")


@dataclass(frozen=True, slots=True)
class OwnLaw:
    """A law of a user's file, whose answers are checked.

    Parameters
    ----------
    spec : str
        The spec it was given as.
    rule : object
        With ``mean``, in seconds, and ``sample(rng, n)``; where a process starts in its stationary state
        also ``remaining(rng, n)``, and where it is compared with a trace ``log_density(x)`` and ``cdf(x)``.
    """

    spec: str
    rule: Any

    @property
    def name(self) -> str:
        """The rule's name, else its spec."""
        return str(getattr(self.rule, "name", self.spec))

    @property
    def mean(self) -> float:
        """Mean, in seconds.

        Raises
        ------
        InputError
            If the rule's is not a number > 0.
        """
        with Guard(self._fails):
            mean = float(self.rule.mean)
        if not 0 < mean < math.inf:
            raise InputError(f"must have a mean > 0, got {mean}", field=self._field)
        return mean

    def sample(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times; as `Law.sample`, and InputError if the rule fails or returns anything else."""
        return self._times("sample", rng, n)

    def remaining(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times left; as `Law.remaining`, and InputError if the rule has none."""
        return self._times("remaining", rng, n)

    def log_density(self, x: FloatColumn) -> FloatColumn:
        """Return the logarithm of the density at each `x`; InputError if the rule has none."""
        return np.asarray(self._call("log_density", x), dtype=np.float64)

    def cdf(self, x: FloatColumn) -> FloatColumn:
        """Return the share at or below each `x`; InputError if the rule has none."""
        return np.asarray(self._call("cdf", x), dtype=np.float64)

    def _times(self, method: str, rng: np.random.Generator, n: int) -> FloatColumn:
        answer = self._call(method, rng, n)
        with Guard(self._fails):
            times = np.asarray(answer, dtype=np.float64)
        if times.shape != (n,) or not (times >= 0).all():
            raise InputError(f"{method} must return {n} numbers >= 0, got {answer!r:.80}", field=self._field)
        return times

    def _call(self, method: str, *arguments: object) -> object:
        if not callable(getattr(self.rule, method, None)):
            raise InputError(f"has no {method}, which is needed here", field=self._field)
        with Guard(self._fails):
            return getattr(self.rule, method)(*arguments)

    @property
    def _field(self) -> str:
        return f"law {self.spec}"

    def _fails(self, failure: str) -> InputError:
        return InputError(f"fails with {failure}", field=self._field)


def own_law(rule: Any, spec: Spec | None) -> OwnLaw:  # noqa: ANN401  (whatever a user wrote)
    """Return a user's rule as a law, once its mean is seen to be a number > 0."""
    if isinstance(rule, OwnLaw):
        return rule
    law = OwnLaw(spec.text.strip() if spec else str(getattr(rule, "name", type(rule).__name__)), rule)
    _ = law.mean
    return law
