"""Guarantees for everything that keeps k of n examples: formulas with certified values.

All have one form: a value, and the least n for an epsilon. Hoeffding's inequality with a union
bound over the choices is the sharpest; Lemmas 16 and 17 are given as printed, with the conditions
under which they hold; Theorems 18 and 19 are about one compression learner, and several in a row.
Subsampling chooses examples independently of their values and needs no union bound (Remark 27).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from functools import cmp_to_key
from typing import ClassVar, Literal, TypeAlias, get_args

from pac_stability import arguments, arithmetic
from pac_stability._report import Reported
from pac_stability.arithmetic import Constants, Interval
from pac_stability.compression.scheme import Selection, subsample
from pac_stability.data import Example, Sample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.draws import as_function

Reading: TypeAlias = Literal["joint", "split"]
"""Definition 5: one probability over sample, mechanism and adversary, or the sample judged first.

In the *joint* reading, |h(S) - h(D)| > epsilon has probability at most delta. In the *split*
reading, delta = zeta + gamma, and given the sample it has probability at most gamma, except for
samples of probability zeta. The split reading is the stricter one.
"""


@dataclass(frozen=True)
class DeviationBound(Reported, ABC):
    """An epsilon, as a function of the sample size n, of the k examples kept, and of delta.

    Parameters
    ----------
    n
        Sample size, at least 1.
    k
        The number of kept examples, at least 1 (:attr:`least_k`).
    delta
        The probability of failure allowed, above 0 and below 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.
    """

    n: int
    k: int
    delta: Fraction

    _face: ClassVar[str] = "pac_stability.compression.session:bound_face"

    least_k: ClassVar[int] = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", arguments.as_size(self.n, "n", least=1))
        object.__setattr__(self, "k", arguments.as_size(self.k, "k", least=self.least_k))
        object.__setattr__(self, "delta", arguments.as_open_unit(self.delta, "delta"))

    @property
    @abstractmethod
    def formula(self) -> str:
        """Epsilon in text, with ln for the natural logarithm."""

    @abstractmethod
    def _times(self, n: int, bits: int) -> Interval:
        """Enclose n times the bound for n examples, which does not decrease as n grows."""

    def value(self, bits: int = 64) -> Interval:
        """Enclose epsilon.

        Parameters
        ----------
        bits
            Working precision.
        """
        return self._times(self.n, bits) / self.n

    @property
    def is_vacuous(self) -> bool:
        """Whether epsilon is 1 or more, so that the bound is vacuous."""
        return not arithmetic.decide_less(self.value, lambda _: Interval.exactly(1))

    def least_n(self, epsilon: arguments.AnyNumber) -> int:
        """Return the least sample size at which epsilon is small enough, all else equal.

        Parameters
        ----------
        epsilon
            The deviation allowed, above 0.

        Raises
        ------
        InvalidInput
            ``epsilon`` is not above 0.
        Undecided
            At some n the bound and epsilon cannot be distinguished.

        Notes
        -----
        The bound times n does not decrease in n, so ``n >= n bound(n) / epsilon`` has a least
        solution, and iteration from below arrives at it (Knaster and Tarski), in a number of steps
        of the order of its logarithm. Certified intervals decide each step.
        """
        allowed = arguments.as_positive(epsilon, "epsilon")
        n = self._first_n

        def needed_at(n: int) -> int:
            return arithmetic.certified_ceiling(lambda bits: self._times(n, bits) / allowed)

        while (needed := needed_at(n)) > n:
            n = needed
        return n

    @property
    def _first_n(self) -> int:
        """Where the search for the least n begins: the least for which the bound is defined."""
        return 1

    @property
    def chosen(self) -> Mapping[str, str]:
        """The parameters that differ from their defaults."""
        return {
            field.name: _text(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }


def require_reading(reading: object) -> None:
    """Refuse a value that is not a reading of the definition."""
    if reading not in get_args(Reading):
        raise InvalidInput("reading", repr(reading), "'joint' or 'split'")


def _text(value: object) -> str:
    if isinstance(value, Fraction | int):
        return arguments.in_words(value)
    return str(value.value if isinstance(value, Enum) else value)


# Hoeffding's inequality and a union bound over what is kept

_FORMULAS: Mapping[Reading, str] = {
    "joint": "((n-k)/n) sqrt((ln N + ln(2/delta)) / (2(n-k))) + k/n",
    "split": "((n-k)/n) sqrt((ln N + ln(8/delta^2)) / (2(n-k))) + k/n",
}


@dataclass(frozen=True)
class UnionBound(DeviationBound):
    """Hoeffding's inequality for one of N possible choices of indices.

    For every distribution D and n >= 1: draw S from D^n. Choose one of N ways to keep k examples
    (fewer, if indices repeat) with full knowledge of S. Let an adversary who sees the choice and
    the kept examples name a test h. Then ``|h(S) - h(D)| <= epsilon`` except with probability delta
    over S and all coins.

    Parameters
    ----------
    n, k, delta
        As for every bound; here k may be 0.
    choices
        N, at least 1.
    reading
        ``"joint"``: delta is the probability over the sample and all coins together. ``"split"``:
        with probability ``1 - delta/2`` over the sample, the conditional probability of a failure
        is at most ``delta/2``. This is Definition 5 read literally.

    Notes
    -----
    For indices fixed in advance, u of them distinct, the other n - u examples V are independent of
    the test, so ``|h(V) - h(D)| > t`` has probability at most ``2 exp(-2 (n-u) t**2)``; choosing t
    such that this is delta/N, ``|h(S) - h(D)| <= ((n-u)/n) t + u/n``. If the right side is below 1
    at u = k, it is smaller at every u < k.

    The N choices may be those of several rounds, where the kept examples of one round determine the
    number of choices in the next. Follow one of the paths at random: each of N_i continuations has
    probability 1/N_i, independently of the data. That path is independent of the examples that it
    has not kept. So the expectation of N times the indicator of its failure is at most delta, and
    this expectation is the expected *number* of failing paths.

    Split reading: by Markov's inequality a joint failure of ``delta**2/4`` is enough, with the two
    halves of delta fixed before any draw. (If they may depend on D and on the adversary,
    ``delta**2/2`` is enough, with ``ln(4/delta**2)`` in the formula.)

    Source: Littlestone and Warmuth (1986) for the argument, Hoeffding (1963) for the inequality;
    it replaces the relative form of CLNRW16, Lemma 16.

    Examples
    --------
    >>> bound = UnionBound(100, 2, Fraction(1, 20), choices=100**2)
    >>> round(float(bound.value()), 4)
    0.2714
    """

    choices: int = 1
    reading: Reading = "joint"

    least_k: ClassVar[int] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "choices", arguments.as_size(self.choices, "choices", least=1))
        require_reading(self.reading)

    @property
    def formula(self) -> str:
        """Epsilon in text."""
        return _FORMULAS[self.reading]

    def _times(self, n: int, bits: int) -> Interval:
        if self.k >= n:
            return Interval.exactly(self.k)
        return _times_hoeffding(self, n, Interval.log(self.choices, bits), self.reading, bits)


@dataclass(frozen=True)
class HoeffdingBound(DeviationBound):
    """Robust generalization of everything that keeps k of n examples, by the kind of selection.

    For every distribution D, every (randomised) selection of the given kind and every adversary who
    sees the kept examples, ``|h(S) - h(D)| <= epsilon`` except with probability delta: the
    :class:`UnionBound` with N the number of selections.

    Parameters
    ----------
    n, k, delta
        As for every bound; here k may be 0.
    selection
        The kind of selection, which determines the number N of choices. For kinds in which the
        order does not matter, the adversary sees the kept examples in the order of the sample. For
        ``Selection.OBLIVIOUS``, indices chosen independently of the examples, N is 1.
    any_length
        Whether the number of kept examples may depend on the sample, up to k. N is then the sum
        over the lengths, at most ``2 n**k`` for n >= 2.
    bits
        Further bits of information about the sample, beyond the selection; each doubles N.
    reading
        As for :class:`UnionBound`.

    Notes
    -----
    Differentially private answers do not count as such bits and cannot be added this way: they are
    not one of a few values, and their guarantee is not a union bound.

    Examples
    --------
    >>> [HoeffdingBound(1, k, Fraction(1, 20)).least_n("1/2") for k in (1, 2, 5, 10)]
    [16, 27, 64, 135]
    >>> print(HoeffdingBound(1000, 5, Fraction(1, 20)))
    ((n-k)/n) sqrt((ln N + ln(2/delta)) / (2(n-k))) + k/n = 0.1429 at n = 1000, k = 5, delta = 1/20
    >>> round(float(HoeffdingBound(1000, 5, Fraction(1, 20), Selection.OBLIVIOUS).value()), 4)
    0.0478
    """

    selection: Selection = Selection.SEQUENCE
    any_length: bool = False
    bits: int = 0
    reading: Reading = "joint"

    least_k: ClassVar[int] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.selection, Selection):
            raise InvalidInput("selection", repr(self.selection), "a Selection")
        object.__setattr__(self, "bits", arguments.as_size(self.bits, "bits"))
        require_reading(self.reading)

    @property
    def formula(self) -> str:
        """Epsilon in text."""
        return _FORMULAS[self.reading]

    @property
    def choices(self) -> int:
        """N, the number of selections, times 2 for every bit; 0 when no selection is possible."""
        return self._selections(self.n) << self.bits

    def _selections(self, n: int) -> int:
        if not self.any_length:
            return self.selection.count(n, self.k)
        return sum(self.selection.counts(n, self.k))

    def _times(self, n: int, bits: int) -> Interval:
        if self.k >= n:
            return Interval.exactly(self.k)
        if self.selection is Selection.SEQUENCE and not self.any_length:
            log_choices = self.k * Interval.log(n, bits)  # the power itself would be long
        else:
            log_choices = Interval.log(self._selections(n), bits)
        log_choices += self.bits * Interval.log(2, bits)
        return _times_hoeffding(self, n, log_choices, self.reading, bits)


@dataclass(frozen=True)
class AnytimeBound(DeviationBound):
    """The Hoeffding bound for all k = 1, 2, 3, ... at once: no budget is fixed in advance.

    With probability at least 1 - delta, over the sample and all coins, the tests named after 1, 2,
    3, ... kept examples deviate by at most the bound of their own k, all of them.

    Parameters
    ----------
    n, k, delta
        As for every bound.
    selection
        As for :class:`HoeffdingBound`.

    Notes
    -----
    The bound for k has ``delta_k = delta / (k (k+1))``, and these sum to delta
    (:func:`anytime_delta`).

    Examples
    --------
    >>> [round(float(AnytimeBound(1000, k, Fraction(1, 20)).value()), 4) for k in (1, 2, 5, 10)]
    [0.0761, 0.1001, 0.1489, 0.2058]
    """

    selection: Selection = Selection.SEQUENCE

    @property
    def formula(self) -> str:
        """Epsilon in text."""
        return "((n-k)/n) sqrt((ln N + ln(2k(k+1)/delta)) / (2(n-k))) + k/n"

    def _times(self, n: int, bits: int) -> Interval:
        delta = anytime_delta(self.delta, self.k)
        return HoeffdingBound(n, self.k, delta, self.selection)._times(n, bits)


def anytime_delta(delta: arguments.AnyNumber, step: int) -> Fraction:
    """Return ``delta / (step (step + 1))``, the share of the step-th statement; all sum to delta.

    Parameters
    ----------
    delta
        The probability of failure of all statements together.
    step
        The number of the statement, at least 1.

    Examples
    --------
    >>> [str(anytime_delta("1/20", step)) for step in (1, 2, 3)]
    ['1/40', '1/120', '1/240']
    """
    number = arguments.as_size(step, "step", least=1)
    return arguments.as_number(delta, "delta") / (number * (number + 1))


def _times_hoeffding(
    bound: DeviationBound, n: int, log_choices: Interval, reading: Reading, bits: int
) -> Interval:
    """Enclose ``sqrt((n - k) (ln N + ln(2/delta)) / 2) + k``, for k < n."""
    failure = bound.delta if reading == "joint" else bound.delta**2 / 4
    exponent = log_choices + Interval.log(2 / failure, bits)
    return Interval.sqrt(exponent * Fraction(n - bound.k, 2), bits) + bound.k


# Lemmas 16 and 17

Test: TypeAlias = Callable[[Example[Hashable]], int]
"""A test h of a labelled example, 0 or 1."""


@dataclass(frozen=True)
class Lemma16(DeviationBound):
    """The distance of h(D) from h(V), the mean of the test over the examples that were *not* kept.

    For every distribution D, every (randomised) selection of k of n indices, repetitions allowed,
    and every adversary who sees the kept examples and names a test h: with V the examples at the
    other indices, ``|h(V) - h(D)| <= epsilon`` except with probability delta.

    Parameters
    ----------
    n
        Sample size, at least ``2 k``.
    k
        The number of indices kept, at least 1.
    delta
        The probability of failure allowed.
    mean
        h(V), the mean over |V| examples: :func:`unselected_mean`.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or ``n < 2 k``.

    Notes
    -----
    V is defined by index. If it were the set of examples that differ from all kept ones, it would
    be empty for a distribution concentrated on one example, and the test 1 would have ``h(V) = 0``
    and ``h(D) = 1``. From n = 63 on, this violates the bound for k = 1 and delta = 1/20. The mean
    is over |V|, which is more than ``n - k`` when indices repeat.

    A test that rarely succeeds on V (the errors of a hypothesis that fits) has a bound of rate 1/n:
    see :func:`~pac_stability.compression.bounds.ranked_bounds`.

    Source: CLNRW16 Lemma 16, after Shalev-Shwartz and Ben-David, *Understanding machine learning*
    (2014), Theorem 30.2, which is one-sided with ``ln(n/delta)``.

    Examples
    --------
    >>> [round(float(Lemma16(1000, 1, Fraction(1, 20), mean).value()), 4) for mean in (0, "1/2")]
    [0.0848, 0.2304]
    >>> Lemma16(3, 2, Fraction(1, 20), 0)
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: n: got 3, want at least 2k = 4
    """

    mean: Fraction

    @property
    def formula(self) -> str:
        """Epsilon in text."""
        return "sqrt(h(V) 4k ln(2n/delta) / n) + 8k ln(2n/delta) / n"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "mean", arguments.as_probability(self.mean, "mean"))
        if self.n < 2 * self.k:
            raise InvalidInput("n", str(self.n), f"at least 2k = {2 * self.k}")

    @property
    def _first_n(self) -> int:
        return 2 * self.k

    def _times(self, n: int, bits: int) -> Interval:
        exponent = self.k * Interval.log(2 * n / self.delta, bits)
        return Interval.sqrt(exponent * (4 * n * self.mean), bits) + 8 * exponent

    def on_sample(self, bits: int = 64) -> Interval:
        """Enclose ``((n-k)/n) epsilon + k/n``, which bounds ``|h(S) - h(D)|``."""
        return self.value(bits) * Fraction(self.n - self.k, self.n) + Fraction(self.k, self.n)


@dataclass(frozen=True)
class Lemma17(DeviationBound):
    """Every selection of a sequence of k examples is (epsilon, delta)-robustly generalizing.

    For every distribution D, every selection of a sequence of k of n examples and every adversary
    who sees it: ``|h(S) - h(D)| <= epsilon`` except with probability delta, in the joint reading
    and, for n >= 2, in the split one.

    Parameters
    ----------
    n, k, delta
        As for every bound. (For k = 0 the formula is 0, although fixed tests deviate.)
    wording
        The expression under the root. Printed, which is the default for a bound with this name:
        ln(n/delta), as in the statement. Proved: ln(2n/delta), as in its printed proof. Sharp:
        ln(n/delta), which is also true: for k <= n the bound is at least
        :class:`~pac_stability.compression.bounds.HoeffdingBound`, and for k > n at least 1.

    Notes
    -----
    Source: CLNRW16 Lemma 17; with k the sum of the sizes of the rounds it is the bound of
    Theorem 19.

    Examples
    --------
    >>> [Lemma17(1, k, Fraction(1, 20)).least_n(1) for k in (1, 2, 5, 10)]
    [136, 296, 820, 1763]
    >>> print(Lemma17(1000, 5, Fraction(1, 20)))
    sqrt(4k ln(n/delta) / n) + 8k ln(2n/delta) / n + k/n = 0.8739 at n = 1000, k = 5, delta = 1/20
    """

    wording: arithmetic.ConstantsLike = Constants.PRINTED

    @property
    def formula(self) -> str:
        """Epsilon in text."""
        root = "ln(n/delta)" if self.wording != Constants.PROVED else "ln(2n/delta)"
        return f"sqrt(4k {root} / n) + 8k ln(2n/delta) / n + k/n"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "wording", arithmetic.as_constants(self.wording, "wording"))

    def _times(self, n: int, bits: int) -> Interval:
        proof = Interval.log(2 * n / self.delta, bits)
        root = proof if self.wording == Constants.PROVED else Interval.log(n / self.delta, bits)
        return Interval.sqrt(root * (4 * self.k * n), bits) + 8 * self.k * proof + self.k


def unselected(sample: Sample[Hashable], indices: Iterable[int]) -> Sample[Hashable]:
    """Return V, the examples at the indices that were not kept.

    Parameters
    ----------
    sample
        The n examples.
    indices
        The kept indices, in any order, repetitions allowed.

    Raises
    ------
    InvalidInput
        An index is out of range.

    Examples
    --------
    >>> unselected(Sample("aab", [0, 0, 1]), (0, 0))
    Sample(points=('a', 'b'), labels=(0, 1))
    """
    kept = tuple(indices)
    subsample(sample, kept)
    return subsample(sample, tuple(sorted(set(range(len(sample))) - set(kept))))


def unselected_mean(sample: Sample[Hashable], indices: Iterable[int], test: Test) -> Fraction:
    """Return h(V), the mean of a test over the examples that were not kept; see :class:`Lemma16`.

    Parameters
    ----------
    sample, indices
        As for :func:`unselected`.
    test
        h, from examples to 0 and 1.

    Raises
    ------
    InvalidInput
        An index is out of range, every example was kept, or the test returns neither 0 nor 1.

    Examples
    --------
    >>> unselected_mean(Sample("aab", [0, 0, 1]), (0, 0), lambda z: z.label)
    Fraction(1, 2)
    """
    as_function(test, "test")
    rest = unselected(sample, indices)
    if not len(rest):
        raise InvalidInput("indices", "every index of the sample", "at least one index left out")
    values = [test(example) for example in rest]
    if any(value not in (0, 1) for value in values):
        # Not which: it may hold what was seen.
        raise InvalidInput("test", "another value", "0 or 1")
    return Fraction(sum(map(int, values)), len(values))


# Theorems 18 and 19


@dataclass(frozen=True)
class Theorem18(DeviationBound):
    """The excess loss of a compression learner, and its robust generalization.

    For every distribution D of labelled examples and every compression scheme of size k at n for a
    class: with probability at least ``1 - 2 delta`` (:attr:`failure`) over S ~ D^n, the hypothesis
    h has ``err(h) <= err(g) + epsilon`` for every g of the class; and with probability at least
    ``1 - delta`` no test that an adversary names when it sees h deviates by more than
    :attr:`robust`.

    Parameters
    ----------
    n, k, delta
        As for every bound.
    constants
        Printed: the deviation of :class:`Lemma17`. Proved and sharp: of :class:`HoeffdingBound`.
    selection
        The kind of selection, unless printed.

    Notes
    -----
    The deviation applies to the errors of h. The best g is fixed, so its empirical errors exceed
    its loss by at most ``sqrt(ln(1/delta)/(2n))`` except with probability delta. The printed
    statement has one epsilon of order ``sqrt(k ln(n/delta)/n)`` (:meth:`order`) for both, where ``n
    >= 8 k ln(2n/delta)`` (:attr:`applies`); :class:`Lemma17` is then at most 26/5 times that. It is
    below 1 only from about ``n >= 16 k ln(2n/delta)`` on.

    Source: CLNRW16 Theorem 18; Theorem 24 is k = 1.

    Examples
    --------
    >>> for constants in ("sharp", "printed"):
    ...     learner = Theorem18(1000, 1, Fraction(1, 20), constants)
    ...     print(round(float(learner.value()), 4), round(float(learner.robust.value()), 4))
    0.1125 0.0738
    0.3235 0.2848
    >>> learner.applies
    True
    """

    constants: arithmetic.ConstantsLike = Constants.SHARP
    selection: Selection = Selection.SEQUENCE

    @property
    def formula(self) -> str:
        """Epsilon in text."""
        return f"{self.robust.formula} + sqrt(ln(1/delta) / (2n))"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "constants", arithmetic.as_constants(self.constants))

    @property
    def robust(self) -> DeviationBound:
        """The bound on the deviation of a test."""
        return self._robust(self.n)

    def _robust(self, n: int) -> DeviationBound:
        if self.constants == Constants.PRINTED:
            return Lemma17(n, self.k, self.delta)
        return HoeffdingBound(n, self.k, self.delta, self.selection)

    @property
    def failure(self) -> Fraction:
        """``2 delta``, the probability with which the excess loss may fail."""
        return 2 * self.delta

    @property
    def applies(self) -> bool:
        """Whether ``n >= 8 k ln(2n/delta)``, the condition of the printed order."""
        return _in_regime(self.n, self.k, self.delta)

    def order(self, bits: int = 64) -> Interval:
        """Enclose ``sqrt(k ln(n/delta) / n)``, the expression inside the printed O()."""
        return _printed_order(self.n, self.k, self.delta, bits)

    def _times(self, n: int, bits: int) -> Interval:
        fixed = Interval.sqrt(Interval.log(1 / self.delta, bits) * Fraction(n, 2), bits)
        return self._robust(n)._times(n, bits) + fixed


@dataclass(frozen=True)
class Theorem19:
    """Robust generalization of compression schemes that are chosen one after another.

    The choice of each scheme may depend on the results of the earlier ones. Together they keep a
    sequence of k examples that rebuilds every hypothesis, so an adversary who sees all hypotheses
    is one of :class:`Lemma17` for that k.

    Parameters
    ----------
    n
        Sample size, at least 1.
    sizes
        The numbers of examples that the rounds keep, each at least 1. Only the sum matters; if
        sizes are chosen adaptively, a bound on their sum must be fixed in advance.
    delta
        The probability of failure allowed.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or there is no round.

    Notes
    -----
    Source: CLNRW16 Theorem 19. The printed bound writes beta for delta and is an order of
    magnitude.

    Examples
    --------
    >>> rounds = Theorem19(6, (1, 1), Fraction(1, 20))
    >>> rounds.k, round(float(rounds.printed.value()), 2), round(float(rounds.sharp.value()), 3)
    (2, 17.47, 0.969)
    >>> rounds.applies
    False
    """

    n: int
    sizes: tuple[int, ...]
    delta: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", arguments.as_size(self.n, "n", least=1))
        sizes = tuple(arguments.as_size(size, "sizes", least=1) for size in self.sizes)
        if not sizes:
            raise InvalidInput("sizes", "no rounds", "at least one")
        arguments.fix(self, sizes=sizes, delta=arguments.as_open_unit(self.delta, "delta"))

    @property
    def k(self) -> int:
        """What all rounds keep."""
        return sum(self.sizes)

    @property
    def applies(self) -> bool:
        """Whether ``n >= 8 k ln(2n/delta)``, the condition of the printed order."""
        return _in_regime(self.n, self.k, self.delta)

    @property
    def printed(self) -> Lemma17:
        """The bound of the proof."""
        return Lemma17(self.n, self.k, self.delta)

    @property
    def sharp(self) -> HoeffdingBound:
        """The same with Hoeffding's inequality."""
        return HoeffdingBound(self.n, self.k, self.delta)

    def order(self, bits: int = 64) -> Interval:
        """Enclose ``sqrt(k ln(n/delta) / n)``, the expression inside the printed O()."""
        return _printed_order(self.n, self.k, self.delta, bits)


