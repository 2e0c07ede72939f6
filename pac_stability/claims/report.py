"""The evidence of a run, for readers and for programs.

Text for the terminal, documents in JSON, and LaTeX: the results of runs, results on a user's class,
and conclusions from a guarantee.
"""

from __future__ import annotations

import math
import textwrap
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from textwrap import indent
from typing import TypeAlias

from pac_stability._report import Face, aligned, html_table, latex_table, tex
from pac_stability.claims import listing
from pac_stability.claims.book import books
from pac_stability.claims.claim import MEANING, Basis, Expectation, Status
from pac_stability.claims.consequences import Consequences, in_short
from pac_stability.claims.evidence import Evidence, EvidenceReport, TrialEvidence, slack_of
from pac_stability.claims.running import ClassEvidence
from pac_stability.claims.search import get
from pac_stability.papers.guarantees import Implication


def evidence_to_text(
    evidence: Iterable[Evidence], width: int = 80, *, numbers: bool = False
) -> str:
    """Return a line for each claim, by paper and section, with necessary remarks below.

    Parameters
    ----------
    evidence
        One entry a claim.
    width
        Columns of the terminal.
    numbers
        Whether to show the key of each claim, its source, and how hard it was tried.
    """
    rows = [(entry, entry.word, _remarks(entry)) for entry in evidence]
    return "\n".join([*_grouped(rows, width, numbers=numbers), ""])


_Row: TypeAlias = "tuple[Evidence | ClassEvidence, str, Iterable[str]]"
"""What was found of a claim, the word for it, and what a reader must know."""


def _grouped(rows: Iterable[_Row], width: int, *, numbers: bool) -> Iterator[str]:
    """Give the lines of claims below the names of their papers and sections."""
    groups: dict[str, dict[str, list[_Row]]] = {}
    section = ""
    for one in rows:
        claim = one[0].claim
        sections = groups.setdefault(claim.paper, {})
        # What is ours stands with what it belongs to.
        section = claim.section or (section if sections else "")
        sections.setdefault(section, []).append(one)
    for number, (paper, sections) in enumerate(groups.items()):
        if number:
            yield ""
        book = books().get(paper)
        yield from wrapped(paper if book is None else f"{paper}  {book.title}", width)
        for section, found in sections.items():
            if section:
                yield section
            for entry, word, remarks in found:
                yield _line(entry, word, width)
                told = [_numbers(entry), *remarks] if numbers else remarks
                for text in told:
                    yield from wrapped(text, width, 4 * " ")


def _line(entry: Evidence | ClassEvidence, word: str, width: int) -> str:
    """Return the line of a claim: the word, what it is about, how many instances could fail."""
    claim = entry.claim
    title, named = claim.title, claim.numbered
    if named and named.lower() not in title.lower():
        title = f"{named}: {title}"
    count = f"{entry.active:,}" if entry.trials else ""
    why = ""
    if word == Status.EXHAUSTED.value:
        why = f" ({entry.extent})"
    elif word == Status.SETTLED.value:
        why = f" (Rocq: {', '.join(claim.rocq)})" if claim.basis is Basis.ROCQ else " (finite)"
    mark = " " if entry.as_expected else "!"
    free = width - 15 - len(count) - 2
    text = listing.fitted(title, max(free - len(why), 12)) + why
    return f"{mark} {word:<12} {listing.fitted(text, free):<{free}}  {count}".rstrip()


