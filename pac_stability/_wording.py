"""What a parameter means, said once and shown in every docstring that names it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")

_LISTS = ("Parameters", "Attributes", "Raises")


def said_once(words: Mapping[str, str]) -> Callable[[T], T]:
    """Return a decorator that completes docstrings.

    Parameters
    ----------
    words
        From names of parameters, attributes or exceptions to what they mean.

    Returns
    -------
    callable
        In the lists of a NumPy docstring, a name that comes without a text is given that of
        ``words``: of the whole line (``"alpha, beta"``), or of the name before its type
        (``"binding : str"``). ``help()`` and the documentation show the whole text.

    Raises
    ------
    KeyError
        When a function or class is decorated: a name has no text of its own and none in ``words``.

    Examples
    --------
    >>> def size(alpha, d): ...
    >>> lines = ["Return n.", "", "Parameters", "-" * 10, "alpha", "d", "    The dimension."]
    >>> size.__doc__ = chr(10).join(lines)
    >>> said_once({"alpha": "The excess loss."})(size).__doc__.splitlines()[4:]
    ['alpha', '    The excess loss.', 'd', '    The dimension.']
    """

    def complete(described: T) -> T:
        if described.__doc__ is not None:  # python -OO has none
            lines = inspect.cleandoc(described.__doc__).split("\n")
            described.__doc__ = "\n".join(_completed(lines, words))
        return described

    return complete


def say_parameters(function: Callable[..., object], words: Mapping[str, str]) -> None:
    """Give a docstring without the list of parameters one, if there are words for all of them.

    Parameters
    ----------
    function
        A function, or a method, whose ``self`` is passed over.
    words
        From names of parameters to what they mean.

    Examples
    --------
    >>> def stability(self, n):
    ...     "Return gamma."
    >>> say_parameters(stability, {"n": "The size of the samples."})
    >>> stability.__doc__.splitlines()
    ['Return gamma.', '', 'Parameters', '----------', 'n', '    The size of the samples.']
    """
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    lines = inspect.cleandoc(function.__doc__ or "").split("\n")
    if not (lines[0] and names and words.keys() >= set(names)) or "Parameters" in lines:
        return  # said already, not described, or with a parameter of its own
    underlined = [i for i, line in enumerate(lines) if line and set(line) == {"-"}]
    place = underlined[0] - 1 if underlined else len(lines)
    listed = [part for name in names for part in (name, f"    {words[name]}")]
    said = ["Parameters", "-" * 10, *listed]
    around = [*said, "", *lines[place:]] if underlined else ["", *said]
    function.__doc__ = "\n".join([*lines[:place], *around])


def _completed(lines: list[str], words: Mapping[str, str]) -> Iterator[str]:
    section = ""
    for line, following in pairwise([*lines, ""]):
        yield line
        if following and set(following) == {"-"}:
            section = line
        elif section in _LISTS and line.strip("- ") and " " not in (line[:1], following[:1]):
            text = words.get(line) or words[line.split(" : ")[0]]
            yield from (f"    {each}" for each in text.split("\n"))
