"""``pac-stability audit``: check that an algorithm is what it claims to be."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pac_stability
from pac_stability import audit, rocq
from pac_stability._alarm import limited
from pac_stability.arithmetic import Epsilon
from pac_stability.audit import (
    About,
    AuditResult,
    AuditStopped,
    Notion,
    SubjectFailure,
    Verdict,
    certificates,
)
from pac_stability.audit.again import shrink_counterexample
from pac_stability.audit.calling import written_at
from pac_stability.audit.labels import ANSWERS, Fitting, Shape, shape_of
from pac_stability.audit.options import ProgressCallback
from pac_stability.audit.reports.html import audit_to_html
from pac_stability.audit.reports.text import (
    JUnitCase,
    annotation,
    answer_in_words,
    case_of,
    cases_to_junit,
    examined,
)
from pac_stability.audit.statistics import NOTIONS, RunFailed
from pac_stability.audit.subjects import LawSubject, PredictionSubject, points_of
from pac_stability.audit.watching.program import AllTold, Told, Twice
from pac_stability.cli import black_box, output
from pac_stability.cli.black_box import distribution_from, points_from, relation_from
from pac_stability.cli.loading import Exit, in_time, line_of, load_subject, say
from pac_stability.cli.output import HTML, check_output, coloured, emit, to_json
from pac_stability.data import FromProgram, Neighbouring
from pac_stability.data.tape import MAX_DRAWS, MAX_PATHS
from pac_stability.errors import BudgetExhausted, InvalidInput, PacStabilityError
from pac_stability.randomness.horizon import on_grid

_RUN = frozenset(
    {
        *("domain", "unlabelled", "symmetric", "time_limit", "max_memory", "processes"),
        *("checkpoint", "check_cache", "fresh", "shrink", "certificate", "html", "rocq"),
        *("scheduler", "twice", "told_to", "deterministic", "grid"),
    }
)


def options_of(notion: Notion) -> frozenset[str]:
    """Return the options that apply to a notion; refuse any other option."""
    known = {*_RUN, *notion.fixed}
    known |= {"epsilon", "epsilon_ratio"} if notion.at_epsilon is not None else set()
    known |= (
        {"relation", "max_pairs", "group", "stop_at_first"}
        if notion.about.pairs
        else {"distribution"}
    )
    known |= {"fix"} if _own(notion) else set()
    known |= {"points", "method", "on_error"} if notion.about is About.PREDICTIONS else set()
    known |= {"as_written"} if notion.in_writing else set()
    known |= set() if notion.about is About.PREDICTIONS else {"max_paths", "max_draws"}
    return frozenset(known)


def _own(notion: Notion) -> list[str]:
    """Return the parameters that have no option of their own."""
    return [name for name in notion.fixed if name not in {"delta", "beta", "epsilon"}]


_LATE = (
    "pac-stability: no answer yet; --time-limit SECONDS, or Ctrl-C, ends with what is known by then"
)

_ALWAYS = frozenset(
    {
        *("run", "argv", "debug", "subject", "notion", "n", "claim", "claim_ratio"),
        *("json", "junit", "param"),
    }
)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is printed, in either form, and the exit code."""

    case: JUnitCase
    document: str
    code: Exit


