"""Guarantees of an algorithm on samples of size n, and implications between them, as values.

A guarantee is a small value with rational parameters that holds for every distribution. An
:class:`Implication` turns one into another one. Differential privacy is
:class:`~pac_stability.mechanisms.PrivacyGuarantee`; a guarantee that one paper defines is in its
package. Further promises of the hypothesis of a private learner, by notion, come at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Concatenate, Generic, ParamSpec, Protocol, TypeAlias, TypeVar

from pac_stability import arguments
from pac_stability._report import Reported, Tabled
from pac_stability.arithmetic import Epsilon
from pac_stability.audit import Notion
from pac_stability.compression.bounds import Reading, require_reading
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import ExponentialMechanism, PrivacyGuarantee
from pac_stability.notions.private_prediction import implied_stability
from pac_stability.notions.zero_concentrated import implied_rho

G = TypeVar("G")
B = TypeVar("B")
C = TypeVar("C")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True, repr=False)
class PredictionGuarantee(Tabled):
    """(epsilon, delta)-private prediction, for labels 0 and 1 (DF20, Section 2).

    Parameters
    ----------
    epsilon
        An :class:`~pac_stability.arithmetic.Epsilon`.
    delta
        An exact number from 0 to 1.

    Raises
    ------
    InvalidInput
        A parameter is out of its range or not exact.
    """

    _kind: ClassVar[str] = "private prediction"

    epsilon: Epsilon
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        arguments.require_instance(self.epsilon, Epsilon, "epsilon")
        object.__setattr__(self, "delta", arguments.as_probability(self.delta, "delta"))


@dataclass(frozen=True, slots=True, repr=False)
class StabilityGuarantee(Tabled):
    """gamma-uniform stability, for labels 0 and 1 (DF20, Section 2).

    Parameters
    ----------
    gamma
        An exact number from 0 to 1; 1 is vacuous.

    Raises
    ------
    InvalidInput
        It is out of its range or not exact.
    """

    _kind: ClassVar[str] = "uniform stability"

    gamma: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", arguments.as_probability(self.gamma, "gamma"))


@dataclass(frozen=True, slots=True, repr=False)
class FrequencyGuarantee(Tabled):
    """Global stability: on every distribution some output has frequency eta (BLM20, Definition 4).

    Parameters
    ----------
    eta
        An exact number above 0, at most 1.

    Raises
    ------
    InvalidInput
        It is out of its range or not exact.
    """

    _kind: ClassVar[str] = "global stability"

    eta: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "eta", arguments.as_open_unit(self.eta, "eta", most=True))


@dataclass(frozen=True, slots=True, repr=False)
class OutputCount(Tabled):
    """The algorithm has no more than this many outputs.

    Parameters
    ----------
    outputs
        At least 1.

    Raises
    ------
    InvalidInput
        It is not such an integer.
    """

    _kind: ClassVar[str] = "few outputs"

    outputs: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "outputs", arguments.as_size(self.outputs, "outputs", least=1))


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Free parameters of conclusions; those that are None are not used.

    Parameters
    ----------
    failure
        The probability of failure of robust generalization, or of a learner; above 0, below 1.
    beta, delta
        The share of samples that a simulator may miss, and the delta of perfect generalization; a
        quarter of ``failure`` each unless given, so that robust generalization can follow.
    reading
        Of robust generalization: ``"joint"`` or ``"split"``.
    outputs
        The number of outputs of the algorithm, if it is small.
    elements
        The number of possible elements, if the algorithm ignores their order.
    group
        The most examples that may differ.
    flip
        The probability with which predicted labels are flipped afterwards, above 0, at most 1/2.
    consistent
        The algorithm is a learner that is consistent with every realizable sample.
    private
        The privacy of a learner that runs the algorithm on samples of its own.

    Raises
    ------
    InvalidInput
        A number is out of its range or not exact.
    """

    failure: Fraction = Fraction(1, 20)
    beta: Fraction | None = None
    delta: Fraction | None = None
    reading: Reading = "joint"
    outputs: int | None = None
    elements: int | None = None
    group: int | None = None
    flip: Fraction | None = None
    consistent: bool = False
    private: PrivacyGuarantee | None = None

    def __post_init__(self) -> None:
        for name in ("failure", "beta", "delta", "flip"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, arguments.as_open_unit(getattr(self, name), name))
        for name in ("outputs", "elements", "group"):
            if getattr(self, name) is not None:
                object.__setattr__(
                    self, name, arguments.as_size(getattr(self, name), name, least=1)
                )
        if self.flip is not None and self.flip > Fraction(1, 2):
            raise InvalidInput("flip", arguments.in_words(self.flip), "at most 1/2: a fair coin")
        require_reading(self.reading)
        if not (self.private is None or isinstance(self.private, PrivacyGuarantee)):
            raise InvalidInput("private", arguments.described(self.private), "a PrivacyGuarantee")

    @property
    def share(self) -> Fraction:
        """The share of samples that a simulator may miss."""
        return self.failure / 4 if self.beta is None else self.beta

    @property
    def slack(self) -> Fraction:
        """The delta of perfect generalization."""
        return self.failure / 4 if self.delta is None else self.delta


