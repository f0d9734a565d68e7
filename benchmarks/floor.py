"""What no run of ours can go below without importing less: the three libraries, and writing the files.

``python benchmarks/floor.py RUN_FOLDER OUT_FOLDER``. Prints one line of JSON: processor seconds of the start
of Python with the imports, and of writing the tables that an earlier run left in its folder; reading them
does not count. BLAS has one thread, which is set before numpy comes.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import json
import sys
from pathlib import Path
from time import process_time

import numpy as np  # noqa: F401
import polars as pl
import typer  # noqa: F401

IMPORTED = process_time()


def main(run: str, target: str) -> None:
    """Write the files of `run` again, and say what it took."""
    source, folder = Path(run), Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    jobs = pl.read_parquet(source / "jobs.parquet")
    small = {name: pl.read_csv(source / name) for name in ("users.csv", "classes.csv")}
    told = {name: json.loads((source / name).read_text()) for name in ("metrics.json", "run.json")}
    began = process_time()
    jobs.write_csv(folder / "jobs.csv")
    jobs.write_parquet(folder / "jobs.parquet")
    for name, table in small.items():
        table.write_csv(folder / name)
    for name, content in told.items():
        (folder / name).write_text(json.dumps(content, indent=2))
    print(json.dumps({"imports": IMPORTED, "files": process_time() - began}))


if __name__ == "__main__":
    main(*sys.argv[1:])
