"""How much of a claim is used: the exact value beside it, and the event that attains the value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pac_stability._report import Tabled, tex
from pac_stability.arguments import AnyNumber, as_number, as_size
from pac_stability.arithmetic import Interval
from pac_stability.arithmetic.interval import exact, logarithm
from pac_stability.audit.notions.notion import Notion
from pac_stability.audit.reports.text import in_words
from pac_stability.audit.results import AuditResult, PairWitness, Value, Verdict
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True, repr=False)
class Tightness(Tabled):
    """One exact value beside the claim that was made for it.

    Attributes
    ----------
    notion
        What was claimed.
    n, delta
        The sample size, and the delta that was fixed.
    claim
        The claim, in the units of ``value``.
    value
        The exact parameter: for privacy notions the factor e**epsilon, or an enclosure.
    used
        How much of the claim the mechanism uses: 1 when the claim is tight, more when it fails. For
        privacy notions this compares epsilons, and is enclosed where it is irrational. Infinite
        when nothing was claimed to be lost and something is.
    slack
        Claim minus value, in the units in which people state it (epsilons, for privacy notions);
        negative when the claim fails. For global stability value minus claim.
    verdict
        That of the audit.
    witness
        The pair of laws and the event that attains the value, for notions about pairs.
    """

    notion: Notion
    n: int
    delta: Fraction
    claim: Fraction
    value: Value
    used: Value
    slack: Value
    verdict: Verdict
    witness: PairWitness | None


def compare_with_claim(result: AuditResult) -> Tightness:
    """Compare the value of an audit with its claim.

    Parameters
    ----------
    result
        An audit that was given a claim, and examined something.

    Raises
    ------
    InvalidInput
        There is no claim, or nothing was examined.

    Notes
    -----
    Logarithms are enclosed at 64 bits; a tight claim has ``used`` exactly 1 and ``slack`` exactly
    0.

    Examples
    --------
    Randomized response that flips with probability 1/4 needs the factor 3; 9 is claimed.

    >>> from pac_stability import Epsilon, audit
    >>> def response(S, x, rng):
    ...     return S.labels[0] ^ rng.bernoulli(Fraction(1, 4))
    >>> row = compare_with_claim(audit.private_prediction(response, 1, 1, claim=Epsilon.exactly(9)))
    >>> row.value, Fraction(1, 2) in row.used, row.verdict.value
    (Fraction(3, 1), True, 'verified')
    """
    claim, value, instance = result.claim, result.value, result.instance
    if claim is None:
        raise InvalidInput("result", "an audit without a claim", "one with a claim")
    if result.verdict is Verdict.SKIPPED:
        raise InvalidInput("result", "an audit that examined nothing", "one with a value")
    parameter = result.parameter
    used, slack = _fraction_used(claim, value, in_logarithms=parameter.is_factor)
    if parameter.larger_is_better:
        used, slack = _fraction_used(_finite(value), claim, in_logarithms=False)
    witness = result.witness
    return Tightness(
        instance.notion,
        instance.n,
        instance.delta,
        claim,
        value,
        used,
        slack,
        result.verdict,
        witness if isinstance(witness, PairWitness) else None,
    )


def tightness_table(
    audit: Callable[[int, Fraction], AuditResult],
    sizes: Iterable[int],
    deltas: Iterable[AnyNumber] = (0,),
) -> tuple[Tightness, ...]:
    """Compare value and claim for several sample sizes and deltas.

    Parameters
    ----------
    audit
        What to ask for a sample size and a delta; it says what is claimed there.
    sizes, deltas
        The values of n, and for each of them those of delta.

    Returns
    -------
    tuple of Tightness
        One row for each pair.

    Raises
    ------
    InvalidInput
        As for :func:`compare_with_claim`.

    Examples
    --------
    A predictor whose probability of 1 grows with the labels, from 1/4 to 1/2: one label more makes
    it larger by the factor 1 + 1/n at most, and 1 + 2/n is claimed.

    >>> from pac_stability import Epsilon, audit
    >>> def careful(S, x, rng):
    ...     return rng.bernoulli(Fraction(sum(S.labels) + len(S), 4 * len(S)))
    >>> rows = tightness_table(
    ...     lambda n, delta: audit.private_prediction(
    ...         careful, 1, n, delta, claim=Epsilon.exactly(1 + Fraction(2, n))), [2, 3])
    >>> print(tightness_to_text(rows), end="")
    n  delta  claimed            exact              used      slack     event
    2  0      ln 2 (0.693147)    ln 3/2 (0.405465)  0.584963  0.287682  {1}
    3  0      ln 5/3 (0.510826)  ln 4/3 (0.287682)  0.563171  0.223144  {1}
    """
    chosen = tuple(as_number(delta, "deltas") for delta in deltas)
    return tuple(
        compare_with_claim(audit(as_size(n, "sizes"), delta)) for n in sizes for delta in chosen
    )


_HEAD = ("n", "delta", "claimed", "exact", "used", "slack", "event")


def tightness_to_text(rows: Sequence[Tightness]) -> str:
    """Return rows as a table of plain text, its columns below each other.

    Parameters
    ----------
    rows
        What :func:`tightness_table` returns.
    """
    table = [_HEAD, *map(_cells, rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(_HEAD))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        + "\n"
        for line in table
    )


def tightness_to_latex(rows: Sequence[Tightness]) -> str:
    r"""Return rows as a ``tabular`` for an appendix, with a column for each of the text table.

    Parameters
    ----------
    rows
        What :func:`tightness_table` returns.

    Examples
    --------
    >>> print(tightness_to_latex([]), end="")
    \begin{tabular}{rllllll}
    n & delta & claimed & exact & used & slack & event \\
    \hline
    \end{tabular}
    """
    lines = [" & ".join(map(tex, cells)) + r" \\" for cells in (_HEAD, *map(_cells, rows))]
    body = "\n".join([lines[0], r"\hline", *lines[1:]])
    return f"\\begin{{tabular}}{{rllllll}}\n{body}\n\\end{{tabular}}\n"


def _fraction_used(
    claim: Fraction | Interval, value: Value, *, in_logarithms: bool
) -> tuple[Value, Value]:
    """Return the value over the claim, and the claim minus the value."""
    if isinstance(value, float):
        return math.inf, -math.inf
    if claim == value:
        return Fraction(1), Fraction(0)
    nothing = _interval(claim) == Interval.exactly(1 if in_logarithms else 0)
    if in_logarithms:
        claimed, needed = Interval.log(claim), Interval.log(value)
    elif isinstance(claim, Interval) or isinstance(value, Interval):
        claimed, needed = _interval(claim), _interval(value)
    else:
        return (math.inf if nothing else value / claim), claim - value
    return (math.inf if nothing else needed / claimed), claimed - needed


def _interval(value: Fraction | Interval) -> Interval:
    return value if isinstance(value, Interval) else Interval.exactly(value)


def _finite(value: Value) -> Fraction | Interval:
    if isinstance(value, float):
        raise InvalidInput("result", "an infinite frequency", "a number of at most 1")
    return value


def _cells(row: Tightness) -> tuple[str, ...]:
    """Return what the table shows: factors as epsilons, too, where people state those."""
    if row.notion.parameter.is_factor:
        claimed, found = _epsilon(row.claim), _epsilon(row.value)
    else:
        claimed, found = _number(row.claim), _number(row.value)
    event = "" if row.witness is None else ", ".join(map(in_words, row.witness.event[:6]))
    return (
        str(row.n),
        _number(row.delta),
        claimed,
        found,
        _number(row.used),
        _number(row.slack),
        f"{{{event}}}" if row.witness is not None else "",
    )


def _epsilon(factor: Value) -> str:
    if isinstance(factor, Interval):
        return f"ln {_number(factor)}"
    if isinstance(factor, float):
        return "infinity"
    return f"ln {exact(factor).split(' ')[0]} ({logarithm(factor):.6g})"


def _number(value: Value) -> str:
    if isinstance(value, Interval):
        return f"{float(value):.6g}"
    return exact(value)
