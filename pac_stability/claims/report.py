"""Claims and the evidence of a run, for readers and for programs.

For the terminal, as documents in JSON, and in LaTeX; what a claim says of itself, what was found on
a class of one's own, and what follows from a guarantee.
"""

from __future__ import annotations

import math
import textwrap
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from textwrap import indent

from pac_stability._report import Face, aligned, html_table, latex_table, tex
from pac_stability.claims.claim import Claim, Expectation
from pac_stability.claims.consequences import Consequences, in_short
from pac_stability.claims.evidence import Evidence, EvidenceReport, Status, TrialEvidence, room_of
from pac_stability.claims.running import ClassEvidence
from pac_stability.claims.search import every, get
from pac_stability.claims.trials import Trial
from pac_stability.papers.guarantees import Implication


def evidence_to_text(evidence: Iterable[Evidence], width: int = 100) -> str:
    """Return a table with a line for each claim, and below it what a reader must know.

    Parameters
    ----------
    evidence
        One entry a claim.
    width
        Columns of the terminal.
    """
    found = tuple(evidence)
    keys = max((len(entry.claim.key) for entry in found), default=0)
    rows = (row(entry, f"{entry.word:<12}", _remarks(entry), keys, width) for entry in found)
    return "\n".join(line for lines in rows for line in lines) + "\n"


def row(
    entry: Evidence | ClassEvidence, word: str, remarks: Iterable[str], keys: int, width: int
) -> list[str]:
    """Return the line of a claim, and what is said below it.

    Parameters
    ----------
    entry
        What was found.
    word
        The status, as wide as its column.
    remarks
        What a reader must know.
    keys, width
        Columns of the key, and of the terminal.
    """
    mark = " " if entry.as_expected else "!"
    line = (
        f"{mark} {entry.claim.key:<{keys}}  {entry.claim.whose.value:<7}  {word}  "
        f"{counted(entry.active, entry.instances):>14}  {how_tight(entry.tightest):>6}  "
        f"{how_much_room(entry.room):>5}  {entry.claim.title}"
    )
    indented = (
        textwrap.wrap(text, width, initial_indent="    ", subsequent_indent="    ")
        for text in remarks
    )
    return [fitted(line, width), *(part for parts in indented for part in parts)]


def summary(evidence: Sequence[Evidence]) -> str:
    """Return in one line how many claims have which status, and whether all is as expected.

    What fails as it is known to fail is counted by what it is: printed, a misprint, a step of a
    proof, a reading.

    Examples
    --------
    >>> from pac_stability import claims
    >>> summary([claims.check(claims.get("DF20:appendix-a.transitivity"))])
    '1 claim: 1 survived; all as expected'
    """
    count = Counter(entry.word for entry in evidence)
    settled = [f"{count[status.value]} {status.value}" for status in Status if count[status.value]]
    known = [f"{count[word]} {where}" for word, where in _KNOWN.items() if count[word]]
    parts = [", ".join(settled)] if settled else []
    if known:
        parts.append(f"refuted as known: {', '.join(known)}")
    wrong = [entry.claim.key for entry in evidence if not entry.as_expected]
    verdict = f"NOT as expected: {', '.join(wrong)}" if wrong else "all as expected"
    noun = "claim" if len(evidence) == 1 else "claims"
    said = "; ".join([*(parts or ["none"]), verdict])
    return f"{len(evidence)} {noun}: {said}{from_cache(evidence)}"


_KNOWN = {
    Expectation.FAILS.word_for("refuted"): "as printed",
    Expectation.MISPRINT.word_for("refuted"): "by a misprint",
    Expectation.RANGE.word_for("refuted"): "outside the range",
    Expectation.STEP.word_for("refuted"): "in a proof",
    Expectation.READING.word_for("refuted"): "in a reading",
}


def from_cache(evidence: Sequence[Evidence]) -> str:
    """Say how many claims rest on answers of an earlier run, and how old these are."""
    kept = [entry for entry in evidence if entry.kept]
    if not kept:
        return ""
    whole = sum(entry.kept == entry.parts for entry in kept)
    partly = f", {len(kept) - whole} in part" if whole < len(kept) else ""
    age = age_in_words(time.time() - min(entry.oldest for entry in kept))
    return f"; {whole} of {len(evidence)} from the cache{partly} (the oldest answer: {age})"


