"""How Sphinx builds the site: ``python tools/dev.py docs``.

Pages are the Markdown files of this folder, readable without Sphinx, and its notebooks, which keep
what their cells show. What the site adds is in ``_extensions``: the reference of the library, the
blueprint of the papers, and links from names of objects and from numbered items of the papers.
Statements are set in MathML when the site is built, so nothing is fetched when a page is read.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pac_stability

here = Path(__file__).parent
sys.path.insert(0, str(here / "_extensions"))

# Sphinx looks for this name, and the path to it is known only now.
from library_pages import resolve_source as linkcode_resolve  # noqa: E402, F401

project = "pac_stability"
author = "The pac_stability developers"
project_copyright = author
version = release = pac_stability.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.linkcode",
    "notebook_pages",
    "library_pages",
    "figures",
    "formulas",
    "book_pages",
    "name_links",
    "contents",
    "remembered",
]
html_theme = "furo"
html_title = f"pac_stability {release}"
html_copy_source = False
html_show_sourcelink = False
html_use_index = False  # one page with all names would be the longest; the search has them
html_static_path = ["_static"]
html_css_files = ["site.css"]
# What a person wrote comes before what is generated.
html_search_scorer = str(here / "_static" / "scorer.js")

myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
myst_dmath_double_inline = True
myst_dmath_allow_space = False  # a dollar before a blank is a shell's
html_math_renderer = "mathml"
smartquotes = False  # a walk through every page, for the bend of a quote

toc_object_entries = False  # beside a page stand its sections, one for each object
add_module_names = False  # the title says what one types
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "ignore-module-all": True}
# There are no type comments, and to look for them takes a quarter of the time.
autodoc_use_type_comments = False
napoleon_google_docstring = False
# Names of attributes and types of results stay words: as links they would lead to any namesake.
napoleon_custom_sections = [("Attributes", "params_style")]
napoleon_use_rtype = False
python_use_unqualified_type_names = True
