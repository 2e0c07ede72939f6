"""Differential privacy gives robust generalization (Theorem 20), with constants that are proved.

*Pure privacy.* Let m(S) be the probability of an output on S, epsilon the privacy parameter and
``a = n epsilon**2 / 8``. For S of n independent examples and every exponent k >= 1,

    (E m**k)**(1/k) <= exp((k - 1) a) E m.                                            (*)

For n = 1 put ``L(u) = ln E m**u``. The values of ln m are within epsilon of one another, so that
``L'' <= epsilon**2 / 4`` (the variance of a variable in an interval, under a tilted law). Then
``k L'(k) - L(k)``, the integral of ``u L''(u)`` up to k, is at most ``k**2 epsilon**2 / 8``, so the
derivative of L(k)/k is at most ``epsilon**2 / 8``. For larger n, average one example after the
other: given the first examples, the mean of m over the others again changes by a factor of at most
e**epsilon with each of them, and the inequality for n = 1 applies n times.

Now let the adversary's test for an output be off by more than alpha on a set of samples, which has
probability at most ``2 exp(-2 n alpha**2) = exp(-l)``. By Hoelder's inequality with exponent k, the
output occurs together with that set with probability at most ``exp((k - 1) a - l (1 - 1/k)) E m``.
For ``k = sqrt(l / a)``, and summed over the outputs:

    J <= exp(-(sqrt(l) - sqrt(a))**2)    when l >= a.

The deviation for a given J is thus at most ``epsilon / 4 + sqrt(ln(2 / J) / (2 n))``.

*Approximate privacy.* Two steps: the mean of h(S) given the output is near h(D)
(:func:`posterior_failure`), and h(S) is near that mean when a noisy value of h(S) is released with
the output (:class:`Release`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_open_unit,
    as_size,
    described,
    in_words,
)
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.compression.bounds import Reading
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, basic_composition
from pac_stability.papers.cummings_et_al.implications.guarantees import (
    RobustGuarantee,
    joint_failure,
    require_guarantee,
    rounded_up,
)
from pac_stability.papers.guarantees import Implication


def pure_privacy_deviation(
    guarantee: PrivacyGuarantee, n: int, delta: AnyNumber, *, reading: Reading = "joint"
) -> Interval:
    """Enclose the deviation that a purely private mechanism exceeds with probability <= delta.

    Parameters
    ----------
    guarantee
        The privacy of the mechanism; its delta must be 0.
    n
        The size of the samples, at least 1.
    delta
        The probability of failure of robust generalization, above 0 and below 1.
    reading
        Of Definition 5.

    Returns
    -------
    Interval
        ``sqrt((l + ln 2) / (2 n))`` with ``sqrt(l) = sqrt(ln(1/J)) + epsilon sqrt(n/8)``, for
        J = delta, or ``delta**2 / 2`` in the split reading.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the delta of the guarantee is not 0.

    Notes
    -----
    Proved at the head of this module. A statement of this library; compare CLNRW16 Theorem 20.

    Examples
    --------
    >>> private = PrivacyGuarantee(Epsilon("1/10"))
    >>> found = pure_privacy_deviation(private, 10_000, "1/1000")
    >>> simpler = Fraction(1, 40) + Interval.sqrt(Interval.log(2000) / 20_000)
    >>> found < simpler, f"{float(found):.4f}", f"{float(simpler):.4f}"
    (True, '0.0440', '0.0445')
    """
    require_guarantee(guarantee, PrivacyGuarantee)
    if guarantee.delta:
        raise InvalidInput("guarantee", f"delta = {guarantee.delta}", "delta = 0")
    size = as_size(n, "n", least=1)
    tail = Interval.sqrt(Interval.log(1 / joint_failure(delta, reading)))
    root = tail + guarantee.epsilon.interval() * Interval.sqrt(Fraction(size, 8))
    return Interval.sqrt((root * root + Interval.log(2)) / (2 * size))


def posterior_failure(guarantee: PrivacyGuarantee, deviation: AnyNumber) -> Fraction:
    """Return how often, at most, the sample's mean given the output is far from the truth.

    Parameters
    ----------
    guarantee
        The (epsilon, delta)-privacy of the mechanism.
    deviation
        g, above 0 and at most 1.

    Returns
    -------
    Fraction
        A bound, at most 1, on ``Pr[|E[h_Y(S) | Y] - h_Y(D)| >= g]`` for the output Y and the test
        h_Y that an adversary names: ``delta / (g - (t - 1) (1 - g)**2 / 4)`` for t = e**epsilon, as
        long as that is positive, which is for ``g > tanh(epsilon / 4)``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Proof.* Let B be the set of outputs where that happens; replacing some tests by their
    complements, let the mean be too large for all of them. For an index j and a fresh z ~ D, which
    takes the place of S_j in a neighbouring sample, privacy compares the events "Y is in B, h_Y
    contains S_j and not z". Exchanging the names of S_j and z on the right,

        E 1_B h_Y(S_j) (1 - h_Y(D)) <= t E 1_B h_Y(D) (1 - h_Y(S_j)) + delta.

    Average over j: for p = h_Y(D) and q = E[h_Y(S) | Y], ``E 1_B (q (1 - p) - t p (1 - q)) <=
    delta``. On B, q is at least p + g, and the bracket is least for q = p + g and p = (1 - g)/2,
    where it is the denominator above.

    With delta = 0 and n = 1, ``tanh(epsilon / 4)`` is attained by randomized response on a biased
    bit. The idea, that conditioning on the output suffices, is from Jung, Ligett, Neel, Roth,
    Sharifi-Malvajerdi and Shenfeld, *A new analysis of differential privacy's generalization
    guarantees*, 2020; they have ``delta / (g - (t - 1))``.

    Examples
    --------
    >>> private = PrivacyGuarantee(Epsilon.exactly(Fraction(5, 4)), Fraction(1, 1000))
    >>> posterior_failure(private, "1/10")
    Fraction(8, 395)
    """
    require_guarantee(guarantee, PrivacyGuarantee)
    g = as_number(deviation, "deviation")
    if not 0 < g <= 1:
        raise InvalidInput("deviation", in_words(g), "above 0 and at most 1")
    gap = g - (guarantee.factor - 1) * (1 - g) ** 2 / 4
    return Fraction(1) if gap <= guarantee.delta else guarantee.delta / gap


@dataclass(frozen=True, slots=True)
class Release:
    """A number with bounded noise: z from -width to width with weight ``decay**|z|``.

    Parameters
    ----------
    width
        w, at least 1.
    decay
        Above 0 and below 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> round(float(Release(2, Fraction(1, 2)).guarantee.delta), 12)
    0.1
    """

    width: int
    decay: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", as_size(self.width, "width", least=1))
        object.__setattr__(self, "decay", as_open_unit(self.decay, "decay"))

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy for a number that one example changes by at most 1.

        Between z and z + 1 the weights differ by the factor 1/decay, except that one end is
        possible on one side only: its probability, rounded up, is the delta.
        """
        # The exact power may have millions of digits.
        end = Interval.exp(Interval.log(self.decay) * self.width).upper
        delta = end * (1 - self.decay) / (1 + self.decay - 2 * self.decay * end)
        return PrivacyGuarantee(Epsilon.exactly(1 / self.decay), delta)


