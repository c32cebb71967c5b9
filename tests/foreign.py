"""Programs of others that tests start, such as a browser."""

import os

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
"""Without the sanitizers that may be preloaded for our own process, and hang theirs."""
