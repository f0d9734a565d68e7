"""What was simulated, left out and assumed, and how to do it again: lists of facts as HTML."""

from __future__ import annotations

import html
import shlex
from typing import TYPE_CHECKING, Any

from echelon.experiments.settings.changes import CHANGES as OF_JOBS
from echelon.model.schedules.features import Feature, is_capped_as_one, there
from echelon.quantities import figure, quantity, tally

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.metrics.columns.run_tables.table_nodes import NodePart
    from echelon.reports.tables import RunTables

ESTIMATES = {
    "raise": "requests shorter than the run time are raised to it (raise)",
    "kill": "jobs are killed at their requested time (kill)",
    "exact": "the scheduler knows every run time (exact)",
    "request": "the scheduler plans with requests, and jobs may run longer (request)",
}
EXECUTIONS = {
    "fixed": "run times are fixed, wherever jobs run (fixed)",
    "speed": "tasks run at the speed of their cores (speed)",
}
CYCLES = {
    "instant": "one scheduling cycle for all events of an instant (instant)",
    "event": "a scheduling cycle after each event (event)",
    "pyss": "scheduling cycles in the order of the pyss simulator (pyss)",
}


CHANGES = (
    *("outages", "failures", "repair_times", "repair", "on_failure", "requeue_order", "requeue_delay"),
    *("max_requeues", "maintenance", "reservations", "reservation_conflict", "checkpoint", "checkpoint_cost"),
    *("restart_cost", "checkpoint_mtbf", "limit_per"),
)
"""Settings of machines that change, as a run's record has them; null where they were not given."""

_JOB_CHANGES = tuple(setting.name for setting in OF_JOBS)
"""Settings of changes to the jobs, as a run's record has them where they were given."""


def assumptions(runs: Sequence[RunTables], names: Sequence[str], thinned: Sequence[str] = ()) -> str:
    """Return what was simulated, dropped and assumed; facts that differ between runs are named by run.

    Parameters
    ----------
    runs, names : sequences
        The runs and their names.
    thinned : sequence of str, default empty
        Sentences on what the page itself leaves out.
    """
    rows = [
        ("Policies", _full_names(runs, names)),
        ("Workload", _each(runs, names, lambda run: _text(run.run.get("workload")))),
        ("Changes to the jobs", _each(runs, names, lambda run: _settings(run, _JOB_CHANGES))),
        ("Machine", _each(runs, names, _machine)),
        ("Placement", _each(runs, names, lambda run: _text(run.run.get("place")))),
        ("Execution model", _each(runs, names, _execution)),
        ("Power known", _each(runs, names, _powered_sites)),
        ("Power", _each(runs, names, _power)),
        ("Global queue", _each(runs, names, _global_queue)),
        ("Co-allocation", _each(runs, names, _co_allocation)),
        ("Local load", _each(runs, names, lambda run: _text(run.run.get("local_users")))),
        ("History", _each(runs, names, _past)),
        ("Time-shared machines", _each(runs, names, _without_queues)),
        ("Changes of the machine", _each(runs, names, lambda run: _settings(run, CHANGES))),
        ("Not modeled", _each(runs, names, lambda run: _list(run.run.get("not_modelled") or ()))),
        ("Broker", _each(runs, names, _broker)),
        ("Jobs simulated", _each(runs, names, lambda run: f"{run.jobs.height:,}")),
        ("Jobs dropped", _each(runs, names, _dropped_jobs)),
        ("Dependencies", _each(runs, names, _dependencies)),
        ("Estimates", _each(runs, names, lambda run: _phrase(run.run.get("estimates"), ESTIMATES))),
        ("Estimator", _each(runs, names, _estimator)),
        ("Scheduling cycles", _each(runs, names, lambda run: _phrase(run.run.get("passes"), CYCLES))),
        ("Anomalies of the log", _each(runs, names, _oddities)),
        ("Notes", _each(runs, names, _notes)),
        ("Not on this page", _list(thinned)),
    ]
    return _definitions(rows)


