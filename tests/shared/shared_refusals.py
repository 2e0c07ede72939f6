"""What a call, or a command, does that refuses its input."""

from collections.abc import Callable
from typing import Any, ParamSpec

import pytest

from pac_stability import InvalidInput

P = ParamSpec("P")


def refuses(says: str, call: Callable[P, object], /, *given: P.args, **named: P.kwargs) -> None:
    """These arguments are no input of the call, in words that fit."""
    __tracebackhide__ = True
    with pytest.raises(InvalidInput, match=says or None):
        call(*given, **named)


def refused(result: Any, *words: str) -> None:
    assert (result.code, result.out) == (2, "")
    last = result.err.splitlines()[-1]
    assert last.startswith("pac-stability: error: ")
    for word in words:
        assert word in last