def run(options: argparse.Namespace) -> int:
    """Audit, and print or write the result."""
    notion = Notion.named(options.notion)
    for name in ("claim", "epsilon"):
        given = getattr(options, name)
        if isinstance(given, Epsilon):  # a logarithm
            setattr(options, name, None)
            setattr(options, f"{name}_ratio", given.ratio)
    _require_fitting(options, notion)
    _require_outputs(options)
    try:
        # What the user's code prints must not get into the report.
        with contextlib.redirect_stdout(sys.stderr):
            travels = options.processes is not None or options.scheduler is not None
            with in_time(options, "the algorithm was loaded"):
                subject = load_subject(
                    options.subject, travels=travels, given=options.param,
                    predicts=notion.about is About.PREDICTIONS,
                )  # fmt: skip
            place = written_at(subject)
            if options.method is not None:
                subject = Fitting.of(subject, options.method)
            if options.max_paths is not None or options.max_draws is not None:
                subject = _limited(subject, options)
            if options.as_written:
                subject = audit.as_written(cast("LawSubject", subject))
            with on_grid(options.grid):
                answer = (_seen if options.black_box else _decided)(subject, notion, options)
    except AllTold:
        return Exit.OK
    except KeyboardInterrupt as stop:
        kept = options.checkpoint
        say((str(stop) or "interrupted") + f"; {kept} has the answers so far" * _exists(kept))
        if isinstance(stop, audit.AuditInterrupted) and stop.partial.counts.pairs:
            so_far = replace(stop.partial, subject=options.subject)
            emit(_document(so_far) if options.json else _shown(case_of(options.subject, so_far)))
        return Exit.INTERRUPTED
    if options.junit is not None:
        emit(cases_to_junit([answer.case]), options.junit)
    emit(answer.document if options.json else _shown(answer.case))
    if answer.code is not Exit.OK and os.environ.get("GITHUB_ACTIONS") == "true":
        marked = annotation([place], f"{options.subject}: {answer.case.name}", answer.case.report)
        print(marked, file=sys.stderr)
    return answer.code


def _limited(subject: object, options: argparse.Namespace) -> object:
    """Return a program whose paths are followed as far as was asked."""
    program = subject.program if isinstance(subject, FromProgram) else subject
    if shape_of(subject, predicts=False) is not Shape.PROGRAM or not callable(program):
        option = "--max-draws" if options.max_paths is None else "--max-paths"
        raise InvalidInput(option, "what is no program", "a program f(sample, rng)")
    return FromProgram(
        program, max_paths=options.max_paths or MAX_PATHS, max_draws=options.max_draws or MAX_DRAWS
    )


@contextmanager
def _executor(options: argparse.Namespace) -> Iterator[Executor | None]:
    """Yield the cluster that was asked for, which has been given the file of the algorithm."""
    if options.scheduler is None or options.told_to is not None:
        yield None
        return
    if options.processes is not None:
        raise InvalidInput("--scheduler", "--processes as well", "one of them")
    path, double, _ = options.subject.rpartition("::")
    with output.cluster(options.scheduler, file=path if double else None) as executor:
        yield executor


def _decided(subject: object, notion: Notion, options: argparse.Namespace) -> _Answer:
    """Return the exact answer, and write the files about it."""
    result, version = _result(subject, notion, options), pac_stability.__version__
    result = replace(result, subject=options.subject)
    if options.certificate is not None:
        if result.witness is None:
            say("the audit found no witness, so it wrote no certificate")
        else:
            emit(certificates.to_json(result), options.certificate)
    if options.rocq is not None:
        try:
            emit(rocq.to_rocq(result).text, options.rocq)
        except InvalidInput as error:
            say(f"no theorem was written: got {error.given}, want {error.wanted}")
    if options.html is not None:
        emit(audit_to_html(result, options.subject, version), options.html)
    return _Answer(case_of(options.subject, result), _document(result), exit_code(result))


def _document(result: AuditResult) -> str:
    return certificates.pretty(certificates.to_report(result, pac_stability.__version__))


def _seen(subject: object, notion: Notion, options: argparse.Namespace) -> _Answer:
    """Return what statistics say of a black box."""
    try:
        found = black_box.audit_black_box(subject, notion, options)
    except RunFailed as failure:
        _tell_where(failure, options)
        raise
    found = replace(found, subject=options.subject)
    code = Exit.REFUTED if found.verdict is Verdict.REFUTED else Exit.INCONCLUSIVE
    case = black_box.result_to_case(found, options.subject)
    return _Answer(case, to_json(black_box.result_to_dict(found, options.subject)), code)


def _shown(case: JUnitCase) -> str:
    """Return the report, on a terminal with the verdict in colour."""
    if not coloured():
        return case.report
    verdict = case.verdict
    colour = {Verdict.VERIFIED: 32, Verdict.REFUTED: 31}.get(verdict, 33)
    marked = f"\x1b[1;{colour}m{verdict.name}\x1b[0m: "
    return case.report.replace(f"{verdict.name}: ", marked, 1)