def _notes(run: RunTables) -> str:
    """Return what else is to be known of a run, and of what its machine went through."""
    notes, changes = run.run.get("notes") or (), run.run.get("change_notes") or ()
    return _list([*([notes] if isinstance(notes, str) else notes), *changes])


def _settings(run: RunTables, names: Sequence[str]) -> str:
    """Return the settings that were asked for of those with these names, as they were given."""
    asked = ((key, run.run.get(key)) for key in names)
    return _list([f"{key.replace('_', ' ')}: {value}" for key, value in asked if value is not None])


def reproduction(runs: Sequence[RunTables], names: Sequence[str]) -> str:
    """Return command, input hash, seed, engine, versions and seconds of the runs."""
    rows = [
        ("Command", _each(runs, names, _command)),
        ("Input SHA-256", _each(runs, names, lambda run: _code(run.run.get("input_sha256")))),
        ("Engine", _each(runs, names, lambda run: _text(run.run.get("engine")))),
        ("Seed", _each(runs, names, lambda run: _text(run.run.get("seed")))),
        ("Versions", _each(runs, names, _versions)),
        ("Elapsed time", _each(runs, names, _seconds)),
    ]
    if not any(text for _, text in rows):
        return '<p class="absent">The run has no record of its settings.</p>'
    return _definitions(rows)


def _each(runs: Sequence[RunTables], names: Sequence[str], fact: Callable[[RunTables], str]) -> str:
    facts = [fact(run) for run in runs]
    if len(set(facts)) == 1:
        return facts[0]
    pairs = ((name, text) for name, text in zip(names, facts, strict=True) if text)
    return "".join(f"<div><b>{html.escape(name)}</b>: {text}</div>" for name, text in pairs)


def _definitions(rows: Sequence[tuple[str, str]]) -> str:
    body = "\n".join(f"<dt>{label}</dt><dd>{text}</dd>" for label, text in rows if text)
    return f"<dl>{body}</dl>"


def _full_names(runs: Sequence[RunTables], names: Sequence[str]) -> str:
    """Return the policies behind shortened names, in full."""
    pairs = [(name, run.label) for name, run in zip(names, runs, strict=True) if name != run.label]
    return "".join(f"<div><b>{html.escape(name)}</b>: {html.escape(policy)}</div>" for name, policy in pairs)


def _dependencies(run: RunTables) -> str:
    """Return how many jobs waited for others to end; nothing where the log names none."""
    rule, jobs = run.run.get("dependencies"), run.run.get("dependent_jobs")
    if rule is None:
        return ""
    if rule == "ignore":
        return "ignored: jobs are submitted as in the log, although it has dependencies"
    text = f"{tally(int(str(jobs or 0)), 'job')} waited for other jobs to end"
    if absent := int(str(run.run.get("absent_predecessors") or 0)):
        text += f"; {tally(absent, 'predecessor')} not among the jobs, considered ended"
    return text


def _machine(run: RunTables) -> str:
    node_sizes = _format_nodes(run)
    if Feature.CORES in run.has and Feature.SITES not in run.has:
        return _nodes(run, node_sizes)
    if Feature.SITES not in run.has:
        return node_sizes or f"{run.processors:,} processors"
    platform = there(run.platform)
    sites = f"{len(platform):,} sites with {platform.processors:,} processors"
    if node_sizes:
        sites = node_sizes if run.is_stacked_by_node else f"{sites}, among them {node_sizes}"
    if not there(run.sites).is_stated:
        return (
            f"{sites}: the run does not record them, so each is as large as the most processors that its "
            "jobs held at once"
        )
    return _text(f"{platform.name}: {sites}" + (f"; {platform.source}" if platform.source else ""))


def _format_nodes(run: RunTables) -> str:
    """Return how many nodes are known, and what fits in them."""
    return " and ".join(_format_part(part) for part in run.node_parts)


