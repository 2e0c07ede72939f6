"""The table of contents and the words of the search, which pages need only on the site."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sphinx.application import Sphinx

# In the order in which one learns; what is not named follows by its file's name.
PARTS = {
    "Start": "how-to/install\ntutorials/tour\ngallery",
    "Tutorials": "\n".join(
        f"tutorials/{page}"
        for page in (
            "first-table",
            "first-audit",
            "from-a-class-to-a-private-learner",
            "stable-and-private-prediction",
            "robust-and-perfect-generalization",
            "an-adaptive-session",
        )
    ),
    "Notebooks": "notebooks/a-lecture\nnotebooks/*",
    "How to": "\n".join(
        f"how-to/{page}"
        for page in (
            "measure-a-table",
            "play-the-game",
            "from-your-draft-to-an-audit",
            "audit-a-learner",
            "audit-from-python",
            "a-private-classifier",
            "verify-the-papers",
            "*",
        )
    ),
    "Reference": "reference/what-is-where\nreference/*",
    "Explanation": "explanation/soundness\nexplanation/*",
    "The papers": "blueprint/*\nerrata/*",
    "The library": "library/pac_stability",
}

# What people type, for pages whose titles have other words.
SYNONYMS = {
    "how-to/install": "install; installation; pip; pip install; wheel; compiler; cimport; Cython",
    "how-to/measure-a-table": "Littlestone dimension; VC dimension; dual VC dimension; threshold"
    " dimension; shattering; shattered tree; mistake tree; CSV; table; DataFrame; dims",
    "how-to/play-the-game": "SOA; standard optimal algorithm; mistake bound; online learning;"
    " adversary; experts; regret",
    "how-to/audit-a-learner": "audit; black box; counterexample; differential privacy; epsilon;"
    " robust generalization; perfect generalization; global stability; witness",
    "how-to/from-your-draft-to-an-audit": "estimator; scikit-learn; NumPy; draft; random;"
    " default_rng; fit; predict",
    "how-to/keep-a-budget": "budget; ledger; composition; compose; privacy budget",
    "how-to/a-private-classifier": "private classifier; classifier; sensitive table",
    "how-to/verify-the-papers": "verify; theorem; statement; claim; reproduce",
    "how-to/hand-a-dimension-to-rocq": "Rocq; Coq; proof assistant; formal proof",
    "how-to/test-your-own-learner": "pytest; hypothesis; strategies; property test; test",
    "reference/numbers": "float; floating point; rounding; Fraction; decimal; exact; epsilon = 1",
    "reference/families": "family; families; thresholds; parities; halfspaces; stumps; intervals;"
    " boxes",
    "reference/notions": "uniform stability; private prediction; closeness; divergence;"
    " hockey-stick divergence; Renyi; concentrated",
    "reference/mechanisms": "Laplace; Gaussian; exponential mechanism; randomized response; noise;"
    " histogram; subsampling; sparse vector",
    "reference/what-is-where": "import; API; names; command",
    "explanation/sample-sizes": "sample size; sample complexity; how many examples; sizes",
    "explanation/lemma-12": "Lemma 12; tournament",
    "explanation/certificates": "certificate; recheck; proof",
    "explanation/threat-model": "security; threat; attack; side channel",
    "explanation/soundness": "verified; refuted; supported; bounded; verdict; promise; trust",
    "explanation/known-limits": "limit; memory; time limit; slow",
    "explanation/museum": "bug; wrong mechanism; diffprivlib; museum",
}


def add_to_index(_app: Sphinx, page: str, source: list[str]) -> None:
    """Append the parts to the index as it is read, and to a page what people may call it."""
    if page == "index":
        source[0] += "".join(
            f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {title}\n\n{pages}\n```\n"
            for title, pages in PARTS.items()
        )
    elif page in SYNONYMS:
        entries = "\n".join(f"   ! single: {word}" for word in SYNONYMS[page].split("; "))
        source[0] += f"\n```{{eval-rst}}\n.. index::\n{entries}\n```\n"


def one_tree_a_folder(
    app: Sphinx, page: str, _template: str, context: dict[str, object], _doctree: object
) -> None:
    """Let the pages of a folder that are in no table of contents share the one beside them.

    There are a thousand of these, of claims, objects and sources. Nothing is open in their trees,
    which therefore differ by the way to the pages only.
    """
    made = context.get("toctree")
    apart = page.startswith("_modules/") or "orphan" in app.env.metadata.get(page, {})
    if callable(made) and apart:
        folder = page.rpartition("/")[0]
        context["toctree"] = lambda **options: shared_tree(folder, made, options)


_TREES: dict[tuple[str, str], str] = {}


def shared_tree(folder: str, made: Callable[..., str], options: Mapping[str, object]) -> str:
    """The table of contents as the pages of a folder show it."""
    key = (folder, repr(sorted(options.items())))
    if key not in _TREES:
        _TREES[key] = made(**options)
    return _TREES[key]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", add_to_index)
    app.connect("html-page-context", one_tree_a_folder, priority=400)  # before the theme asks
    return {"parallel_read_safe": True, "parallel_write_safe": True}
