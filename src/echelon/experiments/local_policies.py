"""Local policies: the policy of every site with a queue, from a run's words by path."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.by_site import ROOT, BySite, words_by_site

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from echelon.engine.controllers import Controller
    from echelon.model import Platform
    from echelon.policies import Policy

_FIELD = "policy"


def local_policy_of(
    given: BySite, machine: object, controllers: Mapping[str, Controller], *, usual: Policy
) -> Policy:
    """Return the policy of a run, with those of single sites.

    A site has the policy given for its own path, else for the nearest inner site above it, else that of the
    root.

    Parameters
    ----------
    given : BySite
        What the run says by the paths of sites and inner sites.
    machine : object
        Processors, nodes or sites.
    controllers : mapping of str to Controller
        Who decides at each inner site of a tree, by path; empty where sites are no tree.
    usual : Policy
        That of all sites for which none is given.

    Raises
    ------
    InputError
        If a path names sites without queues, or the machine is a single one.
    UnknownNameError
        If a path is no site.
    """
    at_root: Policy = given.values.get(ROOT, usual)
    others = {path: given.values[path] for path in sorted(given.values) if path != ROOT}
    queued = _checked(others, machine, controllers)
    policies = {ROOT: at_root, **others}
    elsewhere = tuple((site, policies[_nearest(site, others)]) for site in queued)
    words = {path: one.name for path, one in policies.items()}
    return replace(at_root, name=words_by_site(words), elsewhere=elsewhere)


def _checked(paths: Iterable[str], machine: object, controllers: Mapping[str, Controller]) -> list[str]:
    """Return the sites whose jobs wait for a policy, below which all paths are."""
    from echelon.model import Platform

    if not isinstance(machine, Platform):
        raise InputError(
            f"names {next(iter(paths), '')!r}, but there is one machine; give a platform of several sites",
            field=_FIELD,
        )
    queued = _queued(machine, controllers)
    for path in paths:
        _check_path(path, machine, queued)
    return queued


def _queued(machine: Platform, controllers: Mapping[str, Controller]) -> list[str]:
    """Return the paths of the sites whose jobs wait for a policy."""
    from echelon.model import TimeSharedMachine
    from echelon.policies import Decentralized

    exchanging = {path for path, one in controllers.items() if isinstance(one.broker, Decentralized)}
    return [
        site.name
        for site in machine.sites
        if not isinstance(site.resource, TimeSharedMachine) and site.name.rpartition("/")[0] not in exchanging
    ]


def _check_path(path: str, machine: Platform, queued: Sequence[str]) -> None:
    """Refuse a path below which no job waits for a policy."""
    if any(_is_at(site, path) for site in queued):
        return
    known = [*machine.names, *(inner for inner in machine.inner_paths if inner)]
    if path not in known:
        raise UnknownNameError("site", path, known)
    raise InputError(
        f"names {path!r}, where no job waits for a policy: on time-shared machines every job starts at once, "
        "and sites under a decentralized protocol have none",
        field=_FIELD,
    )


def _is_at(site: str, path: str) -> bool:
    """Return whether `site` is the one at `path`, or below it."""
    return site == path or site.startswith(f"{path}/")


def _nearest(site: str, paths: Mapping[str, Policy]) -> str:
    """Return the longest of the paths of a site and of what is above it; ``""`` if none is given."""
    return max((path for path in paths if _is_at(site, path)), key=len, default=ROOT)
