"""Statements in LaTeX, set in MathML: what a browser draws without fonts, scripts or a network."""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Callable
from functools import cache
from html import escape
from typing import cast
from xml.etree import ElementTree as ET

from pac_stability.claims.claim import Claim
from pac_stability.errors import InvalidInput


def statement_to_html(claim: Claim) -> str:
    """Return what a claim states, for a page: set where it can be, else in words.

    It can be set where the claim has LaTeX, and ``latex2mathml`` (the extra ``html``) is there.

    Examples
    --------
    >>> from pac_stability import claims
    >>> statement_to_html(claims.get("DF20:fact-postprocessing"))[:21]
    'If the predictor that'
    """
    if claim.latex and converter() is not None:
        return latex_to_html(claim.latex)
    return escape(claim.statement)


def latex_to_html(text: str) -> str:
    r"""Return a text in which LaTeX stands between dollars as HTML with MathML.

    Parameters
    ----------
    text
        As in the book of claims: words, and formulas in line.

    Raises
    ------
    InvalidInput
        A dollar too many, a command outside of dollars, or one inside that is not known.
    ModuleNotFoundError
        ``latex2mathml`` is not installed.

    Examples
    --------
    >>> latex_to_html(r"For $\alpha")
    Traceback (most recent call last):
    pac_stability.errors.InvalidInput: latex: got 'For $\\alpha', want each formula between dollars
    """
    pieces = text.split("$")
    if len(pieces) % 2 == 0:
        raise InvalidInput("latex", repr(text), "each formula between dollars")
    if any(re.search(r"[\\&%#_^{}~]", words) for words in pieces[::2]):
        raise InvalidInput("latex", repr(text), "words outside of the dollars, and no commands")
    pieces[::2] = [escape(words) for words in pieces[::2]]
    pieces[1::2] = [_formula(formula) for formula in pieces[1::2]]
    return "".join(pieces)


@cache
def converter() -> Callable[[str], str] | None:
    """Return what turns a formula into MathML; ``None`` where it is not installed."""
    try:
        module = importlib.import_module("latex2mathml.converter")
    except ModuleNotFoundError:
        return None
    return cast("Callable[[str], str]", module.convert)


def _formula(formula: str) -> str:
    convert = converter()
    if convert is None:
        raise ModuleNotFoundError(
            "to set formulas takes latex2mathml, the extra pac_stability[html]"
        )
    try:
        made = convert(formula)
        words = "".join(ET.fromstring(made).itertext())  # noqa: S314  # just made
    except Exception as error:  # whatever it is, the formula is at fault
        raise InvalidInput("latex", repr(formula), f"a formula ({error!r})") from None
    if "\\" in words:  # what it does not know, it takes for a letter
        raise InvalidInput("latex", repr(formula), "commands that latex2mathml knows")
    return _as_browsers_draw_it(made)


def _as_browsers_draw_it(made: str) -> str:
    """Return MathML with letters of other alphabets as characters: browsers know no others."""
    made = re.sub(r"<math [^>]*>", "<math>", made)
    made = made.replace("<mi>&#x0007E;</mi>", "<mo>&#x0223C;</mo>")
    made = re.sub(r"<mi>(ln|log|exp|tanh|cosh)</mi>", r"<mo>\1</mo>", made)
    # The names of functions: with a little room around, and none before what they are applied to.
    made = re.sub(
        r"<mo[^>]*>([A-Za-z]{2,})</mo>(?=(<mo[^>]*>(?:&#x00028;|\[|\|))?)",
        lambda found: (
            f'<mo lspace="0.1em" rspace="{0 if found[2] or found[1] == "Pr" else 0.16}em">'
            f"{found[1]}</mo>"
        ),
        made,
    )
    return re.sub(
        r'<mi mathvariant="(script|double-struck)">([A-Z])</mi>',
        lambda found: f"<mi>{_letter(found[1], found[2])}</mi>",
        made,
    )


def _letter(alphabet: str, letter: str) -> str:
    """Return a capital letter of an alphabet: some were in Unicode before the alphabets were."""
    name = f"{alphabet} capital {letter}".upper()
    for each in (f"MATHEMATICAL {name}", name):
        try:
            return unicodedata.lookup(each)
        except KeyError:
            continue
    return letter
