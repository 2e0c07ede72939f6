"""The sample size of stable learning: Theorem 11, its proof line by line, and its equality.

Hard distributions with their sizes; the inequalities of the proof for any learner; and the voting
learner that attains the bound, whose predictions depend on how far one label leads at a point.
"""

from __future__ import annotations

import math
import operator
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod
from typing import ClassVar, Final, TypeAlias

import numpy as np

from pac_stability import arguments, audit, learning
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import (
    Constants,
    ConstantsLike,
    Interval,
    as_constants,
    least_integer,
    multinomial,
)
from pac_stability.audit import Notion
from pac_stability.classes import FiniteClass
from pac_stability.classes.family import require_family
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.data.sample import require_sample
from pac_stability.dimensions import vc
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.draws import LazyCoin
from pac_stability.papers.dagan_feldman.answers import TossedAnswers


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
        The total mass of the light points: an exact number above 0 and at most 1.
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
        light = arguments.as_points(self.light, "light")
        mass = arguments.as_probability(self.mass, "mass")
        arguments.distinct((*light, self.heavy), "light")
        if not light:
            raise InvalidInput("light", "none", "at least one light point")
        if not mass:
            raise InvalidInput("mass", "0", "an exact number above 0 and at most 1")
        if self.heavy_label is not None:
            object.__setattr__(
                self, "heavy_label", arguments.as_label(self.heavy_label, "heavy_label")
            )
        arguments.fix(self, light=light, mass=mass)

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
        *light, heavy = arguments.distinct(arguments.as_points(points), "points") or (None,)
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
        return cls(arguments.as_points(points), heavy, light_mass(alpha, beta), label)

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
        labels = arguments.as_labels(target, "target")
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
        slope, n = arguments.as_probability(gamma, "gamma"), arguments.as_size(n, "n")
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
        slope, n = arguments.as_probability(gamma, "gamma"), arguments.as_size(n, "n")
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
    """Return the mass of the light points for which the bound is strongest.

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
    miss = arguments.as_number(beta, "beta")
    if not 0 <= miss < Fraction(1, 2):
        raise InvalidInput("beta", arguments.in_words(miss), "an exact number from 0 and below 1/2")
    most = (1 - 2 * miss) / (4 * (1 - miss))
    accuracy = arguments.as_open_unit(alpha, "alpha")
    if accuracy > most:
        raise InvalidInput("alpha", arguments.in_words(accuracy), f"at most {most}")
    return accuracy / most


def least_sample_size(
    light_points: int,
    gamma: AnyNumber,
    alpha: AnyNumber,
    beta: AnyNumber = 0,
    *,
    constants: ConstantsLike = Constants.SHARP,
) -> int:
    """Return the least sample size of a stable learner, even on realizable distributions.

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
        No learner works with fewer examples.

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
    m = arguments.as_size(light_points, "light_points", least=1)
    slope = arguments.as_probability(gamma, "gamma")
    accuracy = arguments.as_open_unit(alpha, "alpha")
    if not slope:
        raise InvalidInput("gamma", "0", "an exact number above 0 and at most 1")
    whose = as_constants(constants)
    mass, miss = light_mass(accuracy, beta), arguments.as_number(beta, "beta")
    allowed = (1 - miss) * accuracy + miss * mass
    low = math.ceil(m * (1 - 2 * allowed / mass) / (slope * mass))
    if whose is not Constants.SHARP or slope < _LEAST_TRUNCATED:
        return low
    seen = mass / m
    # The bound falls with n.
    return least_integer(lambda n: not _is_above(mass, seen, slope, n, allowed), low)


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
    arguments.require_instance(H, FiniteClass, "H")
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
        raise InvalidInput("H", arguments.described(H), wanted)
    return HardDistribution.shattered([H.domain[column] for column in columns], alpha, beta)


def _common_label(H: FiniteClass, columns: Sequence[int]) -> tuple[int, int] | None:
    """Return another column and a label with which all labellings of the columns occur."""
    codes = H.table[:, list(columns)] @ (1 << np.arange(len(columns), dtype=np.int64))
    for column in sorted(set(range(len(H.domain))) - set(columns)):
        for label in (0, 1):
            if len(np.unique(codes[H.table[:, column] == label])) == 1 << len(columns):
                return column, label
    return None