def age_in_words(seconds: float) -> str:
    """Return how long ago something was.

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
    """Return how many instances there were, and how many of them could have refuted a claim.

    Examples
    --------
    >>> counted(834, 834), counted(95, 1330)
    ('834', '95 of 1,330')
    """
    return f"{instances:,}" if active == instances else f"{active:,} of {instances:,}"


def how_tight(tightest: float | None) -> str:
    """Return a tension in three decimals, rounded down; 1 is said of what is 1 only.

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


def how_much_room(room: float | None) -> str:
    """Return what is allowed over what is needed in three digits; 1 is said of what is 1 only.

    Examples
    --------
    >>> how_much_room(1), how_much_room(1.0001), how_much_room(1.5), how_much_room(12_345)
    ('1', '>1', '1.5', '12300')
    >>> how_much_room(1e9), how_much_room(None)
    ('1e+09', '-')
    """
    if room is None:
        return "-"
    if room >= 99_950:
        return f"{room:.0e}"
    return ">1" if 1 < room < 1.005 else f"{float(f'{room:.3g}'):g}"


def fitted(line: str, width: int) -> str:
    """Return a line that is at most so wide, with dots for what is cut off."""
    return line.rstrip() if len(line) <= width else f"{line[: width - 3].rstrip()}..."


def not_compared(trial: TrialEvidence) -> Iterable[str]:
    """Say of a trial, if it is so, that it does not compare what it says."""
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
    if entry.claim.repaired_by is not None:
        yield f"repaired: {entry.claim.repaired_by}"
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

VERIFY_SCHEMA = "pac-stability/verify/3"


def evidence_document(evidence: Iterable[Evidence], version: str) -> dict[str, object]:
    """Return the evidence as a dictionary that ``json.dumps`` accepts.

    Parameters
    ----------
    evidence
        One entry a claim.
    version
        Of the library.

    Returns
    -------
    dict
        It has no times, so equal runs give equal documents; ``from_cache`` is how many claims rest
        on the answers of an earlier run, at least in part.
    """
    found = tuple(evidence)
    return {
        "schema": VERIFY_SCHEMA,
        "version": version,
        "budget": found[0].budget.value if found else None,
        "as_expected": all(entry.as_expected for entry in found),
        "from_cache": sum(entry.kept > 0 for entry in found),
        "claims": [_claim(entry) for entry in found],
    }


def claim_fields(claim: Claim) -> dict[str, object]:
    """Return what a claim says of itself, for a document; its trials are left out."""
    return _words(claim) | _relations(claim)


def trial_fields(trial: TrialEvidence) -> dict[str, object]:
    """Return what a trial found, for a document."""
    return {"name": trial.name, "universe": trial.universe} | _found(trial)


def _claim(entry: Evidence) -> dict[str, object]:
    return {
        **_words(entry.claim),
        "status": entry.status.value,
        "as_expected": entry.as_expected,
        "instances": entry.instances,
        "active": entry.active,
        "tightest": entry.tightest,
        "room": entry.room,
        "counterexample": entry.counterexample,
        "misled": str(entry.misled),
        **_relations(entry.claim),
        "trials": [
            {
                "name": trial.name,
                "universe": trial.universe,
                "exhaustive": trial.exhaustive,
                **_found(trial),
            }
            for trial in entry.trials
        ],
    }


def _words(claim: Claim) -> dict[str, object]:
    return {
        "key": claim.key,
        "kind": claim.kind.value,
        "title": claim.title,
        "statement": claim.statement,
        "whose": claim.whose.value,
        "place": claim.place or None,
        "method": claim.method.value,
        "expectation": claim.expectation.value,
    }


def _relations(claim: Claim) -> dict[str, object]:
    return {
        "repaired_by": claim.repaired_by,
        "explicit": claim.explicit,
        "uses": list(claim.uses),
        "code": list(claim.code),
        "rocq": list(claim.rocq),
        "note": claim.note,
    }


def _found(trial: TrialEvidence) -> dict[str, object]:
    tally = trial.tally
    return {
        "status": trial.status.value,
        "instances": tally.instances,
        "active": tally.active,
        "tightest": tally.tightest,
        "room": room_of(tally.tightest),
        "insensitive": None if tally.insensitive is None else tally.insensitive[1],
        "refuting": None if tally.refuting is None else tally.refuting[1],
        "open": None if tally.open is None else tally.open[1],
    }


