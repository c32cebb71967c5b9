"""What every test may rely on."""

import os

# A child `python -m bgcore` must import the installed package too, not the checkout it is started in.
os.environ["PYTHONSAFEPATH"] = "1"
