"""What a parameter means, said once and shown in every docstring that it belongs to."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from itertools import pairwise
from textwrap import wrap
from typing import TypeVar

T = TypeVar("T")

_LISTS = ("Parameters", "Attributes", "Raises")
_ORDER = ("", "Parameters", "Attributes", "Returns", "Raises")
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def said_once(
    words: Mapping[str, str], refused: Mapping[str, str] | None = None
) -> Callable[[T], T]:
    """Return a decorator that completes docstrings, which then say only what is peculiar.

    Parameters
    ----------
    words
        From names of parameters, attributes or exceptions to what they mean; one text may serve
        several (``"p, q"``). ``"-> N"`` is what a function returns whose annotation is N.
    refused
        From names of parameters to what :class:`~pac_stability.errors.InvalidInput` says of them;
        ``"-> N"`` is what :class:`~pac_stability.errors.Undecided` says of what is returned.

    Returns
    -------
    callable
        A docstring in NumPy's style is given what it leaves out: parameters that it does not list;
        a text, where it lists a name without one (``"binding : str"``); what is returned; and what
        of the parameters is refused. ``help()`` and the documentation show the whole text.

    Raises
    ------
    KeyError
        When a function or class is decorated: a name has no text of its own and none in ``words``.

    Examples
    --------
    >>> def size(alpha, d): ...
    >>> size.__doc__ = chr(10).join(["Return n.", "", "Parameters", "-" * 10, "d", "    Given."])
    >>> size = said_once({"alpha": "Excess loss."}, {"alpha": "it is 0"})(size)
    >>> size.__doc__.splitlines()[4:]
    ['alpha', '    Excess loss.', 'd', '    Given.', '', 'Raises', '------', 'InvalidInput', \
'    It is 0.']
    """
    meanings = {name: text for names, text in words.items() for name in names.split(", ")}

    def complete(described: T) -> T:
        if described.__doc__ is not None:  # python -OO has none
            sections = _sections(described.__doc__)
            for title in sections.keys() & set(_LISTS):
                entries = _entries(sections[title])
                sections[title] = _lines(
                    {name: text or _meaning(name, meanings) for name, text in entries.items()}
                )
            if "Attributes" not in sections and callable(described):
                _add_parameters(sections, described, meanings)
                _add_refusals(sections, described, refused or {})
            if (returned := _returned(described)) in meanings:
                sections.setdefault("Returns", [meanings[returned]])
            described.__doc__ = _written(sections)
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
    sections = _sections(function.__doc__ or "")
    if not (function.__doc__ and words.keys() >= set(_names(function))) or "Parameters" in sections:
        return  # said already, not described, or with a parameter of its own
    _add_parameters(sections, function, words)
    function.__doc__ = _written(sections)


def _names(described: Callable[..., object]) -> list[str]:
    parameters = inspect.signature(described).parameters.values()
    return [one.name for one in parameters if one.name != "self" and one.kind not in _VARIADIC]


def _returned(described: object) -> str:
    """Return the key of what is said of the annotation of what a function returns."""
    return f"-> {getattr(described, '__annotations__', {}).get('return')}"


def _meaning(heading: str, meanings: Mapping[str, str]) -> list[str]:
    """Return the text of an entry that is listed without one: of each of its names the same."""
    names = [heading] if heading in meanings else heading.partition(" : ")[0].split(", ")
    (text,) = {meanings[name] for name in names}
    return _indented(text)


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.split("\n")]


def _add_parameters(
    sections: dict[str, list[str]], described: Callable[..., object], meanings: Mapping[str, str]
) -> None:
    """List the parameters in their order, with the texts that the docstring has, or the words."""
    own = _entries(sections.get("Parameters", []))
    heading_of = {name: heading for heading in own for name in heading.split(", ")}
    listed: dict[str, list[str]] = {}
    for name in _names(described):
        heading = heading_of.get(name)
        text = own.pop(heading, []) if heading else _indented(meanings[name])
        before = next(reversed(listed), "")
        if not heading and listed.get(before) == text:
            heading = f"{before}, {name}"
            del listed[before]
        listed.setdefault(heading or name, text)
    sections["Parameters"] = _lines({**listed, **own})


def _add_refusals(
    sections: dict[str, list[str]], described: Callable[..., object], refused: Mapping[str, str]
) -> None:
    """Say what of the parameters is refused, unless the docstring does."""
    own = _entries(sections.get("Raises", []))
    if (returned := _returned(described)) in refused and "Undecided" not in own:
        own["Undecided"] = _indented(refused[returned])
    *others, last = [refused[name] for name in _names(described) if name in refused] or [""]
    if last and not any("InvalidInput" in heading for heading in own):
        said = ", ".join(others) + ", or " * bool(others) + last + "."
        first = said.partition(" ")[0]
        if first not in _names(described) and (first == "a" or len(first) > 1):  # no symbol
            said = said[0].upper() + said[1:]
        listed = _indented("\n".join(wrap(said, 92)))
        own = {"InvalidInput": listed, **own}
    if own:
        sections["Raises"] = _lines(own)


def _sections(docstring: str) -> dict[str, list[str]]:
    """Return the sections of a docstring in their order; what is before the first has no title."""
    sections: dict[str, list[str]] = {"": []}
    title = ""
    for line, following in pairwise([*inspect.cleandoc(docstring).split("\n"), ""]):
        # Examples come last, and may print lines of their own.
        if following and set(following) == {"-"} and title != "Examples":
            title = line
            sections[title] = []
        elif sections[title] or line.strip("-"):  # below the title it is underlined
            sections[title].append(line)
    return sections


def _entries(lines: list[str]) -> dict[str, list[str]]:
    """Return the entries of a list, from their headings to the lines below."""
    entries: dict[str, list[str]] = {}
    heading = ""
    for line in lines:
        if line and line[0] != " ":
            heading = line
            entries[heading] = []
        elif line:
            entries[heading].append(line)
    return entries


def _lines(entries: Mapping[str, list[str]]) -> list[str]:
    return [line for heading, text in entries.items() for line in (heading, *text)]


def _written(sections: Mapping[str, list[str]]) -> str:
    """Return a docstring, with what was added to it at its place."""
    last = len(_ORDER)
    ordered = sorted(sections, key=lambda t: _ORDER.index(t) if t in _ORDER else last)
    parts = []
    for title in ordered:
        text = "\n".join(sections[title]).strip("\n")
        parts.append(f"{title}\n{'-' * len(title)}\n{text}" if title else text)
    return "\n\n".join(part for part in parts if part)
