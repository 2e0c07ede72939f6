"""Look at the built site: as files, and in a real browser.

``python docs/_extensions/site_check.py SITE``, with ``--files`` as files only: how large pages are,
where links lead, that pictures have words.

In the browser (Chromium from the system's packages): no page is wider than a window of 1280 and of
400 pixels, the search finds results, formulas and pictures are drawn, the keyboard reaches links.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LARGEST = 250_000  # bytes of a page that somebody reads: a module may be long
WIDTHS = (1280, 400)
SOUGHT = ("Lemma 12", "tournament")
EVERY = 12  # of the many pages of objects, the browser looks at one in so many
PATIENCE = 900  # seconds for the browser

_LINK = re.compile(r'<a [^>]*?href="([^"]*)"')
_ID = re.compile(r'\s(?:id|name)="([^"]*)"')
_IMAGE = re.compile(r"<img ([^>]*)>")
_SOURCE = re.compile(r'(?:src|href)="([^"]+)"')


def pages_of(site: Path) -> list[Path]:
    """The pages of a site, in order."""
    return sorted(site.rglob("*.html"))


@cache
def text_of(page: Path) -> str:
    """The text of a page."""
    return page.read_text(encoding="utf-8")


@cache
def anchors_of(page: Path) -> frozenset[str]:
    """What can follow ``#`` in a link to a page."""
    return frozenset(_ID.findall(text_of(page)))


def too_large(site: Path, largest: int = LARGEST) -> Iterator[str]:
    """Pages that are larger than a page may be."""
    for page in pages_of(site):
        size = page.stat().st_size
        if size > largest:
            yield f"{page.relative_to(site)}: {size:,} bytes, more than {largest:,}"


def broken_links(site: Path) -> Iterator[str]:
    """Links inside the site that lead nowhere, each with its page."""
    for page in pages_of(site):
        for target in sorted(set(_LINK.findall(text_of(page)))):
            path, _, anchor = unquote(target.replace("&amp;", "&")).partition("#")
            if re.match(r"[a-z]+:|//", path):
                continue
            file = (page.parent / path.partition("?")[0]).resolve() if path else page
            if not file.is_file():
                yield f"{page.relative_to(site)}: {target} is not there"
            elif anchor and file.suffix == ".html" and anchor not in anchors_of(file):
                yield f"{page.relative_to(site)}: {target} has no such place"


def fetched(site: Path) -> Iterator[str]:
    """What pages load from elsewhere, which nothing may be."""
    for page in pages_of(site):
        for tag in re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", text_of(page)):
            for source in _SOURCE.findall(tag):
                if re.match(r"(?:https?:)?//", source):
                    yield f"{page.relative_to(site)}: loads {source}"


def without_words(site: Path) -> Iterator[str]:
    """Pictures that say nothing to who does not see them."""
    for page in pages_of(site):
        for attributes in _IMAGE.findall(text_of(page)):
            if not re.search(r'alt="[^"]+"', attributes) and "sidebar-logo" not in attributes:
                yield f"{page.relative_to(site)}: a picture without words: {attributes}"


def styled_inside(site: Path) -> Iterator[str]:
    """Pictures with a style sheet, which is one of the whole page, whatever element holds it."""
    for page in pages_of(site):
        for picture in re.findall(r"<svg\b.*?</svg>", text_of(page), re.DOTALL):
            if "<style" in picture:
                yield f"{page.relative_to(site)}: a style sheet inside a picture"


def check_files(site: Path) -> list[str]:
    """Everything that is wrong with the files of a site."""
    if not pages_of(site):
        return [f"{site}: no pages"]
    checks = (too_large, broken_links, fetched, without_words, styled_inside)
    return [problem for check in checks for problem in check(site)]


PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>check</title><body><script>
const plan = PLAN, problems = [], frame = document.createElement("iframe");
frame.style.cssText = "border: 0; height: 900px";
document.body.append(frame);
const open = (url, width) => new Promise(done => {
  frame.style.width = `${width}px`;
  frame.onload = () => done(frame.contentDocument);
  frame.src = url;
});
const look = async () => {
  let looked = 0;
  for (const width of plan.widths) for (const url of plan.pages) {
    const doc = await open("/" + url, width);
    looked += 1;
    const wide = doc.documentElement.scrollWidth;
    if (wide > width) problems.push(`${url}: ${wide} pixels wide in a window of ${width}`);
    if (width !== plan.widths[0]) continue;
    for (const math of doc.querySelectorAll("article math"))
      if (math.getBoundingClientRect().width < 1 && !math.closest("details")) {
        problems.push(`${url}: a formula without a size`); break;
      }
    for (const picture of doc.querySelectorAll("article img"))
      if (picture.complete && picture.naturalWidth === 0)
        problems.push(`${url}: ${picture.getAttribute("src")} is not drawn`);
    for (const shape of doc.querySelectorAll("article svg [fill^='#']")) {
      const probe = doc.createElement("i");
      probe.style.color = shape.getAttribute("fill");
      const drawn = frame.contentWindow.getComputedStyle(shape).fill;
      if (drawn !== probe.style.color) {
        problems.push(`${url}: a shape is ${drawn}, not ${probe.style.color}`); break;
      }
    }
    for (const link of doc.querySelectorAll("article a[href], article button, article input")) {
      // The sign after a heading repeats its address, and shows when the heading is pointed at.
      if (link.closest("details") || link.classList.contains("headerlink")) continue;
      link.focus();
      if (doc.activeElement !== link && link.getClientRects().length) {
        problems.push(`${url}: the keyboard does not reach ${link.outerHTML.slice(0, 80)}`); break;
      }
    }
  }
  const found = {};
  for (const words of plan.sought) {
    const doc = await open("/search.html?q=" + encodeURIComponent(words), plan.widths[0]);
    for (let wait = 0; wait < 300 && !(doc.querySelector("#search-results p.search-summary")
         && /\\d/.test(doc.querySelector("#search-results p.search-summary").textContent)); wait++)
      await new Promise(done => setTimeout(done, 100));
    found[words] = doc.querySelectorAll("#search-results ul li").length;
    if (!found[words]) problems.push(`the search finds nothing for ${words}`);
  }
  return {problems, looked, found};
};
look().catch(error => ({problems: [`the check itself: ${error.stack}`], looked: 0, found: {}}))
  .then(result => fetch("/__result__", {method: "POST", body: JSON.stringify(result)}));
</script>"""


@dataclass
class Looked:
    """What the browser tells."""

    done: threading.Event = field(default_factory=threading.Event)
    answer: dict[str, Any] = field(default_factory=dict)


class Handler(SimpleHTTPRequestHandler):
    """Serves the site, the page that checks it, and takes what that found."""

    def __init__(self, *given: Any, plan: str, looked: Looked, **named: Any) -> None:
        self._page, self._looked = PAGE.replace("PLAN", plan, 1).encode(), looked
        super().__init__(*given, **named)

    def do_GET(self) -> None:
        """Send the page that checks, or a file."""
        if self.path != "/__check__":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(self._page)))
        self.end_headers()
        self.wfile.write(self._page)
        return None

    def do_POST(self) -> None:
        """Take the answer."""
        size = int(self.headers["Content-Length"])
        self._looked.answer.update(json.loads(self.rfile.read(size)))
        self.send_response(204)
        self.end_headers()
        self._looked.done.set()

    def log_message(self, *_given: Any) -> None:
        """Say nothing of each file."""


class Server(ThreadingHTTPServer):
    """One for a browser that leaves a page before all of it has come."""

    def handle_error(self, *_given: Any) -> None:
        """Say nothing of it."""


def browser() -> str | None:
    """The program of a browser, if this machine has one."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def looked_at(site: Path) -> list[str]:
    """The pages that the browser looks at: all that are read, and some of those that are many."""
    names = [page.relative_to(site).as_posix() for page in pages_of(site)]
    many = [name for name in names if name.startswith("library/")]
    return [name for name in names if name not in set(many)] + many[::EVERY]


def options(profile: str) -> list[str]:
    """How the browser is called, so that it neither asks nor keeps anything."""
    quiet = ("--headless", "--disable-gpu", "--no-first-run", "--disable-extensions")
    # In a container the system often lacks what the browser's own sandbox needs.
    return [*quiet, "--no-sandbox", "--disable-dev-shm-usage", f"--user-data-dir={profile}"]


def check_in_browser(site: Path, program: str) -> list[str]:
    """Everything that a browser finds wrong with a site."""
    plan = {"pages": looked_at(site), "widths": WIDTHS, "sought": SOUGHT}
    looked = Looked()
    handler = partial(Handler, directory=str(site), plan=json.dumps(plan), looked=looked)
    with (
        Server(("127.0.0.1", 0), handler) as server,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        start = f"http://127.0.0.1:{server.server_port}"
        command = [program, *options(profile), "--remote-debugging-port=0", f"{start}/__check__"]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if not looked.done.wait(PATIENCE):
                return [f"the browser did not answer within {PATIENCE} seconds"]
        finally:
            running.terminate()
            running.wait()
        server.shutdown()
    found = ", ".join(f"{count} for {words!r}" for words, count in looked.answer["found"].items())
    print(f"{looked.answer['looked']} views in the browser; the search has {found}")
    return list(map(str, looked.answer["problems"]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a site, and say what is wrong with it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("site", type=Path)
    parser.add_argument("--files", action="store_true", help="as files only")
    chosen = parser.parse_args(arguments)
    problems = check_files(chosen.site)
    print(f"{len(pages_of(chosen.site))} pages as files")
    if not chosen.files and (program := browser()):
        problems += check_in_browser(chosen.site, program)
    elif not chosen.files:
        print(f"not looked at in a browser: none of {', '.join(BROWSERS)}", file=sys.stderr)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
