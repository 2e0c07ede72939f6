"""Enclosures so wide that it shows which of their ends was taken."""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction

import pytest

from pac_stability.arithmetic import interval
from pac_stability.arithmetic.interval import Function, enclose

Coarsely = Callable[..., AbstractContextManager[None]]
_CACHED = type(functools.lru_cache(lambda: None))


def _forget() -> None:
    """Empty the caches of the library: what they hold depends on the width of enclosures."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pac_stability"):
            for value in vars(module).values():
                if isinstance(value, _CACHED):
                    value.cache_clear()


@pytest.fixture
def coarsely(monkeypatch: pytest.MonkeyPatch) -> Coarsely:
    """Return ``with coarsely(): ...``, in which the functions of intervals have few digits.

    An enclosure asked for with b bits is wider by a factor ``2**-(b/8)`` on either side, for the
    named functions (exp, log and sqrt). It still is one, so what is certified stays true, and what
    took the wrong end is off by half a per cent rather than by 2**-64.
    """

    @contextmanager
    def wide(*names: str) -> Iterator[None]:
        def widely(function: Function, value: Fraction, bits: int) -> tuple[Fraction, Fraction]:
            low, high = enclose(function, value, bits)
            if function not in (names or ("exp", "log", "sqrt")):
                return low, high
            slack = Fraction(1, 1 << (bits // 8))
            return low - abs(low) * slack, high + abs(high) * slack

        with monkeypatch.context() as patch:
            patch.setattr(interval, "enclose", widely)
            _forget()
            try:
                yield
            finally:
                _forget()

    return wide