def _in_regime(n: int, k: int, delta: Fraction) -> bool:
    """Return whether ``n >= 8 k ln(2n/delta)``, the two sides of which are never equal."""
    return arithmetic.decide_less(
        lambda bits: 8 * k * Interval.log(2 * n / delta, bits), lambda _: Interval.exactly(n)
    )


def _printed_order(n: int, k: int, delta: Fraction, bits: int) -> Interval:
    """Enclose ``sqrt(k ln(n/delta) / n)``."""
    return Interval.sqrt(Interval.log(n / delta, bits) * Fraction(k, n), bits)


# Remark 27


def balanced_subsample(n: int, vc_dimension: int) -> int:
    """Return the size k of a subsample that balances accuracy and robustness.

    Parameters
    ----------
    n
        Sample size, at least 1.
    vc_dimension
        d, the VC dimension, from 1 to n.

    Returns
    -------
    int
        The least k with ``k**3 >= d n**2``, at most n.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The best hypothesis on k examples loses an accuracy of order ``e = sqrt(d/k)`` (CLNRW16, Remark
    15). Indices that are independent of the examples leave the other examples fresh, so the
    :class:`~pac_stability.compression.bounds.HoeffdingBound` with ``Selection.OBLIVIOUS`` grows
    only by ``k/n``. Both are ``(d/n)**(1/3)`` at this k. If all n^k selections are counted, the
    balance is at :func:`remark_27`, of order ``(d/n)**(1/4)`` up to a logarithm.

    Examples
    --------
    >>> from pac_stability.compression import Selection
    >>> from pac_stability.compression.bounds import HoeffdingBound
    >>> for n in (10**4, 10**6):
    ...     k = balanced_subsample(n, 5)
    ...     robust = HoeffdingBound(n, k, "1/20", Selection.OBLIVIOUS)
    ...     print(k, round(float(robust.value()), 4), round(float(remark_27(n, 5, "1/20")), 4))
    794 0.0924 0.2795
    17100 0.0184 0.0958
    """
    size = arguments.as_size(n, "n", least=1)
    d = arguments.as_size(vc_dimension, "vc_dimension", least=1)
    if d > size:
        raise InvalidInput("vc_dimension", str(d), f"at most n = {size}")
    return arithmetic.least_integer(lambda k: k**3 >= d * size**2, 1, size)


