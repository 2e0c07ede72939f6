"""Theorems 3 and 6, and the consequences of global stability and of few outputs in BLM20."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability import arguments, dimensions
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, Interval, floor_log2
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.classes import FiniteClass
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.online import StandardOptimalAlgorithm, TreeAdversary, play
from pac_stability.online.game import require_playable
from pac_stability.papers import guarantees
from pac_stability.papers.bun_livni_moran import agnostic_accuracy, formulas, online
from pac_stability.papers.bun_livni_moran.formulas.parameters import FrequentOutputLoss
from pac_stability.papers.bun_livni_moran.formulas.sizes import PrivateFromStable


@dataclass(frozen=True, slots=True, repr=False)
class Equivalence(Tabled):
    """The quantities that Theorem 3 relates, for one class.

    Made by :func:`equivalence`. As text it is a table.

    Attributes
    ----------
    tree
        A shattered tree of depth d, the Littlestone dimension.
    thresholds
        The most thresholds in the class, as a half graph of size k.
    thresholds_from_tree
        Thresholds extracted from the tree: at least floor(log2(d + 1)).
    tree_from_thresholds
        A shattered tree built on the thresholds, of depth floor(log2 k); ``None`` for k = 0.
    vc
        The VC dimension.
    mistakes
        Mistakes of the SOA in a game against the adversary that walks down the tree.
    horizon
        T, the rounds of the agnostic game.
    regret
        Bounds on the minimax regret for T rounds.
    private
        Examples of the private learner M for realizable targets, with explicit constants.
    agnostic
        Examples of the agnostic private learner over M: sharp, with which it keeps its promise,
        over M by level
        (:class:`AgnosticPromise`); otherwise by the conditions of its source.
    """

    _kind: ClassVar[str] = "online and private learning of one class"

    tree: dimensions.MistakeTree
    thresholds: dimensions.HalfGraph
    thresholds_from_tree: dimensions.HalfGraph
    tree_from_thresholds: dimensions.MistakeTree | None
    vc: int
    mistakes: int
    horizon: int
    regret: tuple[Fraction, Interval]
    private: int
    agnostic: int

    @property
    def littlestone(self) -> int:
        """The Littlestone dimension d."""
        return self.tree.depth

    @property
    def threshold(self) -> int:
        """The threshold dimension k."""
        return len(self.thresholds.points)

    @property
    def threshold_bound(self) -> int:
        """floor(log2(d + 1)), at most k: trees contain thresholds."""
        return floor_log2(self.littlestone + 1)

    @property
    def littlestone_bound(self) -> int:
        """floor(log2 k), at most d: thresholds carry trees; 0 for k = 0."""
        return floor_log2(self.threshold) if self.threshold else 0

    def _rows(self) -> Mapping[str, object]:
        low, high = self.regret
        return {
            "Littlestone dimension d": self.littlestone,
            "  at least, from k thresholds": self.littlestone_bound,
            "threshold dimension k": self.threshold,
            "  at least, from depth d": self.threshold_bound,
            "  extracted from the tree": len(self.thresholds_from_tree.points),
            "VC dimension": self.vc,
            "online, realizable: mistakes played": self.mistakes,
            f"online, agnostic: regret in {self.horizon} rounds": (
                f"{float(low):.2f} to {float(high):.2f}"
            ),
            "private, realizable: examples": self.private,
            "private, agnostic: examples": self.agnostic,
        }


def equivalence(
    H: FiniteClass,
    *,
    horizon: int = 100,
    alpha: AnyNumber = "1/4",
    beta: AnyNumber = "1/10",
    epsilon: Epsilon | AnyNumber = 1,
    delta: AnyNumber = "1/1000000",
    constants: ConstantsLike = Constants.SHARP,
) -> Equivalence:
    """Return the costs of online and private learning of one class, with witnesses.

    Parameters
    ----------
    H
        The class, not empty, and without the point ``None``.
    horizon
        T, the rounds of the agnostic game.
    alpha, beta, epsilon, delta
        Accuracy, confidence and privacy of the private learners, all above 0; alpha, beta and delta
        below 1.
    constants
        Printed: the frequency of Lemma 12 as it stands there, which is proved for d = 1 only.
        Proved and sharp: what is proved, see :class:`PrivateLearnerSizes`.

    Returns
    -------
    Equivalence
        The table, and its trees and thresholds, which can be checked without a search.

    Raises
    ------
    InvalidInput
        An argument is not as described.

    Notes
    -----
    Theorem 3 is about classes for which these numbers may be infinite; on a finite class all are
    finite, and what can be shown is how each bounds the others. Online from private goes through
    thresholds: a private learner for k thresholds needs a number of examples that grows with log*
    k, hence for a class of dimension d one that grows with log* d (Alon, Livni, Malliaris and Moran
    2019). This is an asymptotic statement without explicit numbers. Private from online is
    algorithm M.

    The agnostic size, sharp, is that of :func:`agnostic_promise`: with probability 1 - beta the
    loss is at most alpha above the least, and the whole learner is (epsilon, delta)-private.
    Printed and proved, it is that of :meth:`AgnosticPrivateLearner.of_class`, for M with delta at
    most beta/n, as that transformation needs; it promises only an order, and its epsilon is that of
    :attr:`AgnosticPrivateLearner.guarantee`, which is at least ``2 ln(1 + sqrt(e))``, about 1.95.

    Source: BLM20 Theorem 3, Corollary 2.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> print(equivalence(thresholds(3)), end="")
    online and private learning of one class
    Littlestone dimension d                 2
      at least, from k thresholds           1
    threshold dimension k                   3
      at least, from depth d                1
      extracted from the tree               2
    VC dimension                            1
    online, realizable: mistakes played     2
    online, agnostic: regret in 100 rounds  5.61 to 20.65
    private, realizable: examples           43,611
    private, agnostic: examples             662,886
    """
    require_playable(H)
    T = arguments.as_size(horizon, "horizon")
    tree = dimensions.shattered_tree(H)
    half_graph = dimensions.threshold(H).witness or dimensions.HalfGraph((), ())
    d, vc = tree.depth, dimensions.vc_dimension(H)
    a, b = arguments.as_open_unit(alpha, "alpha"), arguments.as_open_unit(beta, "beta")
    budget, spared = as_epsilon(epsilon), arguments.as_open_unit(delta, "delta")
    private = agnostic = 0  # a class of dimension 0 has one hypothesis, which needs no examples
    if d:
        M = formulas.PrivateLearnerSizes(d, a, b, budget, spared, constants)
        private = M.sample_size
        if M.constants is Constants.SHARP:
            agnostic = agnostic_accuracy.AgnosticPromise(
                d, vc, a, b, budget, spared, len(H)
            ).sample_size
        else:
            agnostic = agnostic_accuracy.agnostic_sizes_over(M, vc)[0].sample_size
    return Equivalence(
        tree=tree,
        thresholds=half_graph,
        thresholds_from_tree=online.thresholds_in_tree(H, tree),
        tree_from_thresholds=online.tree_on_thresholds(H, half_graph)
        if half_graph.points
        else None,
        vc=vc,
        mistakes=play(H, StandardOptimalAlgorithm(H), TreeAdversary(H, tree)).mistakes,
        horizon=T,
        regret=(online.random_label_regret(d, T), online.experts_regret(d, T)),
        private=private,
        agnostic=agnostic,
    )


# Theorem 6: from the existence of a weak private learner to one with all parameters

_SMALLEST = Fraction(1, 2**32)


@dataclass(frozen=True, slots=True, repr=False)
class StrongSizeBound(Tabled):
    """C for which ``n = ceil(C ln(1/(beta delta)) / (alpha epsilon))`` examples are enough for M.

    Theorem 6 says that a class with a weak private learner has one for all parameters, of this
    size. The weak learner gives no more than that the Littlestone dimension d is finite; the strong
    one is M, and C depends on d only.

    Parameters
    ----------
    dimension
        d, at least 1.
    constants
        Printed: the frequency of Lemma 12 as it stands there, which is proved for d = 1 only.
        Proved and sharp are the same: the accounting is that of the proved M, and the sharp M is
        no larger.

    Notes
    -----
    For 0 < alpha < 1, beta and delta at most 1/2, and epsilon at most 1. (Near beta = delta = 1 the
    logarithm tends to 0, so that the statement with one C asks for learners without examples.) Let
    ``L = ln(1/(beta delta)) >= ln 4``, and let tau, B, eta be those of algorithm G.

    - The decay r of the noise is ``e**(-epsilon/2)``, rounded up a little, and ``ln(1/r) >= 1 - r
      >= 0.39 epsilon``. A noise of at most ``ln(2/delta) / ln(1/r) + 1`` is enough, since the tail
      it cuts off weighs at most r to that power. So the number of runs is at most ``8 (1/0.39 +
      1/ln 4) L / (epsilon eta) + 1``, below ``27.1 L / (epsilon eta)``.
    - A run takes ``(B + 1) n`` examples, ``n <= (2 log2(1/tau) + 1) / alpha``.
    - The final choice takes at most ``72 (1 + ln(32/eta) / ln 4) L / (alpha epsilon) + 1``.

    Source: BLM20 Theorem 6, whose constant is not worked out.

    Examples
    --------
    >>> StrongSizeBound(1).constant
    42638
    """

    dimension: int
    constants: ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        d = arguments.as_size(self.dimension, "dimension", least=1)
        object.__setattr__(self, "dimension", d)
        checked = formulas.GlobalStabilityParameters(d, Fraction(1), self.constants)
        object.__setattr__(self, "constants", checked.constants)

    @property
    def constant(self) -> int:
        """C, a constant that provably suffices."""
        return math.ceil((self.for_runs + self.for_choice).upper)

    @property
    def for_runs(self) -> Interval:
        """Enclose the part of C for the runs of algorithm G."""
        G = self._stable
        run = (2 * Interval.log2(1 / G.threshold.value) + 1) * (G.blocks + 1)
        return run * (Fraction(271, 10) / G.eta)

    @property
    def for_choice(self) -> Interval:
        """Enclose the part of C for the final choice."""
        return 72 * (1 + Interval.log(32 / self._stable.eta) / Interval.log(4)) + 1

    @property
    def _stable(self) -> formulas.GlobalStabilityParameters:
        printed = self.constants == Constants.PRINTED
        accounting = Constants.PRINTED if printed else Constants.PROVED
        return formulas.GlobalStabilityParameters(self.dimension, Fraction(1), accounting)

    def sample_size(
        self, alpha: AnyNumber, beta: AnyNumber, epsilon: Epsilon | AnyNumber, delta: AnyNumber
    ) -> int:
        """Return ``ceil(C ln(1/(beta delta)) / (alpha epsilon))``, never below the total of M.

        Parameters
        ----------
        alpha
            Above 0 and below 1.
        beta, delta
            Above 0 and at most 1/2.
        epsilon
            From 2^-32 to 1. (Below, the rounding of decays is no longer small.)
        """
        a = _within(alpha, "alpha", Fraction(1), strict=True)
        b = _within(beta, "beta", Fraction(1, 2))
        c = _within(delta, "delta", Fraction(1, 2))
        asked = epsilon if isinstance(epsilon, Epsilon) else Epsilon(epsilon)
        if not Epsilon(_SMALLEST) <= asked <= Epsilon(1):
            raise InvalidInput("epsilon", f"{float(asked):g}", "from 2**-32 to 1")
        wanted = Interval.log(1 / (b * c)) / asked.interval() * self.constant / a
        return math.ceil(wanted.upper)


def is_weak_learner(
    guarantee: PrivacyGuarantee, n0: int, alpha: AnyNumber, beta: AnyNumber, c: AnyNumber
) -> bool:
    """Return whether a private learner satisfies the premise of Theorem 6.

    Parameters
    ----------
    guarantee
        Its privacy.
    n0
        Its sample size, at least 2.
    alpha, beta
        Its loss exceeds alpha with probability below beta.
    c
        The constant of the theorem, which the paper does not give.

    Returns
    -------
    bool
        Whether epsilon is at most 0.1, alpha and beta at most 1/16 and delta at most
        ``c / (n0**2 log2 n0)``. Then the class has a finite Littlestone dimension. On a finite
        class it has one anyway.

    Raises
    ------
    InvalidInput
        n0 is below 2, or alpha or beta is not an exact number from 0 to 1.

    Examples
    --------
    >>> weak = PrivacyGuarantee(Epsilon("0.1"), Fraction(1, 10**9))
    >>> [is_weak_learner(weak, n0, "1/16", "1/16", 1) for n0 in (1000, 100_000)]
    [True, False]
    """
    most = formulas.THEOREM_6_WEAK["epsilon_0"]
    small = arguments.as_probability(alpha, "alpha") <= formulas.THEOREM_6_WEAK["alpha_0"]
    sure = arguments.as_probability(beta, "beta") <= formulas.THEOREM_6_WEAK["beta_0"]
    private = guarantee.epsilon <= Epsilon(most)
    return small and sure and private and formulas.theorem_6_weak_delta(n0, c) >= guarantee.delta


def _within(value: AnyNumber, argument: str, most: Fraction, *, strict: bool = False) -> Fraction:
    number = arguments.as_number(value, argument)
    if not 0 < number <= most or (strict and number == most):
        wanted = f"above 0 and {'below' if strict else 'at most'} {most}"
        raise InvalidInput(argument, arguments.in_words(number), wanted)
    return number


# What BLM20 concludes from global stability, and from few outputs

_GRID = 1 << 64  # rounded parameters are multiples of one over this


@dataclass(frozen=True, slots=True, repr=False)
class AccurateOutput(Tabled):
    """On every realizable distribution some output has this frequency, and at most this loss."""

    _kind: ClassVar[str] = "an accurate frequent output"

    eta: Fraction
    loss: Fraction


def few_outputs_to_frequent(count: guarantees.OutputCount) -> guarantees.FrequencyGuarantee:
    """Return the global stability of few outputs: one over their number, by averaging.

    Examples
    --------
    >>> few_outputs_to_frequent(guarantees.OutputCount(3)).eta
    Fraction(1, 3)
    """
    return guarantees.FrequencyGuarantee(Fraction(1, count.outputs))


def frequent_to_accurate(guarantee: guarantees.FrequencyGuarantee, n: int) -> AccurateOutput:
    """Return the loss of the frequent output of a learner that is consistent with its sample.

    Parameters
    ----------
    guarantee
        The global stability of a learner that is consistent on realizable samples.
    n
        The size of the samples, at least 1.

    Raises
    ------
    InvalidInput
        n is not a positive integer.

    Notes
    -----
    ``1 - eta**(1/n)``, rounded up; Proposition 5 prints ``ln(1/eta)/n``, which is more.

    Examples
    --------
    >>> found = frequent_to_accurate(guarantees.FrequencyGuarantee(Fraction(1, 4)), 8)
    >>> found.eta, round(float(found.loss), 4)
    (Fraction(1, 4), 0.1591)
    """
    bound = FrequentOutputLoss(guarantee.eta, n).sharp().upper
    return AccurateOutput(guarantee.eta, min(Fraction(1), Fraction(-(-bound * _GRID // 1), _GRID)))


def stable_to_private_learner(
    frequent: AccurateOutput, n: int, beta: Fraction, privacy: PrivacyGuarantee
) -> PrivateFromStable:
    """Return the sizes of a private learner (algorithm M) that runs a stable one.

    Parameters
    ----------
    frequent
        The guarantee of the stable learner on samples of size n.
    n
        At least 1.
    beta
        The probability of failure of the private learner, whose error is at most twice the loss of
        the frequent output.
    privacy
        The privacy of the private learner; its delta is above 0.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or twice the loss is not above 0 and below 1.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> spent = PrivacyGuarantee(Epsilon(1), Fraction(1, 10**6))
    >>> found = AccurateOutput(Fraction(1, 8), Fraction(1, 8))
    >>> stable_to_private_learner(found, 520, Fraction(1, 10), spent).sample_size
    900821
    """
    return PrivateFromStable(
        n, frequent.eta, 2 * frequent.loss, beta, privacy.epsilon, privacy.delta, "proved"
    )


RULES: tuple[guarantees.Rule, ...] = (
    guarantees.at_once(
        "BLM20:remark-averaging",
        guarantees.OutputCount,
        guarantees.FrequencyGuarantee,
        few_outputs_to_frequent,
    ),
    guarantees.Implication(
        claim="BLM20:proposition-5",
        premise=guarantees.FrequencyGuarantee,
        conclusion=AccurateOutput,
        bound=frequent_to_accurate,
        into=guarantees.itself,
        given=lambda rule, stable, n, wanted: rule(stable, n) if wanted.consistent else None,
    ),
    guarantees.Implication(
        claim="BLM20:theorem-17.explicit",
        premise=AccurateOutput,
        conclusion=PrivateFromStable,
        bound=stable_to_private_learner,
        into=guarantees.itself,
        given=lambda rule, frequent, n, wanted: (
            None if wanted.private is None else rule(frequent, n, wanted.failure, wanted.private)
        ),
    ),
)
"""In the order in which they are tried."""
