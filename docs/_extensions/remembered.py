"""What a build does a hundred thousand times, done once: stems of words, and places of names."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.search import languages
from sphinx.search.en import SearchEnglish


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


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    languages["en"] = QuickEnglish
    logging.getLogger("sphinx").setLevel(logging.INFO)  # else each event is written down
    app.add_domain(QuickPython, override=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