def _numbers(entry: Evidence | ClassEvidence) -> str:
    claim = entry.claim
    said = f"{claim.key}, {claim.whose.value}"
    if not entry.trials:
        return said
    noun = "instance" if entry.instances == 1 else "instances"
    said += f"; {counted(entry.active, entry.instances)} {noun}"
    if entry.tightest is None:
        return said
    return f"{said}; tightest {how_tight(entry.tightest)}, slack {how_much_slack(entry.slack)}"


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Return a text in lines of at most a given width; a long word, such as a key, stays whole.

    Examples
    --------
    >>> wrapped("one two three", 9, "  ")
    ['  one two', '  three']
    """
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def words_met(words: Iterable[str]) -> str:
    """Return a line for each status word with its meaning.

    Examples
    --------
    >>> print(words_met(["open", "open"]))
    open          nothing is examined: neither proved nor refuted, to our knowledge
    """
    met = set(words)
    return "\n".join(f"{word:<12}  {said}" for word, said in MEANING.items() if word in met)


def summary(evidence: Sequence[Evidence]) -> str:
    """Return in one line how many claims have each status, and whether all are as expected.

    For expected refutations it counts the statements that fail as printed and the misprints, and
    separately the notes: on a step of a proof, on unintended parameters, on a second reading.

    Examples
    --------
    >>> from pac_stability import claims
    >>> summary([claims.check(claims.get("DF20:appendix-a.transitivity"))])
    '1 claim: 1 survived; all as expected'
    """
    count = Counter(entry.word for entry in evidence)
    found = [f"{count[status.value]} {status.value}" for status in Status if count[status.value]]
    fails, misprints = count.pop("fails", 0), count.pop("misprint", 0)
    notes = sum(count[word] for word in _NOTES)
    parts = [", ".join(found)] if found else []
    parts += [f"{fails} {'fails' if fails == 1 else 'fail'} as printed"] if fails else []
    parts += [f"{number} {noun}{'s' if number > 1 else ''}"
              for number, noun in ((misprints, "misprint"), (notes, "note")) if number]  # fmt: skip
    wrong = [entry.claim.key for entry in evidence if not entry.as_expected]
    verdict = f"NOT as expected: {', '.join(wrong)}" if wrong else "all as expected"
    noun = "claim" if len(evidence) == 1 else "claims"
    said = "; ".join([*(parts or ["none"]), verdict])
    return f"{len(evidence)} {noun}: {said}{from_cache(evidence)}"


_NOTES = tuple(
    known.word_for("refuted")
    for known in (Expectation.RANGE, Expectation.STEP, Expectation.READING)
)


def from_cache(evidence: Sequence[Evidence]) -> str:
    """Report how many claims rest on answers of an earlier run, and how old these are."""
    kept = [entry for entry in evidence if entry.kept]
    if not kept:
        return ""
    whole = sum(entry.kept == entry.parts for entry in kept)
    partly = f", {len(kept) - whole} in part" if whole < len(kept) else ""
    age = age_in_words(time.time() - min(entry.oldest for entry in kept))
    return f"; {whole} of {len(evidence)} from the cache{partly} (the oldest answer: {age})"


def age_in_words(seconds: float) -> str:
    """Return an age in words.

    Examples
    --------
    >>> age_in_words(20), age_in_words(90), age_in_words(7200), age_in_words(100_000)
    ('less than a minute', '1 minute', '2 hours', '1 day')
    """
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count = int(seconds // length)
        if count >= 1:
            return f"{count:,} {unit}" if count == 1 else f"{count:,} {unit}s"
    return "less than a minute"


def counted(active: int, instances: int) -> str:
    """Return the number of instances, and of those that could have refuted a claim.

    Examples
    --------
    >>> counted(834, 834), counted(95, 1330)
    ('834', '95 of 1,330')
    """
    return f"{instances:,}" if active == instances else f"{active:,} of {instances:,}"


def how_tight(tightest: float | None) -> str:
    """Return a tension in three decimals, rounded down; only an exact 1 prints as 1.

    Examples
    --------
    >>> how_tight(1), how_tight(0.99999), how_tight(1e-9), how_tight(0), how_tight(None)
    ('1', '0.999', '<0.001', '0', '-')
    """
    if tightest is None:
        return "-"
    if tightest in (0, 1):
        return f"{tightest:.0f}"
    return f"{math.floor(tightest * 1000) / 1000:.3f}" if tightest >= 0.001 else "<0.001"


def how_much_slack(slack: float | None) -> str:
    """Return a slack in three digits; only an exact 1 prints as 1.

    Examples
    --------
    >>> how_much_slack(1), how_much_slack(1.0001), how_much_slack(1.5), how_much_slack(12_345)
    ('1', '>1', '1.5', '12300')
    >>> how_much_slack(1e9), how_much_slack(None)
    ('1e+09', '-')
    """
    if slack is None:
        return "-"
    if slack >= 99_950:
        return f"{slack:.0e}"
    return ">1" if 1 < slack < 1.005 else f"{float(f'{slack:.3g}'):g}"


def not_compared(trial: TrialEvidence) -> Iterable[str]:
    """Return the remark on a trial that does not compare the numbers that it reports."""
    if trial.tally.insensitive is not None:
        position, found = trial.tally.insensitive
        yield (
            f"does not compare what it says: {trial.name}: its tightest instance, number "
            f"{position}, needs {how_tight(trial.tally.tightest)} of what is allowed, and with "
            f"less allowed than that it is {found}"
        )


def _remarks(entry: Evidence) -> Iterable[str]:
    if entry.counterexample is not None:
        known = entry.claim.expectation
        said = f"{known.value} ({entry.claim.place})" if known.refuted else "COUNTEREXAMPLE"
        yield f"{said}: {entry.counterexample}"
    if entry.broken is not None:
        yield f"broken: {entry.broken}"
    if entry.claim.repaired_by is not None:
        yield f"instead: {entry.claim.repaired_by}"
    if entry.claim.explicit is not None:
        yield f"with explicit constants: {entry.claim.explicit}"
    if entry.status is Status.BOUNDED:
        for trial in entry.trials:
            if trial.tally.open is not None:
                yield f"not decided: {trial.tally.open[1]}"
    for trial in entry.trials:
        if trial.status is Status.EMPTY:
            yield f"no instance could have refuted it: {trial.name}"
        yield from not_compared(trial)
    if entry.misled:
        yield f"draws would mislead with probability at most {float(entry.misled):.1e}"


# For programs

VERIFY_SCHEMA = "pac-stability/verify/5"


def evidence_document(
    evidence: Iterable[Evidence], version: str, *, complete: bool = True, seconds: bool = False
) -> dict[str, object]:
    """Return the evidence as a dictionary that ``json.dumps`` accepts.

    Parameters
    ----------
    evidence
        One entry a claim.
    version
        Of the library.
    complete
        Whether the run finished all requested claims.
    seconds
        Whether to add the seconds of processor time of each claim.

    Returns
    -------
    dict
        Without these, equal runs give equal documents; ``from_cache`` is the number of claims that
        rest on answers of an earlier run, at least in part.
    """
    found = tuple(evidence)
    met = {word for entry in found for word in (entry.status.value, entry.word)}
    return {
        "schema": VERIFY_SCHEMA,
        "version": version,
        "budget": found[0].budget.value if found else None,
        "as_expected": all(entry.as_expected for entry in found),
        "complete": complete,
        "from_cache": sum(entry.kept > 0 for entry in found),
        "words": {word: said for word, said in MEANING.items() if word in met},
        "claims": [
            _claim(entry) | ({"seconds": round(entry.seconds, 3)} if seconds else {})
            for entry in found
        ],
    }


def durations_to_text(evidence: Iterable[Evidence], most: int) -> str:
    """Return the claims that took the most processor time, with their times."""
    found = sorted(evidence, key=lambda entry: -entry.seconds)
    rows = [f"{entry.seconds:8.2f} s  {entry.claim.key}" for entry in found[:most]]
    whole = sum(entry.seconds for entry in found)
    return "\n".join([*rows, f"{whole:8.2f} s  all claims, without what was kept", ""])


def trial_fields(trial: TrialEvidence) -> dict[str, object]:
    """Return the findings of a trial, for a document."""
    return {"name": trial.name, "universe": trial.universe} | _found(trial)


def _claim(entry: Evidence) -> dict[str, object]:
    return {
        **listing.words_of(entry.claim),
        "status": entry.status.value,
        "word": entry.word,
        "reproduction": entry.reproduction,
        "as_expected": entry.as_expected,
        "instances": entry.instances,
        "active": entry.active,
        "tightest": entry.tightest,
        "slack": entry.slack,
        "counterexample": entry.counterexample,
        "broken": entry.broken,
        "misled": str(entry.misled),
        **listing.relations_of(entry.claim),
        "trials": [
            {
                "name": trial.name,
                "universe": trial.universe,
                "exhaustive": bool(trial.extent),
                "extent": trial.extent or None,
                **_found(trial),
            }
            for trial in entry.trials
        ],
    }


def _found(trial: TrialEvidence) -> dict[str, object]:
    tally = trial.tally
    return {
        "status": trial.status.value,
        "instances": tally.instances,
        "active": tally.active,
        "tightest": tally.tightest,
        "slack": slack_of(tally.tightest),
        "insensitive": None if tally.insensitive is None else tally.insensitive[1],
        "refuting": None if tally.refuting is None else tally.refuting[1],
        "open": None if tally.open is None else tally.open[1],
        "broken": None if tally.broken is None else tally.broken[1],
    }


# A class of one's own


def class_evidence_to_text(
    evidence: Iterable[ClassEvidence], width: int = 80, *, numbers: bool = False
) -> str:
    """Return a line for each claim that applies to the class, by paper and section.

    Parameters
    ----------
    evidence
        One entry a claim.
    width
        Columns of the terminal.
    numbers
        Whether to show how hard each was tried, and why each of the others was not run. For a few
        claims it shows this anyway.
    """
    found = tuple(evidence)
    rows = [(e, e.status.value, _remarks_on_class(e)) for e in found if e.status is not None]
    lines = [*_grouped(rows, width, numbers=numbers)]
    left = [f"- {e.claim.key}: not run: {e.not_run}" for e in found if e.not_run is not None]
    if left and (numbers or len(left) <= _FEW):
        lines += ["", *(line for text in left for line in wrapped(text, width))]
    return "\n".join([*lines, ""])


_FEW = 3


def class_run_to_text(
    found: Sequence[ClassEvidence], width: int = 80, *, numbers: bool = False
) -> str:
    """Return the results on a class, as ``verify --on`` prints them."""
    words = words_met(entry.status.value for entry in found if entry.status is not None)
    text = class_evidence_to_text(found, width, numbers=numbers).strip("\n")
    said = "\n".join(wrapped(class_summary(found), width))
    return "\n\n".join([*filter(None, (text, words)), f"{said}\n"])


def class_summary(evidence: Sequence[ClassEvidence]) -> str:
    """Return in one line the results, the number of claims that were not run, and why.

    Examples
    --------
    >>> from pac_stability import claims, classes
    >>> chosen = claims.select(["Lemma 12", "DF20:appendix-a.mixtures"])
    >>> print(class_summary([claims.check_on(claim, classes.thresholds(3)) for claim in chosen]))
    2 claims on this class: 1 survived; not run: 1 not about a class
    """
    count = Counter(entry.status for entry in evidence)
    parts = [f"{count[status]} {status.value}" for status in Status if count[status]]
    why = {
        "too large a class": sum(bool(entry.skipped) for entry in evidence if not entry.status),
        "cannot fail on it": sum(
            entry.instances > 0 and not entry.skipped for entry in evidence if not entry.status
        ),
        "recorded only": sum(not entry.claim.trials for entry in evidence),
    }
    why["not about a class"] = count[None] - sum(why.values())
    left = [f"{number} {reason}" for reason, number in why.items() if number]
    said = [", ".join(parts) or "nothing examined"]
    said += [f"not run: {', '.join(left)}"] if left else []
    for status, word in (
        (Status.REFUTED, "REFUTED, though it should hold"),
        (Status.BROKEN, "BROKEN"),
        (Status.INSENSITIVE, "NOT compared"),
    ):
        wrong = [e.claim.key for e in evidence if e.status is status and not e.as_expected]
        said += [f"{word}: {', '.join(wrong)}"] if wrong else []
    noun = "claim" if len(evidence) == 1 else "claims"
    return f"{len(evidence)} {noun} on this class: {'; '.join(said)}"


def class_evidence_document(
    evidence: Iterable[ClassEvidence], header: Mapping[str, object]
) -> dict[str, object]:
    """Return the evidence as a dictionary that ``json.dumps`` accepts.

    Parameters
    ----------
    evidence
        One entry a claim.
    header
        The schema, the version, and the class.
    """
    found = tuple(evidence)
    return {
        **header,
        "as_expected": all(entry.as_expected for entry in found),
        "claims": [
            listing.claim_fields(entry.claim)
            | {
                "status": None if entry.status is None else entry.status.value,
                "instances": entry.instances,
                "active": entry.active,
                "tightest": entry.tightest,
                "slack": entry.slack,
                "counterexample": entry.counterexample,
                "not_run": entry.not_run,
                "skipped": [{"trial": name, "reason": why} for name, why in entry.skipped],
                "trials": [trial_fields(trial) for trial in entry.trials],
            }
            for entry in found
        ],
    }


def _remarks_on_class(entry: ClassEvidence) -> Iterator[str]:
    claim = entry.claim
    if entry.counterexample is not None:
        known = claim.expectation is not Expectation.HOLDS
        yield f"{'on this class' if known else 'COUNTEREXAMPLE'}: {entry.counterexample}"
    if claim.expectation.refuted:
        place = f" ({claim.place})" if claim.place else ""
        yield f"in general: {claim.expectation.value}{place}; instead: {claim.repaired_by}"
    if entry.broken is not None:
        yield f"broken: {entry.broken}"
    for name, why in entry.skipped:
        yield f"skipped: {name}: {why}"
    for trial in entry.trials:
        yield from not_compared(trial)


# A table for a paper


def evidence_to_latex(evidence: Iterable[Evidence]) -> str:
    r"""Return a ``longtable`` with a row for each claim and its typeset statement.

    It needs ``\usepackage{longtable, amsmath, amssymb}``. A comment states how many rest on answers
    of an earlier run.

    Examples
    --------
    >>> print(evidence_to_latex([]))
    \begin{longtable}{llrrrp{.4\linewidth}}
    claim & status & instances & tightest & slack & \\
    \hline
    \endhead
    \end{longtable}
    <BLANKLINE>
    """
    lines = [
        r"\begin{longtable}{llrrrp{.4\linewidth}}",
        r"claim & status & instances & tightest & slack & \\",
        r"\hline",
        r"\endhead",
    ]
    found = tuple(evidence)
    kept = from_cache(found)
    lines[:0] = [f"% {kept.removeprefix('; ')}"] if kept else []
    for entry in found:
        text = tex(entry.claim.title)
        if entry.claim.latex:
            text += f". {entry.claim.latex}"
        if entry.counterexample is not None:
            text += f" Counterexample: {tex(entry.counterexample)}"
        examined = counted(entry.active, entry.instances)
        strained = (how_tight(entry.tightest), how_much_slack(entry.slack))
        row = (entry.claim.key, entry.word, examined, *strained)
        lines.append(" & ".join([*map(tex, row), text]) + r" \\")
    return "\n".join([*lines, r"\end{longtable}", ""])


# How claims and evidence show themselves


def evidence_face(evidence: Evidence) -> Face:
    """Return the result of a run for a claim, for display."""
    return Face(lambda: evidence_to_text([evidence]), latex=lambda: evidence_to_latex([evidence]))


def run_to_text(found: Sequence[Evidence], width: int = 80, *, numbers: bool = False) -> str:
    """Return the result of a run as ``verify`` prints it: lines, meanings of words, summary."""
    words = words_met(entry.word for entry in found)
    text = evidence_to_text(found, width, numbers=numbers)
    said = "\n".join(wrapped(summary(found), width))
    return "\n\n".join([*([text.rstrip("\n"), words] if found else []), f"{said}\n"])


def run_face(run: EvidenceReport) -> Face:
    """Return the result of a run, for display."""
    return Face(lambda: run_to_text(run.found), latex=lambda: evidence_to_latex(run.found))


# What follows


def consequences_to_text(found: Consequences, *, every: bool = False) -> str:
    """Return the conclusions from a guarantee: the strongest of each kind, or all."""
    lines = [f"from {in_short(found.guarantee)}, on samples of {found.n:,} examples:"]
    for consequence in found:
        if every or consequence.rank == 1:
            lines.append(f"  {consequence}")
            lines += [indent(note, "    ") for note in consequence.notes]
    return "\n".join([*lines, "" if len(lines) > 1 else "  nothing\n"])


def consequences_face(found: Consequences) -> Face:
    """Return the conclusions from a guarantee, for display."""
    head = ("kind", "guarantee", "by")
    rows = [
        (*in_short(each.conclusion).split(": ", 1), ", then ".join(each.claims))
        for each in found
        if each.rank == 1
    ]
    return Face(
        lambda: consequences_to_text(found),
        html=lambda: html_table(rows, head),
        latex=lambda: latex_table(rows, head),
    )


def implication_face(rule: Implication[object, ..., object, object]) -> Face:
    """Return an implication for display: its two guarantees, and the statement behind it."""
    claim = get(rule.claim)
    rows = [
        ("from", rule.premise.__name__),
        ("to", rule.conclusion.__name__),
        ("statement", claim.statement),
    ]
    title = f"{claim.key}: {claim.title}"
    return Face(
        lambda: f"{title}\n{aligned(rows)}",
        html=lambda: f"<p><b>{escape(title)}</b></p>\n{html_table(rows)}",
        latex=lambda: listing.claims_to_latex([claim]),
    )
