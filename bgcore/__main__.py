"""``python -m bgcore`` is the command ``bgcore``."""

import sys

from bgcore.cli.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
