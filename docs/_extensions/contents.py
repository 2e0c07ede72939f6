"""The table of contents and the words of the search, which pages need only on the site."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from furo.navigation import get_navigation_tree
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# In the order in which one learns; each page once.
PARTS = {
    "Start": "how-to/install tutorials/tour gallery",
    "Tutorials": "tutorials/first-table tutorials/first-audit"
    " tutorials/from-a-class-to-a-private-learner tutorials/stable-and-private-prediction"
    " tutorials/robust-and-perfect-generalization tutorials/an-adaptive-session",
    "Notebooks": "notebooks/a-lecture notebooks/*",
    "How to": "how-to/measure-a-table how-to/your-own-table how-to/play-the-game"
    " how-to/classes-without-a-table how-to/from-your-draft-to-an-audit how-to/audit-a-learner"
    " how-to/audit-from-python how-to/query-answers how-to/test-your-own-learner"
    " how-to/audits-at-work how-to/a-private-classifier"
    " how-to/which-private-classifier how-to/private-predictions-on-a-table"
    " how-to/keep-a-budget how-to/verify-the-papers how-to/what-follows"
    " how-to/run-m-at-its-size how-to/hand-a-dimension-to-rocq"
    " how-to/privacy-loss-distributions how-to/write-a-book",
    "Reference": "reference/what-is-where reference/families reference/notions"
    " reference/mechanisms reference/learners reference/numbers reference/*",
    "Explanation": "explanation/soundness explanation/what-an-audit-assumes"
    " explanation/how-tight explanation/sample-sizes explanation/lemma-12"
    " explanation/museum explanation/*",
    "Other libraries": "libraries/asking-libraries libraries/*",
    "The papers": "blueprint/* errata/*",
    "The library": "library/pac_stability",
}

# What people type; the title of a page need not say it.
SYNONYMS = {
    "tutorials/tour": "tour; quick start; quickstart; getting started; overview; example",
    "tutorials/first-table": "concept class; hypothesis class; zoo; animals",
    "tutorials/first-audit": "is my learner private; refute; mend; voters",
    "tutorials/from-a-class-to-a-private-learner": "private learner; globally stable learner;"
    " algorithm G; tournament; stable histogram",
    "tutorials/stable-and-private-prediction": "stable learner; private prediction;"
    " uniform stability; stable prediction",
    "tutorials/robust-and-perfect-generalization": "perfect generalization; robust generalization;"
    " simulator; post-processing",
    "tutorials/an-adaptive-session": "adaptive; adaptive data analysis; statistical queries;"
    " session; overfitting; holdout",
    "how-to/install": "install; installation; pip; pip install; wheel; wheel compiler; compiler;"
    " cimport; Cython; Windows; macOS; completion; shell completion; extras; requirements;"
    " Python version; license; cite; citation",
    "how-to/measure-a-table": "Littlestone dimension; VC dimension; dual VC dimension; threshold"
    " dimension; shattering; shattered tree; mistake tree; CSV; DataFrame; dims; time limit;"
    " timeout",
    "how-to/your-own-table": "table; Excel; pandas; polars; JSON; Parquet; NumPy array; header;"
    " delimiter; missing values; read a file",
    "how-to/play-the-game": "SOA; standard optimal algorithm; mistake bound; online learning;"
    " adversary; experts; regret; game; play",
    "how-to/classes-without-a-table": "implicit class; large class; infinite class; halfspaces",
    "how-to/audit-a-learner": "audit; black box; counterexample; differential privacy; epsilon;"
    " neighbouring samples;"
    " global stability; witness; checkpoint; add or remove; add-remove; neighbours; group privacy",
    "how-to/audit-from-python": "Python audit; law; mechanism; executor; parallel; dask; JUnit",
    "how-to/query-answers": "query; queries; sparse vector; noisy max; adjacency; pairs; parameter;"
    " param; StatDP; DP-Sniper",
    "how-to/from-your-draft-to-an-audit": "estimator; scikit-learn; sklearn; NumPy; draft; random;"
    " default_rng; numpy random; random seed; fit; predict; predict_proba; seed; rng",
    "how-to/keep-a-budget": "budget; ledger; composition; compose; compose privacy; privacy"
    " budget; advanced composition; spent",
    "how-to/a-private-classifier": "private classifier; classifier; sensitive table;"
    " PrivateClassifier; publish a model; schema; grid",
    "how-to/which-private-classifier": "which classifier; choose a classifier; accuracy",
    "how-to/private-predictions-on-a-table": "PATE; teachers; aggregation; majority vote;"
    " predict privately",
    "how-to/verify-the-papers": "verify; theorem; statement; claim; reproduce; reproducibility",
    "how-to/what-follows": "follows; implication; implies; group privacy bound",
    "how-to/run-m-at-its-size": "algorithm M; run M; billion examples",
    "how-to/hand-a-dimension-to-rocq": "Rocq; Coq; proof assistant; formal proof",
    "how-to/privacy-loss-distributions": "privacy loss distribution; PLD; dp-accounting;"
    " accountant; OpenDP; moments accountant",
    "how-to/test-your-own-learner": "pytest; hypothesis; strategies; property test; test;"
    " continuous integration; CI",
    "how-to/audits-at-work": "GitHub; GitHub action; workflow; annotation; SARIF; JUnit; build",
    "how-to/write-a-book": "another paper; add a paper; own statements; book",
    "reference/numbers": "float; floating point; rounding; Fraction; decimal; exact; epsilon = 1;"
    " unit in the last place",
    "reference/families": "family; families; thresholds; parities; stumps; intervals; boxes;"
    " singletons; random class",
    "reference/notions": "delta; closeness; divergence; hockey-stick divergence; Renyi;"
    " concentrated; zCDP; total variation; definitions; notion",
    "reference/mechanisms": "Laplace; Gaussian; exponential mechanism; randomized response; noise;"
    " histogram; subsampling; sparse vector; geometric",
    "reference/learners": "learner; learners; hypothesis; law of a learner",
    "reference/compression": "compression scheme; compression; sample compression",
    "reference/zoo": "zoo; known mechanisms",
    "reference/json-schema": "JSON; schema; documents; machine readable",
    "reference/audit-certificate": "certificate format; audit certificate; recheck",
    "reference/benchmarks": "benchmark; speed; performance; how fast",
    "reference/what-is-where": "import; API; names; command; command line; CLI; modules",
    "explanation/sample-sizes": "sample size; sample complexity; how many examples; sizes",
    "explanation/sizes-of-m": "size of M; sizes of M; smallest sample size",
    "explanation/private-lower-bound": "lower bound; private lower bound",
    "explanation/agnostic-promise": "agnostic; agnostic learner; agnostic private learner",
    "explanation/compression-bounds": "compression bound; generalization bound",
    "explanation/implicit-classes": "proofs of implicit classes",
    "explanation/how-tight": "how tight; tight; slack; tightness; constants",
    "explanation/the-truth-beside-the-testers": "benchmark; statdp; dp-sniper",
    "libraries/asking-libraries": "black box; adapter; third-party library",
    "explanation/implications": "implications; what implies what",
    "explanation/lemma-12": "Lemma 12; counterexample to Lemma 12; 33/136; open problem;"
    " open question",
    "explanation/certificates": "certificate; proof; refutation",
    "explanation/threat-model": "security; threat; attack; side channel; timing attack",
    "explanation/soundness": "verified; refuted; supported; bounded; verdict; promise; trust;"
    " exit code",
    "explanation/what-an-audit-assumes": "assumptions; assuming; hidden randomness; global state",
    "explanation/known-limits": "limit; limits; memory; slow; limitations",
    "explanation/museum": "bug; wrong mechanism; diffprivlib; museum",
    "explanation/what-it-costs": "cost; cost of privacy; accuracy of private learners",
    "explanation/kept-answers": "Ctrl-C; resume; cache; checkpoint file; stale cache",
    "explanation/style": "glossary; style; vocabulary",
    "explanation/design": "architecture; design; source code",
    "errata/bun-livni-moran": "errata; erratum; BLM20 errata; misprint",
    "errata/dagan-feldman": "DF20 errata",
    "errata/cummings-et-al": "CLNRW16 errata",
}


def add_to_index(_app: Sphinx, page: str, source: list[str]) -> None:
    """Append the parts to the index as it is read, and to a page what people may call it."""
    words = SYNONYMS.get(page, "")
    item = re.fullmatch(r"blueprint/[a-z-]+/([a-z]+)-([0-9]+)", page)
    if item is not None:
        words = f"{item[1]} {item[2]}"
    if page == "index":
        source[0] += "".join(
            "\n".join(
                ["\n```{toctree}", ":hidden:", ":glob:", f":caption: {title}", "", *pages, "```"]
            )
            for title, pages in ((title, pages.split()) for title, pages in PARTS.items())
        )
    elif words:
        entries = "\n".join(f"   ! single: {word}" for word in words.split("; "))
        source[0] += f"\n```{{eval-rst}}\n.. index::\n{entries}\n```\n"


def without_tree(_app: Sphinx, _page: str, _t: str, context: dict[str, object], _d: object) -> None:
    """Keep the theme from a tree for each page: :func:`sidebar` has one for all."""
    context["toctree"] = lambda **_options: ""


@cache
def whole_tree(app: Sphinx, *, short: bool) -> str:
    """The table of contents as the front page has it, with what the theme adds.

    It is a short one for the pages that are not in it: of claims and objects.
    """
    every = {"collapse": False, "titles_only": True, "maxdepth": -1, "includehidden": True}
    found = app.builder._get_local_toctree("-", **every)  # type: ignore[attr-defined]  # of HTML
    parts = [part for part in found.split(_CAPTION) if part.strip()]
    if short:
        parts = [part for part in parts if re.search(r">(Start|The papers|The library)<", part)]
    return get_navigation_tree("".join(_CAPTION + part for part in parts))


_CAPTION = '<p class="caption"'
_LINK = '<a class="reference internal" href="'


def marked(tree: str, page: str) -> str:
    """The tree with a page and the branches to it marked, as the theme marks them."""
    found = re.search(rf'<li class="toctree-l(.)[^"]*">{_LINK}{re.escape(page)}\.html"', tree)
    if found is None:
        return tree
    at, mark = found.start(), "current current-page"
    for above in range(int(found[1]) - 1, -1, -1):
        head, inner = tree[:at], tree[at:].replace('class="', f'class="{mark} ', 1)
        if "has-children" in inner[: inner.index(">")]:
            inner = inner.replace("<input ", '<input checked="" ', 1)
        tree, mark = head + inner, "current"
        at = tree.rindex(f'<li class="toctree-l{above}', 0, at) if above else 0
    return tree


def sidebar(app: Sphinx, page: str, _t: str, context: dict[str, object], _d: object) -> None:
    """Let all pages share the table of contents beside them, made once."""
    tree = whole_tree(app, short="orphan" in app.env.metadata.get(page, {}))
    up = page.count("/") * "../"
    context["furo_navigation_tree"] = marked(tree, page).replace(_LINK, _LINK + up)


def require_all(app: Sphinx, error: Exception | None) -> None:
    """Refuse a site that misses pages: Sphinx drops what a process raised while others start."""
    missing = [p for p in app.env.found_docs if not Path(app.outdir, f"{p}.html").exists()]
    if error is None and missing and app.builder.format == "html":
        raise ExtensionError(f"these pages were not written (see with --jobs 1): {missing}")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", add_to_index)
    app.connect("html-page-context", without_tree, priority=400)  # before the theme asks
    app.connect("html-page-context", sidebar, priority=600)
    app.connect("build-finished", require_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
