"""Whether the search of the site finds the right page.

``python docs/_extensions/search_ranks.py [SITE]`` asks the questions below of a built site with the
site's own search program, run by Node, and prints the rank of the first right page for each. 1
where one is not among the first four.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
AMONG = 4
QUESTIONS = {
    question: pages
    for pages, questions in {
        "explanation/sample-sizes": "sample size; sample sizes",
        "explanation/private-lower-bound explanation/sample-sizes": "how many examples",
        "reference/numbers": "float; rounding",
        "how-to/install": "install; installation; pip install; wheel compiler;"
        " cimport; cite; python version",
        "how-to/play-the-game reference/bun-livni-moran": "SOA",
        "how-to/play-the-game reference/what-is-where": "standard optimal algorithm",
        "how-to/play-the-game": "mistake bound",
        "how-to/measure-a-table gallery": "mistake tree",
        "how-to/measure-a-table tutorials/first-table": "littlestone dimension; vc dimension; csv",
        "explanation/lemma-12": "lemma 12; open problem",
        "blueprint/bun-livni-moran/theorem-3 blueprint/dagan-feldman/theorem-3": "theorem 3",
        "how-to/audit-a-learner tutorials/first-audit": "audit",
        "how-to/audit-a-learner": "black box; group privacy",
        "how-to/from-your-draft-to-an-audit how-to/a-private-classifier": "estimator; random seed",
        "how-to/keep-a-budget": "compose privacy; budget",
        "explanation/certificates reference/audit-certificate": "certificate",
        "how-to/hand-a-dimension-to-rocq": "rocq",
        "reference/mechanisms": "randomized response",
        "how-to/your-own-table": "excel; pandas",
        "explanation/soundness": "exit code",
        "how-to/measure-a-table": "timeout",
        "how-to/audit-a-learner reference/notions": "neighbouring samples",
    }.items()
    for question in questions.split("; ")
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
