"""``pac-stability verify``: settle the papers' statements on this machine."""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import shutil
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager

import pac_stability
from pac_stability import claims
from pac_stability.claims.cache import default_folder
from pac_stability.claims.report import (
    evidence_document,
    evidence_to_html,
    evidence_to_latex,
    evidence_to_text,
    summary,
)
from pac_stability.cli.audit_progress import watched_audit
from pac_stability.cli.exits import Exit
from pac_stability.cli.reports import check_output, emit, to_json
from pac_stability.errors import InvalidInput


def run(options: argparse.Namespace) -> int:
    """Settle the claims that were asked for, and report."""
    chosen = claims.select(options.only) if options.only else claims.all()
    for name in ("html", "latex"):
        check_output(getattr(options, name))
    if options.html is not None and options.html == options.latex:
        raise InvalidInput("--latex", "the file of --html", "a file of its own")
    budget = claims.Budget(options.budget)
    folder = None if options.cache == "none" else options.cache or default_folder()
    cache = None if folder is None else claims.Cache(folder)
    with _executor(options) as executor, watched_audit("verify") as progress:
        found = {
            evidence.claim.key: evidence
            for evidence in claims.verify(
                chosen, budget, executor=executor, cache=cache, progress=progress
            )
        }
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
        emit(f"{evidence_to_text(evidence, max(width, 60))}\n{summary(evidence)}\n")
    return Exit.OK if all(entry.as_expected for entry in evidence) else Exit.REFUTED


@contextmanager
def _executor(options: argparse.Namespace) -> Iterator[Executor | None]:
    if options.scheduler is not None:
        try:
            distributed = importlib.import_module("distributed")
        except ImportError:
            raise InvalidInput(
                "--scheduler", options.scheduler, "pip install 'pac_stability[distributed]' first"
            ) from None
        with distributed.Client(options.scheduler) as client:
            yield client.get_executor()
    elif options.processes == 1:
        yield None
    else:
        # The progress bar is a thread, and a process with threads is not safely forked.
        methods = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        pool = ProcessPoolExecutor(options.processes, mp_context=context)
        try:
            yield pool
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
