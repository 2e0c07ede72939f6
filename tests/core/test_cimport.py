"""Another package's Cython code builds on the core with nothing but the installed files."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pac_stability

CONSUMER = """\
# cython: language_level=3, boundscheck=False
from libc.stdint cimport uint64_t
from pac_stability._core.bitset cimport count, fill, following, lowest, popcount
from pac_stability._core.littlestone cimport LittlestoneSolver


def bits(uint64_t word):
    return popcount(word), lowest(word)


def first_bits(int n):
    "Of 256 bits that are set: those that still are, how many, and the next after the first n."
    cdef uint64_t[4] mask
    cdef int i
    fill(mask, 256)
    fill(mask, n)
    still = [i for i in range(256) if mask[i >> 6] >> (i & 63) & 1]
    return still, count(mask, 4), following(mask, 4, n)


def dimensions(LittlestoneSolver solver, int count):
    "Ldim of every subset of the first `count` <= 12 hypotheses, in one go without the GIL."
    cdef int[1 << 12] found
    cdef uint64_t rows
    solver.begin(0.0, None)
    with nogil:
        for rows in range(1 << count):
            found[rows] = solver.dimension_in(&rows)
    solver.answered(0)
    return [found[rows] for rows in range(1 << count)]

"""
SETUP = """\
from Cython.Build import cythonize
from setuptools import Extension, setup

module = Extension("consumer", ["consumer.pyx"], extra_compile_args=["-O0"])
setup(name="consumer", ext_modules=cythonize([module], quiet=True))
"""
CHECK = """\
import numpy as np
import consumer
from pac_stability._core.littlestone import LittlestoneSolver
from shared_dimensions import littlestone_by_definition

assert consumer.bits(0b1101000) == (3, 3)
for n in (0, 1, 63, 64, 65, 130, 192, 255, 256):
    word_end = -(-n // 64) * 64
    still = [*range(n), *range(word_end, 256)]
    next_bit = word_end if word_end < 256 else -1
    assert consumer.first_bits(n) == (still, len(still), next_bit), n

rng = np.random.default_rng(0)
table = np.unique((rng.random((12, 5)) < 0.5).astype(np.uint8), axis=0)
count = len(table)
found = consumer.dimensions(LittlestoneSolver(table, 10**7), count)
for rows in range(1 << count):
    part = frozenset(tuple(table[i]) for i in range(count) if rows >> i & 1)
    assert found[rows] == littlestone_by_definition(part), rows
"""


def test_a_separate_extension_calls_the_core_without_the_gil(tmp_path: Path) -> None:
    if not all(map(importlib.util.find_spec, ("Cython", "setuptools"))):
        pytest.skip("Cython or setuptools is not installed")
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler")
    # Far from the sources: only what the package itself holds can be found.
    home = tmp_path / "site" / "pac_stability"
    source = Path(pac_stability.__file__).parent
    shutil.copytree(source, home, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in (("consumer.pyx", CONSUMER), ("setup.py", SETUP), ("check.py", CHECK)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    # The second for the new extension itself: the folder of a script need not be on the path.
    shared = Path(__file__).parents[1] / "shared"
    path = os.pathsep.join(map(str, (home.parent, tmp_path, shared)))
    environment = {**os.environ, "PYTHONPATH": path}
    for command in (["setup.py", "-q", "build_ext", "--inplace"], ["check.py"]):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
