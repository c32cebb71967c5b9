"""Tables of short bear-offs for stakes other than plain money, filled when they are first asked for."""

import threading
from functools import cache, lru_cache
from typing import Final

from bgcore._core import Endings, whole_graph
from bgcore.stakes import Stakes

# Points and checkers a side: filling takes some hundredths of a second, which a rollout of a game soon gets back.
SIZE: Final = (6, 5)
_whole_graph = cache(whole_graph)
_lock = threading.Lock()


def endings_of(stakes: Stakes) -> Endings:
    """Return what the last rolls of a game are exactly worth under given stakes, in every state of the cube.

    Parameters
    ----------
    stakes : Stakes
        Any but rescaling ones.

    Notes
    -----
    The last few tables are kept, of some megabytes each. Thread-safe: threads that ask at once wait for one of them.
    """
    with _lock:
        return _filled(stakes)


@lru_cache(maxsize=4)
def _filled(stakes: Stakes) -> Endings:
    return Endings(_whole_graph(*SIZE), *SIZE, stakes.compiled, stakes.owner == "centre")
