"""Build libraries of kernels: ``python -m echelon.libraries.build [NAME ...] [--kinds KIND ...]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

from echelon.errors import EchelonError
from echelon.libraries.build.builder import build_here, build_libraries
from echelon.libraries.lookup import folder
from echelon.libraries.names import LIBRARIES
from echelon.libraries.processor import kinds


def main() -> int:
    """Build the requested libraries and print the time taken; return 1 if something cannot be built."""
    parser = argparse.ArgumentParser(prog="python -m echelon.libraries.build", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: all, {', '.join(LIBRARIES)}")
    parser.add_argument(
        "--kinds", nargs="+", choices=kinds(), help="of processors; default: all of this machine's"
    )
    parser.add_argument("--folder", type=Path, default=folder(), help="default: where they are looked for")
    parser.add_argument("--here", action="store_true", help="in this process, whether they are there or not")
    options = parser.parse_args()
    names, chosen, began = options.names or list(LIBRARIES), options.kinds or kinds(), perf_counter()
    try:
        if options.here:
            build_here(names, chosen, options.folder)
        else:
            build_libraries(names, chosen, options.folder)
            took = perf_counter() - began
            there = "library of kernels is" if len(names) == 1 else "libraries of kernels are"
            sys.stdout.write(f"{len(names)} {there} there after {took:.1f} s.\n")
    except EchelonError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
