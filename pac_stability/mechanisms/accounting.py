"""Privacy guarantees, under composition and subsampling.

First (epsilon, delta) in exact rationals; then fast certified upper bounds on the least delta, or
epsilon, of many uses.

The last part runs a mechanism on a random subsample.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, combinations, permutations, product
from typing import ClassVar, Generic, Literal, TypeAlias, TypeVar, cast

from flint import fmpz_poly

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_probability, as_size, described
from pac_stability.arithmetic import Epsilon, EpsilonLike, Interval, least_integer
from pac_stability.arithmetic.epsilon import as_epsilon, require_epsilon
from pac_stability.data import FiniteDistribution, Mechanism, Neighbouring, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.data.neighbouring import as_neighbouring
from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True, repr=False)
class PrivacyGuarantee(Tabled):
    """The pair (epsilon, delta): for neighbours, ``P(E) <= e**epsilon Q(E) + delta`` for all E.

    Post-processing preserves a guarantee.

    Parameters
    ----------
    epsilon
        An :class:`~pac_stability.arithmetic.Epsilon`.
    delta
        An exact number from 0 to 1.
    neighbours
        Which samples are compared: a member of :class:`~pac_stability.data.Neighbouring`, or its
        name.

    Raises
    ------
    InvalidInput
        A parameter is out of its range or, for delta, not exact.

    Examples
    --------
    >>> PrivacyGuarantee(Epsilon.exactly(2), Fraction(1, 100)).factor
    Fraction(2, 1)
    """

    _kind: ClassVar[str] = "differential privacy"

    epsilon: Epsilon
    delta: Fraction = Fraction(0)
    neighbours: Neighbouring = Neighbouring.REPLACE_ONE

    def __post_init__(self) -> None:
        require_epsilon(self.epsilon)
        object.__setattr__(self, "delta", as_probability(self.delta, "delta"))
        object.__setattr__(self, "neighbours", as_neighbouring(self.neighbours))

    def under(self, neighbours: Neighbouring) -> PrivacyGuarantee:
        """Return the guarantee that this one implies under another relation.

        Parameters
        ----------
        neighbours
            The relation that is wanted.

        Returns
        -------
        PrivacyGuarantee
            The same guarantee, or, from rows added or removed to a row replaced (one removed and
            one added), twice the epsilon and ``(1 + e**epsilon) delta``.

        Raises
        ------
        InvalidInput
            The guarantee is for rows replaced, so it implies nothing for samples of other sizes.

        Examples
        --------
        >>> one = PrivacyGuarantee(Epsilon.exactly(3), "1/100", Neighbouring.ADD_REMOVE)
        >>> one.under(Neighbouring.REPLACE_ONE)
        <PrivacyGuarantee: epsilon 2.19722 (a factor of 9), delta 1/25 (0.04)>
        """
        if neighbours is self.neighbours:
            return self
        if neighbours is Neighbouring.ADD_REMOVE:
            given = "a guarantee for one row replaced, which says nothing of other sizes"
            raise InvalidInput("neighbours", given, "one for rows added or removed")
        factor = self.factor
        delta = min((1 + factor) * self.delta, Fraction(1))
        return PrivacyGuarantee(Epsilon.exactly(factor**2), delta, neighbours)

    def _rows(self) -> Mapping[str, object]:
        rows = {"epsilon": self.epsilon, "delta": self.delta}
        one = self.neighbours is Neighbouring.REPLACE_ONE
        return rows if one else {**rows, "neighbours": self.neighbours.value}

    @property
    def factor(self) -> Fraction:
        """The factor ``e**epsilon``."""
        return self.epsilon.ratio


def basic_composition(guarantees: Iterable[PrivacyGuarantee]) -> PrivacyGuarantee:
    """Return the guarantee of mechanisms used one after the other, adaptively or not.

    Parameters
    ----------
    guarantees
        One for each use; ``[g] * k`` for k uses of the same mechanism. If some are for one row
        replaced and some for rows added or removed, the result is for a row replaced: see
        :meth:`PrivacyGuarantee.under`.

    Returns
    -------
    PrivacyGuarantee
        The epsilons add up, and 1 - delta is the product of the 1 - delta_i. At that epsilon the
        delta is tight: some mechanisms with these guarantees attain it.

    Notes
    -----
    It is below the often quoted sum of the delta_i. Source: Kairouz, Oh and Viswanath, *The
    composition theorem for differential privacy*, 2015.

    Examples
    --------
    >>> half = PrivacyGuarantee(Epsilon.exactly(Fraction(3, 2)), Fraction(1, 10))
    >>> total = basic_composition([half, half])
    >>> total.factor, total.delta
    (Fraction(9, 4), Fraction(19, 100))
    """
    kept = _guarantees(guarantees)
    factor = math.prod((g.factor for g in kept), start=Fraction(1))
    spared = math.prod((1 - g.delta for g in kept), start=Fraction(1))
    return PrivacyGuarantee(Epsilon.exactly(factor), 1 - spared, _relation_of(kept))


def optimal_delta(guarantees: Iterable[PrivacyGuarantee], epsilon: EpsilonLike) -> Fraction:
    """Return the least delta, at a given epsilon, that holds for every composition.

    Parameters
    ----------
    guarantees
        One for each use, as for :func:`basic_composition`.
    epsilon
        The epsilon wanted for the composition as a whole.

    Returns
    -------
    Fraction
        The smallest delta such that mechanisms with these guarantees, adaptively chosen, compose to
        an (epsilon, delta)-private one.

    Notes
    -----
    The worst mechanisms are known: with probability delta_i they reveal everything, otherwise they
    answer a bit truthfully with odds ``e**epsilon_i`` to 1. The sum runs over the number of
    truthful answers for each distinct epsilon_i, so it has the product of (multiplicity + 1) terms.
    Sources: Kairouz, Oh and Viswanath 2015; Murtagh and Vadhan, *The complexity of computing the
    optimal composition of differential privacy*, 2016.

    Examples
    --------
    >>> once = PrivacyGuarantee(Epsilon.exactly(2))
    >>> optimal_delta([once] * 3, Epsilon.exactly(8)), optimal_delta([once] * 3, Epsilon.exactly(4))
    (Fraction(0, 1), Fraction(4, 27))
    """
    kept = _guarantees(guarantees)
    target = as_epsilon(epsilon).ratio
    spared = math.prod((1 - g.delta for g in kept), start=Fraction(1))
    groups = tuple(Counter(g.factor for g in kept).items())
    excess = Fraction(0)
    for truths in product(*(range(times + 1) for _, times in groups)):
        ways, for_p, for_q = 1, Fraction(1), Fraction(1)
        for (factor, times), true in zip(groups, truths, strict=True):
            ways *= math.comb(times, true)
            for_p *= factor**true
            for_q *= factor ** (times - true)
        excess += ways * max(for_p - target * for_q, Fraction(0))
    total = math.prod((1 + g.factor for g in kept), start=Fraction(1))
    return 1 - spared * (1 - excess / total)


def subsampling_amplification(
    guarantee: PrivacyGuarantee, size: int, population: int
) -> PrivacyGuarantee:
    """Return the guarantee of a mechanism that sees only a random subsample.

    Parameters
    ----------
    guarantee
        That of the mechanism, on samples of ``size`` examples, for one example replaced. The order
        of the subsample must carry no information: either the mechanism is symmetric, or the order
        is random.
    size
        n', how many of the examples are drawn, without replacement.
    population
        n, the size of the sample.

    Returns
    -------
    PrivacyGuarantee
        With q = n'/n, the factor ``1 + q (e**epsilon - 1)`` and ``q delta``, for one example of the
        n replaced. Both are attained by the mechanism that reports, truthfully with odds e**epsilon
        to 1, whether it sees a certain example.

    Raises
    ------
    InvalidInput
        ``size`` exceeds ``population``, or is not an integer.

    Notes
    -----
    DF20 Lemma 8 states the bound ``2 q epsilon``, which follows for epsilon <= 1.25. Without the
    condition on the order it is false: an order-sensitive mechanism can lose more privacy (see
    :class:`~pac_stability.mechanisms.Subsampled`). Source of the exact value: Balle, Barthe and
    Gaboardi, *Privacy amplification by subsampling*, 2018.

    Examples
    --------
    >>> subsampling_amplification(PrivacyGuarantee(Epsilon.exactly(3)), 1, 4).factor
    Fraction(3, 2)
    """
    population = as_size(population, "population", least=1)
    size = as_size(size, "size")
    if size > population:
        raise InvalidInput("size", str(size), f"at most the population, {population}")
    (kept,) = _guarantees([guarantee])
    if kept.neighbours is not Neighbouring.REPLACE_ONE:
        given = "a guarantee for rows added or removed"
        raise InvalidInput("guarantee", given, "one for a row replaced: the size is public here")
    rate = Fraction(size, population)
    return PrivacyGuarantee(Epsilon.exactly(1 + rate * (kept.factor - 1)), rate * kept.delta)


def _guarantees(guarantees: Iterable[PrivacyGuarantee]) -> tuple[PrivacyGuarantee, ...]:
    kept = _checked(guarantees, "guarantees")
    relation = _relation_of(kept)
    return tuple(guarantee.under(relation) for guarantee in kept)


def _checked(
    guarantees: Iterable[PrivacyGuarantee], argument: str = "uses"
) -> list[PrivacyGuarantee]:
    kept = list(guarantees)
    for guarantee in kept:
        if not isinstance(guarantee, PrivacyGuarantee):
            raise InvalidInput(argument, described(guarantee), "PrivacyGuarantee objects")
    return kept


def _relation_of(guarantees: Iterable[PrivacyGuarantee]) -> Neighbouring:
    """Return the relation that all can be read under: of both, rows replaced."""
    found = {guarantee.neighbours for guarantee in guarantees}
    added = found == {Neighbouring.ADD_REMOVE}
    return Neighbouring.ADD_REMOVE if added else Neighbouring.REPLACE_ONE


# The least delta of many uses, and the least epsilon

Uses = Mapping[PrivacyGuarantee, int] | Iterable[PrivacyGuarantee]
"""How often each guarantee was used, or one guarantee for each use."""

_BITS = 128
"""Probabilities are multiples of ``2**-128``, rounded down; what is lost counts as delta."""

_GUARD = 32
"""Bits of weights beyond those of the probabilities that are made of them."""

_SCALE = 96
"""Bits of what the losses are scaled by to lie on a common grid."""

_POINTS = 1 << 12
"""How many points the losses of several guarantees are rounded up to."""


@dataclass(frozen=True, slots=True)
class _Losses:
    """A law of privacy losses: integer masses at ``start, start + step, ...`` times one unit.

    What the masses lack of ``2**_BITS`` is at an infinite loss.
    """

    start: int
    step: int
    masses: Sequence[int]


class Composition:
    """The total of many adaptive uses: an upper bound on the optimal (epsilon, delta).

    Parameters
    ----------
    uses
        A mapping from guarantees to how often each was used, or one guarantee for each use.
    neighbours
        Which samples the total compares. By default the relation of all uses; if some are for a row
        replaced and some for rows added or removed, a row replaced.

    Attributes
    ----------
    neighbours
        Which samples the total compares; :meth:`PrivacyGuarantee.under` converts a use for rows
        added or removed.

    Raises
    ------
    InvalidInput
        Something in it is no :class:`~pac_stability.mechanisms.PrivacyGuarantee`, or a number of
        uses no non-negative integer; or a use is for a row replaced and the total for rows added or
        removed.

    Notes
    -----
    The worst mechanisms are known: with probability delta_i they reveal everything, otherwise they
    answer a bit truthfully with odds ``e**epsilon_i`` to 1 (Kairouz, Oh and Viswanath 2015; Murtagh
    and Vadhan 2016). So k uses of one guarantee have a binomial law of the privacy loss L, and with
    P the law under the truth the least delta is ``E max(0, 1 - e**(epsilon - L))``.

    Every step rounds towards a larger delta. Probabilities are integers, rounded down, and the rest
    up to 1, some ``2**-110``, counts as delta. With one guarantee losses are exact multiples of its
    epsilon. With several, it rounds the loss of each group (not of each use) up to a grid of some
    4,000 points, so the total epsilon is accurate to about a thousandth.
    :func:`~pac_stability.mechanisms.optimal_delta` is the exact value, in time that grows with the
    product of the numbers of uses. Here, 10,000 uses of one guarantee, or 1,000 of each of five,
    take some ten milliseconds.

    As a function of ``t = e**epsilon`` delta is the largest of the lines ``P(L >= l) - t Q(L >=
    l)``, so :meth:`epsilon` is a closed form, too.

    Examples
    --------
    >>> once = PrivacyGuarantee(Epsilon("1/20"))
    >>> whole = Composition({once: 1000})
    >>> round(float(whole.delta(4)), 6), round(float(whole.delta(50)), 6)
    (0.01634, 0.0)
    >>> round(float(whole.epsilon("1e-6")), 3)
    8.284
    """

    def __init__(self, uses: Uses, neighbours: Neighbouring | None = None) -> None:
        given = dict(uses) if isinstance(uses, Mapping) else Counter(_checked(uses))
        pairs = list(zip(_checked(given), given.values(), strict=True))
        self.neighbours: Neighbouring = (
            _relation_of(given) if neighbours is None else as_neighbouring(neighbours)
        )
        found: Counter[Fraction] = Counter()
        spared = Fraction(1)
        for guarantee, times in pairs:
            count = as_size(times, "uses")
            kept = guarantee.under(self.neighbours)
            if count and kept.factor > 1:
                found[_short(kept.factor)] += count
            spared *= (1 - kept.delta) ** count
        self._groups = sorted(found.items())
        self._spared = spared

    def delta(self, epsilon: EpsilonLike) -> Fraction:
        """Return a delta for which the total is (epsilon, delta)-private, near the least one.

        Parameters
        ----------
        epsilon
            The epsilon wanted for the total.
        """
        top, bottom = as_epsilon(epsilon).ratio.as_integer_ratio()
        largest, unit = self._largest
        if top * unit >= largest * bottom:
            return 1 - self._spared
        most = max((p * bottom - q * top for p, q in self._tails), default=0)
        pure = Fraction(max(most, 0), bottom << _BITS)
        return 1 - self._spared * (1 - min(pure, Fraction(1)))

    def epsilon(self, delta: AnyNumber) -> Epsilon:
        """Return an epsilon for which the total is (epsilon, delta)-private, near the least one.

        Parameters
        ----------
        delta
            The delta allowed for the total.

        Raises
        ------
        InvalidInput
            Delta is smaller than the total delta of the uses, ``1 - prod(1 - delta_i)``.
        """
        allowed = as_probability(delta, "delta")
        if allowed < 1 - self._spared:
            least = f"{float(1 - self._spared):.6g}"
            raise InvalidInput("delta", str(delta), f"at least {least}, as the uses come to alone")
        if self._spared == 0:
            return Epsilon.exactly(1)
        pure = 1 - (1 - allowed) / self._spared
        left = (pure.numerator << _BITS) // pure.denominator  # of delta, in the unit of masses
        fine = 128  # bits of the factor, which is rounded up
        needed = 1 << fine
        for p, q in self._tails:
            if p > left:
                if q == 0:
                    return Epsilon.exactly(Fraction(*self._largest))
                needed = max(needed, -(-((p - left) << fine) // q))
        largest, unit = self._largest
        if needed * unit >= largest << fine:
            return Epsilon.exactly(Fraction(largest, unit))
        return Epsilon.exactly(Fraction(needed, 1 << fine))

    @cached_property
    def _largest(self) -> tuple[int, int]:
        """The factor of basic composition, at which nothing but the deltas is left."""
        top = math.prod(factor.numerator**times for factor, times in self._groups)
        return top, math.prod(factor.denominator**times for factor, times in self._groups)

    @cached_property
    def _tails(self) -> list[tuple[int, int]]:
        """For each loss l, ``P(L >= l)`` from above and ``Q(L >= l)`` from below, as masses."""
        if not self._groups:
            return []
        if len(self._groups) == 1:
            ((factor, times),) = self._groups
            losses, base = _binomial(factor, times), factor
        else:
            losses, base = self._together()
        whole = 1 << _BITS
        # Only what is lost by more than nothing matters: e**epsilon is at least 1.
        top, bottom = base.as_integer_ratio()
        first = max(0, -(losses.start // losses.step))
        lost = whole - sum(losses.masses)
        kept = losses.masses[first:]
        start = losses.start + first * losses.step
        low_powers = _falling(top, bottom, start, losses.step, len(kept))
        ps = list(accumulate(reversed(kept), initial=0))[1:]
        qs = accumulate(
            mass * power >> _BITS
            for mass, power in zip(reversed(kept), reversed(low_powers), strict=True)
        )
        found = [(p + lost, q) for p, q in zip(ps, qs, strict=True)]
        return [*found, (lost, 0)]

    def _together(self) -> tuple[_Losses, Fraction]:
        """Add the losses of all groups up, each rounded up to a common grid."""
        widths = [times * math.log(factor) ** 2 for factor, times in self._groups]
        # Sixteen standard deviations, of what is bounded by the sum of all losses.
        reach = min(
            16 * math.sqrt(sum(widths)),
            2 * sum(times * math.log(factor) for factor, times in self._groups),
        )
        base = 1 + Fraction(max(int(reach / _POINTS * 2**64), 1), 2**64)
        step = Interval.log(base, 128)
        start, poly = 0, fmpz_poly([1 << _BITS])
        for factor, times in self._groups:
            group = _binomial(factor, times)
            part = _gridded(group, Interval.log(factor, 128) / step)
            start += part.start
            product = poly * fmpz_poly(list(part.masses))
            poly = fmpz_poly([int(mass) >> _BITS for mass in product.coeffs()])
        return _Losses(start, 1, [int(mass) for mass in poly.coeffs()]), base


def uses_left(
    spent: Uses, guarantee: PrivacyGuarantee, epsilon: EpsilonLike, delta: AnyNumber
) -> int:
    """Return how many more uses of a guarantee keep the total (epsilon, delta)-private.

    Parameters
    ----------
    spent
        What was used before.
    guarantee
        The guarantee of each further use.
    epsilon, delta
        The limit on the total.

    Returns
    -------
    int
        As many as :class:`Composition` certifies, at most ``2**20``; 0 if too much was already
        spent.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> once = PrivacyGuarantee(Epsilon("1/20"))
    >>> uses_left([], once, 1, 0), uses_left([], once, 1, "1e-6")
    (20, 26)
    """
    known = Counter(dict(spent) if isinstance(spent, Mapping) else _checked(spent))
    (kept,) = _checked([guarantee])
    relation = _relation_of([kept, *_checked(known)])
    target, allowed = as_epsilon(epsilon), as_probability(delta, "delta")

    def fits(more: int) -> bool:
        return Composition(known + Counter({kept: more}), relation).delta(target) <= allowed

    most = 1 << 20
    return max(0, least_integer(lambda more: more > most or not fits(more), 0) - 1)


def _binomial(factor: Fraction, times: int) -> _Losses:
    """Return the law of the loss of so many uses, in units of the loss of one, rounded down.

    With l truths of k the loss is 2 l - k. Weights are found from the most likely l outwards.
    """
    a, b = factor.as_integer_ratio()
    mode = min(times, times * a // (a + b))
    unit = 1 << (_BITS + _GUARD)
    up, down, most = [unit], [], unit
    high = low = unit
    for true in range(mode, times):  # the factor (k - l)/(l + 1) a/b
        top, bottom = (times - true) * a, (true + 1) * b
        low = low * top // bottom
        high = -(-high * top // bottom)
        if not low:
            break
        up.append(low)
        most += high
    # What was cut off decreases by more than the last ratio, until nothing is left to be cut.
    rest_up = times - mode - len(up) + 1
    high_up, high, low = high, unit, unit
    for true in range(mode, 0, -1):  # the factor l/(k - l + 1) b/a
        top, bottom = true * b, (times - true + 1) * a
        low = low * top // bottom
        high = -(-high * top // bottom)
        if not low:
            break
        down.append(low)
        most += high
    rest_down = mode - len(down)
    most += (rest_up * high_up if rest_up > 0 else 0) + (rest_down * high if rest_down > 0 else 0)
    masses = [(weight << _BITS) // most for weight in (*reversed(down), *up)]
    return _Losses(2 * (mode - len(down)) - times, 2, masses)


def _gridded(losses: _Losses, scale: Interval) -> _Losses:
    """Round losses up to multiples of another unit, each of ``1 / scale`` of the old one."""
    down, up = scale.in_units(_SCALE)
    at = range(losses.start, losses.start + losses.step * len(losses.masses), losses.step)
    places = [-(-loss * (up if loss > 0 else down) >> _SCALE) for loss in at]
    masses = [0] * (places[-1] - places[0] + 1)
    for place, mass in zip(places, losses.masses, strict=True):
        masses[place - places[0]] += mass
    return _Losses(places[0], 1, masses)


def _falling(top: int, bottom: int, start: int, step: int, count: int) -> list[int]:
    """Return ``2**_BITS (bottom/top)**loss``, rounded down, for losses from start on, by step."""
    each = Fraction(bottom, top) ** step
    a, b = each.numerator, each.denominator
    power = ((bottom**start) << _BITS) // top**start if start < 64 else 0
    if start >= 64:
        power = _power(Fraction(bottom, top), start)
    found = []
    for _ in range(count):
        found.append(power)
        power = power * a // b
    return found


def _power(base: Fraction, exponent: int) -> int:
    """Return ``2**_BITS base**exponent`` for a base of at most 1, rounded down, by squaring."""
    square = (base.numerator << _BITS) // base.denominator
    power = 1 << _BITS
    while exponent:
        if exponent & 1:
            power = power * square >> _BITS
        square = square * square >> _BITS
        exponent >>= 1
    return power


def _short(factor: Fraction) -> Fraction:
    """Return a factor, as it is or rounded up to few bits."""
    unit = Epsilon.DENOMINATOR
    if factor.denominator <= unit:
        return factor
    return Fraction(-(-factor.numerator * unit // factor.denominator), unit)


# A mechanism on a random subsample

Data = TypeVar("Data", bound=Sequence[object])
Out_co = TypeVar("Out_co", covariant=True)

Order: TypeAlias = Literal["index", "random"]
"""Whether a subsample keeps the order of the sample, or is put in a uniformly random one."""


@dataclass(frozen=True, slots=True)
class Subsampled(Generic[Data, Out_co]):
    """Run a mechanism on some examples of the sample, drawn uniformly without replacement.

    Parameters
    ----------
    mechanism
        What sees the subsample.
    size
        n', how many examples it sees.
    order
        In which order: ``"random"``, or ``"index"`` for the order of the sample. For a symmetric
        mechanism (its law does not depend on the order) the latter is as private, and faster.

    Raises
    ------
    InvalidInput
        A parameter is wrong; on use, the input is not a sample or tuple, or shorter than ``size``.

    Notes
    -----
    Privacy is amplified: see :meth:`amplified`. In general it is **not** when the order is that of
    the sample and the mechanism is sensitive to it, a case that DF20 Lemma 8 overlooks. Let the
    mechanism see T and say "yes" with probability ``t**(m - n') / 2``, where m is the number of
    positions i with ``T_i = s_i``: one example replaced changes m by at most one, so it is private
    with the factor t. On the samples (s_1, s_2, s_3) and (x, s_2, s_3), with t = 2 and n' = 2, the
    probabilities of "yes" are 7/24 and 4/24: the factor 7/4 exceeds 1 + 2/3 (t - 1) = 5/3.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> first = Deterministic(lambda items: items[0])
    >>> Subsampled(first, 2, order="index").law(("a", "b", "c"))
    FiniteDistribution({'a': 2/3, 'b': 1/3})
    >>> Subsampled(first, 2).law(("a", "b", "c"))
    FiniteDistribution({'a': 1/3, 'b': 1/3, 'c': 1/3})
    """

    mechanism: Mechanism[Data, Out_co]
    size: int
    order: Order = "random"

    def __post_init__(self) -> None:
        _require_mechanism(self.mechanism)
        object.__setattr__(self, "size", as_size(self.size, "size"))
        if self.order not in ("index", "random"):
            raise InvalidInput("order", described(self.order), "'index' or 'random'")

    def amplified(self, guarantee: PrivacyGuarantee, population: int) -> PrivacyGuarantee:
        """Return the exact guarantee on samples of a given size.

        Parameters
        ----------
        guarantee
            That of the mechanism on samples of ``size`` examples, for one example replaced. With
            the order ``"index"`` the mechanism must be symmetric.
        population
            n, the size of the sample.

        Returns
        -------
        PrivacyGuarantee
            :func:`~pac_stability.mechanisms.subsampling_amplification`.
        """
        return subsampling_amplification(guarantee, self.size, population)

    def law(self, x: Data, /) -> FiniteDistribution[Out_co]:
        """Return the law of the output.

        Parameters
        ----------
        x
            The sample, a :class:`~pac_stability.data.Sample` or a tuple.

        Notes
        -----
        It computes the law of the mechanism once for each distinct subsample: up to C(n, n') of
        them, and n'! times as many in random order.
        """
        indices = range(_length(x, self.size))
        choices = combinations if self.order == "index" else permutations
        return _average(self.mechanism, x, choices(indices, self.size))

    def run(self, x: Data, /, rng: Coins = SYSTEM_COINS) -> Out_co:
        """Return one output.

        Parameters
        ----------
        x
            The sample, a :class:`~pac_stability.data.Sample` or a tuple.
        rng
            The source of coins; by default the operating system's entropy.
        """
        n = _length(x, self.size)
        chosen: list[int] = []
        if self.order == "index":
            for index in range(n):
                missing = self.size - len(chosen)
                if missing and rng.bernoulli(Fraction(missing, n - index)):
                    chosen.append(index)
        else:
            left = list(range(n))
            for _ in range(self.size):
                # The last one takes the free place: a draw costs O(1).
                position = rng.below(len(left))
                left[position], left[-1] = left[-1], left[position]
                chosen.append(left.pop())
        return self.mechanism.run(_pick(x, chosen), rng)


@dataclass(frozen=True, slots=True)
class Resampled(Generic[Data, Out_co]):
    """Run a mechanism on independent draws from the sample, with replacement.

    Parameters
    ----------
    mechanism
        The mechanism that sees the new sample.
    size
        The number of examples to draw.

    Raises
    ------
    InvalidInput
        A parameter is wrong; on use, the input is not a sample or tuple, or is empty.

    Notes
    -----
    CLNRW16 Algorithm 2 draws as many examples as the sample has. One example can be drawn
    repeatedly, so the guarantee is one for groups, without amplification.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> Resampled(Deterministic(sum), 2).law((0, 1))
    FiniteDistribution({0: 1/4, 1: 1/2, 2: 1/4})
    """

    mechanism: Mechanism[Data, Out_co]
    size: int

    def __post_init__(self) -> None:
        _require_mechanism(self.mechanism)
        object.__setattr__(self, "size", as_size(self.size, "size"))

    def law(self, x: Data, /) -> FiniteDistribution[Out_co]:
        """Return the law of the output.

        Parameters
        ----------
        x
            The sample, a :class:`~pac_stability.data.Sample` or a tuple, not empty.

        Notes
        -----
        It enumerates O(n**size) draws.
        """
        return _average(self.mechanism, x, product(range(_length(x, 1)), repeat=self.size))

    def run(self, x: Data, /, rng: Coins = SYSTEM_COINS) -> Out_co:
        """Return one output.

        Parameters
        ----------
        x
            The sample, a :class:`~pac_stability.data.Sample` or a tuple, not empty.
        rng
            The source of coins; by default the operating system's entropy.
        """
        n = _length(x, 1)
        return self.mechanism.run(_pick(x, [rng.below(n) for _ in range(self.size)]), rng)


def _require_mechanism(mechanism: object) -> None:
    if not (
        callable(getattr(mechanism, "law", None)) and callable(getattr(mechanism, "run", None))
    ):
        raise InvalidInput("mechanism", described(mechanism), "a mechanism, with law and run")


def _length(x: object, least: int) -> int:
    if not isinstance(x, Sample | tuple):
        raise InvalidInput("x", described(x), "a Sample or a tuple")
    if len(x) < least:
        raise InvalidInput("x", f"{len(x)} examples", f"at least {least}")
    return len(x)


def _pick(x: Data, indices: Sequence[int]) -> Data:
    if isinstance(x, Sample):
        return cast("Data", Sample.from_examples([x[index] for index in indices]))
    return cast("Data", tuple(x[index] for index in indices))


def _average(
    mechanism: Mechanism[Data, Out_co], x: Data, choices: Iterable[Sequence[int]]
) -> FiniteDistribution[Out_co]:
    """Return the law of the output on a uniformly chosen subsequence of the data."""
    times = Counter(_pick(x, indices) for indices in choices)
    return reduced_law(dict(times)).bind(mechanism.law)
