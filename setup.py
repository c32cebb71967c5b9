"""Build the compiled core; everything declarative lives in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CORE = Path("bgcore/_core")

# One place for every directive. BGCORE_DEBUG=1 turns the checks back on that a release leaves out.
DEBUG = os.environ.get("BGCORE_DEBUG") == "1"
COVERAGE = os.environ.get("BGCORE_COVERAGE") == "1"
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "cdivision": not DEBUG,
    "embedsignature": True,
}

# Stated in full because an environment CFLAGS replaces the interpreter's own flags. No -march and no
# -ffast-math: levels of SIMD are picked at import, and every machine must compute the same bits.
if sys.platform == "win32":
    FLAGS, LINK = ["/O2", "/fp:precise", "/std:c11"], []
else:
    FLAGS = ["-O3", "-g0", "-std=c11", "-ffp-contract=off", "-fwrapv", "-DNDEBUG", "-Wno-unreachable-code"]
    LINK = ["-g0"]
    if DEBUG:
        FLAGS = ["-O1", "-g", "-std=c11", "-ffp-contract=off", "-fwrapv"]
    sanitizers = os.environ.get("BGCORE_SANITIZE", "")
    if sanitizers:
        FLAGS += ["-O1", f"-fsanitize={sanitizers}", "-fno-omit-frame-pointer", "-g"]
        LINK = [f"-fsanitize={sanitizers}"]
    if COVERAGE:
        FLAGS += ["-O1", "--coverage"]
        LINK = ["--coverage"]


def extension(source):
    """One compiled module; it is rebuilt when any declaration or header of the core changes."""
    headers = [*CORE.glob("*.pxd"), *CORE.glob("kernels/*.h"), *CORE.glob("*.h")]
    return Extension(
        f"bgcore._core.{source.stem}",
        [str(source)],
        include_dirs=[str(CORE)],
        depends=[str(header) for header in headers],
        extra_compile_args=FLAGS,
        extra_link_args=LINK,
    )


setup(
    ext_modules=cythonize(
        [extension(source) for source in sorted(CORE.glob("*.pyx"))],
        compiler_directives=DIRECTIVES,
    ),
    options={"build_ext": {"parallel": os.cpu_count()}},  # the modules are independent: a file a processor
)
