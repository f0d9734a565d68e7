"""What run and compare have in common: from options to a workload, and what is said at the end."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError, UnknownNameError
from echelon.quantities import figure, quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from echelon.cli.terminal import Progress
    from echelon.experiments import Result
    from echelon.model import Workload
    from echelon.reports import RunTables

FIGURES = "figures"
"""The folder of figures in a folder of results."""


def chosen(source: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return what was asked for, without what was left open; options come before a scenario file's words."""
    given = {key: value for key, value in options.items() if value is not None}
    if not source.lower().endswith(".toml"):
        return {"workload": source, **given}
    from echelon.experiments.scenario_file import read_scenario_file

    told = read_scenario_file(source).settings()
    # Who names a machine or a grid means that one alone.
    inside = (
        *("place", "execution", "network", "sharing", "power_cap", "governor", "sleep_after"),
        *("release", "sequential"),
    )
    above = ("upper_queue", "queue_limit", "co_allocate", "two_phase", "longest_stay", "local_users", "watch")
    desks = ("monitoring", "decision_time", "experience", "cpu_use")
    instead = {
        "platform": ("processors",),
        "processors": ("platform", "broker", "admissible", *inside, *above, "history", *desks),
    }
    for key in (key for option, keys in instead.items() if option in given for key in keys):
        told.pop(key, None)
    return {**told, **given}


def parted(words: str | None, field: str) -> list[str] | None:
    """Return words joined by commas, each for itself; None where nothing was said."""
    from echelon.policies import split_policies

    return None if words is None else split_policies(words, field=field)


def read(given: dict[str, Any], step: Callable[[str], Progress | None]) -> Workload:
    """Read the workload that `given` names, and take the words that are used up out of it."""
    from echelon.experiments.inputs import read_input

    source, format = given.pop("workload"), given.pop("format", None)  # noqa: A001
    return read_input(source, given.get("platform"), format=format, progress=step(f"reading {source}"))


@contextmanager
def policy_output_apart() -> Iterator[None]:
    """Send what a user's own policy prints to stderr: stdout is for the command's own words."""
    with redirect_stdout(sys.stderr):
        yield


@contextmanager
def compiling(engine: str | None, *, quiet: bool) -> Iterator[None]:
    """Say so when kernels are built inside the block, or cannot be; only the reference engine needs none."""
    if engine == "reference":
        yield
        return
    from echelon.cli.terminal import note
    from echelon.libraries.finding import announcing

    with announcing((lambda _: None) if quiet else note):
        yield


