"""Build libraries of kernels into empty folders, one process at a time; prints CPU seconds as JSON."""

from __future__ import annotations

import json
import resource
import tempfile
from pathlib import Path


def main() -> None:
    """Build what one machine needs, nodes, and grids."""
    from echelon.libraries.build import build_libraries
    from echelon.libraries.processor import preferred_kinds

    groups = {
        "machine": ["machine", "swf", "allocation"],
        "nodes": ["nodes", "node_rows"],
        "grids": ["grid_by_sums", "grid_by_schedules", "grid_room", "peers"],
        "all": None,
    }
    seconds = {}
    for group, names in groups.items():
        with tempfile.TemporaryDirectory() as folder:
            before = _children()
            build_libraries(names, preferred_kinds()[:1], Path(folder), processes=1)
            seconds[group] = _children() - before
    print(json.dumps({"parts": seconds, "total": seconds["all"]}))


def _children() -> float:
    """Return the CPU seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