# Claims as they are, whatever a run finds

CLAIMS_SCHEMA = "pac-stability/claims/1"


def claims_to_text(claims: Iterable[Claim], width: int = 100) -> str:
    """Return a line for each claim: its key, whose sentence it is, what is known, its title."""
    chosen = tuple(claims)
    keys = max((len(claim.key) for claim in chosen), default=0)
    rows = (
        f"{claim.key:<{keys}}  {claim.whose.value:<7}  {_known(claim):<12}  {claim.title}"
        for claim in chosen
    )
    return "".join(f"{fitted(row, width)}\n" for row in rows)


def claim_to_text(claim: Claim, width: int = 100) -> str:
    """Return everything about a claim.

    Examples
    --------
    >>> from pac_stability import claims
    >>> print(claim_to_text(claims.get("DF20:appendix-a.mixtures")).splitlines()[1])
    whose       proof: COLT 2020, Appendix A
    """
    lines = [f"{claim.key}: {claim.title}"]
    for label, text in _fields(claim):
        first, indent = f"{label:<12}", 12 * " "
        lines += textwrap.wrap(
            text, width, initial_indent=first, subsequent_indent=indent, break_long_words=False
        )
    return "\n".join([*lines, ""])


def claims_to_latex(claims: Iterable[Claim]) -> str:
    r"""Return a paragraph in LaTeX for each claim, with its key and place.

    Examples
    --------
    >>> from pac_stability import claims
    >>> print(claims_to_latex([claims.get("DF20:appendix-d.equality")]).splitlines()[0])
    % DF20:appendix-d.equality (ours)
    """
    return "\n".join(
        f"% {claim.key} ({claim.place or claim.whose.value})\n"
        f"\\paragraph{{{tex(claim.title)}.}} {claim.latex}\n"
        for claim in claims
    )


def claims_document(claims: Iterable[Claim], version: str) -> dict[str, object]:
    """Return claims as a dictionary that ``json.dumps`` accepts."""
    return {
        "schema": CLAIMS_SCHEMA,
        "version": version,
        "claims": [
            claim_fields(claim)
            | {
                "used_by": list(_used_by(claim)),
                "trials": [
                    {
                        "name": trial.name,
                        "universe": trial.universe,
                        "exhaustive": trial.exhaustive,
                        "on_class": None if trial.of_class is None else trial.of_class.universe,
                    }
                    for trial in claim.trials
                ],
            }
            for claim in claims
        ],
    }


def _known(claim: Claim) -> str:
    if claim.expectation is Expectation.RECORDED:
        return str(claim.method.value)
    return claim.expectation.word_for("refuted" if claim.expectation.refuted else "holds")


def _fields(claim: Claim) -> Iterator[tuple[str, str]]:
    yield "whose", f"{claim.whose.value}: {claim.place}" if claim.place else claim.whose.value
    yield "statement", claim.statement
    yield "known", f"{claim.expectation.value} ({claim.method.value})"
    if claim.repaired_by is not None:
        yield "instead", claim.repaired_by
    if claim.explicit is not None:
        yield "explicit", claim.explicit
    for trial in claim.trials:
        yield "asked of", _instances(trial)
        if trial.of_class is not None:
            yield "on a class", f"{trial.name}: {trial.of_class.universe}"
    for label, names in (
        ("in Rocq", claim.rocq),
        ("code", claim.code),
        ("uses", claim.uses),
        ("used by", tuple(_used_by(claim))),
    ):
        if names:
            yield label, ", ".join(names)
    if claim.note:
        yield "note", claim.note
    if claim.erratum is not None:
        yield "literally", claim.erratum.literally
        yield "true is", claim.erratum.instead
        yield "changes", claim.erratum.changes
    for slip in claim.corrections:
        yield "a slip", f"{slip.where}: printed {slip.printed}; meant {slip.meant}"


def _instances(trial: Trial) -> str:
    return f"{trial.name}: {'all of ' if trial.exhaustive else ''}{trial.universe}"


def _used_by(claim: Claim) -> Iterator[str]:
    return (other.key for other in every() if claim.key in other.uses)


# A class of one's own


