"""``python -m echelon``: the command line."""

import sys

from echelon.cli import main

if __name__ == "__main__":
    sys.exit(main())