# The inequalities in the proof of Theorem 11, line by line, for any learner

Labelling: TypeAlias = tuple[int, ...]


ExactPredictor: TypeAlias = learning.Predictor[Hashable, Fraction | int]
"""A learner with exact probabilities; with ``symmetric`` it says that the order does not matter."""


@dataclass(frozen=True, slots=True)
class HardChain:
    """The value of each line of the proof of Theorem 11, for one learner and one distribution.

    The lines fall from first to last. Write D(k) for the mass of a point, A for the prediction
    given S, A' for that given S with the labels at k flipped, both as probabilities of label 1 at
    k, and N for the number of examples at k. Sums are over the light points, expectations over
    targets h and samples.

    Attributes
    ----------
    error
        The average error, ``E L(A)``.
    on_light_points
        The part of it on the light points, ``sum D(k) E |h(k) - A|``.
    flipped
        ``sum D(k) E [|h(k) - A| + |1 - h(k) - A'|] / 2``: Eq. (14). The same number, as both
        targets are equally likely.
    combined
        ``sum D(k) E |2h(k) - 1 + A' - A| / 2``: Eq. (15). Again the same: the two differences have
        the same sign.
    separated
        ``sum D(k) E [1 - |A - A'|] / 2``: Eq. (16). Slack where a flip moves the prediction away
        from the labels.
    truncated
        ``mass/2 E (1 - gamma N)_+``. Slack where a flip of N labels moves the prediction by less
        than N times gamma.
    linear
        ``mass/2 (1 - gamma E N)``: Eq. (17). Slack where N exceeds 1/gamma.
    gamma
        The stability that the last two lines use.
    """

    error: Fraction
    on_light_points: Fraction
    flipped: Fraction
    combined: Fraction
    separated: Fraction
    truncated: Fraction
    linear: Fraction
    gamma: Fraction

    @property
    def lines(self) -> tuple[Fraction, ...]:
        """The lines, from the average error to the last bound."""
        return (
            self.error,
            self.on_light_points,
            self.flipped,
            self.combined,
            self.separated,
            self.truncated,
            self.linear,
        )


def hard_average_error(learner: ExactPredictor, hard: HardDistribution, n: int) -> Fraction:
    """Return the exact error of a learner, averaged over targets and samples.

    Parameters
    ----------
    learner
        Any learner with exact probabilities.
    hard
        The points, their masses, and the targets.
    n
        The size of the samples.

    Returns
    -------
    Fraction
        The mean of ``L_{D_h}(A(S))`` over h uniform on the targets and S of n draws from D_h.

    Raises
    ------
    InvalidInput
        The learner's answer is not exact, or not one probability for each point.

    Notes
    -----
    It queries the learner once for each target and each sample of points: C(n+m, m) samples up to
    order when it declares itself symmetric, (m+1)^n otherwise; each at most 2^(m+1) times.

    Examples
    --------
    >>> from pac_stability.papers.dagan_feldman.lower_bound import VotingLearner
    >>> hard = HardDistribution.shattered("ab", Fraction(1, 8))
    >>> hard_average_error(VotingLearner(Fraction(1)), hard, 2)
    Fraction(1, 8)
    """
    _require_parts(learner, hard)
    total = Fraction(0)
    for weight, predictions in _predictions(learner, hard, arguments.as_size(n, "n")):
        for target, predicted in predictions.items():
            errors = zip(hard.masses, target, predicted, strict=True)
            total += weight * sum(mass * abs(h - p) for mass, h, p in errors)
    return total