def _format_part(part: NodePart) -> str:
    nodes, cores = len(part.nodes), part.nodes.cores
    if part.feature is Feature.CORES:
        return f"{tally(nodes, 'node')} with {tally(cores, 'core')}"
    clusters = tally(len(set(part.nodes.sites)), "cluster")
    return f"{clusters} with {tally(nodes, 'shared node')} for {tally(cores, 'parallel task')} at once"


def _nodes(run: RunTables, nodes: str) -> str:
    """Return the machine's name, nodes and cores, topology and source."""
    described = run.run.get("hardware")
    if not isinstance(described, dict):
        return nodes
    joined = f", joined as {described['topology']}" if described.get("topology") else ""
    return _text(
        f"{described.get('name')}: {nodes}{joined}"
        + (f"; {described['source']}" if described.get("source") else "")
    )


def _broker(run: RunTables) -> str:
    """Return who chose the sites of a run, those of inner sites included, and what is said of them all."""
    described = [run.broker]
    if "controllers" in run.run or "information" in run.run:  # the latter also of a multicluster
        seconds, level, age = (run.run.get(key) for key in ("decision_time", "information", "refresh"))
        described += [f"each decision took {seconds} s"] if seconds else []
        described += [f"information {level}"] if level else []
        described += [f"status asked for at most every {age} s"] if age else []
    return _text("; ".join(filter(None, described)))


def _powered_sites(run: RunTables) -> str:
    """Return of which sites power and energy are known, where there are several."""
    if Feature.SITES | Feature.POWER not in run.has or not there(run.sites).is_stated:
        return ""
    from echelon.platforms.powered_sites import format_powered_sites

    return _text(f"of {format_powered_sites(there(run.platform))}")


def _execution(run: RunTables) -> str:
    """Return how fast tasks run, and how they slow each other down."""
    spec = run.run.get("execution")
    if spec is None:
        return ""
    if str(spec).startswith("time-shared"):
        return _text(f"shared with other tasks and the owners of the nodes ({spec})")
    text = "in sites with nodes, " if Feature.SITES in run.has else ""
    text += EXECUTIONS.get(str(spec), f"tasks slow each other down at memory ({spec})")
    if run.run.get("network") not in (None, "none"):
        text += f"; MPI jobs at the network ({run.run['network']})"
    if run.run.get("sharing") not in (None, "none"):
        text += f"; tasks share cores ({run.run['sharing']})"
    text += "; all cores of a job are released together" if run.run.get("release") == "gang" else ""
    text += "; sequential jobs may straddle nodes" if run.run.get("sequential") == "straddle" else ""
    return _text(text)


def _without_queues(run: RunTables) -> str:
    """Return how loads were watched, how long decisions took, and what was known before."""
    described = run.run
    if described.get("monitoring") is None:
        return ""
    seconds = described.get("decision_time")
    facts = [f"loads averaged and published as {described['monitoring']}"]
    facts += [f"each decision took {figure(float(seconds))} s"] if isinstance(seconds, int | float) else []
    facts += [f"CPU times known in advance: {described.get('experience')}"]
    facts += ["CPU times of jobs as in the log"] if described.get("cpu_use") == "log" else []
    return _text("; ".join(facts))


def _global_queue(run: RunTables) -> str:
    """Return which jobs a multicluster handed out next, and how many each cluster's queue took."""
    spec, limit = run.run.get("upper_queue"), run.run.get("queue_limit")
    if spec is None:
        return ""
    stay, seconds = run.run.get("longest_stay"), run.run.get("decision_time")
    if "controllers" in run.run:
        described = [f"{spec}, queues below {_limit('unlimited' if limit is None else limit)}"]
    else:
        described = [f"{spec}, queues of clusters {_limit(limit)}"]
        if isinstance(seconds, int | float) and seconds:
            described.append(f"each decision took {figure(float(seconds))} s")
    described += [f"jobs are rejected after {_stay(stay)} s"] if stay else []
    return _text("; ".join(described))


def _stay(stay: object) -> str:
    """Return a number of seconds, or the spec of several by path."""
    return figure(float(stay)) if isinstance(stay, int | float) else str(stay)