@dataclass(frozen=True, slots=True, repr=False)
class Implication(Reported, Generic[G, P, B, C]):
    """One guarantee follows from another, of the same algorithm on samples of the same size.

    It is called with the arguments of its bound, and returns the conclusion.

    Attributes
    ----------
    claim
        The key of the used statement, for ``claims.get``; if a statement fails as printed, that of
        its repaired form.
    premise, conclusion
        The premise and the conclusion.
    bound
        The formula: a certified interval where it is irrational, the conclusion itself elsewhere.
    into
        The conclusion, from the value of the bound and the same arguments.
    given
        The conclusion from a guarantee, n and the parameters, if all that it needs is known.
    """

    _face: ClassVar[str] = "pac_stability.claims.report:implication_face"

    claim: str
    premise: type[G]
    conclusion: type[C]
    bound: Callable[P, B]
    into: Callable[Concatenate[B, P], C]
    given: Callable[[Callable[P, C], G, int, Wanted], C | None]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> C:
        """Return the conclusion."""
        return self.into(self.bound(*args, **kwargs), *args, **kwargs)

    def __repr__(self) -> str:
        kinds = f"{self.premise.__name__} gives {self.conclusion.__name__}"
        return f"<Implication: {kinds}, by {self.claim}>"

    def follow(self, guarantee: object, n: int, wanted: Wanted) -> C | None:
        """Return the conclusion from a guarantee, or None if there is none.

        Parameters
        ----------
        guarantee
            Of any kind; from another kind than the premise nothing follows.
        n
            The size of the samples.
        wanted
            What may be chosen. If a condition of the statement fails, nothing follows.
        """
        if not isinstance(guarantee, self.premise):
            return None
        try:
            return self.given(self, guarantee, n, wanted)
        except InvalidInput:
            return None


class Rule(Protocol):
    """An :class:`Implication`, whatever it is about."""

    @property
    def claim(self) -> str:
        """The key of the statement."""

    def follow(self, guarantee: object, n: int, wanted: Wanted, /) -> object | None:
        """Return the conclusion from a guarantee, or None if there is none."""


def at_once(
    claim: str, premise: type[G], conclusion: type[C], bound: Callable[[G], C]
) -> Implication[G, [G], C, C]:
    """Return an implication whose bound is the conclusion, and needs the guarantee alone."""
    return Implication(
        claim=claim,
        premise=premise,
        conclusion=conclusion,
        bound=bound,
        into=itself,
        given=lambda rule, guarantee, *_: rule(guarantee),
    )


def itself(conclusion: C, *_: object, **__: object) -> C:
    """Return a bound that is the conclusion already."""
    return conclusion


# What comes with privacy

X = TypeVar("X")
Y = TypeVar("Y")

Promised: TypeAlias = dict[Hashable, object]
"""Promises to which others can be added."""


def by_privacy(guarantee: PrivacyGuarantee) -> Promised:
    """Return the promises of every learner with a private hypothesis.

    Parameters
    ----------
    guarantee
        Of the hypothesis. Anything computed from it, such as a prediction, is as private; with
        delta = 0 it is also concentrated.
    """
    # Of every event, as of a label: the proof is the same.
    spread = implied_stability(guarantee.epsilon, guarantee.delta)
    promised: Promised = {
        Notion.DIFFERENTIAL_PRIVACY: guarantee,
        Notion.PRIVATE_PREDICTION: guarantee,
        Notion.TOTAL_VARIATION_STABILITY: spread,
    }
    if not guarantee.delta:
        promised[Notion.ZERO_CONCENTRATED_PRIVACY] = implied_rho(guarantee.epsilon).upper
    return promised


def by_choice(mechanism: ExponentialMechanism[X, Y]) -> Promised:
    """Return the stronger promises of a learner with a hypothesis from an exponential mechanism.

    Parameters
    ----------
    mechanism
        The mechanism, on samples of the given size.
    """
    return by_privacy(mechanism.guarantee) | {
        Notion.TOTAL_VARIATION_STABILITY: mechanism.stability,
        Notion.ZERO_CONCENTRATED_PRIVACY: mechanism.concentration.upper,
    }
