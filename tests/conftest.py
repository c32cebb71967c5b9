"""What every test may rely on."""

import io
import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

# No test is timed: how long an example takes says nothing but what else the machine does.
USUAL = settings.get_profile("ci" if os.environ.get("CI") else "default")
settings.register_profile("untimed", USUAL, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# A child `python -m bgcore` must import the installed package too, not the checkout it is started in.
os.environ["PYTHONSAFEPATH"] = "1"


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command line in this process: ``(exit code, stdout, stderr)``."""

    from bgcore.cli.__main__ import main

    def inner(*args, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return inner


# A background job of a shell starts with Ctrl-C ignored, and its children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