def released_deviation(
    guarantee: PrivacyGuarantee,
    n: int,
    delta: AnyNumber,
    release: Release,
    *,
    reading: Reading = "joint",
) -> Interval:
    """Enclose the deviation that a private mechanism exceeds with probability <= delta.

    Parameters
    ----------
    guarantee
        The (epsilon, delta')-privacy of the mechanism.
    n, delta, reading
        As for :func:`pure_privacy_deviation`.
    release
        The noise in the proof; every choice proves something.

    Returns
    -------
    Interval
        ``2 w / n + g`` for the g at which :func:`posterior_failure`, for the mechanism that also
        releases n h(S) with noise, is delta; 1 if there is none.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Proof.* Let the mechanism also output ``a = n h(S) + z``, for the test h that the adversary
    names. By composition it is private with the factors multiplied and, at most, the deltas added.
    Given (h, a), all samples that are possible have ``n h(S)`` between a - w and a + w, and so has
    their mean; they are at most 2 w / n apart. With probability 1 - delta the mean is within g of
    h(D).

    Examples
    --------
    >>> private = PrivacyGuarantee(Epsilon("1/10"), Fraction(1, 10**9))
    >>> found = released_deviation(private, 10_000, "1/1000", Release(200, Fraction(9, 10)))
    >>> print(f"{float(found):.4f}")
    0.0913
    """
    require_guarantee(guarantee, PrivacyGuarantee)
    size = as_size(n, "n", least=1)
    failure = joint_failure(delta, reading)
    if not isinstance(release, Release):
        raise InvalidInput("release", described(release), "a Release")
    total = basic_composition([guarantee, release.guarantee])
    share = total.delta / failure
    if share >= 1:
        return Interval.exactly(1)
    # The root of g - (t - 1) (1 - g)**2 / 4 = share.
    root = Interval.sqrt(1 + (total.factor - 1) * (1 - share))
    return Fraction(2 * release.width, size) + (1 - 2 * (1 - share) / (1 + root))


