"""The answer of an audit: a value, a verdict on a claim, and a witness; or why it ended early.

An :class:`AuditResult` claims no more than the audit examined. It states its assumptions: what no
audit can see, what was declared and only spot-checked, and what came from a file.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias, cast

from pac_stability._report import Reported, Tabled
from pac_stability.arguments import AnyNumber, as_number, as_probability, in_words
from pac_stability.arithmetic import Epsilon, EpsilonLike, Interval, decide_less
from pac_stability.audit.notions.notion import Instance, Parameter
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.errors import BudgetExhausted, InvalidInput

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # of the checker's own: it knows defaults

    S_co = TypeVar("S_co", default=object, covariant=True)
    W_co = TypeVar(
        "W_co",
        bound="PairWitness | LawsWitness",
        default="PairWitness | LawsWitness",
        covariant=True,
    )
else:
    from typing import TypeVar

    S_co, W_co = TypeVar("S_co", covariant=True), TypeVar("W_co", covariant=True)

Value = Fraction | float | Interval
"""A parameter: exact, ``math.inf`` (the only float) when there is none, or an enclosure."""


class Verdict(enum.Enum):
    """The conclusion of an audit.

    Attributes
    ----------
    VERIFIED
        The audit examined everything; the value is exact and meets the claim, if there is one.
    REFUTED
        The claim fails, and the witness proves it.
    BOUNDED
        The value lies between certified bounds which do not settle the claim.
    SUPPORTED
        Only statistics support the claim.
    SKIPPED
        The audit examined nothing; never a success.
    """

    VERIFIED = "verified"
    REFUTED = "refuted"
    BOUNDED = "bounded"
    SUPPORTED = "supported"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Counts:
    """How much the audit examined: everything, if the verdict is ``VERIFIED``.

    Attributes
    ----------
    datasets
        Samples, or multisets when the order does not matter.
    pairs
        Ordered pairs of neighbours (sequences one replacement apart, the first up to order when the
        order does not matter: :func:`pac_stability.data.count_neighbouring_pairs`).
    points
        The number of points at which predictions were examined; 0 where the notion has none.
    outcomes
        Distinct outcomes over all laws.
    """

    datasets: int
    pairs: int
    points: int
    outcomes: int


@dataclass(frozen=True, slots=True, repr=False)
class PairWitness(Reported, Generic[S_co]):
    """Two neighbouring samples, and the event with the most different probabilities.

    Attributes
    ----------
    sample, neighbour
        S and S': a ``Sample``, or a tuple of records.
    point
        The point of the prediction; ``None`` when the notion has no points.
    law, neighbour_law
        The exact laws of the output (or of the predicted label) on S and on S'.
    event
        The outcomes that together attain the value, ``law`` against ``neighbour_law``.
    value
        The lower bound on the parameter that this pair proves.
    order
        The order of the Renyi divergence that proves it, if no event does.
    """

    _face: ClassVar[str] = "pac_stability.audit.reports.html:witness_face"

    sample: S_co
    neighbour: S_co
    point: object | None
    law: FiniteDistribution[object]
    neighbour_law: FiniteDistribution[object]
    event: tuple[object, ...]
    value: Fraction | float
    order: Fraction | None = None

    @property
    def probabilities(self) -> tuple[Fraction, Fraction]:
        """The probability of the event under ``law``, and under ``neighbour_law``."""
        laws = (self.law, self.neighbour_law)
        here, there = (sum(map(law.probability, self.event), Fraction()) for law in laws)
        return here, there


@dataclass(frozen=True, slots=True, repr=False)
class LawsWitness(Tabled):
    """The laws on all samples, and the strategy that attains the value on them.

    Attributes
    ----------
    laws
        Pairs of a sample (or of a ``Multiset``, when the order does not matter) and its law.
    strategy
        The strategy that attains the value, as pairs: for robust generalization an output and the
        test that an adversary makes of it (a tuple of elements) to deviate by the value or more;
        for perfect generalization an outcome and its probability under the optimal simulator; for
        global stability the most frequent output and its probability; for generalization and
        accuracy every output and the examples on which it errs (a tuple).
    value
        The value of the parameter that the laws prove.
    """

    laws: tuple[tuple[object, FiniteDistribution[object]], ...]
    strategy: tuple[tuple[object, object], ...]
    value: Fraction | float


Witness: TypeAlias = PairWitness | LawsWitness


@dataclass(frozen=True, slots=True)
class AllAnswers:
    """The answers on all samples, as a diagram that shares equal parts.

    Attributes
    ----------
    values
        The distinct answers: probabilities of label 1, increasing, or laws.
    rows
        The distinct answers on a sample: for each point the index of a value, or one index for a
        law.
    levels
        For r = 1, 2, ... the nodes of depth r: for each element of the universe the index of a node
        of depth r - 1, where a sample continues; the nodes of depth 0 are the rows.
    roots
        For each size of samples, increasing, the index of the node where they begin.
    """

    values: tuple[Fraction | FiniteDistribution[object], ...]
    rows: tuple[tuple[int, ...], ...]
    levels: tuple[tuple[tuple[int, ...], ...], ...]
    roots: tuple[int, ...]


ON_GRID = "noise on a grid"
"""How a note begins that says on which grid noise was taken."""

LOWER_BOUND = "the value is a lower bound"
"""What the note says of a value that the parameter may exceed without any bound."""


@dataclass(frozen=True, slots=True, repr=False)
class AuditResult(Reported, Generic[W_co]):
    """The answer of an audit; its type tells which kind of witness it has.

    Attributes
    ----------
    instance
        What was examined.
    value
        The parameter of the notion, exactly, with its letter in :attr:`parameter`. For a notion
        with an epsilon it is the factor ``e**epsilon`` (``parameter.is_factor``): the factor is
        rational while epsilon is not, and it is 1 if epsilon is 0. Otherwise it is gamma, eta,
        alpha or delta itself. If the audit examined nothing (``SKIPPED``) it is the least value,
        which reports omit.
    verdict
        The conclusion about the claim; ``VERIFIED`` without a claim if the value is exact.
    witness
        The witness that attains the value; ``None`` if the audit examined nothing.
    counts
        How much was examined.
    claim
        The claimed value, in the units of ``value``; ``None`` when there is no claim.
    note
        A remark for the reader, such as why the audit skipped something.
    assumptions
        The assumptions of the answer, one sentence each: what an audit cannot see, and what the
        user declared. See :mod:`pac_stability.audit.results`.
    kept
        How many answers came from a checkpoint.
    answers
        The answers on all samples, for the certificate of a verified claim, if there are not too
        many.
    understood
        How the audit understood the algorithm, such as "a program of (sample, point, coins)".
    subject
        The name of the algorithm.

    Examples
    --------
    >>> from pac_stability import audit
    >>> result = audit.private_prediction(lambda sample, point: 0, domain=1, n=1)
    >>> result
    <AuditResult: private-prediction, epsilon factor 1, VERIFIED>
    >>> print(str(result).splitlines()[0])
    <lambda>: private prediction of a function of (sample, point), without coins
    """

    _face: ClassVar[str] = "pac_stability.audit.reports.html:audit_face"

    instance: Instance
    value: Value
    verdict: Verdict
    witness: W_co | None
    counts: Counts
    claim: Fraction | None = None
    note: str = ""
    assumptions: tuple[str, ...] = ()
    kept: int = 0
    answers: AllAnswers | None = field(default=None, repr=False)
    understood: str = field(default="", compare=False)
    subject: str = field(default="", compare=False)

    def __repr__(self) -> str:
        value = self.value
        shown = str(value) if len(str(value)) <= 20 else f"about {float(value):.6g}"
        if self.verdict is Verdict.SKIPPED:
            shown = "none"
        factor = " factor" if self.parameter.is_factor else ""
        notion = self.instance.notion.name
        return (
            f"<AuditResult: {notion}, {self.parameter.name}{factor} {shown}, {self.verdict.name}>"
        )

    @property
    def parameter(self) -> Parameter:
        """The name of the value, and how to read it."""
        return self.instance.notion.parameter

    @property
    def unseen(self) -> str:
        """The assumption that no randomness was seen, which leaves the value open; else empty."""
        return next((each for each in self.assumptions if each.startswith(UNSEEN)), "")

    @property
    def epsilon(self) -> float:
        """The logarithm of a factor, for display only; of the upper end of an enclosure."""
        top = self.value.upper if isinstance(self.value, Interval) else self.value
        return math.log(top) if top > 0 else -math.inf


# What is claimed of an algorithm, and whether a value keeps to it


@dataclass(frozen=True, slots=True)
class ClaimedBound:
    """A claimed bound on a value, or none.

    Attributes
    ----------
    bound
        The bound in the units of the value. For an epsilon that was given as a number, a rational
        number just below e**epsilon.
    epsilon
        That number. A value between the bound and e**epsilon also meets the claim.
    """

    bound: Fraction | None = None
    epsilon: Fraction | None = None

    @classmethod
    def of(cls, claim: EpsilonLike | None, parameter: Parameter) -> ClaimedBound:
        """Return the claim of a parameter, given in its usual unit."""
        if claim is None:
            return cls()
        if not parameter.is_factor:
            number = as_number(cast("AnyNumber", claim), "claim")
            if parameter.most is not None:
                return cls(as_probability(number, "claim"))
            if number < 0:
                raise InvalidInput("claim", in_words(number), "a number of at least 0")
            return cls(number)
        if isinstance(claim, Epsilon):
            return cls(claim.ratio)
        number = as_number(claim, "claim")
        try:
            return cls(Epsilon(number).ratio, number)
        except InvalidInput as error:
            raise InvalidInput("claim", error.given, error.wanted) from None

    def judged(self, value: Value, *, at_least: bool = False) -> tuple[Verdict, Fraction | None]:
        """Return the verdict of a value on the claim, and the bound that it was compared with.

        Parameters
        ----------
        value
            The value.
        at_least
            Whether the claim is a lower bound; by default it is an upper bound.
        """
        low, high = (value.lower, value.upper) if isinstance(value, Interval) else (value, value)
        if self.bound is None:
            return (Verdict.VERIFIED if low == high else Verdict.BOUNDED), None
        if at_least:
            best, worst = high >= self.bound, low >= self.bound
        else:
            best, worst = self._allows(low), self._allows(high)
        bound = self.bound
        if self.epsilon is not None:
            kept = [x for x in (low, high) if isinstance(x, Fraction) and self._allows(x)]
            bound = max([bound, *kept])
        if worst:
            return Verdict.VERIFIED, bound
        return (Verdict.BOUNDED if best else Verdict.REFUTED), bound

    def _allows(self, value: Fraction | float) -> bool:
        if self.bound is None or value <= self.bound:
            return True
        epsilon = self.epsilon
        if not epsilon or not isinstance(value, Fraction):
            return False
        # Ends: e**epsilon is irrational.
        return decide_less(
            lambda _: Interval.exactly(value), lambda bits: Interval.exp(epsilon, bits)
        )


# How an audit ends early: the subject failed, or a budget did. What was found is kept

_LONGEST = 300

ENDED = (
    "a process of the executor ended before its work was done: it was killed, ran out of memory, "
    "or the algorithm ended it or cannot be imported there"
)
"""Why an audit stops that lost a process."""


class SubjectFailure(InvalidInput):
    """The algorithm under audit did not give a valid answer.

    It raised an exception, which is the cause of this one; or its answer is not a law; or it gave
    two different answers on one sample.

    Attributes
    ----------
    sample
        The sample on which it failed.
    partial : AuditResult or None
        The result on the samples examined so far; its value is a lower bound.
    """

    def __init__(
        self,
        argument: str,
        given: str,
        wanted: str,
        sample: object,
        partial: AuditResult | None = None,
    ) -> None:
        super().__init__(argument, given, wanted)
        self.sample = sample
        self.partial = partial

    def __reduce__(self) -> tuple[type[SubjectFailure], tuple[object, ...]]:  # type: ignore[override]  # two arguments more
        return type(self), (self.argument, self.given, self.wanted, self.sample, self.partial)


class AuditStopped(BudgetExhausted):
    """A budget ended an audit before it had examined everything.

    Attributes
    ----------
    partial : AuditResult or None
        The result on everything examined so far; its value is a lower bound. ``None`` if the audit
        had not begun.
    """

    def __init__(self, message: str, partial: AuditResult | None = None) -> None:
        super().__init__(message)
        self.partial = partial


class AuditInterrupted(KeyboardInterrupt):
    """An interrupt ended an audit.

    Attributes
    ----------
    partial : AuditResult
        The result on everything examined so far; its value is a lower bound.
    """

    def __init__(self, partial: AuditResult, where: str = "") -> None:
        super().__init__(where)
        self.partial = partial

    def __reduce__(self) -> tuple[type[AuditInterrupted], tuple[AuditResult, str]]:
        return type(self), (self.partial, str(self))


def shown(sample: object) -> str:
    """Return a sample for an error message: whole unless it is long."""
    if isinstance(sample, Sample):
        examples = zip(sample.points, sample.labels, strict=True)
        text = f"[{', '.join(f'({point!r}, {label})' for point, label in examples)}]"
    else:
        text = repr(sample)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


# What an exact answer assumes, in sentences: what no audit can see, and what it was only told

PROGRAM = (
    "The program draws only through its coins: the audit saw no other draw, "
    "but compiled code may draw unseen."
)
"""Of an algorithm whose law was enumerated."""

LAW = (
    "The algorithm behaves as the law that it states: the audit read that law and did not run "
    "the algorithm."
)
"""Of an algorithm that gives its law, or its probabilities, itself."""

UNSEEN = "Nothing random was seen"
"""How the sentence begins of an algorithm of which it is unknown whether it draws at all."""

_SAY_SO = (
    "If it draws by itself, ask it as a black box (--black-box); if it draws nothing, say so "
    "(--deterministic)."
)
NOT_ASKED = f"{UNSEEN}: the program takes coins and asked for none on any sample. {_SAY_SO}"
"""Of a program whose coins were never asked."""


def compiled(packages: Iterable[str]) -> str:
    """Return the assumption for a program without coins that loads compiled code."""
    names = ", ".join(packages)
    return f"{UNSEEN}, but the compiled code that it loads may draw unseen: {names}. {_SAY_SO}"


MEMORY = (
    "Its answers depend neither on earlier questions nor on the iteration order of sets of strings."
)
"""Of every algorithm."""

DECLARED = (
    "The order of a sample does not matter: the algorithm declares so, and the audit only "
    "spot-checked it."
)
"""Of an audit up to order that rests on a declaration."""


def from_a_file(kept: int, total: int, unread: Iterable[str]) -> Iterator[str]:
    """Return the assumption of an audit that resumed from a checkpoint.

    Parameters
    ----------
    kept, total
        The number of answers from the file, and of all answers.
    unread
        The parts of the algorithm that could not be read.

    Examples
    --------
    >>> len(list(from_a_file(3, 8, ["draw, which is compiled and has no file"])))
    2
    """
    if kept:
        yield (
            f"{kept:,} of the {total:,} answers came from a checkpoint, "
            "which says that the same code gave them."
        )
        names = "; ".join(unread)
        if names:
            yield f"What could not be read has not changed since: {names}."