def hard_chain(
    learner: ExactPredictor, hard: HardDistribution, n: int, gamma: AnyNumber | None = None
) -> HardChain:
    """Return the value of each line of the proof of Theorem 11 for a learner.

    Parameters
    ----------
    learner, hard, n
        As for :func:`hard_average_error`; n is at least 1.
    gamma
        A stability of the learner, an exact number from 0 to 1. By default the exact one on samples
        of these points, found by :func:`pac_stability.audit.uniform_stability`.

    Returns
    -------
    HardChain

    Raises
    ------
    InvalidInput
        As for :func:`hard_average_error`.

    Notes
    -----
    Cost as for :func:`hard_average_error`, and that of the audit.

    Examples
    --------
    >>> from pac_stability.papers.dagan_feldman.lower_bound import VotingLearner
    >>> hard = HardDistribution.with_common_label("a", "b", 0, Fraction(1, 8))
    >>> chain = hard_chain(VotingLearner(Fraction(3, 4), Sample("b", [0])), hard, 2)
    >>> chain.error, chain.truncated, chain.linear, chain.gamma
    (Fraction(3, 32), Fraction(3, 32), Fraction(1, 16), Fraction(3, 4))
    """
    _require_parts(learner, hard)
    n = arguments.as_size(n, "n", least=1)
    if gamma is None:
        gamma = _exact_stability(learner, hard, n)
    slope = arguments.as_probability(gamma, "gamma")
    light, mass = len(hard.light), hard.masses[0]
    error = on_light = flipped = combined = separated = Fraction(0)
    for weight, predictions in _predictions(learner, hard, n):
        for target, predicted in predictions.items():
            errors = [abs(h - p) for h, p in zip(target, predicted, strict=True)]
            error += weight * sum(map(operator.mul, hard.masses, errors))
            on_light += weight * mass * sum(errors[:light])
            for k in range(light):
                h, p = target[k], predicted[k]
                # S labelled by h, with the labels at k flipped, is S labelled by another target.
                other = predictions[*target[:k], 1 - h, *target[k + 1 :]][k]
                flipped += weight * mass * (abs(h - p) + abs(1 - h - other)) / 2
                combined += weight * mass * abs(2 * h - 1 + other - p) / 2
                separated += weight * mass * (1 - abs(p - other)) / 2
    return HardChain(
        error=error,
        on_light_points=on_light,
        flipped=flipped,
        combined=combined,
        separated=separated,
        truncated=hard.truncated_bound(slope, n),
        linear=hard.linear_bound(slope, n),
        gamma=slope,
    )


def _require_parts(learner: object, hard: object) -> None:
    if not callable(getattr(learner, "probabilities", None)):
        raise InvalidInput(
            "learner", arguments.described(learner), "a learner with exact probabilities"
        )
    arguments.require_instance(hard, HardDistribution, "hard")


def _exact_stability(learner: ExactPredictor, hard: HardDistribution, n: int) -> Fraction:
    value = audit.uniform_stability(learner, hard.points, n).value
    if not isinstance(value, Fraction):
        raise InvalidInput(
            "learner", f"the stability {arguments.described(value)}", "exact probabilities"
        )
    return value


def _predictions(
    learner: ExactPredictor, hard: HardDistribution, n: int
) -> Iterator[tuple[Fraction, Mapping[Labelling, Sequence[Fraction]]]]:
    """Yield the predictions given the points of a sample labelled by each target, and a weight.

    The weights sum to 1 over all samples and targets.
    """
    targets, where = hard.targets, range(len(hard.points))
    symmetric = bool(getattr(learner, "symmetric", False))
    drawn: Iterable[tuple[int, ...]] = (
        combinations_with_replacement(where, n) if symmetric else product(where, repeat=n)
    )
    for places in drawn:
        weight = prod((hard.masses[k] for k in places), start=Fraction(1, len(targets)))
        if symmetric:
            weight *= multinomial(Counter(places).values())
        if weight:
            points = [hard.points[k] for k in places]
            # Targets that agree on these points give the same sample.
            asked = {
                labels: _asked(learner, Sample(points, labels), hard.points)
                for labels in {tuple(target[k] for k in places) for target in targets}
            }
            yield weight, {target: asked[tuple(target[k] for k in places)] for target in targets}


def _asked(
    learner: ExactPredictor, sample: Sample[Hashable], points: tuple[Hashable, ...]
) -> tuple[Fraction, ...]:
    answers = tuple(learner.probabilities(sample, points))
    if len(answers) != len(points):
        wanted = f"{len(points)} probabilities, one for each point"
        raise InvalidInput("learner", f"{len(answers)} on {arguments.described(sample)}", wanted)
    return tuple(
        arguments.as_probability(arguments.as_fraction(answer, "learner"), "learner")
        for answer in answers
    )


# Predictions that depend on how far one label leads over the other at a point

