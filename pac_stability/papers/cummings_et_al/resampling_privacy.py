"""Theorem 32: what resampling makes of perfect generalization."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from pac_stability._report import Tabled
from pac_stability.arguments import as_number, as_probability, as_size, in_words
from pac_stability.arithmetic import (
    Constants,
    ConstantsLike,
    Epsilon,
    Interval,
    as_constants,
    decide_less,
)
from pac_stability.arithmetic.epsilon import require_epsilon
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions.chain_rule import chain_of_equal_links

StatementLike: TypeAlias = ConstantsLike | Literal["halfway"]
"""Whose constants, or the statement with simulators halfway between empirical distributions."""


@dataclass(frozen=True, slots=True, repr=False)
class ResamplingPrivacy(Tabled):
    """Theorem 32: the privacy of Algorithm 2 over a perfectly generalizing mechanism.

    Parameters
    ----------
    n
        The size of the samples, at least 1.
    beta, epsilon, delta
        The parameters of perfect generalization of M: beta at least 0 and below 1, epsilon an
        :class:`~pac_stability.arithmetic.Epsilon`, delta a probability.
    constants
        Printed: (4 epsilon, 16 delta + 2 beta), for beta below 1/(2e) and epsilon up to ln 2.
        Proved and sharp: see :attr:`links`; every epsilon is allowed. ``"halfway"`` is a statement
        with another premise: (2 epsilon, (1 + e^epsilon) delta + beta'), for every beta and
        epsilon, with :attr:`shifted_beta` for beta'.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Proof of the repaired statement.* Let S and S' differ at index i, P = E_S^n and P' = E_S'^n,
    and let SIM and SIM' be simulators for E_S and E_S'. Call T good for S if M(T) is (epsilon,
    delta)-close to SIM, and likewise for S'; each is so with probability at least 1 - beta.

    1. Draw indices. With probability ``(1 - 1/n)**n`` the index i is never drawn, and then T is the
       same for S and S'. So the measure min(P, P') has at least this total mass. At most beta of it
       is on samples that are not good for S, and at most beta on those not good for S'. If ``2 beta
       < (1 - 1/n)**n``, there is a T* that is good for both.
    2. Couple T ~ P with T' ~ P' such that, with probability 1 - beta at least, T is good for S and
       T' for S' at once: this is possible, as each fails with probability at most beta. Then M(T),
       SIM, M(T*), SIM', M(T') is a chain of four links: with t = e^epsilon, ``M(T)(E) <= t**4
       M(T')(E) + D`` for every event E, where ``D = delta (1 + t + t**2 + t**3)``. Otherwise
       M(T)(E) is at most 1. The mean over the coupling is what M' has:

           M'(S)(E) <= t**4 M'(S')(E) + (1 - beta) min(D, 1) + beta.

    ``(1 - 1/n)**n`` is 0 for n = 1 and at least 1/4 from n = 2 on. For the other cases, let C be
    (E_S + E_S')/2, with a simulator of its own. It gives half of the weight of index i to the new
    example, so P and C^n overlap by ``(1 - 1/(2n))**n >= 1/2``, and if 2 beta is below that the
    links are M(T), SIM, M(T*), SIM_C, M(T**), SIM', M(T'): six.

    *The statement "halfway"* has the simulator for C alone, and two links: M(T), SIM_C, M(T'). On
    the draws that take index i k times, P has 2^k times the probability that C^n has (and C^n may
    draw the new example, too). So what has probability beta under C^n has at most beta' under P:
    that of the draws with the largest k that together have beta under C^n. Half of the epsilon is
    paid for with a larger beta, and with a premise that is not about empirical distributions of n
    examples.

    *What differs from the printed proof.* It needs the probability that T avoids the example that
    is replaced to be above 2 beta, and takes 1/e for it, which ``(1 - 1/n)**n`` approaches from
    below. It tells by value whether T avoids the example: if S has a copy of it, the probability is
    smaller (0 for S = (a, a)), and T must avoid the new example as well. It applies Lemma 9, which
    is for epsilons below ln 2, with 2 epsilon. And it leaves open how closeness of M(T) and M(T')
    for most T and T' carries over to M'. Only simulators for empirical distributions are used (and
    for the C), so that the premise is finite: see
    :func:`~pac_stability.papers.cummings_et_al.pipelines.resampling_pipeline`. With
    n = 1 and the empirical distributions alone, nothing can be concluded: M' is M then, and every
    M generalizes perfectly on samples that are constant. Where the printed hypotheses hold and
    four links do not suffice, six do; whether 4 epsilon is right there we do not know.

    Source: CLNRW16 Theorem 32.

    Examples
    --------
    >>> link = (Fraction(1, 100), Epsilon.exactly(2), Fraction(1, 1000))
    >>> proved = ResamplingPrivacy(10, *link)
    >>> proved.links, proved.guarantee.factor, float(proved.guarantee.delta)
    (4, Fraction(16, 1), 0.02485)
    >>> float(ResamplingPrivacy(10, *link, constants="printed").guarantee.delta)
    0.036
    >>> halfway = ResamplingPrivacy(10, *link, constants="halfway").guarantee
    >>> halfway.factor, round(float(halfway.delta), 4)
    (Fraction(4, 1), 0.0813)
    >>> ResamplingPrivacy(1, *link).links
    6
    """

    n: int
    beta: Fraction
    epsilon: Epsilon
    delta: Fraction = Fraction(0)
    constants: StatementLike = Constants.SHARP

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))
        beta = as_number(self.beta, "beta")
        if not 0 <= beta < 1:
            raise InvalidInput("beta", in_words(beta), "a number of at least 0 and less than 1")
        object.__setattr__(self, "beta", beta)
        require_epsilon(self.epsilon)
        object.__setattr__(self, "delta", as_probability(self.delta, "delta"))
        if self.constants != "halfway":
            object.__setattr__(self, "constants", as_constants(self.constants))

    @property
    def links(self) -> Literal[4, 6, 0]:
        """How many links the repaired proof has.

        4 if ``2 beta < (1 - 1/n)**n``, as for n >= 2 and beta < 1/8; otherwise 6 if ``2 beta < (1 -
        1/(2n))**n``, as for beta < 1/4; otherwise 0, and nothing is proved. Six links need the
        premise for the distributions halfway between two empirical ones, too.
        """
        if 2 * self.beta < untouched(self.n):
            return 4
        return 6 if 2 * self.beta < Fraction(2 * self.n - 1, 2 * self.n) ** self.n else 0

    @property
    def shifted_beta(self) -> Fraction:
        """The largest probability under E_S^n of what has probability beta halfway to E_S'."""
        n, left, total = self.n, self.beta, Fraction(0)
        for k in range(n, -1, -1):
            # n draws from S that take a given index k times; halfway, 2**k times as unlikely.
            mass = math.comb(n, k) * Fraction((n - 1) ** (n - k), n**n)
            taken = min(mass, left * 2**k)
            total += taken
            left -= taken / 2**k
        return total

    @property
    def applies(self) -> bool:
        """Whether the hypotheses of the statement are fulfilled."""
        if self.constants != Constants.PRINTED:
            return self.links > 0 or self.constants == "halfway"
        return self.epsilon.ratio <= 2 and (
            self.beta == 0
            or decide_less(
                lambda bits: Interval.exp(1, bits) * (2 * self.beta),
                lambda _: Interval.exactly(1),
            )
        )

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of Algorithm 2 for one example replaced.

        Raises
        ------
        InvalidInput
            The hypotheses of the statement are not fulfilled.
        """
        if not self.applies:
            wanted = "a small enough beta (and epsilon), as the statement asks for"
            raise InvalidInput("beta", in_words(self.beta), wanted)
        if self.constants == Constants.PRINTED:
            delta = 16 * self.delta + 2 * self.beta
            return PrivacyGuarantee(self.epsilon * 4, min(delta, Fraction(1)))
        links, beta = (
            (2, self.shifted_beta) if self.constants == "halfway" else (self.links, self.beta)
        )
        epsilon, chained = chain_of_equal_links(self.epsilon, self.delta, links)
        kept = 1 - min(chained, Fraction(1))
        return PrivacyGuarantee(epsilon, 1 - (1 - beta) * kept)


def untouched(n: int) -> Fraction:
    """Return the probability that n draws with replacement from n never take a given index.

    Parameters
    ----------
    n
        At least 1.

    Returns
    -------
    Fraction
        ``(1 - 1/n)**n``, which increases to 1/e and is below it for every n.

    Examples
    --------
    >>> [round(float(untouched(n)), 4) for n in (1, 2, 3, 4, 5, 1000)]
    [0.0, 0.25, 0.2963, 0.3164, 0.3277, 0.3677]
    """
    size = as_size(n, "n", least=1)
    return Fraction(size - 1, size) ** size