def remark_27(n: int, vc_dimension: int, delta: arguments.AnyNumber, bits: int = 64) -> Interval:
    """Enclose ``(d ln(n/delta) / n)**(1/4)``, the printed order for subsampling.

    Parameters
    ----------
    n
        Sample size, at least 1.
    vc_dimension
        d, the VC dimension, at least 1.
    delta
        The probability of failure allowed, above 0 and below 1.
    bits
        Working precision.

    Notes
    -----
    Source: CLNRW16 Remark 27. It stands inside an O().
    """
    size = arguments.as_size(n, "n", least=1)
    d = arguments.as_size(vc_dimension, "vc_dimension", least=1)
    inside = Interval.log(size / arguments.as_open_unit(delta, "delta"), bits) * d / size
    return Interval.sqrt(Interval.sqrt(inside, bits), bits)


# Which bound is the best one at given parameters


@dataclass(frozen=True)
class RankedBound:
    """A bound on ``|h(S) - h(D)|`` and its source.

    Attributes
    ----------
    bound
        The formula.
    enclosure
        From a working precision to the bound on ``|h(S) - h(D)|``.
    """

    bound: DeviationBound
    enclosure: Callable[[int], Interval]

    def __str__(self) -> str:
        return f"{type(self.bound).__name__} {float(self.enclosure(64)):.4g}"


