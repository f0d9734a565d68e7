"""``echelon datasets``: logs that are available by name."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.terminal import grid, progress, show
from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.workloads import Dataset


def _names() -> list[str]:
    """Return the names of the data sets, for completion in shells."""
    from echelon.workloads import DATASETS

    return list(DATASETS)


_Name = Annotated[
    str | None,
    typer.Argument(metavar="[NAME]", help="Show the details of one data set.", autocompletion=_names),
]
_Fetch = Annotated[
    bool, typer.Option("--fetch", help="Download NAME into the cache unless it is on this machine.")
]


def datasets(name: _Name = None, *, fetch: _Fetch = False, quiet: options.Quiet = False) -> None:
    """List the data sets, their locations and whom to acknowledge; or download one."""
    from echelon.workloads.files import datasets as known
    from echelon.workloads.grid.site_logs import LOCAL_LOGS, absence

    if name is None:
        if fetch:
            raise InputError("needs the name of a data set", field="--fetch")
        _list()
        return
    if name.lower() in LOCAL_LOGS:
        if fetch and (reason := absence(name)):
            raise InputError(reason, field=name.lower())
        if not quiet:
            show(_about_local(name.lower()))
        return
    wanted = known.dataset(name)
    if fetch:
        with progress(quiet=quiet) as step:
            known.fetch(name, progress=step(f"fetching {wanted.file}"))
    if not quiet:
        show(_about(wanted))


def _list() -> None:
    from echelon.workloads import DATASETS

    rows = [
        (dataset.name, f"{dataset.jobs:,}", f"{dataset.processors:,}", _place(dataset))
        for dataset in DATASETS.values()
    ]
    people = [(dataset.name, dataset.acknowledgement) for dataset in DATASETS.values()]
    show(
        "Logs of the Parallel Workloads Archive that can be named as WORKLOAD:",
        grid(("name", "jobs", "processors", "where"), rows, numbers=(1, 2)),
        "Whom to acknowledge, from the headers of the logs:",
        grid(("name", "acknowledge"), people),
        "Echelon looks in the package, in the folders of ECHELON_DATA and in the cache.",
        "A missing log is downloaded at its first use, or by: datasets NAME --fetch",
        "Only for grids, and never downloaded: das2-fs0 to das2-fs4. Details of one: datasets das2-fs0",
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


def _about_local(name: str) -> str:
    from echelon.workloads.grid.site_logs import LOCAL_LOGS, local_file

    path = local_file(name)
    return "\n".join(
        (
            f"{name}: a cluster of DAS-2, as a site's log of grid2, grid3 and merge",
            f"  file   {LOCAL_LOGS[name]}, or the same unpacked",
            f"  where  {'not here' if path is None else path}",
            "  from   the Parallel Workloads Archive, folder l_das2; never downloaded, as no hash of it is",
            "         known; put it into a folder of ECHELON_DATA",
        )
    )


def _place(wanted: "Dataset", *, whole: bool = False) -> str:
    """Return the location of the data set as a word, or as the `whole` path."""
    import echelon
    from echelon.cache import cache_folder
    from echelon.workloads.files import datasets as known

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
