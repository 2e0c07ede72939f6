"""The evidence of a run for the terminal."""

from __future__ import annotations

import math
import textwrap
import time
from collections import Counter
from collections.abc import Iterable, Sequence

from pac_stability.claims.claim import Expectation
from pac_stability.claims.evidence import Evidence, TrialEvidence
from pac_stability.claims.own_class import ClassEvidence
from pac_stability.claims.tallies import Status


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