def exit_code(result: AuditResult) -> Exit:
    """Return the exit code; an audit that examined nothing is never a success."""
    if result.verdict is Verdict.REFUTED:
        return Exit.REFUTED
    if result.verdict is Verdict.VERIFIED and result.counts.datasets:
        return Exit.OK
    return Exit.INCONCLUSIVE


def _result(subject: object, notion: Notion, options: argparse.Namespace) -> AuditResult:
    """Audit; a budget that ends it leaves what it found, and a failure tells what it was."""
    try:
        with (
            output.told_late(_LATE),
            output.watched_audit(notion.title) as progress,
            _executor(options) as executor,
        ):
            result = _audited(subject, notion, options, progress, executor)
    except AuditStopped as stopped:
        if stopped.partial is None:
            raise
        say(f"inconclusive: {stopped}")
        return stopped.partial
    except SubjectFailure as failure:
        _tell_of(failure, options)
        raise
    if options.shrink and result.verdict is Verdict.REFUTED:
        return _smaller(subject, result, options.time_limit)
    return result


def _smaller(subject: object, result: AuditResult, limit: float | None) -> AuditResult:
    """Return a smaller refutation, if the user does not lose patience."""
    try:
        with limited(limit, "the counterexample was made smaller"):
            small = shrink_counterexample(cast("PredictionSubject", subject), result).result
    except BudgetExhausted as stopped:
        say(f"{stopped}; the one below is as it was found")
        return result
    except KeyboardInterrupt:
        say("interrupted; the counterexample below may not be the smallest")
        return result
    given = f"n = {result.instance.size_in_words} and {len(result.instance.universe)} elements"
    return replace(small, note=f"shrunk; as given ({given}): {answer_in_words(result)}")


def _tell_where(failure: PacStabilityError, options: argparse.Namespace) -> None:
    path = options.subject.rpartition("::")[0]
    if failure.__cause__ is not None and path:
        line = line_of(failure.__cause__, path)
        if line is not None:
            say(f"{path}, line {line} raised {type(failure.__cause__).__name__}")


def _tell_of(failure: SubjectFailure, options: argparse.Namespace) -> None:
    """Say where the user's code raised, and what had been found by then."""
    _tell_where(failure, options)
    partial = failure.partial
    if partial is not None and partial.counts.pairs:
        counted = examined(partial.counts, partial.instance.symmetry)
        say(f"before that: {answer_in_words(partial)} ({counted}); {partial.note}")
    if _exists(options.checkpoint):
        say(f"{options.checkpoint} has the answers so far")


def _audited(
    subject: object,
    notion: Notion,
    options: argparse.Namespace,
    progress: ProgressCallback | None,
    executor: Executor | None,
) -> AuditResult:
    """Call the library with what was asked for, by its names; the rest is default."""
    keywords: dict[str, object] = {"claim": _epsilon(options, "claim"), "progress": progress}
    if executor is not None:
        keywords["executor"] = executor
    if options.twice and not options.told_to:
        keywords["twice"] = Twice(("-m", "pac_stability", *options.argv, "--told-to"))
    run = ["processes", "checkpoint", "check_cache", "fresh", "time_limit"]
    if options.told_to is not None:
        keywords["twice"], run = Told(options.told_to), []
    asked = notion
    if options.epsilon is not None or options.epsilon_ratio is not None:
        asked = notion.at_epsilon or notion
        keywords["epsilon"] = _epsilon(options, "epsilon")
    for name, read in (("claim_ratio", asked), ("epsilon_ratio", notion)):
        if getattr(options, name) is not None and not read.parameter.is_factor:
            option = f"--{name.replace('_', '-')}"
            raise InvalidInput(option, asked.name, "a notion whose parameter is epsilon")
    for name in (*("symmetric", "deterministic", "max_pairs", "max_memory", "stop_at_first"), *run):
        if getattr(options, name) is not None:
            keywords[name] = getattr(options, name)
    given = dict(options.fix or ())
    if given.keys() != {*_own(notion)}:
        wanted = ", ".join(f"{name}=..." for name in _own(notion)) or "none"
        raise InvalidInput("--fix", ", ".join(given) or "nothing", wanted)
    for name in notion.fixed:
        keywords[name] = given[name] if name in given else getattr(options, name) or 0
    # The library checks what it is given; the types of options are known only there.
    if not notion.about.pairs:
        if options.distribution is None:
            raise InvalidInput("--distribution", "none", f"one: {notion.name} needs it")
        labelled = not options.unlabelled
        law = distribution_from(options.distribution, options.domain, labelled=labelled)
        return notion.ask(subject, law, options.n, **keywords)
    if options.domain is None:
        raise InvalidInput("--domain", "none", f"the points: {notion.name} needs them")
    domain = points_from(options.domain, "--domain")
    points = None if options.points is None else points_from(options.points, "--points")
    if options.on_error == "outcome":
        subject = subject if isinstance(subject, Fitting) else Fitting.of(subject)
        points = (ANSWERS, *points_of(domain if points is None else points, "points"))
    if points is not None:
        keywords["points"] = points
    if options.relation is not None:
        keywords["relation"] = relation_from(options.relation)
    if options.unlabelled:
        keywords["labelled"] = False
    if options.group is not None:
        keywords["group_size"] = options.group
    return notion.ask(subject, domain, options.n, **keywords)


