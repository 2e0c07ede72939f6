"""``pac-stability verify``: settle the papers' statements on this machine."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager

import pac_stability
from pac_stability import claims
from pac_stability.audit.workers import worker_pool
from pac_stability.claims.pages import evidence_to_html
from pac_stability.claims.report import (
    evidence_document,
    evidence_to_latex,
    run_to_text,
)
from pac_stability.claims.running import default_folder
from pac_stability.cli.cluster import cluster
from pac_stability.cli.exits import Exit
from pac_stability.cli.progress import watched_audit
from pac_stability.cli.reports import check_output, emit, to_json
from pac_stability.cli.verify_on import run_on_class
from pac_stability.errors import InvalidInput, printable


def run(options: argparse.Namespace) -> int:
    """Settle the claims that were asked for, and report."""
    chosen = claims.select(options.only) if options.only else claims.all()
    _say_what_is_meant(options.only or ())
    if any(getattr(options, name) is not None for name in _CLASS):
        return run_on_class(options, chosen)
    for name in ("html", "latex"):
        check_output(getattr(options, name))
    if options.html is not None and options.html == options.latex:
        raise InvalidInput("--latex", "the file of --html", "a file of its own")
    budget = claims.Budget(options.budget)
    cache = _cache(options)
    try:
        with _executor(options) as executor, watched_audit("verify") as progress:
            found = {
                evidence.claim.key: evidence
                for evidence in claims.verify(
                    chosen,
                    budget,
                    executor=executor,
                    cache=cache,
                    progress=progress,
                    check_cache=options.check_cache,
                )
            }
    finally:
        for remark in () if cache is None else cache.remarks:
            _say(remark)
    evidence = [found[claim.key] for claim in chosen]
    version = pac_stability.__version__
    if options.html is not None:
        emit(evidence_to_html(evidence, version), options.html)
    if options.latex is not None:
        emit(evidence_to_latex(evidence), options.latex)
    if options.json:
        emit(to_json(evidence_document(evidence, version)))
    else:
        width = shutil.get_terminal_size((100, 24)).columns
        emit(run_to_text(evidence, max(width, 60)))
    return Exit.OK if all(entry.as_expected for entry in evidence) else Exit.REFUTED


_CLASS = ("table", "family", "points", "columns", "table_format")


def _say_what_is_meant(texts: Sequence[str]) -> None:
    """Name what was found for an item in words, above all where there are several."""
    for text in texts:
        keys = [claim.key for claim in claims.meant(text)]
        if keys != [text] and not any(mark in text for mark in "*?"):
            _say(f"{text} means {', '.join(keys)}")


@contextmanager
def _executor(options: argparse.Namespace) -> Iterator[Executor | None]:
    if options.scheduler is not None:
        with cluster(options.scheduler) as executor:
            yield executor
    elif options.processes == 1:
        yield None
    else:
        with worker_pool(options.processes) as pool:
            yield pool


def _cache(options: argparse.Namespace) -> claims.Cache | None:
    if options.cache == "none":
        if options.fresh or options.check_cache:
            raise InvalidInput("--cache", "none, with --fresh or --check-cache", "a folder")
        return None
    folder = options.cache or default_folder()
    if folder is None:
        _say("there is no home folder for a cache; going on without it")
        return None
    return claims.Cache(folder, fresh=options.fresh)


def _say(text: str) -> None:
    print(f"pac-stability: {printable(text)}", file=sys.stderr)
