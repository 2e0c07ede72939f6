"""What the papers imply, given a guarantee: conclusions, ranked, each with its claims."""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cache, singledispatch
from typing import ClassVar, overload

from pac_stability._report import Reported
from pac_stability.arguments import as_size, described
from pac_stability.arithmetic import Epsilon
from pac_stability.claims.book import books
from pac_stability.claims.search import every
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers import guarantees


@cache
def rules() -> tuple[guarantees.Rule, ...]:
    """Return the implications of all books; their modules define how to print their guarantees."""
    # The order decides which kind of conclusion is listed first.
    named = sorted((b.key, f"{b.package}.{b.rules}") for b in books().values() if b.rules)
    return tuple(r for _, name in reversed(named) for r in importlib.import_module(name).RULES)


@dataclass(frozen=True, slots=True)
class Consequence:
    """Something that follows from a guarantee of an algorithm on samples of one size.

    Attributes
    ----------
    conclusion
        A guarantee, for every distribution.
    claims
        The keys of the used statements, one after the other.
    rank
        1 for the strongest conclusion of its kind, and so on.
    beaten
        Whether another conclusion of its kind is at least as strong in every parameter.
    notes
        A remark on these statements: which of them replaces one that fails as printed.
    """

    conclusion: object
    claims: tuple[str, ...]
    rank: int
    beaten: bool
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{in_short(self.conclusion)} by {', then '.join(self.claims)}"


@dataclass(frozen=True, slots=True, repr=False)
class Consequences(Sequence[Consequence], Reported):
    """All conclusions from a guarantee, as a sequence; its text is that of ``follows``.

    Attributes
    ----------
    guarantee
        What is known.
    n
        On samples of this size.
    found
        The conclusions, kind by kind, strongest first.
    """

    _face: ClassVar[str] = "pac_stability.claims.report:consequences_face"

    guarantee: object
    n: int
    found: tuple[Consequence, ...]

    @overload
    def __getitem__(self, place: int) -> Consequence: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Consequence, ...]: ...
    def __getitem__(self, place: int | slice) -> Consequence | tuple[Consequence, ...]:
        return self.found[place]

    def __len__(self) -> int:
        return len(self.found)

    def __repr__(self) -> str:
        return f"<Consequences: {len(self)} of {in_short(self.guarantee)}>"


def what_follows(
    guarantee: object, n: int, wanted: guarantees.Wanted | None = None
) -> Consequences:
    """Return everything that the papers imply, given a guarantee, strongest first.

    Parameters
    ----------
    guarantee
        The known guarantee of an algorithm: a ``PrivacyGuarantee``, ``PredictionGuarantee``,
        ``StabilityGuarantee``, ``PerfectGuarantee``, ``FrequencyGuarantee`` or ``OutputCount``.
    n
        The size of its samples, at least 1.
    wanted
        Free parameters, and further facts about the algorithm.

    Returns
    -------
    Consequences
        A sequence, kind by kind. It omits vacuous conclusions (a delta of 1, a deviation of 1), and
        those that need unknown facts.

    Raises
    ------
    InvalidInput
        It is not a guarantee of one of the papers, or n is not a positive integer.

    Notes
    -----
    It also draws conclusions from conclusions. This is sound, because every used statement is about
    the same algorithm, on samples of the same size, for all distributions at once. If a conclusion
    is about another algorithm (with flipped labels, on a resampled sample, or with many runs of the
    first), its kind says so, and it is not used further.

    Conclusions of one kind with several parameters need not be comparable. Those that no other one
    beats come first, sorted by their parameters. It takes a second if claims were not loaded
    before.

    Examples
    --------
    >>> from pac_stability import Epsilon
    >>> for found in what_follows(PrivacyGuarantee(Epsilon("1/10")), 10_000):
    ...     if found.rank == 1:
    ...         print(in_short(found.conclusion))
    private prediction: epsilon = 0, delta = 0.04996
    robust generalization: deviation 0.03771, failure 0.05 (joint)
    perfect generalization: beta = 0.0125, epsilon = 34.25, delta = 0.0125
    uniform stability: gamma = 0.04996
    """
    size = as_size(n, "n", least=1)
    chosen = guarantees.Wanted() if wanted is None else wanted
    if not isinstance(chosen, guarantees.Wanted):
        raise InvalidInput("wanted", described(wanted), "a Wanted")
    known = rules()
    reading(guarantee)  # refuses what is no guarantee
    found: dict[object, tuple[str, ...]] = {guarantee: ()}
    if chosen.outputs is not None:
        found[guarantees.OutputCount(chosen.outputs)] = ()
    waiting = deque(found)
    while waiting:
        premise = waiting.popleft()
        for rule in known:
            conclusion = rule.follow(premise, size, chosen)
            if conclusion is None or conclusion in found or reading(conclusion).says_nothing:
                continue
            found[conclusion] = (*found[premise], rule.claim)
            waiting.append(conclusion)
    drawn = {conclusion: claims for conclusion, claims in found.items() if claims}
    return Consequences(guarantee, size, tuple(_ranked(drawn)))