def _epsilon(options: argparse.Namespace, name: str) -> object:
    """Return what was given as ``--name``, or by its factor as ``--name-ratio``."""
    ratio = getattr(options, f"{name}_ratio")
    return getattr(options, name) if ratio is None else Epsilon.exactly(ratio)


def _require_fitting(options: argparse.Namespace, notion: Notion) -> None:
    """Refuse an option that means nothing for the notion: it must not be thought to work."""
    fitting = options_of(notion)
    if options.group is not None and options.relation not in (None, "replace-one"):
        wanted = "--relation replace-one: neighbours then differ in up to so many rows"
        raise InvalidInput("--group", f"it with --relation {options.relation}", wanted)
    several = isinstance(options.n, range)
    if several and (options.black_box or options.relation != Neighbouring.ADD_REMOVE.value):
        given = f"{options.n[0]}..{options.n[-1]}"
        raise InvalidInput("--n", given, "one size, or --relation add-remove for an exact audit")
    if options.black_box:
        if notion not in NOTIONS:
            names = ", ".join(one.name for one in NOTIONS)
            raise InvalidInput("--black-box", notion.name, f"one of {names}")
        fitting = black_box.OPTIONS & (fitting | black_box.OWN)
    for name, value in vars(options).items():
        if value is None or name in _ALWAYS or name in fitting:
            continue
        option, how = f"--{name.replace('_', '-')}", " --black-box" if options.black_box else ""
        others = ", ".join(one.name for one in Notion.all() if name in options_of(one))
        if name in black_box.OWN:
            others = "--black-box"
        raise InvalidInput(
            option, f"it with {notion.name}{how}", f"it only with {others or 'exact audits'}"
        )


def _require_outputs(options: argparse.Namespace) -> None:
    """Refuse files that cannot be written, or that would overwrite one another."""
    for name in ("check_cache", "fresh"):
        if getattr(options, name) is not None and options.checkpoint is None:
            option = f"--{name.replace('_', '-')}"
            raise InvalidInput(option, "no --checkpoint", "--checkpoint with it")
    source, double, _ = options.subject.rpartition("::")
    owners = {Path(source).resolve(): "SUBJECT"} if double else {}
    for name in ("checkpoint", "certificate", "junit", "html"):
        output: str | None = getattr(options, name)
        check_output(output, HTML if name == "html" else ())
        if output is None or (Path(output).exists() and not Path(output).is_file()):
            continue  # devices may be shared
        owner = owners.setdefault(Path(output).resolve(), f"--{name}")
        if owner != f"--{name}":
            raise InvalidInput(f"--{name}", f"the file of {owner}", "a file of its own")


def _exists(path: str | None) -> bool:
    return path is not None and Path(path).exists()