_Lead: TypeAlias = tuple[bool, int]
"""Whether the label of a point is known, and it; or by how many examples label 1 leads there."""

NOTHING: Final[Sample[Hashable]] = Sample((), ())


def require_known(known: Sample[Hashable]) -> None:
    """Refuse what is not a sample, or has a point twice."""
    require_sample(known)
    arguments.distinct(known.points, "known")


class LeadLearner(learning.PointwiseLearner[Hashable]):
    """A learner that predicts the known label of a point, or by the lead of label 1."""

    __slots__ = ()

    known: Sample[Hashable]

    symmetric: ClassVar[bool] = True

    @abstractmethod
    def _voted(self, lead: int) -> Fraction:
        """Return the probability of label 1 where it has so many examples more than label 0."""

    def probabilities(
        self, sample: learning.AnyData, points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        leads = self._leads(learning.as_listed(sample, self.least_examples))
        return tuple(self._chance(lead) for lead in leads(arguments.as_points(points)))

    def prepare(self, sample: learning.AnyData, /) -> learning.PreparedPredictor[Hashable]:
        given = learning.as_listed(sample, self.least_examples)

        def coin(lead: _Lead) -> LazyCoin:
            return LazyCoin.of(self._chance(lead))

        return TossedAnswers(self, len(given), self._leads(given), coin)

    def _leads(self, sample: Sample[Hashable]) -> Callable[[Sequence[Hashable]], list[_Lead]]:
        """Count, and return what finds the leads at points.

        Parameters
        ----------
        sample
            S.
        """
        leads: Counter[Hashable] = Counter()
        for point, label in zip(sample.points, sample.labels, strict=True):
            leads[point] += 2 * label - 1
        known = dict(zip(self.known.points, self.known.labels, strict=True))

        def at(points: Sequence[Hashable]) -> list[_Lead]:
            for point in points:
                arguments.require_hashable(point, "points")
            return [(True, known[x]) if x in known else (False, leads[x]) for x in points]

        return at

    def _chance(self, lead: _Lead) -> Fraction:
        known, value = lead
        return Fraction(value) if known else self._voted(value)


# The learner that attains the lower bound on stable learning


@dataclass(frozen=True, slots=True)
class VotingLearner(LeadLearner):
    """Every example moves the prediction at its own point by gamma/2 towards its own label.

    The probability of label 1 at a point k is ``1/2 + gamma (N_1(k) - N_0(k)) / 2``, clipped to the
    interval from 0 to 1, where ``N_y(k)`` counts the examples (k, y). It learns any labelling of
    finitely many points.

    Parameters
    ----------
    gamma
        An exact number from 0 to 1.
    known
        Labels that are known beforehand, of distinct points; predictions there ignore the sample.

    Raises
    ------
    InvalidInput
        Gamma is out of range or not exact, or a point is known twice.

    Notes
    -----
    Exactly gamma-stable: relabelling one example moves the difference of the counts by 2, replacing
    its point moves two differences by 1. When all labels are right, the error at a point seen N
    times is ``(1 - gamma N)_+ / 2``. No gamma-stable learner does better on average over the two
    labels, which is the first inequality of DF20 Appendix D; there it holds with equality on the
    light points, and everywhere when the label of the heavy point is known.

    Examples
    --------
    >>> learner = VotingLearner(Fraction(1, 2))
    >>> learner.probabilities(Sample("aab", [1, 1, 0]), "abc")
    (Fraction(1, 1), Fraction(1, 4), Fraction(1, 2))
    """

    gamma: Fraction
    known: Sample[Hashable] = NOTHING

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", arguments.as_probability(self.gamma, "gamma"))
        require_known(self.known)

    def stability(self, n: int) -> Fraction:  # noqa: ARG002  # the same for every n
        """Return the largest change of a prediction by one example, exactly.

        Parameters
        ----------
        n
            The size of the samples, at least 1.
        """
        return self.gamma

    def promises(self, n: int, /) -> learning.Promises:
        return {Notion.UNIFORM_STABILITY: self.stability(n)}

    def _voted(self, lead: int) -> Fraction:
        return min(max((1 + self.gamma * lead) / 2, Fraction(0)), Fraction(1))
