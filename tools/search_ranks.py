"""Whether the search of the site finds the right page: ``python tools/search_ranks.py [SITE]``.

It asks the questions below of a built site with the site's own search program, run by Node, and
prints the rank of the first right page for each. 1 where one is not among the first four.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AMONG = 4
QUESTIONS = {
    "sample size": "explanation/sample-sizes",
    "sample sizes": "explanation/sample-sizes",
    "how many examples": "explanation/private-lower-bound explanation/sample-sizes",
    "float": "reference/numbers",
    "rounding": "reference/numbers",
    "install": "how-to/install",
    "installation": "how-to/install",
    "pip install": "how-to/install",
    "wheel compiler": "how-to/install",
    "cimport": "how-to/install",
    "SOA": "how-to/play-the-game reference/bun-livni-moran",
    "standard optimal algorithm": "how-to/play-the-game reference/what-is-where",
    "mistake bound": "how-to/play-the-game",
    "mistake tree": "how-to/measure-a-table gallery",
    "littlestone dimension": "how-to/measure-a-table tutorials/first-table",
    "vc dimension": "how-to/measure-a-table tutorials/first-table",
    "csv": "how-to/measure-a-table tutorials/first-table",
    "lemma 12": "explanation/lemma-12",
    "theorem 3": "blueprint/bun-livni-moran/theorem-3 blueprint/dagan-feldman/theorem-3",
    "audit": "how-to/audit-a-learner tutorials/first-audit",
    "black box": "how-to/audit-a-learner",
    "estimator": "how-to/from-your-draft-to-an-audit how-to/a-private-classifier",
    "compose privacy": "how-to/keep-a-budget",
    "budget": "how-to/keep-a-budget",
    "certificate": "explanation/certificates reference/audit-certificate",
    "rocq": "how-to/hand-a-dimension-to-rocq",
    "randomized response": "reference/mechanisms",
    "excel": "how-to/your-own-table",
    "pandas": "how-to/your-own-table",
    "exit code": "explanation/soundness",
    "timeout": "how-to/measure-a-table",
    "random seed": "how-to/from-your-draft-to-an-audit",
    "cite": "how-to/install",
    "ctrl-c": "explanation/kept-answers how-to/audit-a-learner",
    "python version": "how-to/install",
    "open problem": "explanation/lemma-12",
    "how tight": "explanation/how-tight",
    "group privacy": "how-to/audit-a-learner",
    "quick start": "tutorials/tour",
    "glossary": "explanation/style",
    "perfect generalization": "tutorials/robust-and-perfect-generalization",
    "delta": "reference/notions",
    "neighbouring samples": "how-to/audit-a-learner reference/notions",
}
"""What people type, and the pages that answer it."""

PROGRAM = """
const fs = require("fs"), vm = require("vm");
const site = process.argv[1], questions = JSON.parse(process.argv[2]);
const nothing = () => null;
const page = {
  document: { getElementById: nothing, addEventListener: nothing }, DOCUMENTATION_OPTIONS: {},
  _: (text) => text, _ready: nothing, SPHINX_HIGHLIGHT_ENABLED: false, URLSearchParams, console,
};
const read = (name) => fs.readFileSync(`${site}/${name}`, "utf8");
const program = [
  "var window = this", read("_static/language_data.js"), read("_static/searchtools.js"),
  read("searchindex.js"),
  `const found = {};
  for (const text of ${JSON.stringify(questions)}) {
    const [query, terms, without, marked, objects] = Search._parseQuery(text);
    const results = Search._performSearch(query, terms, without, marked, objects);
    found[text] = results.map((each) => each[0]).reverse();
  }
  JSON.stringify(found)`,
];
console.log(vm.runInNewContext(program.join(";\\n"), page));
"""


def ranks(site: Path) -> dict[str, int | None]:
    """The rank of the first right page for each question; a page counts once."""
    asked = ["node", "-e", PROGRAM, str(site), json.dumps([*QUESTIONS])]
    done = subprocess.run(asked, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, list[str]] = json.loads(done.stdout)
    ranked = {}
    for question, right in QUESTIONS.items():
        pages = list(dict.fromkeys(found[question]))
        places = [pages.index(page) + 1 for page in right.split() if page in pages]
        ranked[question] = min(places, default=None)
    return ranked


def main() -> int:
    """Print the ranks."""
    if shutil.which("node") is None:
        print("skipped: node is not installed, which runs the search program of the site")
        return 0
    site = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "site"
    found = ranks(site)
    for question, rank in found.items():
        print(f"{rank or 'not found':>9}  {question}")
    good = sum(rank is not None and rank <= AMONG for rank in found.values())
    print(f"{good} of {len(found)} questions have a right page among the first {AMONG}")
    return int(good < len(found))


if __name__ == "__main__":
    raise SystemExit(main())