def class_evidence_to_text(evidence: Iterable[ClassEvidence], width: int = 100) -> str:
    """Return a line for each claim that was not run, with the reason, and a table of the others.

    Parameters
    ----------
    evidence
        One entry a claim.
    width
        Columns of the terminal.
    """
    found = tuple(evidence)
    keys = max((len(entry.claim.key) for entry in found), default=0)
    lines = [
        fitted(f"- {entry.claim.key:<{keys}}  not run: {entry.not_run}", width)
        for entry in found
        if entry.not_run is not None
    ]
    lines += [""] if lines else []
    for entry in found:
        if entry.status is None:
            continue
        lines += row(entry, f"{entry.status.value:<9}", _remarks_on_class(entry), keys, width)
    return "\n".join([*lines, ""])


def class_summary(evidence: Sequence[ClassEvidence]) -> str:
    """Return in one line what was found, and how much was not run and why.

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
        The schema, the version, and which class it is about.
    """
    found = tuple(evidence)
    return {
        **header,
        "as_expected": all(entry.as_expected for entry in found),
        "claims": [
            claim_fields(entry.claim)
            | {
                "status": None if entry.status is None else entry.status.value,
                "instances": entry.instances,
                "active": entry.active,
                "tightest": entry.tightest,
                "room": entry.room,
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
        yield f"in general: {claim.expectation.value}{place}; repaired: {claim.repaired_by}"
    for name, why in entry.skipped:
        yield f"skipped: {name}: {why}"
    for trial in entry.trials:
        yield from not_compared(trial)


# A table for a paper


def evidence_to_latex(evidence: Iterable[Evidence]) -> str:
    r"""Return a ``longtable`` with a row for each claim, its statement set.

    It needs ``\usepackage{longtable, amsmath, amssymb}``. A comment says how many rest on answers
    of an earlier run.

    Examples
    --------
    >>> print(evidence_to_latex([]))
    \begin{longtable}{llrrrp{.4\linewidth}}
    claim & status & instances & tightest & room & \\
    \hline
    \endhead
    \end{longtable}
    <BLANKLINE>
    """
    lines = [
        r"\begin{longtable}{llrrrp{.4\linewidth}}",
        r"claim & status & instances & tightest & room & \\",
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
        strained = (how_tight(entry.tightest), how_much_room(entry.room))
        row = (entry.claim.key, entry.word, examined, *strained)
        lines.append(" & ".join([*map(tex, row), text]) + r" \\")
    return "\n".join([*lines, r"\end{longtable}", ""])


# How claims and evidence show themselves


def claim_face(claim: Claim) -> Face:
    """Return everything about a claim."""
    return Face(
        lambda: claim_to_text(claim),
        html=lambda: (
            f"<p><b>{escape(claim.key)}: {escape(claim.title)}</b></p>\n"
            f"<pre>{escape(claim_to_text(claim).partition(chr(10))[2])}</pre>"
        ),
        latex=lambda: claims_to_latex([claim]),
    )


def evidence_face(evidence: Evidence) -> Face:
    """Return what a run found about a claim."""
    return Face(lambda: evidence_to_text([evidence]), latex=lambda: evidence_to_latex([evidence]))


def run_to_text(found: Sequence[Evidence], width: int = 100) -> str:
    """Return what a run found, as ``verify`` prints it: a table, and its sum."""
    return f"{evidence_to_text(found, width)}\n{summary(found)}\n"


def run_face(run: EvidenceReport) -> Face:
    """Return what a run found."""
    return Face(lambda: run_to_text(run.found), latex=lambda: evidence_to_latex(run.found))


# What follows


def consequences_to_text(found: Consequences, *, every: bool = False) -> str:
    """Return what follows from a guarantee: of each kind the strongest, or all."""
    lines = [f"from {in_short(found.guarantee)}, on samples of {found.n:,} examples:"]
    for consequence in found:
        if every or consequence.rank == 1:
            lines.append(f"  {consequence}")
            lines += [indent(note, "    ") for note in consequence.notes]
    return "\n".join([*lines, "" if len(lines) > 1 else "  nothing\n"])


def consequences_face(found: Consequences) -> Face:
    """Return what follows from a guarantee."""
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
    """Return which guarantee an implication turns into which, and the statement behind it."""
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
        latex=lambda: claims_to_latex([claim]),
    )
