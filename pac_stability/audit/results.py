"""What an audit says: a value, a verdict, a witness, and how much was examined."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias

from pac_stability._report import Reported, Tabled
from pac_stability.arithmetic import Interval
from pac_stability.audit.notions.notion import (
    Instance,
    Parameter,
)
from pac_stability.data import FiniteDistribution

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
    """What may be concluded.

    Attributes
    ----------
    VERIFIED
        Everything was examined: the value is exact and meets the claim, if one was made.
    REFUTED
        The claim fails, and the witness shows it.
    BOUNDED
        The value lies between certified bounds which do not settle the claim.
    SUPPORTED
        Only statistics speak for the claim.
    SKIPPED
        Nothing was examined; never a success.
    """

    VERIFIED = "verified"
    REFUTED = "refuted"
    BOUNDED = "bounded"
    SUPPORTED = "supported"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was examined: all there is, when the verdict is ``VERIFIED``.

    Attributes
    ----------
    datasets
        Samples, or multisets when the order does not matter.
    pairs
        Ordered pairs of neighbours (sequences one replacement apart, the first up to order when the
        order does not matter: :func:`pac_stability.data.count_neighbouring_pairs`).
    points
        Points of the domain that predictions were asked for; 0 where the notion has none.
    outcomes
        Distinct outcomes over all laws.
    """

    datasets: int
    pairs: int
    points: int
    outcomes: int


@dataclass(frozen=True, slots=True, repr=False)
class PairWitness(Reported, Generic[S_co]):
    """Two neighbouring samples, and the event whose probabilities are furthest apart.

    Attributes
    ----------
    sample, neighbour
        S and S': a ``Sample``, or a tuple of records.
    point
        Where the prediction is made; ``None`` when the notion has no points.
    law, neighbour_law
        The exact laws of the output (or of the predicted label) on S and on S'.
    event
        The outcomes whose joint probability attains the value, under ``law`` against
        ``neighbour_law``.
    value
        What this pair alone shows the parameter to be at least.
    order
        The order of the Renyi divergence that shows it, where no event does.
    """

    _face: ClassVar[str] = "pac_stability.audit.reports.faces:witness_face"

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
        What attains the value, as pairs: for robust generalization an output and the test that an
        adversary makes of it (a tuple of elements) to deviate by the value or more; for perfect
        generalization an outcome and its probability under the optimal simulator; for global
        stability the most frequent output and its probability; for generalization and accuracy
        every output and the examples on which it errs (a tuple).
    value
        What the laws show the parameter to be.
    """

    laws: tuple[tuple[object, FiniteDistribution[object]], ...]
    strategy: tuple[tuple[object, object], ...]
    value: Fraction | float


Witness: TypeAlias = PairWitness | LawsWitness


@dataclass(frozen=True, slots=True)
class AllAnswers:
    """The answers on all samples, as a diagram that shares what is equal.

    Attributes
    ----------
    values
        The distinct answers: probabilities of label 1, increasing, or laws.
    rows
        The distinct answers on a sample: for each point the place of a value, or for laws one.
    levels
        For r = 1, 2, ... the nodes of depth r: for each element of the universe the place of a node
        of depth r - 1, with which a sample goes on; those of depth 0 are the rows.
    roots
        For each size of samples, increasing, the place of the node where they begin.
    """

    values: tuple[Fraction | FiniteDistribution[object], ...]
    rows: tuple[tuple[int, ...], ...]
    levels: tuple[tuple[tuple[int, ...], ...], ...]
    roots: tuple[int, ...]


LOWER_BOUND = "the value is a lower bound"
"""What the note says of a value that the parameter may exceed without any bound."""


@dataclass(frozen=True, slots=True, repr=False)
class AuditResult(Reported, Generic[W_co]):
    """The answer of an audit; its type says what witness it has.

    Attributes
    ----------
    instance
        What was examined.
    value
        The parameter of the notion, exactly, with its letter in :attr:`parameter`. Where people
        state epsilon as in ``e**epsilon``, it is the factor ``e**epsilon`` (``parameter.is_factor``
        says so): that is rational where epsilon is not, and 1 where nothing is lost. Everywhere
        else it is the number that people state: gamma, eta, alpha, delta.
    verdict
        What follows for the claim, or ``VERIFIED`` when none was made and the value is exact.
    witness
        What attains the value; ``None`` when nothing was examined.
    counts
        How much was examined.
    claim
        The claimed value, in the units of ``value``; ``None`` when no claim was made.
    note
        A remark for the reader, such as why something was skipped.
    assumptions
        What the answer rests on besides what was examined, a sentence each: what an audit cannot
        see of an algorithm, and what was declared. See :mod:`pac_stability.audit.assuming`.
    kept
        How many answers were not asked for in this run, but came from a checkpoint.
    answers
        The answers on all samples, where these and no others make a claim true, and they are not
        too many; for the certificate.
    understood
        What the algorithm was understood to be, such as "a program of (sample, point, coins)".
    subject
        What the algorithm is called.

    Examples
    --------
    >>> from pac_stability import audit
    >>> result = audit.private_prediction(lambda sample, point: 0, domain=1, n=1)
    >>> result
    <AuditResult: private-prediction, epsilon factor 1, VERIFIED>
    >>> print(str(result).splitlines()[0])
    <lambda>: private prediction of a function of (sample, point), without coins
    """

    _face: ClassVar[str] = "pac_stability.audit.reports.faces:audit_face"

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
        factor = " factor" if self.parameter.is_factor else ""
        notion = self.instance.notion.name
        return (
            f"<AuditResult: {notion}, {self.parameter.name}{factor} {shown}, {self.verdict.name}>"
        )

    @property
    def parameter(self) -> Parameter:
        """What the value is called, and how it is read."""
        return self.instance.notion.parameter

    @property
    def epsilon(self) -> float:
        """The logarithm of a factor, for display only; of the upper end of an enclosure."""
        top = self.value.upper if isinstance(self.value, Interval) else self.value
        return math.log(top) if top > 0 else -math.inf
