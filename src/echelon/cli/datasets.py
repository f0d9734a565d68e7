"""``echelon datasets``: logs that can be had by name."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli import options

if TYPE_CHECKING:
    from echelon.workloads import Dataset

_Name = Annotated[str | None, typer.Argument(metavar="[NAME]", help="A data set, to be told all about it.")]
_Fetch = Annotated[bool, typer.Option("--fetch", help="Download NAME into the cache if it is not here.")]


def datasets(name: _Name = None, *, fetch: _Fetch = False, quiet: options.Quiet = False) -> None:
    """List the data sets, where each is found, and whom to acknowledge; or fetch one."""
    from echelon.cli.terminal import progress, show
    from echelon.errors import InputError
    from echelon.workloads import datasets as known

    if name is None:
        if fetch:
            raise InputError("needs the name of a data set", field="--fetch")
        _list()
        return
    wanted = known.dataset(name)
    if fetch:
        with progress(quiet=quiet) as step:
            known.fetch(name, progress=step(f"fetching {wanted.file}"))
    if not quiet:
        show(_about(wanted))


def _list() -> None:
    from echelon.cli.terminal import grid, show
    from echelon.workloads import DATASETS

    rows = [
        (known.name, f"{known.jobs:,}", f"{known.processors:,}", _place(known)) for known in DATASETS.values()
    ]
    people = [(known.name, known.acknowledgement) for known in DATASETS.values()]
    show(
        "Logs of the Parallel Workloads Archive that can be named as WORKLOAD:",
        grid(("name", "jobs", "processors", "where"), rows, numbers=(1, 2)),
        "Whom to acknowledge, by the logs' headers:",
        grid(("name", "acknowledge"), people),
        "Looked for in the package, in the folders of ECHELON_DATA and in the cache.",
        "What is not here is downloaded when first used, or by: datasets NAME --fetch",
    )


def _about(wanted: "Dataset") -> str:
    return "\n".join(
        (
            f"{wanted.name}: {wanted.title}",
            f"  jobs         {wanted.jobs:,}",
            f"  processors   {wanted.processors:,}",
            f"  where        {_place(wanted, whole=True)}",
            f"  from         {wanted.url}",
            f"  SHA-256      {wanted.sha256}",
            f"  acknowledge  {wanted.acknowledgement}",
        )
    )


def _place(wanted: "Dataset", *, whole: bool = False) -> str:
    """Return where the data set is, in words, or its `whole` path."""
    import echelon
    from echelon.cache import cache_folder
    from echelon.errors import InputError
    from echelon.workloads import datasets as known

    try:
        path = known.find(wanted.name)
    except InputError as error:
        return str(error)
    if path is None:
        return "not here"
    if whole:
        return str(path)
    if Path(echelon.__file__).parent in path.parents:
        return "package"
    return "cache" if cache_folder() in path.parents else str(path.parent)
