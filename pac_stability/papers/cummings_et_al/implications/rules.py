"""Every implication between guarantees of one mechanism, for ``claims.what_follows``."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability._report import Tabled
from pac_stability.arithmetic import Epsilon
from pac_stability.compression.bounds import Reading
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import group_privacy
from pac_stability.papers.cummings_et_al.implications.composition import ClosePair, close_pair
from pac_stability.papers.cummings_et_al.implications.guarantees import (
    PerfectGuarantee,
    RobustGuarantee,
    factor_above,
)
from pac_stability.papers.cummings_et_al.implications.perfect_from_privacy import (
    group_to_perfect,
    private_to_perfect,
    private_to_perfect_any_range,
)
from pac_stability.papers.cummings_et_al.implications.robust_from_finite_range import (
    finite_range_to_robust,
)
from pac_stability.papers.cummings_et_al.implications.robust_from_perfect import perfect_to_robust
from pac_stability.papers.cummings_et_al.implications.robust_from_privacy import (
    private_to_robust,
    theorem_20,
)
from pac_stability.papers.cummings_et_al.resampling_privacy import ResamplingPrivacy
from pac_stability.papers.guarantees import Implication, Rule, at_once, itself

_EXACT = 64  # powers of more examples have too many digits


@dataclass(frozen=True, slots=True, repr=False)
class GroupGuarantee(Tabled):
    """Laws on samples that differ in up to ``size`` examples are (epsilon, delta)-close."""

    _kind: ClassVar[str] = "privacy of groups"

    size: int
    epsilon: Epsilon
    delta: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class ResampledGuarantee(Tabled):
    """The mechanism is private when its sample is first drawn anew, with replacement."""

    _kind: ClassVar[str] = "differential privacy on a sample drawn anew"

    privacy: PrivacyGuarantee


def group_guarantee(guarantee: PrivacyGuarantee, size: int) -> GroupGuarantee:
    """Return the privacy of groups: :func:`pac_stability.notions.group_privacy.bound`.

    Parameters
    ----------
    guarantee
        That for one example.
    size
        How many examples may differ, at least 1.

    Raises
    ------
    InvalidInput
        The size is no positive integer.

    Examples
    --------
    >>> group_guarantee(PrivacyGuarantee(Epsilon.exactly(2), Fraction(1, 100)), 3).delta
    Fraction(7, 100)
    """
    epsilon, delta = group_privacy.bound(guarantee.epsilon, guarantee.delta, size)
    return GroupGuarantee(size, epsilon, min(delta, Fraction(1)))


def resampled(guarantee: PerfectGuarantee, n: int) -> ResampledGuarantee:
    """Return the privacy of Algorithm 2 over a perfectly generalizing mechanism.

    Parameters
    ----------
    guarantee
        Perfect generalization on samples of size n, on all distributions.
    n
        At least 1.

    Raises
    ------
    InvalidInput
        beta is 1, or n is no positive integer.

    Notes
    -----
    :class:`~pac_stability.papers.cummings_et_al.ResamplingPrivacy`, repaired: CLNRW16 Theorem 32.

    Examples
    --------
    >>> perfect = PerfectGuarantee(Fraction(1, 100), Epsilon.exactly(2), Fraction(1, 1000))
    >>> float(resampled(perfect, 10).privacy.delta)
    0.02485
    """
    # Its conditions on beta grow weaker with n, and powers of n have n times as many digits.
    size = min(n, _EXACT)
    found = ResamplingPrivacy(size, guarantee.beta, guarantee.epsilon, guarantee.delta)
    return ResampledGuarantee(found.guarantee)


def _quoted(guarantee: PrivacyGuarantee, n: int, reading: Reading) -> RobustGuarantee:
    found = theorem_20(guarantee, n)
    return found.as_split() if reading == "split" else found


def _group_to_perfect(
    guarantee: PrivacyGuarantee, n: int, elements: int | None
) -> PerfectGuarantee:
    """Return :func:`group_to_perfect`, from 64 examples on with numbers that are rounded up."""
    if n <= _EXACT:
        return group_to_perfect(guarantee, n, elements=elements)
    distance = n if elements is None else n - n // elements
    epsilon, t = guarantee.epsilon.interval() * distance, guarantee.factor
    if epsilon.upper > _EXACT:
        raise InvalidInput("n", str(n), f"at most {_EXACT} for n epsilon")
    factor = factor_above(epsilon)
    lost = guarantee.delta * (distance if t == 1 else (factor.ratio - 1) / (t - 1))
    return PerfectGuarantee(Fraction(0), factor, min(lost, Fraction(1)))


RULES: tuple[Rule, ...] = (
    finite_range_to_robust,
    private_to_robust,
    Implication(
        claim="CLNRW16:theorem-20",
        premise=PrivacyGuarantee,
        conclusion=RobustGuarantee,
        bound=_quoted,
        into=itself,
        given=lambda rule, private, n, wanted: rule(private, n, wanted.reading),
    ),
    perfect_to_robust,
    private_to_perfect,
    private_to_perfect_any_range,
    Implication(
        claim="CLNRW16:group-privacy",
        premise=PrivacyGuarantee,
        conclusion=PerfectGuarantee,
        bound=_group_to_perfect,
        into=itself,
        given=lambda rule, private, n, wanted: rule(private, n, wanted.elements),
    ),
    Implication(
        claim="CLNRW16:group-privacy",
        premise=PrivacyGuarantee,
        conclusion=GroupGuarantee,
        bound=group_guarantee,
        into=itself,
        given=lambda rule, private, n, wanted: (
            None if wanted.group is None else rule(private, min(wanted.group, n))
        ),
    ),
    at_once("CLNRW16:corollary-10", PerfectGuarantee, ClosePair, close_pair),
    Implication(
        claim="CLNRW16:theorem-32.repaired",
        premise=PerfectGuarantee,
        conclusion=ResampledGuarantee,
        bound=resampled,
        into=itself,
        given=lambda rule, perfect, n, wanted: rule(perfect, n),
    ),
)
"""In the order in which they are tried. Post-processing (Lemma 11) and composition (Theorem 12) are
of other mechanisms than the one that the guarantee is of."""
