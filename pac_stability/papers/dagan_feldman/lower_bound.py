"""How many examples stable learning takes: the hard distributions of Theorem 11, and its sizes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from pac_stability.arguments import (
    AnyNumber,
    as_label,
    as_labels,
    as_number,
    as_open_unit,
    as_points,
    as_probability,
    as_size,
    described,
    distinct,
    in_words,
)
from pac_stability.arithmetic import Constants, ConstantsLike, Interval, as_constants
from pac_stability.classes import FiniteClass
from pac_stability.classes.required import require_family
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import vc
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class HardDistribution:
    """A marginal on m light points and a heavy one; the labels of the light points are unknown.

    The light points share ``mass`` equally and the heavy point has the rest (D_{X'} in the paper).
    A target h labels every light point freely, and the heavy one freely too, or always alike.

    Parameters
    ----------
    light
        The m light points, at least one, distinct.
    heavy
        The heavy point, none of them.
    mass
        What the light points weigh together: an exact number above 0 and at most 1.
    heavy_label
        The label of the heavy point under every target, or ``None`` when both occur, as in the
        paper. Class and targets must fit: see :meth:`shattered` and :meth:`with_common_label`.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Source: DF20 Appendix D, where m is d - 1 and the mass is 4 alpha.

    Examples
    --------
    >>> hard = HardDistribution.shattered("abc", Fraction(1, 8))
    >>> hard.marginal
    FiniteDistribution({'a': 1/4, 'b': 1/4, 'c': 1/2})
    >>> len(hard.targets), hard.labelled((1, 0, 1)).probability(Example("c", 1))
    (8, Fraction(1, 2))
    """

    light: tuple[Hashable, ...]
    heavy: Hashable
    mass: Fraction
    heavy_label: int | None = None

    def __post_init__(self) -> None:
        light, mass = as_points(self.light, "light"), as_probability(self.mass, "mass")
        distinct((*light, self.heavy), "light")
        if not light:
            raise InvalidInput("light", "none", "at least one light point")
        if not mass:
            raise InvalidInput("mass", "0", "an exact number above 0 and at most 1")
        if self.heavy_label is not None:
            object.__setattr__(self, "heavy_label", as_label(self.heavy_label, "heavy_label"))
        object.__setattr__(self, "light", light)
        object.__setattr__(self, "mass", mass)

    @classmethod
    def shattered(
        cls, points: Iterable[Hashable], alpha: AnyNumber, beta: AnyNumber = 0
    ) -> HardDistribution:
        """Return the distribution on points that the class shatters; the last one is heavy.

        Parameters
        ----------
        points
            At least two points.
        alpha, beta
            The accuracy, and the probability of missing it, as for :func:`light_mass`.
        """
        *light, heavy = distinct(as_points(points), "points") or (None,)
        if not light:
            raise InvalidInput("points", "fewer than two points", "at least two")
        return cls(tuple(light), heavy, light_mass(alpha, beta))

    @classmethod
    def with_common_label(
        cls,
        points: Iterable[Hashable],
        heavy: Hashable,
        label: int,
        alpha: AnyNumber,
        beta: AnyNumber = 0,
    ) -> HardDistribution:
        """Return the distribution for a class that labels a further point alike throughout.

        Parameters
        ----------
        points
            At least one point, all light. For every labelling of them, some hypothesis of the class
            has it and gives the heavy point the label.
        heavy, label
            The heavy point and its label.
        alpha, beta
            The accuracy, and the probability of missing it, as for :func:`light_mass`.
        """
        return cls(as_points(points), heavy, light_mass(alpha, beta), label)

    @property
    def points(self) -> tuple[Hashable, ...]:
        """The light points, then the heavy one."""
        return (*self.light, self.heavy)

    @property
    def masses(self) -> tuple[Fraction, ...]:
        """The probability of each of the points."""
        m = len(self.light)
        return (self.mass / m,) * m + (1 - self.mass,)

    @property
    def marginal(self) -> FiniteDistribution[Hashable]:
        """The law of a point."""
        return FiniteDistribution(dict(zip(self.points, self.masses, strict=True)))

    @property
    def targets(self) -> tuple[tuple[int, ...], ...]:
        """The labellings h of the points, which are equally likely."""
        ends = (0, 1) if self.heavy_label is None else (self.heavy_label,)
        return tuple(
            (*bits, end) for bits in product((0, 1), repeat=len(self.light)) for end in ends
        )

    def labelled(self, target: Sequence[int]) -> FiniteDistribution[Example[Hashable]]:
        """Return the law of an example when the points are labelled as given: D_h.

        Parameters
        ----------
        target
            h, a label for each of the points, in order.
        """
        labels = as_labels(target, "target")
        if len(labels) != len(self.points):
            wanted = f"{len(self.points)} labels, one for each point"
            raise InvalidInput("target", f"{len(labels)} labels", wanted)
        label_of = dict(zip(self.points, labels, strict=True))
        return self.marginal.map(lambda point: Example(point, label_of[point]))

    def truncated_bound(self, gamma: AnyNumber, n: int) -> Fraction:
        """Return the first lower bound on the average error of gamma-stable learners.

        Parameters
        ----------
        gamma
            The stability, an exact number from 0 to 1.
        n
            The size of the samples.

        Returns
        -------
        Fraction
            ``mass/2 E[(1 - gamma N)_+]`` for N binomial with parameters n and mass/m.

        Notes
        -----
        At most min(n, 1/gamma) + 1 terms.

        Examples
        --------
        >>> hard = HardDistribution.shattered("ab", Fraction(1, 8))
        >>> hard.truncated_bound(1, 2), hard.linear_bound(1, 2)
        (Fraction(1, 16), Fraction(0, 1))
        """
        slope, n = as_probability(gamma, "gamma"), as_size(n, "n")
        return _truncated(self.mass, self.mass / len(self.light), slope, n)

    def linear_bound(self, gamma: AnyNumber, n: int) -> Fraction:
        """Return the second lower bound, with which Theorem 11 concludes; it can be negative.

        Parameters
        ----------
        gamma
            The stability, an exact number from 0 to 1.
        n
            The size of the samples.

        Returns
        -------
        Fraction
            ``mass/2 (1 - gamma n mass / m)``.
        """
        slope, n = as_probability(gamma, "gamma"), as_size(n, "n")
        return self.mass / 2 * (1 - slope * n * self.masses[0])


def _truncated(mass: Fraction, seen: Fraction, slope: Fraction, n: int) -> Fraction:
    """Return ``mass/2 E[(1 - slope N)_+]`` for N binomial with parameters n and seen."""
    if seen == 1:
        return mass / 2 * max(Fraction(0), 1 - slope * n)
    # Integers: the probability of k examples is ways / denominator**n.
    drawn, missed = seen.numerator, seen.denominator - seen.numerator
    ways, total = missed**n, 0
    most = min(n, math.floor(1 / slope)) if slope else n
    for k in range(most + 1):
        total += (slope.denominator - slope.numerator * k) * ways
        ways = ways * (n - k) * drawn // ((k + 1) * missed)
    return mass / 2 * Fraction(total, slope.denominator * seen.denominator**n)


def light_mass(alpha: AnyNumber, beta: AnyNumber = 0) -> Fraction:
    """Return what the light points should weigh: the mass for which the bound is strongest.

    Parameters
    ----------
    alpha
        The accuracy, an exact number above 0, at most ``(1 - 2 beta) / (4 (1 - beta))``.
    beta
        The probability of missing it, an exact number from 0 and below 1/2; 0 for a bound on the
        expected error.

    Returns
    -------
    Fraction
        ``4 alpha (1 - beta) / (1 - 2 beta)``, at most 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> light_mass("1/8"), light_mass("1/8", "1/4")
    (Fraction(1, 2), Fraction(3, 4))
    """
    miss = as_number(beta, "beta")
    if not 0 <= miss < Fraction(1, 2):
        raise InvalidInput("beta", in_words(miss), "an exact number from 0 and below 1/2")
    most = (1 - 2 * miss) / (4 * (1 - miss))
    accuracy = as_open_unit(alpha, "alpha")
    if accuracy > most:
        raise InvalidInput("alpha", in_words(accuracy), f"at most {most}")
    return accuracy / most


def least_sample_size(
    light_points: int,
    gamma: AnyNumber,
    alpha: AnyNumber,
    beta: AnyNumber = 0,
    *,
    constants: ConstantsLike = Constants.SHARP,
) -> int:
    """Return how many examples a stable learner needs at least, even on realizable distributions.

    Parameters
    ----------
    light_points
        m. For every class of VC dimension d >= 2, d - 1 will do. When some point gets a common
        label from hypotheses that shatter m other points, m will do; for d = 1 that is the only
        way, and m = 1 needs no more than two hypotheses that agree at one point and differ at
        another.
    gamma
        The stability, an exact number above 0 and at most 1.
    alpha
        The accuracy, as for :func:`light_mass`: at most 1/4 when beta is 0.
    beta
        With 0, the expected error is at most alpha on every realizable distribution. Otherwise the
        error is at most alpha with probability at least 1 - beta over the sample, beta < 1/2.
    constants
        Printed and proved: by :meth:`HardDistribution.linear_bound`, the least n that is at least
        ``(1 - 2 beta)**2 m / (8 (1 - beta) gamma alpha)``. Sharp: by the truncated bound, never
        less; for gamma below 1/1000, where the two hardly differ, again by the linear one.

    Returns
    -------
    int
        No learner does with fewer examples.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Expected error.* For gamma-stable A, every light point k, and S and S' that differ in the
    labels at k alone, the predictions at k differ by at most ``min(1, gamma N)``, where N counts
    the examples at k. The two targets that differ at k alone are equally likely, and on these two
    samples the errors at k sum to at least ``(1 - gamma N)_+``. Summing over the light points: the
    average over the targets of the expected error is at least ``mass/2 E[(1 - gamma N)_+]``. That
    is at least ``mass/2 (1 - gamma n mass/m)``. It is at most alpha, so ``n >= (m / (gamma mass))
    (1 - 2 alpha / mass)``, which is largest for the mass ``4 alpha``: DF20 Theorem 11. The label of
    the heavy point plays no role as long as flipping k leaves it alone; so with a common label
    there no shattered point need be given up.

    *With probability 1 - beta.* On the light points the error is at most alpha with probability
    1 - beta and at most the mass otherwise, so its expectation is at most ``(1 - beta) alpha + beta
    mass``. Now ``n >= (m / (gamma mass)) (1 - 2 beta - 2 (1 - beta) alpha / mass)`` is largest for
    :func:`light_mass`. The bound for expected errors does not hold here as it stands: two
    hypotheses can be learned from 2 examples with gamma = 13/50, alpha = 6/25 and beta = 7/16,
    where ``1 / (8 gamma alpha)`` is 2.003.

    Examples
    --------
    >>> least_sample_size(3, "1/100", "1/50", constants="proved")
    1875
    >>> least_sample_size(3, "1/100", "1/50", "1/10", constants="proved")
    1334
    >>> least_sample_size(3, 1, "1/50"), least_sample_size(3, 1, "1/50", constants="proved")
    (26, 19)
    """
    m = as_size(light_points, "light_points", least=1)
    slope, accuracy = as_probability(gamma, "gamma"), as_open_unit(alpha, "alpha")
    if not slope:
        raise InvalidInput("gamma", "0", "an exact number above 0 and at most 1")
    whose = as_constants(constants)
    mass, miss = light_mass(accuracy, beta), as_number(beta, "beta")
    allowed = (1 - miss) * accuracy + miss * mass
    low = math.ceil(m * (1 - 2 * allowed / mass) / (slope * mass))
    if whose is not Constants.SHARP or slope < _LEAST_TRUNCATED:
        return low
    seen = mass / m
    # The bound falls with n. Small steps first: the answer is near, and the numbers grow with n.
    high, step = low, 1
    while _is_above(mass, seen, slope, high, allowed):
        low, high, step = high + 1, high + step, 2 * step
    while low < high:
        middle = (low + high) // 2
        if _is_above(mass, seen, slope, middle, allowed):
            low = middle + 1
        else:
            high = middle
    return high


_LEAST_TRUNCATED = Fraction(1, 1000)


def _is_above(mass: Fraction, seen: Fraction, slope: Fraction, n: int, allowed: Fraction) -> bool:
    """Return whether the truncated bound is above a number: by enclosures, exactly if need be."""
    if n > _EXACTLY and seen < 1:
        # All terms are at least 0: rounded down throughout, and up throughout.
        ends = Interval.exp(Interval.log(1 - seen, _BITS) * n, _BITS).in_units(_BITS)
        drawn, missed = seen.numerator, seen.denominator - seen.numerator
        totals = [0, 0]
        for k in range(min(n, math.floor(1 / slope)) + 1):
            weight = slope.denominator - slope.numerator * k
            totals = [total + weight * ways for total, ways in zip(totals, ends, strict=True)]
            times, into = (n - k) * drawn, (k + 1) * missed
            ends = ends[0] * times // into, -(-ends[1] * times // into)
        unit = mass / (slope.denominator << (_BITS + 1))
        if (unit * totals[0] > allowed) or (unit * totals[1] <= allowed):
            return unit * totals[0] > allowed
    return _truncated(mass, seen, slope, n) > allowed


_EXACTLY = 1000
_BITS = 1024  # the mean is about 1/(2 gamma), at most 500, so no sample without it is below 2**-722


def hard_distribution(H: FiniteClass, alpha: AnyNumber, beta: AnyNumber = 0) -> HardDistribution:
    """Return a hard distribution all of whose targets are hypotheses of a class.

    Parameters
    ----------
    H
        The class.
    alpha, beta
        The accuracy, and the probability of missing it, as for :func:`light_mass`.

    Returns
    -------
    HardDistribution
        On d shattered points and a further one with a common label, if the shattered set that is
        found has such a point; otherwise on the d points, the last of which is heavy.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the class has no two hypotheses that agree at one point and
        differ at another. (Then it is a hypothesis and perhaps its complement, or there is one
        point, and a single example tells which.)

    Notes
    -----
    For d = 1 all shattered points are tried; for d >= 2 one shattered set is. The search for it is
    that of :func:`~pac_stability.dimensions.vc`; then O(|H| |X|) for each set.

    Examples
    --------
    >>> from pac_stability.classes import cube, thresholds
    >>> hard_distribution(thresholds(3), Fraction(1, 8))
    HardDistribution(light=(0,), heavy=1, mass=Fraction(1, 2), heavy_label=1)
    >>> hard_distribution(cube(3), Fraction(1, 8))
    HardDistribution(light=(0, 1), heavy=2, mass=Fraction(1, 2), heavy_label=None)
    """
    if not isinstance(H, FiniteClass):
        raise InvalidInput("H", described(H), "a FiniteClass")
    require_family(H)
    found = vc(H).witness
    columns = found.points if found else ()
    d = len(columns)
    candidates = [columns] if d > 1 else [(column,) for column in range(len(H.domain))]
    for shattered in candidates:
        common = _common_label(H, shattered)
        if common is not None:
            heavy, label = common
            points = [H.domain[column] for column in shattered]
            return HardDistribution.with_common_label(points, H.domain[heavy], label, alpha, beta)
    if d < 2:
        wanted = "two hypotheses that agree at one point and differ at another"
        raise InvalidInput("H", described(H), wanted)
    return HardDistribution.shattered([H.domain[column] for column in columns], alpha, beta)


def _common_label(H: FiniteClass, columns: Sequence[int]) -> tuple[int, int] | None:
    """Return another column and a label with which all labellings of the columns occur."""
    codes = H.table[:, list(columns)] @ (1 << np.arange(len(columns), dtype=np.int64))
    for column in sorted(set(range(len(H.domain))) - set(columns)):
        for label in (0, 1):
            if len(np.unique(codes[H.table[:, column] == label])) == 1 << len(columns):
                return column, label
    return None
