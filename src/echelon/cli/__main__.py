"""Run the command line as ``python -m echelon.cli``."""

import sys

from echelon.cli import main

sys.exit(main())
