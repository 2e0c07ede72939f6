"""What a build of a thousand pages does a hundred thousand times, done once, or not at all.

Stems of words and names are remembered. The states of a parser are made when they are
entered. Steps for translations, LaTeX, C and citations are left out: the site has none of these.
"""

from __future__ import annotations

import keyword
import logging
import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import Any

from docutils import statemachine
from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Number, String, Text
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.highlighting import lexer_classes
from sphinx.search import languages
from sphinx.search.en import SearchEnglish

_KINDS = {"c": Comment, "s": String, "k": Keyword, "n": Number}
_MARKS = re.compile(
    r"(?P<c>#.*)|(?P<s>(?:\b[bfr]{1,2})?"
    r"(?:\"{3}[\s\S]*?\"{3}|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'))"
    rf"|\b(?P<k>{'|'.join(keyword.kwlist)})\b|\b(?P<n>\d[\w.]*)"
)
_NOT_HERE = {
    *("TranslationProgressTotaliser", "RemoveTranslatableInline"),
    *("Locale", "AddTranslationClasses", "FootnoteDocnameUpdater", "AliasTransform"),
    *("CitationDefinitionTransform", "CitationReferenceTransform", "GlossarySorter"),
}


class QuickPythonLexer(Lexer):
    """Tells comments, texts, keywords and numbers of Python from all else, which is one token."""

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Yield places, kinds and texts."""
        end = 0
        for found in _MARKS.finditer(text):
            yield end, Text, text[end : found.start()]
            yield found.start(), _KINDS[found.lastgroup or ""], found[0]
            end = found.end()
        yield end, Text, text[end:]


class QuickEnglish(SearchEnglish):
    """English, whose words have few stems."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self._stems: dict[str, str] = {}

    def stem(self, word: str) -> str:
        """Return the stem of a word."""
        if word not in self._stems:
            self._stems[word] = super().stem(word)
        return self._stems[word]


@cache
def _last_parts(domain: PythonDomain) -> frozenset[str]:
    return frozenset(name.rpartition(".")[2] for name in domain.objects)


@cache
def _found(domain: PythonDomain, *asked: Any) -> Any:
    name = str(asked[3]).removesuffix("()").rpartition(".")[2]
    return PythonDomain.find_obj(domain, *asked) if name in _last_parts(domain) else []


class QuickPython(PythonDomain):
    """Python, whose names are complete when the first is looked for: pages are read by then."""

    def find_obj(self, *asked: Any) -> Any:
        """Return the objects that a name may mean."""
        return _found(self, *asked)


class _States(dict[str, statemachine.State]):
    """The states of a parser: most parsers enter two of a dozen."""

    def __init__(self, machine: statemachine.StateMachine, classes: Iterable[type[Any]]) -> None:
        super().__init__()
        self.machine = machine
        self.classes = {state.__name__: state for state in classes}

    def __missing__(self, name: str) -> statemachine.State:
        self[name] = state = self.classes[name](self.machine, self.machine.debug)
        if hasattr(self.machine, "memo"):  # it runs; else it does this for its states as it starts
            state.runtime_init()
        return state


def _add_states(machine: statemachine.StateMachine, classes: Iterable[type[Any]]) -> None:
    machine.states = _States(machine, classes)


def _leave_out(app: Sphinx) -> None:
    for steps in (app.registry.transforms, app.registry.post_transforms):
        steps[:] = [step for step in steps if step.__name__ not in _NOT_HERE]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    languages["en"] = QuickEnglish
    lexer_classes["python"] = partial(QuickPythonLexer, stripnl=False)
    statemachine.StateMachine.add_states = _add_states  # type: ignore[method-assign]  # its own is slow
    logging.getLogger("sphinx").setLevel(logging.INFO)  # else each event is written down
    app.add_domain(QuickPython, override=True)
    app.connect("builder-inited", _leave_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
