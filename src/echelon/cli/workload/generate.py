"""``echelon generate``: draw jobs from a model, with given parameters or fitted to a log."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.listing.documents import names_in
from echelon.cli.options import shared_options as options
from echelon.cli.options.setting_options import with_setting_options
from echelon.cli.terminal import facts, grid, progress, show, show_json
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.experiments.settings.setting import Setting
    from echelon.experiments.summaries.model_fit import ModelFit
    from echelon.model import Workload
    from echelon.workloads.synthetic.character import Character
    from echelon.workloads.transform.column_model import ColumnModel

_DEFAULT = "lublin-typeless"
"""The model that is fitted to a log if none is named."""

_Model = Annotated[
    str | None,
    typer.Argument(
        metavar="[MODEL]",
        help="A model, with parameters if needed (lublin-typeless:pa=0,aarr=11), or the .toml file of a "
        "model.",
        autocompletion=names_in("workload-models"),
    ),
]
_Jobs = Annotated[
    int | None,
    typer.Option(metavar="N", help="Number of jobs. Default: 10,000 (sinapad: 40), or as many as LOG has."),
]
_Processors = Annotated[
    int | None,
    typer.Option(metavar="N", help="Processors of the machine. Default: those of the model or of LOG."),
]
_Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A parameter of the model; may be given several times."),
]
_Fit = Annotated[
    str | None,
    typer.Option(
        metavar="LOG",
        help="Fit MODEL (default: lublin-typeless) to the jobs of this WORKLOAD.",
        autocompletion=options.workloads,
    ),
]
_Out = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|DIR",
        help="File to write; its ending selects the format. - writes to stdout: SWF, workload.json if jobs "
        "have tasks, or CSV if they have applications or belong to workflows. With --fit, a folder.",
    ),
]


def _changes() -> "Iterable[Setting]":
    from echelon.experiments.settings.changes import OF_MODELS

    return OF_MODELS


@with_setting_options(_changes)
def generate(
    model: _Model = None,
    *,
    jobs: _Jobs = None,
    processors: _Processors = None,
    seed: options.Seed = None,
    set_: _Set = None,
    fit: _Fit = None,
    out: _Out = None,
    report: options.Report = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    **changes: Any,  # noqa: ANN401  (as declared)
) -> None:
    """Draw jobs from MODEL, or list the models. A MODEL can also be used as a WORKLOAD.

    With --fit, the parameters are those that fit a log best.
    """
    from echelon.experiments import change_jobs

    if json and out == "-":
        raise InputError("cannot go to stdout together with --out -", field="--json")
    if fit is not None:
        if set_ or out == "-":
            raise InputError("takes no --set and writes a folder", field="--fit")
        model_fit = _fit_log(model, fit, jobs=jobs, processors=processors, seed=seed or 0, quiet=quiet)
        model_fit = replace(model_fit, sample=change_jobs(model_fit.sample, **changes, seed=model_fit.seed))
        files = [] if out is None else _write_fit(model_fit, Path(out), report=report is not False)
        if json:
            _show_fit_as_json(model_fit, files)
        elif not quiet:
            _show_fit(model_fit, files)
    elif model is None:
        _list()
    else:
        workload = _draw_jobs(model, set_ or [], jobs=jobs, processors=processors, seed=seed)
        workload = change_jobs(workload, **changes, seed=seed or 0)
        _write(workload, out)
        if json:
            _show_as_json(workload, out)
        elif not quiet and out != "-":
            _show_written(workload, out)


def _draw_jobs(
    model: str, parameters: list[str], *, jobs: int | None, processors: int | None, seed: int | None
) -> "Workload":
    """Return jobs drawn from a model, given by its name or by the file of a fitted model."""
    from echelon.workloads.synthetic.fitted_model import read_fitted_model
    from echelon.workloads.synthetic.generation import generate as draw
    from echelon.workloads.synthetic.spec import settings

    if not model.lower().endswith(".toml"):
        return draw(model, jobs, processors=processors, seed=seed, **settings(parameters))
    if parameters or processors is not None:
        raise InputError("has its parameters in the file; change them there", file=model)
    return read_fitted_model(model).generate(jobs, seed=seed or 0)


def _write(workload: "Workload", out: str | None) -> None:
    import sys

    from echelon.workloads import write_workload
    from echelon.workloads.formats.swf import write
    from echelon.workloads.formats.table import write_csv
    from echelon.workloads.irmasim import write_json

    if out == "-":
        sys.stdout.flush()
        written = write if workload.demands is None else write_json
        sys.stdout.buffer.write((write_csv if _needs_table(workload) else written)(workload))
        sys.stdout.buffer.flush()
    elif out is not None:
        write_workload(workload, Path(out))


def _show_as_json(workload: "Workload", out: str | None) -> None:
    from echelon.workloads.synthetic.character import character

    document: dict[str, Any] = {"model": workload.name, "header": workload.header.all("Note")}
    show_json({**document, "figures": character(workload)._asdict(), "written": out})


def _show_written(workload: "Workload", out: str | None) -> None:
    from echelon.workloads import read_workload
    from echelon.workloads.synthetic.character import character

    show(f"{workload.name}: {len(workload):,} jobs", "", facts(_figures(character(workload))))
    ending = ".swf" if workload.demands is None else ".json"
    ending = ".csv" if _needs_table(workload) else ending
    show("", f"Written to {out}" if out else f"Nothing was written: name a file with --out FILE{ending}")
    if out and workload.demands is not None and read_workload(Path(out)).demands is None:
        show("This format cannot hold the demands of the jobs' tasks; workload.json can: --out FILE.json")
    if out and workload.dependencies is not None and _lost_dependencies(workload, Path(out)):
        show("This format cannot hold all dependencies of the jobs; CSV and Parquet can: --out FILE.csv")
    if out and workload.applications is not None and read_workload(Path(out)).applications is None:
        show("This format cannot hold the jobs' applications; CSV and Parquet can: --out FILE.csv")


def _lost_dependencies(workload: "Workload", out: Path) -> bool:
    from echelon.experiments.summaries.conversion import losses
    from echelon.workloads import read_workload

    return any(sentence.startswith("what ") for sentence in losses(workload, read_workload(out)))


def _needs_table(workload: "Workload") -> bool:
    """Return whether jobs have what only CSV and Parquet can hold."""
    return workload.applications is not None or (
        workload.dependencies is not None and workload.demands is None
    )


def _figures(jobs: "Character") -> list[tuple[str, str]]:
    from echelon.cli.formatting import duration, share

    return [
        ("machine", f"{jobs.processors:,} processors"),
        ("mean gap", duration(jobs.mean_gap)),
        ("jobs a day", f"{jobs.jobs_per_day:,.1f}"),
        ("mean size", f"{jobs.mean_size:,.2f} processors"),
        ("serial jobs", share(jobs.serial_share)),
        ("powers of 2", f"{share(jobs.power_of_2_share)}, 1 included"),
        ("mean run time", duration(jobs.mean_run_time)),
        ("median run time", duration(jobs.median_run_time)),
        ("load", f"{share(jobs.load)} of the machine"),
    ]


def _list() -> None:
    from echelon.workloads.synthetic import MODELS
    from echelon.workloads.transform.dependency_models import MODELS as DEPENDENCIES
    from echelon.workloads.transform.estimate_models import MODELS as ESTIMATES

    show(
        "Models of workloads:",
        "",
        facts((one.name, f"{one.summary}\nSource: {one.source}\n") for one in MODELS),
        "Parameters, after a colon or with --set; lublin prefixes them with batch_ or interactive_:",
        "",
        *(
            facts((one.name, one.about) for one in model.parameters)
            for model in MODELS
            if model.name in ("lublin-typeless", "lognormal", "irmasim-mix", "nas")
        ),
        "",
        "Models of users' estimates, after --estimates-model:",
        "",
        facts((one.name, _about(one)) for one in ESTIMATES),
        "Models of dependencies between jobs, after --dependencies-model:",
        "",
        facts((one.name, _about(one)) for one in DEPENDENCIES),
    )


def _about(model: "ColumnModel") -> str:
    settings = "; ".join(f"{one.name}: {one.meaning}, {one.default:.6g}" for one in model.parameters)
    return f"{model.summary} {settings}\nSource: {model.source}\n"


def _fit_log(
    model: str | None, source: str, *, jobs: int | None, processors: int | None, seed: int, quiet: bool
) -> "ModelFit":
    from echelon.experiments.summaries.model_fit import fit_and_draw
    from echelon.workloads import read_workload

    with progress(quiet=quiet) as step:
        log = read_workload(source, progress=step(f"reading {source}"))
        step(f"fitting {model or _DEFAULT}")
        return fit_and_draw(log, model or _DEFAULT, jobs=jobs, processors=processors, seed=seed)


def _write_fit(model_fit: "ModelFit", folder: Path, *, report: bool) -> list[Path]:
    files = model_fit.write(folder)
    if report:
        from echelon.reports.workload_page import write_workload_page

        files.append(write_workload_page(model_fit, folder / "report.html"))
    return files


def _show_fit_as_json(model_fit: "ModelFit", files: list[Path]) -> None:
    show_json({**model_fit.to_dict(), "written": [str(file) for file in files]})


def _show_fit(model_fit: "ModelFit", files: list[Path]) -> None:
    from echelon.cli.formatting import share

    log, sample = model_fit.characters
    rows = [(name, a, b) for (name, a), (_, b) in zip(_figures(log), _figures(sample), strict=True)]
    show(
        f"{model_fit.fitted.model} fitted to {model_fit.log.name}: {log.jobs:,} jobs, {sample.jobs:,} drawn",
        "",
        facts((name, f"{value:.6g}") for name, value in model_fit.fitted.parameters.items()),
        "",
        grid(("", model_fit.log.name, model_fit.fitted.model), rows, numbers=(1, 2)),
        "Largest difference between the cumulative distributions (by hour: share of jobs that would have to "
        "move):",
        "",
        facts((name.replace("_", " "), share(distance)) for name, distance in model_fit.distances.items()),
        "",
        *(
            [f"Written to {files[0].parent}: {', '.join(file.name for file in files)}"]
            if files
            else ["Nothing was written: name a folder with --out DIR"]
        ),
        *(f"Look at {file}" for file in files if file.suffix == ".html"),
    )
