"""`python -m flare_core`: the command line (DESIGN 7)."""

import sys

from flare_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
