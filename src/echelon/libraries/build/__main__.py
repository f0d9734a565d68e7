"""Build libraries of kernels: ``python -m echelon.libraries.build [NAME ...] [--kinds KIND ...]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

from echelon.errors import EchelonError
from echelon.libraries.build.building import build_here, build_libraries
from echelon.libraries.finding import folder
from echelon.libraries.names import LIBRARIES
from echelon.libraries.processor import kinds


def main() -> int:
    """Build what is asked for and say how long it took; 1 if something cannot be built."""
    parser = argparse.ArgumentParser(prog="python -m echelon.libraries.build", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: all, {', '.join(LIBRARIES)}")
    parser.add_argument(
        "--kinds", nargs="+", choices=kinds(), help="of processors; default: all of this machine's"
    )
    parser.add_argument("--folder", type=Path, default=folder(), help="default: where they are looked for")
    parser.add_argument("--here", action="store_true", help="in this process, whether they are there or not")
    given = parser.parse_args()
    names, chosen, began = given.names or list(LIBRARIES), given.kinds or kinds(), perf_counter()
    try:
        if given.here:
            build_here(names, chosen, given.folder)
        else:
            build_libraries(names, chosen, given.folder)
            took = perf_counter() - began
            sys.stdout.write(f"{len(names)} libraries of kernels are there after {took:.1f} s.\n")
    except EchelonError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