def _limit(limit: object) -> str:
    text = str(limit)
    if text.startswith("held:"):
        jobs = tally(int(text.removeprefix("held:")), "job")
        return f"of at most {jobs}, those that run there included"
    return f"of at most {tally(int(text), 'job')}" if text.isdecimal() else text


def _co_allocation(run: RunTables) -> str:
    spec = run.run.get("co_allocate")
    phases = ", also of jobs that wait in clusters (two phases)" if run.run.get("two_phase") else ""
    return "" if spec in (None, "none") else _text(f"{spec}{phases}")


def _past(run: RunTables) -> str:
    """Return what estimators knew before the run."""
    history = run.run.get("history")
    return "" if history is None else _text(f"{run.run.get('past_experiences') or 0:,} jobs of {history}")


def _power(run: RunTables) -> str:
    """Return what the machine was allowed to draw, and how it saved power."""
    facts = [f"at most {format_cap(run)}"] if run.power_cap else []
    governor, sleep = run.run.get("governor"), run.run.get("sleep_after")
    facts += [f"frequency level of jobs: {governor}"] if governor not in (None, "highest") else []
    facts += [f"idle nodes are switched off after {figure(float(sleep))} s"] if sleep is not None else []
    return _text("; ".join(facts))


def format_cap(run: RunTables) -> str:
    """Return what may be drawn, where the run says it: by the machine, or by each site that has nodes."""
    if run.power_cap is None:
        return ""
    return quantity(run.power_cap, "W") + ("" if is_capped_as_one(run.platform) else " in each site")


def _text(value: object) -> str:
    return "" if value is None else html.escape(str(value))


def _code(value: object) -> str:
    return f"<code>{_text(value)}</code>" if value else ""


def _phrase(value: object, phrases: Mapping[str, str]) -> str:
    return _text(phrases.get(str(value), value))


def _estimator(run: RunTables) -> str:
    spec = run.run.get("estimator")
    if spec == "exact":
        return ESTIMATES["exact"]
    return "" if spec in (None, "request") else f"planned times are predictions ({_text(spec)})"


def _list(sentences: Sequence[object]) -> str:
    items = [sentences] if isinstance(sentences, str) else sentences
    return "".join(f"<div>{_text(item)}</div>" for item in items)


def _dropped_jobs(run: RunTables) -> str:
    return "" if run.run.get("dropped") is None else _list(dropped_sentences(run)) or "none"


def dropped_sentences(run: RunTables) -> list[str]:
    """Return what was left out of the workload and why, a clause a reason."""
    dropped = run.run.get("dropped") or ()
    if hasattr(dropped, "items"):
        dropped = [{"reason": reason, "count": count} for reason, count in dropped.items()]
    return [_dropped_sentence(entry) for entry in dropped]


def _dropped_sentence(entry: Mapping[str, Any]) -> str:
    first = f" (first: job {entry['first']})" if entry.get("first") is not None else ""
    return f"{entry.get('count', 0):,} with {entry.get('reason', 'no reason given')}{first}"


def _oddities(run: RunTables) -> str:
    entries = run.run.get("oddities") or ()
    return _list([entry if isinstance(entry, str) else entry.get("sentence", "") for entry in entries])


def _command(run: RunTables) -> str:
    command = run.run.get("command")
    if command is None:
        return ""
    text = _text(command if isinstance(command, str) else shlex.join(map(str, command)))
    return (
        f'<div class="copied"><pre>{text}</pre><button type="button" class="copy" hidden>Copy</button></div>'
    )


def _versions(run: RunTables) -> str:
    versions = run.run.get("versions") or {}
    return _text(", ".join(f"{name} {version}" for name, version in versions.items()))


def _seconds(run: RunTables) -> str:
    seconds = run.run.get("seconds")
    if seconds is None:
        return ""
    steps = seconds.items() if hasattr(seconds, "items") else [("", seconds)]
    return _text(", ".join(f"{step} {figure(float(duration), 3)} s".strip() for step, duration in steps))
