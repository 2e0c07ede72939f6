"""Hoeffding's inequality and a union bound over what is kept: the sharpest form for all tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability.arguments import AnyNumber, as_number, as_size
from pac_stability.arithmetic import Interval
from pac_stability.compression.bounds.form import DeviationBound, Reading, require_reading
from pac_stability.compression.selections import Selection
from pac_stability.errors import InvalidInput

_FORMULAS: Mapping[Reading, str] = {
    "joint": "((n-k)/n) sqrt((ln N + ln(2/delta)) / (2(n-k))) + k/n",
    "split": "((n-k)/n) sqrt((ln N + ln(8/delta^2)) / (2(n-k))) + k/n",
}


@dataclass(frozen=True)
class UnionBound(DeviationBound):
    """Hoeffding's inequality, where what is kept is one of N possible choices of indices.

    For every distribution D and n >= 1: draw S from D^n, let anybody who sees all of S choose one
    of N ways to keep k examples (fewer, if indices repeat), and let an adversary who sees which
    were chosen, and the kept examples, name a test h. Then ``|h(S) - h(D)| <= epsilon`` except with
    probability delta over S and all coins.

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
    the test, so ``|h(V) - h(D)| > t`` has probability at most ``2 exp(-2 (n-u) t**2)``; with t such
    that this is delta/N, ``|h(S) - h(D)| <= ((n-u)/n) t + u/n``. Where the right side is below 1 at
    u = k, it is smaller at every u < k.

    The N choices may be those of several rounds, where the kept examples of one round decide how
    many choices the next one has: follow at random one of the paths, each of N_i continuations with
    probability 1/N_i whatever the data say. That path is independent of the examples it has not
    kept, so the expectation of N times the indicator of its failure is at most delta, and this is
    the expected *number* of failing paths.

    Split reading: by Markov's inequality a joint failure of ``delta**2/4`` is enough, with the two
    halves of delta known before anything is drawn. (Where they may depend on D and on the adversary
    ``delta**2/2`` is, and ``ln(4/delta**2)`` in the formula.)

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
        object.__setattr__(self, "choices", as_size(self.choices, "choices", least=1))
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
    """Robust generalization of whatever keeps k of n examples, by the kind of selection.

    For every distribution D, every (randomised) selection of the given kind and every adversary who
    sees what was kept, ``|h(S) - h(D)| <= epsilon`` except with probability delta: the
    :class:`UnionBound` with N the number of selections.

    Parameters
    ----------
    n, k, delta
        As for every bound; here k may be 0.
    selection
        What is known of the indices: their number is N. For kinds in which the order does not
        matter the adversary sees what is kept in the order of the sample; for
        ``Selection.OBLIVIOUS``, indices chosen without looking at the examples, N is 1.
    any_length
        Whether the number kept may depend on the sample and be anything up to k. N is then the sum
        over the lengths, at most ``2 n**k`` for n >= 2.
    bits
        Bits that are told of the sample besides, by what is not a selection; each doubles N.
    reading
        As for :class:`UnionBound`.

    Notes
    -----
    Differentially private answers are no such bits: what they tell of the sample is not one of a
    few values, and their guarantee is not a union bound. They cannot be added this way.

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
        object.__setattr__(self, "bits", as_size(self.bits, "bits"))
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


def anytime_delta(delta: AnyNumber, step: int) -> Fraction:
    """Return ``delta / (step (step + 1))``, the share of the step-th statement; they sum to delta.

    Parameters
    ----------
    delta
        What all statements together may fail with.
    step
        The number of the statement, at least 1.

    Examples
    --------
    >>> [str(anytime_delta("1/20", step)) for step in (1, 2, 3)]
    ['1/40', '1/120', '1/240']
    """
    number = as_size(step, "step", least=1)
    return as_number(delta, "delta") / (number * (number + 1))


def _times_hoeffding(
    bound: DeviationBound, n: int, log_choices: Interval, reading: Reading, bits: int
) -> Interval:
    """Enclose ``sqrt((n - k) (ln N + ln(2/delta)) / 2) + k``, for k < n."""
    failure = bound.delta if reading == "joint" else bound.delta**2 / 4
    exponent = log_choices + Interval.log(2 / failure, bits)
    return Interval.sqrt(exponent * Fraction(n - bound.k, 2), bits) + bound.k
