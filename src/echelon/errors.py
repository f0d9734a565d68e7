"""Every error Echelon raises on purpose, as one tree.

::

    EchelonError                        anything below; the command line prints its sentence
    ├── InputError (ValueError)         a file, a line, a field or an argument is not what it must be
    │   └── InfeasibleJobError          a job that no processor set of the platform can ever hold
    ├── UnknownNameError (LookupError)  no policy, metric, data set ... of that name; says the nearest
    ├── NoSiteError (LookupError)       no site of a portal is available and meets the criteria
    ├── ServiceError (RuntimeError)     a service does not answer, or refuses what it is asked
    ├── PolicyError (RuntimeError)      a policy decided something the rules forbid
    ├── DeadlockError (RuntimeError)    jobs wait, nothing runs, and the policy starts none
    ├── UnsupportedError (RuntimeError) an engine was asked by name for what it cannot do
    │   └── NoLibraryError              kernels that are not built for this machine; says how to get them
    ├── StoreError (RuntimeError)       the store of a service could not keep or find something
    ├── MissingExtraError (ImportError) an optional library is needed; says what to install
    └── Cancelled                       the person stopped the run

A message is one sentence or two: what, where, got, expected, what to do.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class EchelonError(Exception):
    """The root: catch it to catch all that Echelon raises on purpose."""


class InputError(EchelonError, ValueError):
    """A file, a line, a field or an argument is not what it must be.

    Parameters
    ----------
    problem : str
        What is wrong, with the value got and the value expected.
    file : str, optional
        The file's name as the user gave it.
    line : int, optional
        1-based line number in that file.
    field : str, optional
        The field's name in the format's own words.
    """

    def __init__(
        self, problem: str, *, file: str | None = None, line: int | None = None, field: str | None = None
    ) -> None:
        self.problem, self.file, self.line, self.field = problem, file, line, field
        place = [file] if file else []
        if line is not None:
            place.append(f"line {line}")
        if field is not None:
            place.append(field)
        super().__init__(f"{', '.join(place)}: {problem}" if place else problem)


class InfeasibleJobError(InputError):
    """A job that the platform can never hold, whatever runs beside it."""


class UnknownNameError(EchelonError, LookupError):
    """A name that is not registered.

    Parameters
    ----------
    kind : str
        What the name should have named: ``"policy"``, ``"order"``, ``"data set"`` ...
    name : str
        The name got.
    known : iterable of str
        The valid names; the nearest to `name` is suggested.
    where : str, optional
        Where it was got: the setting, or the place in a file.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], *, where: str | None = None) -> None:
        self.kind, self.name, self.known, self.where = kind, name, sorted(known), where
        by_small_letters = {word.lower(): word for word in self.known}
        near = [
            by_small_letters[word] for word in difflib.get_close_matches(name.lower(), by_small_letters, n=1)
        ]
        listed = f"known are: {', '.join(self.known)}." if self.known else "there is none."
        hint = f"did you mean {near[0]!r}?" if near else listed
        super().__init__(f"{f'{where}: ' if where else ''}no {kind} is named {name!r}; {hint}")

    def __str__(self) -> str:
        """Return the sentence, not the quoted form that LookupError may print."""
        return str(self.args[0])


class NoSiteError(EchelonError, LookupError):
    """No registered site is available, large enough, and meets the criteria; the message says why."""


class ServiceError(EchelonError, RuntimeError):
    """A service does not answer, or refuses what it is asked; the message is its sentence.

    Parameters
    ----------
    problem : str
        What is wrong.
    status : int, optional
        The status of its answer in HTTP; None: it gave none.
    field : str, optional
        Which field of the request is wrong.
    is_unclear : bool, default False
        Whether the service may have done what it was asked although its answer is missing.
    """

    def __init__(
        self, problem: str, *, status: int | None = None, field: str | None = None, is_unclear: bool = False
    ) -> None:
        self.problem, self.status, self.field, self.is_unclear = problem, status, field, is_unclear
        super().__init__(f"{field}: {problem}" if field else problem)


class PolicyError(EchelonError, RuntimeError):
    """A policy decided something the rules forbid.

    Parameters
    ----------
    policy : str
        The policy's name.
    time : float or None
        Simulation time of the decision, in seconds; None where the policy does not know it.
    job_id : object
        The job decided upon, or None.
    broken_rule : str
        The rule, as a sentence with the values got.
    """

    def __init__(self, policy: str, *, time: float | None, job_id: object, broken_rule: str) -> None:
        self.policy, self.time, self.job_id, self.broken_rule = policy, time, job_id, broken_rule
        where = f"job {job_id} " if job_id is not None else ""
        when = f" at t = {time:g} s" if time is not None else ""
        super().__init__(f"policy {policy!r}{when}: {where}{broken_rule}")


class DeadlockError(EchelonError, RuntimeError):
    """Jobs wait, nothing runs and nothing arrives, yet the policy starts none of them."""


StuckError = DeadlockError
"""An earlier name."""


class UnsupportedError(EchelonError, RuntimeError):
    """An engine was asked for by name but cannot run this scenario; the message says why."""


class NoLibraryError(UnsupportedError):
    """A library of kernels can neither be found nor built here; the message says why and what to do."""


class StoreError(EchelonError, RuntimeError):
    """The store of a service could not keep or find something, such as on a full disk or a lost server.

    Parameters
    ----------
    problem : str
        What is wrong, and what has become of the change.
    file : str, optional
        The address of the store.
    is_unclear : bool, default False
        Whether it is not known if the change has been kept; else nothing of it has.
    is_final : bool, default False
        Whether the same change will never be kept: what it changes is not as it was thought to be.
    """

    def __init__(
        self, problem: str, *, file: str | None = None, is_unclear: bool = False, is_final: bool = False
    ) -> None:
        self.problem, self.file, self.is_unclear, self.is_final = problem, file, is_unclear, is_final
        super().__init__(f"{file}: {problem}" if file else problem)


class MissingExtraError(EchelonError, ImportError):
    """An optional library is needed; the message says what to install."""


class Cancelled(EchelonError):  # noqa: N818  (not an error: the person asked for it)
    """The run was stopped by the person before its end."""
