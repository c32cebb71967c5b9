"""The exit codes of every command."""

from enum import IntEnum


class Exit(IntEnum):
    """What the caller's ``$?`` says; documented on the page "Exit codes"."""

    DONE = 0  # everything asked for was done: settled, refunded, to be resumed
    INTERNAL = 1  # a fault of bgcore itself
    USAGE = 2  # the command line, a file, an identifier or a policy cannot be used
    REJECTED = 3  # at least one record or line was rejected; the others were done
    UNDECIDED = 4  # at least one case stayed undecided, none was rejected
    MISMATCH = 5  # a verdict, run again, came out otherwise
    INTERRUPTED = 130  # Ctrl-C
    PIPE = 141  # whoever read standard output stopped reading