def in_short(guarantee: object) -> str:
    """Return a guarantee in one line, its numbers rounded to the safe side.

    Examples
    --------
    >>> in_short(guarantees.StabilityGuarantee(Fraction(1, 3)))
    'uniform stability: gamma = 0.3334'
    """
    rules()
    said = reading(guarantee)
    return f"{said.kind}: {said.words}"


def _ranked(found: dict[object, tuple[str, ...]]) -> list[Consequence]:
    kinds: dict[str, list[object]] = {}
    for conclusion in found:
        kinds.setdefault(reading(conclusion).kind, []).append(conclusion)
    notes = _replaced()
    ranked = []
    for alike in kinds.values():
        numbers = {c: reading(c).numbers for c in alike}
        beaten = {
            c: any(
                all(a <= b for a, b in zip(numbers[other], numbers[c], strict=True))
                for other in alike
                if other != c
            )
            for c in alike
        }
        in_order = sorted(alike, key=lambda c: (beaten[c], numbers[c]))
        ranked += [
            Consequence(
                c,
                found[c],
                rank,
                beaten[c],
                tuple(note for claim in found[c] for note in notes.get(claim, ())),
            )
            for rank, c in enumerate(in_order, 1)
        ]
    return ranked


def _replaced() -> dict[str, list[str]]:
    """Return, by the keys of the statements that replace others, what is wrong with those."""
    notes: dict[str, list[str]] = {}
    for claim in every():
        if claim.repaired_by is not None and claim.expectation.refuted:
            said = f"{claim.key} {claim.expectation.value}; {claim.repaired_by} is used"
            notes.setdefault(claim.repaired_by, []).append(said)
    return notes


@dataclass(frozen=True, slots=True)
class Reading:
    """How a guarantee reads.

    Attributes
    ----------
    kind
        What it is called.
    words
        Its parameters, rounded to the safe side.
    numbers
        The parameters that make it stronger when smaller, the most important first.
    says_nothing
        Whether it holds for every algorithm.
    """

    kind: str
    words: str
    numbers: tuple[Fraction, ...]
    says_nothing: bool = False


UP = Context(prec=4, rounding=ROUND_CEILING)
DOWN = Context(prec=4, rounding=ROUND_FLOOR)


def rounded(value: Fraction, context: Context = UP) -> str:
    """Return a number with four digits, rounded by a context."""
    return format(context.divide(Decimal(value.numerator), Decimal(value.denominator)), "g")


def of_closeness(kind: str, epsilon: Epsilon, delta: Fraction) -> Reading:
    """Return the words for a guarantee of two numbers, epsilon and delta."""
    return Reading(kind, closeness(epsilon, delta), (epsilon.ratio, delta), delta == 1)


def closeness(epsilon: Epsilon, delta: Fraction) -> str:
    """Return epsilon and delta in words."""
    return f"epsilon = {rounded(epsilon.interval().upper)}, delta = {rounded(delta)}"


@singledispatch
def reading(guarantee: object) -> Reading:
    """Return the words for a guarantee; a book registers those of its paper."""
    raise InvalidInput("guarantee", described(guarantee), "a guarantee that the papers speak of")


@reading.register
def _(g: PrivacyGuarantee) -> Reading:
    return of_closeness("differential privacy", g.epsilon, g.delta)


@reading.register
def _(g: guarantees.PredictionGuarantee) -> Reading:
    return of_closeness("private prediction", g.epsilon, g.delta)


@reading.register
def _(g: guarantees.StabilityGuarantee) -> Reading:
    return Reading("uniform stability", f"gamma = {rounded(g.gamma)}", (g.gamma,), g.gamma == 1)


@reading.register
def _(g: guarantees.OutputCount) -> Reading:
    return Reading("few outputs", f"{g.outputs}", (Fraction(g.outputs),))


@reading.register
def _(g: guarantees.FrequencyGuarantee) -> Reading:
    return Reading("global stability", f"eta = {rounded(g.eta, DOWN)}", (1 - g.eta,))