def ranked_bounds(
    n: int,
    k: int,
    delta: arguments.AnyNumber,
    *,
    selection: Selection = Selection.SEQUENCE,
    reading: Reading = "joint",
    mean: arguments.AnyNumber | None = None,
) -> tuple[RankedBound, ...]:
    """Return the bounds for a selection of k of n examples, the smallest one first.

    Parameters
    ----------
    n
        Sample size, at least 2.
    k
        The number of kept examples, at least 1.
    delta
        The probability of failure allowed, above 0 and below 1.
    selection
        The kind of selection.
    reading
        As for :class:`UnionBound`. :class:`Lemma17` holds in both.
    mean
        h(V), if it is known: :class:`Lemma16` is then one of the bounds, by its ``on_sample``. It
        is proved in the joint reading.

    Returns
    -------
    tuple of RankedBound
        Sorted by value; certified intervals decide the comparisons.

    Raises
    ------
    InvalidInput
        A parameter is out of range; or a mean is given with ``n < 2 k`` or with another reading.
    Undecided
        Two of them cannot be distinguished.

    Examples
    --------
    Over all tests Hoeffding's inequality is the best of them. For a test that never succeeds
    outside the kept examples, such as the errors of a hypothesis that fits, the relative form has
    the better rate and is smaller for large n.

    >>> for n in (1000, 100000):
    ...     print(*ranked_bounds(n, 5, "1/20", mean=0), sep="; ")
    HoeffdingBound 0.1429; Lemma16 0.4267; Lemma17 0.8739
    Lemma16 0.00613; HoeffdingBound 0.01755; Lemma17 0.06
    """
    size, failure = arguments.as_size(n, "n", least=2), arguments.as_number(delta, "delta")
    by_name: list[DeviationBound] = [
        Lemma17(size, k, failure),
        HoeffdingBound(size, k, failure, selection, reading=reading),
    ]
    bounds = [RankedBound(bound, bound.value) for bound in by_name]
    if mean is not None:
        if reading != "joint":
            raise InvalidInput("mean", f"a mean for the {reading} reading", "the joint reading")
        relative = Lemma16(size, k, failure, arguments.as_number(mean, "mean"))
        bounds.append(RankedBound(relative, relative.on_sample))
    return tuple(sorted(bounds, key=cmp_to_key(_compare)))


def _compare(left: RankedBound, right: RankedBound) -> int:
    return -1 if arithmetic.decide_less(left.enclosure, right.enclosure) else 1
