"""What a command that refuses its input does."""

from typing import Any


def refused(result: Any, *words: str) -> None:
    assert (result.code, result.out) == (2, "")
    last = result.err.splitlines()[-1]
    assert last.startswith("pac-stability: error: ")
    for word in words:
        assert word in last
