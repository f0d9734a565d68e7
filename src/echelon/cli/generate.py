"""``echelon generate``: jobs drawn from a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli import options

if TYPE_CHECKING:
    from echelon.model import Workload

_Model = Annotated[
    str | None,
    typer.Argument(metavar="[MODEL]", help="A model, also with parameters: lublin-typeless:pa=0,aarr=11."),
]
_Jobs = Annotated[int | None, typer.Option(metavar="N", help="How many jobs. Default: 10,000.")]
_Processors = Annotated[
    int | None,
    typer.Option(metavar="N", help="Scale the sizes to a machine of N processors. Default: the model's."),
]
_Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A parameter of the model; may be given several times."),
]
_EstimatesModel = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="Draw requested times, too: popular, factor:f=3, multiple:factor=2. Default: none.",
    ),
]
_Out = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="File to write, its format by its ending; - writes SWF to stdout."),
]


def generate(
    model: _Model = None,
    *,
    jobs: _Jobs = None,
    processors: _Processors = None,
    seed: options.Seed = None,
    set_: _Set = None,
    estimates_model: _EstimatesModel = None,
    out: _Out = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Draw jobs from MODEL, or list the models; any MODEL is a WORKLOAD, too."""
    from echelon.errors import InputError

    if model is None:
        _list()
        return
    if out == "-" and json:
        raise InputError("can not go to stdout together with --out -", field="--json")
    from echelon.workloads import transform
    from echelon.workloads.synthetic.generating import DEFAULT_JOBS
    from echelon.workloads.synthetic.generating import generate as draw
    from echelon.workloads.synthetic.words import settings

    count = DEFAULT_JOBS if jobs is None else jobs
    made = draw(model, count, processors=processors, seed=seed or 0, **settings(set_ or ()))
    if estimates_model is not None:
        made = transform.draw_estimates(made, estimates_model, seed=seed or 0)
    _write(made, out)
    if json:
        _tell_json(made, out)
    elif not quiet and out != "-":
        _tell(made, out)


def _write(made: "Workload", out: str | None) -> None:
    import sys

    from echelon.workloads import write_workload
    from echelon.workloads.swf import write

    if out == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(write(made))
        sys.stdout.buffer.flush()
    elif out is not None:
        write_workload(made, Path(out))


def _tell_json(made: "Workload", out: str | None) -> None:
    from echelon.cli.terminal import show_json
    from echelon.workloads.synthetic.character import character

    told: dict[str, Any] = {"model": made.name, "header": made.header.all("Note")}
    show_json({**told, "figures": character(made)._asdict(), "written": out})


def _tell(made: "Workload", out: str | None) -> None:
    from echelon.cli.terminal import facts, show
    from echelon.cli.words import duration, share
    from echelon.workloads.synthetic.character import character

    found = character(made)
    rows = [
        ("machine", f"{found.processors:,} processors"),
        ("mean gap", duration(found.mean_gap)),
        ("jobs a day", f"{found.jobs_per_day:,.1f}"),
        ("mean size", f"{found.mean_size:,.2f} processors"),
        ("serial jobs", share(found.serial_share)),
        ("powers of 2", f"{share(found.power_of_2_share)}, 1 included"),
        ("mean run time", duration(found.mean_run_time)),
        ("median run time", duration(found.median_run_time)),
        ("load", f"{share(found.load)} of the machine"),
    ]
    show(f"{made.name}: {len(made):,} jobs", "", facts(rows))
    show("", f"Written to {out}" if out else "Nothing was written: name a file with --out FILE.swf")


def _list() -> None:
    from echelon.cli.terminal import facts, show
    from echelon.workloads.synthetic import MODELS

    show(
        "Models of workloads:",
        "",
        facts((one.name, f"{one.summary}\nSource: {one.source}\n") for one in MODELS),
        "Parameters, after a colon or with --set; those of lublin with batch_ or interactive_ before them:",
        "",
        *(
            facts(
                (one.name, f"{one.meaning} ({one.unit}), {one.bounds}; {one.default:.6g}")
                for one in model.parameters
            )
            for model in MODELS
            if model.name in ("lublin-typeless", "lognormal")
        ),
    )