def private_deviation(
    guarantee: PrivacyGuarantee,
    n: int,
    delta: AnyNumber,
    *,
    reading: Reading = "joint",
) -> Interval:
    """Enclose the deviation that a private mechanism exceeds with probability <= delta.

    Parameters
    ----------
    guarantee
        The (epsilon, delta')-privacy of the mechanism.
    n
        The size of the samples, at least 1.
    delta
        The probability of failure, above 0 and below 1; to say anything it must exceed delta'.
    reading
        Of Definition 5.

    Returns
    -------
    Interval

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    For delta' = 0 it is :func:`pure_privacy_deviation`; otherwise :func:`released_deviation` for a
    release that suits n and delta. Roughly, with J for the joint failure,

        epsilon / 4 + sqrt(ln(2 / J) / (2 n))                       for delta' = 0,
        epsilon / 4 + delta' / J + sqrt(2 ln(n / J) / n)            otherwise,

    so that (epsilon, delta')-privacy gives a deviation of the order of epsilon with probability
    delta'/epsilon, as Theorem 20 says. :func:`theorem_20` has the constants of the source cited.

    Examples
    --------
    >>> private = PrivacyGuarantee(Epsilon("1/10"), Fraction(1, 10**9))
    >>> print(f"{float(private_deviation(private, 10_000, '1/1000')):.4f}")
    0.0715
    """
    require_guarantee(guarantee, PrivacyGuarantee)
    size = as_size(n, "n", least=1)
    if not guarantee.delta:
        return pure_privacy_deviation(guarantee, size, delta, reading=reading)
    release = _release(size, joint_failure(delta, reading))
    return released_deviation(guarantee, size, delta, release, reading=reading)


def _robust(
    deviation: Interval,
    guarantee: PrivacyGuarantee,
    n: int,
    delta: AnyNumber,
    *,
    reading: Reading = "joint",
) -> RobustGuarantee:
    return RobustGuarantee(rounded_up(deviation), as_open_unit(delta, "delta"), reading)


private_to_robust = Implication(
    claim="CLNRW16:theorem-20.explicit",
    premise=PrivacyGuarantee,
    conclusion=RobustGuarantee,
    bound=private_deviation,
    into=_robust,
    given=lambda rule, private, n, wanted: rule(private, n, wanted.failure, reading=wanted.reading),
)
"""The robust generalization of a differentially private mechanism, on all distributions and against
all adversaries."""


def theorem_20(guarantee: PrivacyGuarantee, n: int) -> RobustGuarantee:
    """Return Theorem 20 with the constants of its source: (18 epsilon, delta / epsilon).

    Parameters
    ----------
    guarantee
        The (epsilon, delta)-privacy of the mechanism, with epsilon below 1/3 and delta above 0 and
        below epsilon/4.
    n
        The size of the samples, at least ``ln(4 epsilon / delta) / epsilon**2``.

    Returns
    -------
    RobustGuarantee
        In the joint reading; the parameters are rounded up.

    Raises
    ------
    InvalidInput
        The conditions do not hold, or are too close to tell.

    Notes
    -----
    Theorem 20 hides its constants; these are of the transfer theorem of Bassily, Nissim, Smith,
    Steinke, Stemmer and Ullman, *Algorithmic stability for adaptive data analysis*, 2016, quoted
    and not proved here. :func:`private_to_robust` is proved here and smaller on every instance
    that was compared. The theorem needs delta > 0: a purely private mechanism is fed with any.

    Examples
    --------
    >>> private = PrivacyGuarantee(Epsilon("1/20"), Fraction(1, 10**6))
    >>> quoted = theorem_20(private, 10_000)
    >>> proved = private_to_robust(private, 10_000, quoted.delta)
    >>> print(f"{float(quoted.epsilon):.3f} {float(proved.epsilon):.3f}")
    0.900 0.114
    """
    require_guarantee(guarantee, PrivacyGuarantee)
    size = as_size(n, "n", least=1)
    epsilon, delta = guarantee.epsilon.interval(), guarantee.delta
    if not (epsilon.upper < Fraction(1, 3) and 0 < 4 * delta < epsilon.lower):
        raise InvalidInput("guarantee", repr(guarantee), "epsilon < 1/3 and 0 < delta < epsilon/4")
    needed = Interval.log(4 * epsilon / delta) / (epsilon * epsilon)
    if size < needed.upper:
        raise InvalidInput("n", str(size), f"at least {math.ceil(needed.upper)}")
    failure = min(Fraction(1), rounded_up(delta / epsilon))
    return RobustGuarantee(rounded_up(18 * epsilon), failure)


def _release(n: int, failure: Fraction) -> Release:
    """Return a release for which the deviation is small.

    The floats choose among proofs, each of which is valid.
    """
    lost = float(Interval.log(failure))
    found = [(2.0, 1, Fraction(1, 2))]
    for quarter in range(-8, 4 * n.bit_length()):
        rate = 2.0 ** (-quarter / 4)
        # Beyond epsilon/4 the deviation is about 2 w / n + rate / 4 + delta of the noise / failure.
        width = round((math.log(n * rate * rate / 4) - lost) / rate)
        decay = Fraction(math.exp(-rate)).limit_denominator(1 << 32)
        if 1 <= width < n and 0 < decay < 1:
            ends = rate / 2 / -math.expm1(-rate * width)
            excess = ends * math.exp(-rate * width - lost)
            found.append((2 * width / n + rate / 4 + excess, width, decay))
    return Release(*min(found)[1:])
