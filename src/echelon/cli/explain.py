"""``echelon explain``: why a job started when it did."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.options.setting_options import settings_of_runs, with_setting_options
from echelon.cli.terminal import progress, show, show_json
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.experiments.settings.setting import Setting

_OF_RESULTS = ("engine", "metrics", "out", "report", "log_waits", "dates")
"""Settings on which no schedule depends: how runs are made and measured, and what they write."""

_Job = Annotated[
    str, typer.Option("--job", metavar="ID", help="The job, by its number or name in the log. Required.")
]


def _settings() -> "Iterable[Setting]":
    """Return the settings on which a schedule depends."""
    return (setting for setting in settings_of_runs() if setting.name not in _OF_RESULTS)


@with_setting_options(_settings)
def explain(
    source: options.ScenarioSource,
    *,
    job: _Job = "",
    json: options.Json = False,
    quiet: options.Quiet = False,
    **settings: Any,  # noqa: ANN401  (what each setting takes)
) -> None:
    """Explain in sentences why a job of WORKLOAD or SCENARIO.toml started when it did.

    The sentences say which jobs were ahead of it, what was planned or reserved for others, and which
    overtook it. Options override the scenario file. The reference engine runs until the job has ended.
    """
    from echelon.cli.run_steps import collect_settings, policy_output_apart, read, refuse_several
    from echelon.experiments.summaries.explanation.explain import explain as explain_job

    if not job.strip():
        raise InputError("needs a job to explain, give --job ID", field="--job")
    arguments = collect_settings(source, settings)
    refuse_several(arguments)
    for name in _OF_RESULTS:
        arguments.pop(name, None)
    with policy_output_apart(), progress(quiet=quiet) as step:
        workload = read(arguments, step)
        answer = explain_job(workload, job, progress=step("simulating"), **arguments)
    if json:
        show_json(answer.to_dict())
    elif not quiet:
        show(*answer.sentences)
