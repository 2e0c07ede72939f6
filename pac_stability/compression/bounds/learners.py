"""Theorems 18 and 19: what a compression learner, and several in a row, are guaranteed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import as_open_unit, as_size
from pac_stability.arithmetic import Constants, ConstantsLike, Interval, as_constants, decide_less
from pac_stability.compression.bounds.form import DeviationBound
from pac_stability.compression.bounds.hoeffding import HoeffdingBound
from pac_stability.compression.bounds.printed import Lemma17
from pac_stability.compression.selections import Selection
from pac_stability.errors import InvalidInput


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
        What is known of the indices, unless printed.

    Notes
    -----
    The deviation is used for the errors of h; the best g is fixed, and its empirical errors exceed
    its loss by at most ``sqrt(ln(1/delta)/(2n))`` except with probability delta. The printed
    statement has one epsilon of order ``sqrt(k ln(n/delta)/n)`` (:meth:`order`) for both, where
    ``n >= 8 k ln(2n/delta)`` (:attr:`applies`); :class:`Lemma17` is then at most 26/5 times that.
    It is below 1 from about ``n >= 16 k ln(2n/delta)`` on only.

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

    constants: ConstantsLike = Constants.SHARP
    selection: Selection = Selection.SEQUENCE

    @property
    def formula(self) -> str:
        """Epsilon in text."""
        return f"{self.robust.formula} + sqrt(ln(1/delta) / (2n))"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "constants", as_constants(self.constants))

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
        """``2 delta``, what the excess loss may fail with."""
        return 2 * self.delta

    @property
    def applies(self) -> bool:
        """Whether ``n >= 8 k ln(2n/delta)``, the condition of the printed order."""
        return _in_regime(self.n, self.k, self.delta)

    def order(self, bits: int = 64) -> Interval:
        """Enclose ``sqrt(k ln(n/delta) / n)``, what stands inside the printed O()."""
        return _printed_order(self.n, self.k, self.delta, bits)

    def _times(self, n: int, bits: int) -> Interval:
        fixed = Interval.sqrt(Interval.log(1 / self.delta, bits) * Fraction(n, 2), bits)
        return self._robust(n)._times(n, bits) + fixed


@dataclass(frozen=True)
class Theorem19:
    """Robust generalization of compression schemes that are chosen one after another.

    Each scheme may be chosen by what the earlier ones returned. All of them together keep a
    sequence of k examples, from which every hypothesis can be rebuilt, so whoever sees all
    hypotheses is an adversary of :class:`Lemma17` for that k.

    Parameters
    ----------
    n
        Sample size, at least 1.
    sizes
        What the rounds keep, each at least 1. Only the sum matters; where sizes are chosen in the
        course of it, a bound on their sum must have been fixed.
    delta
        The probability of failure allowed.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or there is no round.

    Notes
    -----
    Source: CLNRW16 Theorem 19. The printed bound calls delta beta, and is an order of magnitude.

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
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))
        sizes = tuple(as_size(size, "sizes", least=1) for size in self.sizes)
        if not sizes:
            raise InvalidInput("sizes", "no rounds", "at least one")
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "delta", as_open_unit(self.delta, "delta"))

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
        """Enclose ``sqrt(k ln(n/delta) / n)``, what stands inside the printed O()."""
        return _printed_order(self.n, self.k, self.delta, bits)


def _in_regime(n: int, k: int, delta: Fraction) -> bool:
    """Return whether ``n >= 8 k ln(2n/delta)``, the two sides of which are never equal."""
    return decide_less(
        lambda bits: 8 * k * Interval.log(2 * n / delta, bits), lambda _: Interval.exactly(n)
    )


def _printed_order(n: int, k: int, delta: Fraction, bits: int) -> Interval:
    """Enclose ``sqrt(k ln(n/delta) / n)``."""
    return Interval.sqrt(Interval.log(n / delta, bits) * Fraction(k, n), bits)
