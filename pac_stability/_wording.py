"""What a parameter means, said once and shown in every docstring that it belongs to."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from textwrap import dedent, fill, indent
from typing import Protocol, TypeVar

T = TypeVar("T")

_TITLES = ("Parameters", "Attributes", "Returns", "Raises", "Notes", "Examples")
_SECTION = re.compile(rf"^({'|'.join(_TITLES)})\n-+\n", re.M)
_ENTRY = re.compile(r"^(\S.*)\n((?: .*\n|\n(?= ))*)", re.M)
_EXCEPTION = re.compile(r"[A-Z][a-z]")
_DEEP = "    "


class Completes(Protocol):
    """A decorator that completes a docstring."""

    def __call__(self, described: T, /) -> T:
        """Return what was given, with a longer docstring."""
        ...


def said_once(words: Mapping[str, str], refused: Mapping[str, str] | None = None) -> Completes:
    """Return a decorator that completes docstrings, which then say only what is peculiar.

    Parameters
    ----------
    words
        From names of parameters, attributes or exceptions to what they mean; one text may serve
        several (``"p, q"``). ``"-> N"`` is what a function returns whose annotation is N.
        Exceptions are those of functions that list none.
    refused
        From names of parameters to what :class:`~pac_stability.errors.InvalidInput` says of them;
        ``"-> N"`` is what :class:`~pac_stability.errors.Undecided` says of what is returned.

    Returns
    -------
    callable
        A docstring in NumPy's style is given what it leaves out: parameters that it does not list;
        fields of a dataclass that are not among its attributes, if there are words for them; a
        text, where it lists a name without one (``"binding : str"``); what is returned; and what of
        the parameters is refused. ``help()`` and the documentation show the whole text.

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
    meanings: dict[str, str] = {}
    for names, text in words.items():
        meanings |= dict.fromkeys(names.split(", "), indent(text, _DEEP) + "\n")
    always = "".join(f"{name}\n{meanings[name]}" for name in meanings if _EXCEPTION.match(name))

    def complete(described: T) -> T:
        if described.__doc__ is None:  # python -OO
            return described
        sections = _sections(described.__doc__)
        if "Attributes" in sections:
            headings = {}
            for field in fields(described) if is_dataclass(described) else ():
                headings[field.name] = f"{field.name} : {field.type}"
            known = dict.fromkeys(headings, "") | meanings  # fields may be without words
            sections["Attributes"] = _listed(sections["Attributes"], headings, known)
        elif callable(described):
            names = _names(described)
            headings = {name: name for name in names if name in meanings or name[0] != "*"}
            if headings:
                sections["Parameters"] = _listed(sections.get("Parameters", ""), headings, meanings)
            returned = f"-> {getattr(described, '__annotations__', {}).get('return')}"
            if returned in meanings:
                sections.setdefault("Returns", dedent(meanings[returned]))
            own = _listed(sections.get("Raises", ""), {}, meanings)
            raised = _raised(own, names, returned, refused or {})
            if raised or (always and names):
                sections["Raises"] = raised or always
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
    names = _names(function)
    if not (function.__doc__ and words.keys() >= set(names)) or "Parameters" in sections:
        return  # said already, not described, or with a parameter of its own
    sections["Parameters"] = "".join(f"{name}\n{_DEEP}{words[name]}\n" for name in names)
    function.__doc__ = _written(sections)


def _names(described: Callable[..., object]) -> list[str]:
    names = []
    for one in inspect.signature(described).parameters.values():
        if one.name != "self" and one.kind is not one.VAR_POSITIONAL:
            names.append("**" * (one.kind is one.VAR_KEYWORD) + one.name)
    return names


def _sections(docstring: str) -> dict[str, str]:
    """Return the sections of a docstring by title; what is before the first has none."""
    before, *rest = _SECTION.split(inspect.cleandoc(docstring) + "\n")
    return {"": before, **dict(zip(rest[::2], rest[1::2], strict=True))}


def _listed(own: str, headings: Mapping[str, str], meanings: Mapping[str, str]) -> str:
    """Return a list of names in their order, with texts of its own or those that are known."""
    entries: dict[str, str] = dict(_ENTRY.findall(own))
    heading_of: dict[str, str] = {}
    for heading, text in entries.items():
        names = heading.partition(" : ")[0].split(", ")
        heading_of |= dict.fromkeys(names, heading)
        entries[heading] = text or meanings[names[0]]
    listed: dict[str, str] = {}
    group = ""  # of names with one text
    for name, heading in headings.items():
        if name in heading_of:
            listed.setdefault(heading_of[name], entries.pop(heading_of[name], ""))
            group = ""
        elif not meanings[name]:
            continue
        elif group and listed[group] == meanings[name]:
            text = listed.pop(group)
            group = f"{group}, {heading}"
            listed[group] = text
        else:
            group = heading
            listed[group] = meanings[name]
    listed |= entries
    return "".join(map("{}\n{}".format, listed, listed.values()))


def _raised(own: str, names: list[str], returned: str, refused: Mapping[str, str]) -> str:
    """Return a list of exceptions: its own, and what is said of the names unless it is there."""
    if returned in refused and "Undecided" not in own:
        own += f"Undecided\n{_DEEP}{refused[returned]}\n"
    said = [refused[name] for name in names if name in refused]
    if not said or "InvalidInput" in own:
        return own
    sentence = f"{', '.join(said[:-1])}, or {said[-1]}." if len(said) > 1 else f"{said[0]}."
    first = sentence.partition(" ")[0]
    if first not in names and (first == "a" or len(first) > 1):  # no symbol
        sentence = sentence[0].upper() + sentence[1:]
    return f"InvalidInput\n{indent(fill(sentence, 92), _DEEP)}\n{own}"


def _written(sections: Mapping[str, str]) -> str:
    """Return a docstring, with what was added to it at its place."""
    parts = [sections[""].strip()]
    for title in _TITLES:
        if title in sections:
            body = sections[title].strip("\n")
            parts.append(f"{title}\n{'-' * len(title)}\n{body}")
    return "\n\n".join(parts)
