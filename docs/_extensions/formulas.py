"""Displayed formulas in MathML, set when the site is built: ``$$ ... $$`` in the pages."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from pac_stability.claims.pages import formula_to_mathml


def inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Set a formula within a sentence."""
    translator.body.append(formula_to_mathml(node.astext()))
    raise nodes.SkipNode


def block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Set a formula on lines of its own, which scroll where they are too wide."""
    made = formula_to_mathml(node.astext())
    translator.body.append(f'<div class="statement">{made}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
