"""Modules named after their main function, which work as either.

``bgcore.rollout`` is a function to whoever reads the documentation, and becomes the module ``bgcore/rollout.py`` as
soon as something imports that. Such a module is called, described and inspected as its function is.
"""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class Namesake(ModuleType):
    """A module that can be called; ``inspect.signature`` follows ``__wrapped__`` to the function."""

    __wrapped__: Callable[..., Any]

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function."""
        return self.__wrapped__(*args, **options)


def speak_for(function: Callable[..., Any]) -> None:
    """Let the module that defines a function be called as it, with its signature and documentation."""
    module = sys.modules[function.__module__]
    module.__class__ = Namesake
    module.__dict__.update(__wrapped__=function, __doc__=function.__doc__)
