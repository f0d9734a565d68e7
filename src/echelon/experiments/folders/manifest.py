"""Manifest: the record of a run, with which it can be checked and repeated. The content of ``run.json``."""

from __future__ import annotations

import platform
import re
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from echelon.experiments.folders.own_rules import with_own_rules
from echelon.experiments.systems.immediate import immediate_settings
from echelon.experiments.systems.multicluster import (
    information_settings,
    multicluster_settings,
    shared_rules_in,
)
from echelon.experiments.systems.nodes import node_settings
from echelon.experiments.systems.stays import stay_settings
from echelon.experiments.tables.dependencies import dependency_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.result import Result
    from echelon.model import Workload


_USUAL_EXECUTION = "time-shared"
"""The default of shared nodes; beside sites with nodes the execution of these is written then."""

_PASSWORD = re.compile(r"(://[^\s/@:]*:)[^\s@]*@")


def manifest(result: Result, command: Sequence[str] = ()) -> dict[str, Any]:
    """Return the manifest of `result`.

    Parameters
    ----------
    result : Result
        The run.
    command : sequence of str, default empty
        The command line that made it.

    Returns
    -------
    dict
        ``workload``, ``input_sha256``, ``processors``, ``policy``, ``estimates``, ``estimator``, ``passes``,
        ``engine`` (that decided), ``projections`` (the engine that simulated queues for forecasts, null but
        on a multicluster), ``seed``: the resolved scenario. ``random_streams``: names of the random streams
        that the simulation drew under the seed; with none it is the same under every seed. ``priorities``:
        sentences on queues and partitions that the order weighs and that have no priority. ``label``: what
        the run is called. ``platform`` (name, source and ``sites``, each with the keys of a platform file),
        ``broker`` and ``admissible`` (specs, as after the options): who chose among which sites, null on one
        machine. In a tree of sites these, ``decision_time``, ``information``, ``refresh``, ``upper_queue``
        and ``queue_limit`` are specs by the paths of inner sites, ``mct@spain=ml``, where not all are as the
        root, and ``controllers`` has all of them. ``hardware`` (nodes, cores, and without ``platform`` the
        machine with the keys of a platform file), and every setting that is for some machines, by its name:
        what decided there, null where it does not apply; ``history`` without any password.
        ``cancellations``: keep, where jobs that were canceled while they waited are simulated. ``max_time``
        (s) and ``longer_jobs`` (cut or drop), where jobs have a time limit. Every setting that changed the
        jobs, by its name, where one was asked for; ``jobs_read`` counts the jobs after that. Where the
        machine changes in time: every setting of that, by its name, null where it was not asked
        for; ``horizon``: up to when failures were drawn and maintenance repeated, in seconds, null without
        any; ``not_modelled``: what files of outages and reservations carry and nothing models;
        ``change_notes``: what else is to be known of them.
        ``past_experiences``: how many estimators knew before the run, on a multicluster. ``jobs_read``,
        ``jobs_simulated``, ``dropped``, ``oddities``: what became of the file.
        ``dependencies`` (keep or ignore, null where no job names a predecessor), ``dependent_jobs`` (that
        waited for others) and ``absent_predecessors`` (named, but not among the jobs): what became of the
        jobs' dependencies. ``own_metrics``: name, unit, formula, source and which end is good of each metric
        of the user's own, and its spec. ``seconds`` (of the engine), ``peak_memory_bytes``, ``counts``,
        ``versions``, ``command``, ``unix_start_time``, ``time_zone``.

        A rule that is not built in is recorded by its spec as it was given, ``mine.py:Tolerant:share=0.5``,
        so that the run can be made again. Then ``names`` has what tables call such rules, by key, and
        ``rule_files`` has for each Python file its name in specs (``file``), where it was found (``path``)
        and its ``sha256``. A rule that was given as an object in Python is recorded by its name.
    """
    instance, workload, scenario = result.instance, result.workload, result.scenario
    from echelon.experiments.summaries.priorities import priority_sentences
    from echelon.experiments.systems.grid import has_local_policy

    policy = scenario.policy if has_local_policy(scenario) else None

    record: dict[str, Any] = {
        "workload": workload.name,
        "input_sha256": workload.digest,
        "processors": instance.processors,
        "label": result.label,
        "policy": policy and result.policy,
        "policy_source": policy and getattr(policy.scheduler, "source", "none"),
        "order_source": policy and policy.order.source,
        "priorities": priority_sentences(result),
        **_grid(result),
        **_nodes(result),
        **immediate_settings(scenario.immediate),
        **_multicluster(result),
        **_tree(result),
        "estimates": instance.estimates,
        **dependency_settings(instance),
        **_changes(result),
        **cancellation_settings(workload),
        **limit_settings(workload),
        **dict(result.job_changes),
        "estimator": result.estimator,
        "estimator_source": getattr(scenario.estimator, "source", "none"),
        "passes": scenario.cycles,
        "engine": result.engine,
        "projections": result.projections or None,
        "seed": scenario.seed,
        "random_streams": list(result.random_streams),
        "jobs_read": len(workload),
        "jobs_simulated": len(instance),
        "dropped": [drop.to_dict() for drop in instance.dropped],
        "oddities": [asdict(anomaly) for anomaly in workload.anomalies],
        "own_metrics": [
            {"name": own.name, "unit": own.unit, "formula": own.formula, "source": own.source}
            | {"better": own.better}
            | {name: end for name, end in (("least", own.least), ("most", own.most)) if end is not None}
            for own in result.own
        ],
        "unix_start_time": workload.header.unix_start_time,
        "time_zone": workload.header.time_zone,
        "seconds": result.seconds,
        "peak_memory_bytes": peak_memory(),
        "counts": dict(result.schedule.counts),
        "versions": versions(),
        "command": without_passwords(command),
    }
    return with_own_rules(record, result)


