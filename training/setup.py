"""Build the trainer for this machine: ``python training/setup.py build_ext --inplace`` from the repository root."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

HEADERS = [str(path) for folder in ("training", "bgcore/_core/kernels") for path in Path(folder).glob("*.h")]

setup(
    name="trainer",
    ext_modules=cythonize(
        [
            Extension(
                "training.trainer",
                ["training/trainer.pyx"],
                include_dirs=["bgcore/_core/kernels", "training"],
                depends=HEADERS,
                libraries=["mvec", "m"],
                extra_compile_args=["-O3", "-march=native", "-ffast-math", "-std=gnu11", "-g0", "-fwrapv"],
            )
        ],
        include_path=["."],
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    ),
)