@contextmanager
def meanwhile(tasks: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Do `tasks`, one after the other, in a thread of their own while the block runs.

    What a task raises comes before what the block raises; if the block fails, no further task is begun.
    """
    raised: list[BaseException] = []
    stopped = threading.Event()

    def work() -> None:
        try:
            for task in tasks:
                if stopped.is_set():
                    break
                task()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    except BaseException:
        stopped.set()
        raise
    finally:
        thread.join()
        if raised:
            raise raised[0]


def report_files(
    runs: Sequence[tuple[Result, dict[str, Any]]], folder: Path, *, page: bool, figures: str | None
) -> list[str]:
    """Write one page and the figures on all runs into `folder`, if wanted, and return their names in it."""
    if not page and figures is None:
        return []
    from echelon.reports import write_report
    from echelon.reports.result_report import run_tables

    tables = [run_tables(result, told) for result, told in runs]
    for result, _ in runs:
        result.let_go()
    names = [write_report(tables, folder / "report.html").name] if page else []
    drawn = figure_files(tables, folder, figures) if figures is not None else []
    return [*names, *(f"{FIGURES}/{file.name}" for file in drawn)]


def check_figures(figures: str | None, folder: object) -> None:
    """Refuse, before anything is simulated, figures of an unknown format, without a folder or a library."""
    if figures is None:
        return
    from echelon.extras import MATPLOTLIB
    from echelon.plotting import FILE_FORMATS

    if figures not in FILE_FORMATS:
        raise UnknownNameError("figure format", figures, FILE_FORMATS)
    if folder is None:
        raise InputError("needs a folder for the figures, give --out DIR", field="--figures")
    MATPLOTLIB.load()


def check_traces(traces: bool, folder: object) -> None:
    """Refuse, before anything is simulated, traces that have no folder to go to."""
    if traces and folder is None:
        raise InputError("needs a folder for traces.csv, give --out DIR", field="--traces")


def figure_files(runs: Sequence[RunTables], folder: Path, kind: str) -> list[Path]:
    """Draw the figures into their folder in `folder` and return the files; say what cannot be drawn."""
    from echelon.cli.terminal import note
    from echelon.reports.figures import write_figures

    written, missing = write_figures(runs, folder / FIGURES, kind)
    for sentence in missing:
        note(sentence)
    return written


def outcome(results: Sequence[Result], written: Sequence[str]) -> list[str]:
    """Return sentences on what was simulated, left out and written."""
    from echelon.experiments.notebook import kind_of

    workload = results[0].workload
    engines = " and ".join(dict.fromkeys(result.engine for result in results)) + " engine"
    if any(result.projections == "compiled" for result in results):
        engines += " (queues projected in kernels)"
    seconds = sum(result.seconds for result in results)
    each = f" under each of {len(results)} policies" if len(results) > 1 else ""
    if kind_of(results) == "run":
        each = each.replace("under", "in").replace("policies", "runs")
    taken = f"{figure(seconds, 2)} s, {engines}"
    counts = sorted({len(result.instance) for result in results})
    jobs = " to ".join(f"{count:,}" for count in dict.fromkeys((counts[0], counts[-1])))
    lines = [f"{jobs} of {len(workload):,} jobs simulated{each} in {taken}."]
    lines += _who_chose(results)
    lines += _homes(results)
    lines += _inside(results)
    lines += _above(results)
    lines += _without_queues(results)
    if (planner := results[0].estimator) != "request":
        lines.append(f"Planned by the estimator {planner}.")
    lines += _priorities(results)
    lines += _dependencies(results)
    lines += _left_out(results)
    if written:
        lines += ["", *_brief([Path(file) for file in written])]
    return lines


def _priorities(results: Sequence[Result]) -> list[str]:
    """Return sentences on queues and partitions that have no priority, where an order weighs them."""
    from echelon.experiments.priorities import priority_sentences

    return list(dict.fromkeys(line for result in results for line in priority_sentences(result)))


def _dependencies(results: Sequence[Result]) -> list[str]:
    """Return sentences on who waited for others to end, and for whom nobody could wait."""
    from echelon.experiments.dependencies import dependency_sentences

    told = [dependency_sentences(result.instance) for result in results]
    return [line for line in told[0] if all(line in lines for lines in told)]


def _left_out(results: Sequence[Result]) -> list[str]:
    """Return a sentence on each reason for which jobs were left out, by each run or by some of them."""
    from echelon.cli.words import drops

    left = [result.instance.dropped for result in results]
    lines = [
        f"Left out: {line}." for line in drops(drop for drop in left[0] if all(drop in one for one in left))
    ]
    parting = {drop.reason: None for one in left for drop in one if not all(drop in other for other in left)}
    for reason in parting:
        counts = [sum(drop.count for drop in one if drop.reason == reason) for one in left]
        lines.append(f"Left out by the runs: {min(counts):,} to {max(counts):,} with {reason}.")
    return lines


def _who_chose(results: Sequence[Result]) -> list[str]:
    """Return a sentence on how the jobs of a grid came to their sites."""
    from echelon.experiments.grid import admissible_words
    from echelon.experiments.unused_choices import unused_words
    from echelon.policies import Decentralized

    rules = results[0].scenario.multicluster
    if rules is not None and not getattr(rules.upper_queue, "asks_broker", True):
        return []
    if len(results) > 1:
        unused = unused_words([result.scenario.broker for result in results])
        return [] if unused is None else [unused]
    if (broker := results[0].scenario.broker) is None:
        return []
    if isinstance(broker, Decentralized):
        return [f"Sites exchanged jobs without a broker and policies of their own: {results[0].broker}."]
    admissible = results[0].scenario.admissible
    among = "" if admissible.factor == 1 else f" among admissible ones, a = {admissible_words(admissible)}"
    return [f"Sites chosen by the broker {results[0].broker}{among}."]


def _homes(results: Sequence[Result]) -> list[str]:
    """Return a sentence on jobs whose home is unknown, where the broker sends every job home."""
    for result in results:
        homes = result.schedule.home_site
        if homes is None:
            continue
        from echelon.policies.broker.home import HomeSite

        unknown = int((homes < 0).sum())
        if isinstance(result.scenario.broker, HomeSite) and unknown:
            return [
                f"home: {unknown:,} of {len(result.instance):,} jobs have no partition that is named like a "
                "site; they went to the smallest that may take them."
            ]
    return []


def _inside(results: Sequence[Result]) -> list[str]:
    """Return a sentence on what decided inside the machine: what all runs have in common."""
    from echelon.experiments.nodes import node_words

    told = [node_words(result.scenario.nodes) for result in results]
    if any(words["place"] is None for words in told):
        return []
    same = {name: word for name, word in told[0].items() if all(words[name] == word for words in told)}
    parts = [f"placed by {same['place']}"] if "place" in same else []
    parts += [f"{noun} {same[noun]}" for noun in ("execution", "network", "sharing") if _says(same.get(noun))]
    parts += [f"at most {quantity(same['power_cap'], 'W')}"] if same.get("power_cap") else []
    parts += [f"frequency {same['governor']}"] if same.get("governor", "highest") != "highest" else []
    parts += ["cores given back by whole jobs"] if same.get("release") == "gang" else []
    parts += ["sequential jobs may straddle nodes"] if same.get("sequential") == "straddle" else []
    parts += (
        [f"idle nodes off after {figure(same['sleep_after'])} s"] if _says(same.get("sleep_after")) else []
    )
    return [f"Inside the machine: {', '.join(parts)}."] if parts else []


def _above(results: Sequence[Result]) -> list[str]:
    """Return sentences on what a multicluster was told besides: what all runs have in common."""
    from echelon.experiments.multicluster import multicluster_words

    told = [multicluster_words(result.scenario.multicluster) for result in results]
    if told[0]["upper_queue"] is None:
        return []
    same = {name: word for name, word in told[0].items() if all(words[name] == word for words in told)}
    parts = [
        f"{noun} {same[key]}"
        for key, noun in (
            ("upper_queue", "upper queue"),
            ("queue_limit", "queue limit"),
            ("co_allocate", "co-allocation"),
            ("local_users", "local users"),
            ("execution", "execution"),
        )
        if key in same
    ]
    if same.get("decision_time"):
        parts.append(f"a decision takes {figure(same['decision_time'])} s")
    parts += ["in two phases"] if same.get("two_phase") else []
    parts += [f"rejected after {figure(same['longest_stay'])} s"] if same.get("longest_stay") else []
    lines = [f"Multicluster: {', '.join(parts)}."]
    if (history := results[0].history) is not None:
        lines.append(f"Learned from {told[0]['past_experiences']:,} jobs of {history}, and recorded there.")
    return lines


def _without_queues(results: Sequence[Result]) -> list[str]:
    """Return a sentence on what machines without queues were told besides: what all runs have in common."""
    from echelon.experiments.immediate import immediate_words

    told = [immediate_words(result.scenario.immediate) for result in results]
    if told[0]["monitoring"] is None:
        return []
    same = {name: word for name, word in told[0].items() if all(words[name] == word for words in told)}
    parts = [f"monitoring {same['monitoring']}", f"experience {same['experience']}"]
    if "decision_time" in same:
        parts.insert(1, f"a decision takes {figure(same['decision_time'])} s")
    parts += ["CPU use as in the log"] if same["cpu_use"] == "log" else []
    return [f"Machines without queues: {', '.join(parts)}."]


def _says(word: object) -> bool:
    return word not in (None, "none")


def _brief(files: Sequence[Path]) -> list[str]:
    """Return the files, those of a comparison's runs once for all of them; the page has its path in full."""
    folder = min((file.parent for file in files), key=lambda path: len(path.parts))
    top = [file.name for file in files if file.parent == folder]
    figures = [file.name for file in files if file.parent == folder / FIGURES]
    runs: dict[str, list[str]] = {}
    for file in files:
        if file.parent not in (folder, folder / FIGURES):
            runs.setdefault(file.parent.name, []).append(file.name)
    lines = [f"Written to {folder}: {', '.join(top)}"]
    if runs:
        each = [name for name in next(iter(runs.values())) if all(name in names for names in runs.values())]
        lines += [f"and in each of {', '.join(runs)}: {', '.join(each)}"]
        more = {run: [name for name in names if name not in each] for run, names in runs.items()}
        lines += [f"and in {run} also: {', '.join(names)}" for run, names in more.items() if names]
    if figures:
        lines.append(f"Figures in {folder / FIGURES}: {', '.join(figures)}")
    return [*lines, *(f"Look at {file}" for file in files if file.suffix == ".html")]
