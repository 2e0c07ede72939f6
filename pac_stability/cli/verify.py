"""The papers' statements: ``pac-stability verify``, ``follows`` and ``claims``.

These settle claims here or on a user's class, apply them to a guarantee, and list them.
"""

from __future__ import annotations

import argparse
import gc
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from fractions import Fraction

import pac_stability
from pac_stability import claims
from pac_stability.arithmetic import Epsilon
from pac_stability.audit.search.parallel import worker_pool
from pac_stability.claims import report
from pac_stability.claims.pages import evidence_to_html
from pac_stability.claims.running import default_folder
from pac_stability.cli import output
from pac_stability.cli.dims import header, headline
from pac_stability.cli.loading import Exit, load_class, say
from pac_stability.cli.output import HTML, check_output, emit, to_json, width
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers import guarantees


def run_on_class(options: argparse.Namespace, chosen: Sequence[claims.Claim]) -> int:
    """Settle the claims about a class on the class of the options."""
    for name in ("html", "latex", "scheduler", "durations"):
        if getattr(options, name) is not None:
            raise InvalidInput(f"--{name}", "a class", "it only without --on and --family")
    H, source = load_class(options)
    found: list[claims.ClassEvidence] = []
    with output.watched_audit("verify") as progress, _interruptible() as interrupted:
        for entry in claims.verify_on(chosen, H, progress=progress):
            found.append(entry)
    head = header("verify-on", source, H, edition=4) | {"complete": not interrupted}
    if options.json:
        emit(to_json(report.class_evidence_document(found, head)))
    else:
        text = report.class_run_to_text(found, width(), numbers=options.verbose)
        emit(f"{headline(source, H)}\n\n{text}")
    if interrupted:
        return _stopped(len(found), len(chosen))
    if not all(entry.as_expected for entry in found):
        return Exit.REFUTED
    # Nothing examined is no success.
    return Exit.OK if any(entry.status for entry in found) else Exit.INCONCLUSIVE


@contextmanager
def _interruptible() -> Iterator[list[str]]:
    """Yield a list that has an entry once Ctrl-C or SIGTERM has ended the work inside."""
    interrupted: list[str] = []
    main = threading.current_thread() is threading.main_thread()
    asked = main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if asked:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield interrupted
    except KeyboardInterrupt:
        interrupted.append("as asked")
    finally:
        if asked:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _stopped(done: int, of: int) -> int:
    say(f"interrupted: {done} of {of} claims are known")
    return Exit.INTERRUPTED


# ``pac-stability verify``


def run(options: argparse.Namespace) -> int:
    """Settle the requested claims, and report."""
    # Millions of small numbers come and go, none of them in a cycle: to look for cycles after
    # every 700 of them, among all modules as well, took a tenth of the time.
    gc.freeze()
    gc.set_threshold(50_000)
    only = [each.strip() for text in options.only or () for each in text.split(",")]
    chosen = claims.select(only) if only else claims.all()
    _say_what_is_meant(only)
    if any(getattr(options, name) is not None for name in _CLASS):
        return run_on_class(options, chosen)
    check_output(options.html, HTML)
    check_output(options.latex, (".tex",))
    if options.html is not None and options.html == options.latex:
        raise InvalidInput("--latex", "the file of --html", "a file of its own")
    budget = claims.Budget(options.budget)
    cache = _cache(options)
    found: dict[str, claims.Evidence] = {}
    try:
        with (
            _interruptible() as interrupted,
            _executor(options) as executor,
            output.watched_audit("verify") as progress,
        ):
            for entry in claims.verify(
                chosen,
                budget,
                executor=executor,
                cache=cache,
                progress=progress,
                check_cache=options.check_cache,
            ):
                found[entry.claim.key] = entry
    finally:
        for remark in () if cache is None else cache.remarks:
            say(remark)
    evidence = [found[claim.key] for claim in chosen if claim.key in found]
    version = pac_stability.__version__
    if options.html is not None:
        emit(evidence_to_html(evidence, version), options.html)
    if options.latex is not None:
        emit(report.evidence_to_latex(evidence), options.latex)
    if options.json:
        timed, complete = options.durations is not None, not interrupted
        document = report.evidence_document(evidence, version, complete=complete, seconds=timed)
        emit(to_json(document))
    else:
        emit(report.run_to_text(evidence, width(), numbers=options.verbose))
        if options.durations:
            emit(f"\n{report.durations_to_text(evidence, options.durations)}")
    if interrupted:
        return _stopped(len(evidence), len(chosen))
    return Exit.OK if all(entry.as_expected for entry in evidence) else Exit.REFUTED


_CLASS = ("table", "family", "points", "columns", "table_format")


def _say_what_is_meant(texts: Sequence[str]) -> None:
    """Name what was found for an item in words, above all where there are several."""
    for text in texts:
        keys = [claim.key for claim in claims.meant(text)]
        if keys != [text] and not any(mark in text for mark in "*?"):
            say(f"{text} means {', '.join(keys)}")


@contextmanager
def _executor(options: argparse.Namespace) -> Iterator[Executor | None]:
    if options.scheduler is not None:
        with output.cluster(options.scheduler) as executor:
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
        say("there is no home folder for a cache; going on without it")
        return None
    return claims.Cache(folder, fresh=options.fresh)


# ``pac-stability follows``: what the papers let one conclude from a guarantee


def run_follows(options: argparse.Namespace) -> int:
    """List the conclusions: the strongest of each kind, or all."""
    known, delta = _known(options), options.delta is not None
    if delta and not isinstance(known, PrivacyGuarantee | guarantees.PredictionGuarantee):
        raise InvalidInput("--delta", "one", "none: it belongs to an epsilon")
    wanted = guarantees.Wanted(
        failure=options.failure,
        outputs=options.outputs,
        elements=options.elements,
        group=options.group,
        flip=options.flip,
        consistent=options.consistent,
    )
    found = claims.what_follows(known, options.n, wanted)
    emit(report.consequences_to_text(found, every=options.all))
    return Exit.OK


def _known(options: argparse.Namespace) -> object:
    delta = Fraction(options.delta or 0)
    if options.differential_privacy is not None:
        return PrivacyGuarantee(Epsilon(options.differential_privacy), delta)
    if options.private_prediction is not None:
        return guarantees.PredictionGuarantee(Epsilon(options.private_prediction), delta)
    if options.uniform_stability is not None:
        return guarantees.StabilityGuarantee(options.uniform_stability)
    if options.global_stability is not None:
        return guarantees.FrequencyGuarantee(options.global_stability)
    return guarantees.OutputCount(options.few_outputs)