def _grid(result: Result) -> dict[str, Any]:
    """Return the further settings of a run on a grid."""
    scenario, sites, admissible = result.scenario, result.platform, result.scenario.admissible
    if sites is None:
        return {"platform": None, "broker": None, "broker_source": None, "admissible": None}
    from echelon.experiments.settings.values.value_format import format_admissible
    from echelon.platforms.serialization import to_dict

    return {
        "platform": to_dict(sites),
        "broker": result.broker,
        "broker_source": getattr(scenario.broker, "source", "none"),
        "admissible": format_admissible(admissible) if admissible.equal_sizes else float(admissible.factor),
    }


def _changes(result: Result) -> dict[str, Any]:
    """Return the settings of what changes of the machine; nothing where it never changes."""
    if not result.scenario.has_changes:
        return {}
    from echelon.experiments.changes.planned_changes import planned_changes_of
    from echelon.experiments.settings.availability import IN_TIME
    from echelon.experiments.settings.values.value_format import finite
    from echelon.experiments.summaries.change_sentences import change_notes

    changes = planned_changes_of(result.scenario)
    if not changes.asked:
        return {}
    return {
        **{one.name: changes.asked.get(one.name) for one in IN_TIME},
        "horizon": finite(changes.horizon),
        "not_modelled": list(changes.not_modelled),
        "change_notes": list(change_notes(result)),
    }


def _tree(result: Result) -> dict[str, Any]:
    """Return what decides in the inner sites of a tree, as settings that make the same run again."""
    from echelon.experiments.systems.site_trees import CONTROL_KEYS, control_settings, controller_table

    if not (table := controller_table(result.scenario)):
        return {}
    settings = control_settings(result.scenario)
    controls = {key: settings.get(key) for key in CONTROL_KEYS}
    if "@" not in settings.get("admissible", ""):
        del controls["admissible"]
    return {**controls, "controllers": table}


def _nodes(result: Result) -> dict[str, Any]:
    """Return the further settings of a run on nodes."""
    hardware = result.instance.hardware
    settings: dict[str, Any] = {"hardware": None}
    if hardware is not None:
        from echelon.platforms.serialization import machine_to_dict

        settings["hardware"] = {"nodes": len(hardware.nodes), "cores": hardware.cores}
        if result.platform is None:
            # The platform has the nodes of each of its sites.
            settings["hardware"] |= {"topology": None, **machine_to_dict(hardware)}
    return settings | node_settings(result.scenario.nodes)


def _multicluster(result: Result) -> dict[str, Any]:
    """Return the further settings of a run on a multicluster; its execution model is among those of nodes."""
    rules = shared_rules_in(result.scenario)
    settings = multicluster_settings(rules) | {"history": result.history}
    settings |= stay_settings(result.scenario) | information_settings(result.scenario)
    if rules is None:
        settings["past_experiences"] = None
    if rules is None or (result.scenario.nodes is not None and settings["execution"] == _USUAL_EXECUTION):
        settings.pop("execution", None)
    return settings


def without_passwords(command: Sequence[str]) -> list[str]:
    """Return a command line with the passwords in addresses of databases left out."""
    return [_PASSWORD.sub(r"\1***@", argument) for argument in command]


def versions() -> dict[str, str]:
    """Return the versions that a result depends on."""
    import numpy as np
    import polars as pl

    from echelon import __version__

    return {
        "echelon": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "polars": pl.__version__,
    }


def peak_memory() -> int | None:
    """Return the largest resident size of this process so far, in bytes, or None where it is not known."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def limit_settings(workload: Workload) -> dict[str, Any]:
    """Return the time limit that the jobs were given, in seconds, and what became of longer ones."""
    if not workload.header.limits_time:
        return {}

    from echelon.workloads.transform import time_limit_of

    limit = time_limit_of(workload)
    return {} if limit is None else {"max_time": limit.seconds, "longer_jobs": limit.longer_jobs}


def cancellation_settings(workload: Workload) -> dict[str, str]:
    """Return the setting of jobs that were canceled while they waited; nothing where none is simulated."""
    if "cancel_time" not in workload.accounting:
        return {}

    from echelon.workloads.transform import keeps_cancellations

    return {"cancellations": "keep"} if keeps_cancellations(workload) else {}
