"""Local policies: the policy of every site with a queue, from what the run says and the platform."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.scheduling import LOCAL
from echelon.experiments.settings.values.values_by_site import (
    EVERY,
    ROOT,
    as_by_site,
    check_paths,
    format_by_site,
)
from echelon.experiments.systems.site_values import site_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from echelon.engine.controllers import Controller
    from echelon.experiments.settings.values.values_by_site import BySite
    from echelon.model import InnerSite, Platform, Site
    from echelon.policies import Policy

_FIELD = "policy"
_POLICY = next(setting for setting in LOCAL if setting.name == _FIELD)


def local_policy_of(
    policy: Policy | BySite | None, machine: object, controllers: Mapping[str, Controller], usual: Policy
) -> Policy:
    """Return the policy of a run, with those of single sites.

    A site has the policy that the run names for its own path, else for the nearest inner site above it; else
    the one of ``*``; else the platform's, by its own path or the nearest above it; else that of the root.

    Parameters
    ----------
    policy : Policy or BySite, optional
        What the run says: of the root, or by the paths of sites and inner sites.
    machine : object
        Processors, nodes or sites.
    controllers : mapping of str to Controller
        What decides at each inner site of a tree, by path; empty where sites are no tree.
    usual : Policy
        That of all sites for which none is named.

    Raises
    ------
    InputError
        If a path names sites without queues, or the machine is a single one.
    UnknownNameError
        If a path is no site, or a platform's spec names no policy.
    """
    policy_by_path: dict[str, Policy] = dict(as_by_site(policy).values)
    described = _sites_with_policy(machine)
    if policy_by_path.keys() <= {ROOT} and not described:
        return policy_by_path.get(ROOT, usual)
    if EVERY not in policy_by_path:
        policy_by_path = _beside(described, policy_by_path) | policy_by_path
    policies = {ROOT: usual} | {path: policy_by_path[path] for path in sorted(policy_by_path)}
    check_paths(policies)
    queued = _check_sites([path for path in policies if path != ROOT], machine, controllers)
    elsewhere = tuple((site, policies[_nearest(site, policies)]) for site in queued)
    names = {path: one.name for path, one in policies.items()}
    return replace(policies[ROOT], name=format_by_site(names), elsewhere=elsewhere)


def _sites_with_policy(machine: object) -> dict[str, Site | InnerSite]:
    """Return the sites for which a platform names a policy, by path."""
    from echelon.model import Platform

    if not isinstance(machine, Platform):
        return {}
    sites: dict[str, Site | InnerSite] = {inner.path: inner for inner in machine.inner}
    sites |= {site.name: site for site in machine.sites}
    return {path: site for path, site in sites.items() if _FIELD in site.settings}


def _beside(described: Mapping[str, Site | InnerSite], policies: Mapping[str, Policy]) -> dict[str, Policy]:
    """Return what the platform says of sites, by path, where the run says nothing of them or above them."""
    return {
        path: site_value(site, _POLICY)
        for path, site in described.items()
        if path not in policies and not any(other and _is_at(path, other) for other in policies)
    }


def _check_sites(paths: Iterable[str], machine: object, controllers: Mapping[str, Controller]) -> list[str]:
    """Return the sites whose jobs wait for a policy, below which all paths are."""
    from echelon.model import Platform

    if not isinstance(machine, Platform):
        raise InputError(
            f"names {next(iter(paths), '')!r}, but there is one machine; give a platform of several sites",
            field=_FIELD,
        )
    queued = _sites_with_queue(machine, controllers)
    for path in paths:
        _check_path(path, machine, queued)
    return queued


def _sites_with_queue(machine: Platform, controllers: Mapping[str, Controller]) -> list[str]:
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
    paths = [*machine.names, *(inner for inner in machine.inner_paths if inner)]
    if path not in paths and path != EVERY:
        raise UnknownNameError("site", path, paths, where=_FIELD)
    raise InputError(
        f"names {path!r}, where no job waits for a policy: on time-shared machines every job starts at once, "
        "and sites under a decentralized protocol have none",
        field=_FIELD,
    )


def _is_at(site: str, path: str) -> bool:
    """Return whether `site` is the one at `path`, or below it."""
    return path in (site, EVERY) or site.startswith(f"{path}/")


def _nearest(site: str, paths: Mapping[str, Policy]) -> str:
    """Return the longest of the paths of a site and of what is above it; ``""`` if none is given."""
    own = [path for path in paths if path not in (ROOT, EVERY) and _is_at(site, path)]
    return max(own, key=len, default=EVERY if EVERY in paths else ROOT)
