"""The exponential mechanism, with rational weights."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from pac_stability.arguments import AnyNumber, as_size
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.classes import FiniteClass, Row
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.mechanisms.accounting import PrivacyGuarantee
from pac_stability.mechanisms.decays import decay_for
from pac_stability.mechanisms.exponential_draws import PreparedChoice
from pac_stability.mechanisms.weights import (
    Choosing,
    ErrorCounts,
    In_contra,
    Out_co,
    Scores,
    as_prior,
    exponential_weights,
)

X = TypeVar("X")
Y = TypeVar("Y")


@dataclass(frozen=True, slots=True)
class ExponentialMechanism(Choosing[In_contra, Out_co]):
    """Choose a candidate with probability in proportion to ``prior * decay**errors``.

    Parameters
    ----------
    candidates
        What may be chosen: at least one, distinct and hashable.
    errors
        A function of the input: one integer for each candidate, in order, lower is better. An
        array of integers is fastest.
    decay
        rho, what one more error multiplies the weight by: an exact number above 0 and at most 1
        (then the choice is uniform). :meth:`from_epsilon` finds one for a given epsilon.
    sensitivity
        By how much the errors of one candidate can differ between neighbouring inputs.
    monotone
        Whether between two neighbouring inputs no two candidates' errors change in opposite
        directions, as when an example is *added* to a sample.
    prior
        The base measure: a positive exact number for each candidate, in order, of which only the
        proportions matter; kept as integers in lowest terms. By default all are equal. It is fixed
        before the data are seen, and public.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, the errors are not one integer for each candidate.

    Notes
    -----
    Privacy: on neighbouring inputs the weight of a candidate changes by a factor of at most
    ``rho**-sensitivity``, and so does the sum of the weights; when the errors are monotone the two
    changes have the same direction. So the output is private with ``e**epsilon = rho**(-2
    sensitivity)``, or ``rho**-sensitivity`` when monotone. No smaller factor serves all finite sets
    of candidates. In the papers rho is ``e**(-epsilon/2)``.

    The prior changes nothing of this: it multiplies a candidate's weight on both inputs alike and
    cancels in their ratio, and a sum of terms of which each changes by a factor of at most
    ``rho**-sensitivity`` changes by no more, whatever multiplies the terms. (Integer weights are
    the mechanism without a prior on a list that repeats the candidates.) That fails for a prior
    that has seen the data: its own change comes on top.

    Accuracy: a candidate of prior p, as a share of the whole, and k errors costs as many errors as
    ``p rho**k`` says: with probability at least 1 - beta no more than ``k + log(1/(p beta)) /
    log(1/rho)``. So a large list may be used if what is simple has more of the prior.

    Stability: the log odds of a 0/1 value computed from the output change by at most epsilon, so
    its probability changes by at most ``tanh(epsilon/4)``. That is :attr:`stability`, attained by
    two candidates that are equally likely without data, unless the errors are monotone, when it is
    an upper bound.

    Concentration: the logarithms of the likelihood ratios of two neighbouring inputs lie in an
    interval of length epsilon, so under every tilt their variance is at most epsilon**2/4. Twice
    integrated, the Renyi divergence of order a is at most a epsilon**2/8: :attr:`concentration`.

    A draw is :func:`~pac_stability.mechanisms.exponential_choice`: exact, and fast for any errors.
    A law has integers of as many bits as the errors' range times those of the denominator. Powers
    of two for denominators, which :meth:`from_epsilon` and :meth:`base_two` make, are short.

    Sources: McSherry and Talwar, *Mechanism design via differential privacy*, 2007; DF20
    Definition of A^exp and Lemma 7; base 2: Ilvento, *Implementing the exponential mechanism with
    base-2 differential privacy*, 2020;
    concentration: Cesar and Rogers, *Bounding, concentrating, and truncating*, 2021.

    Examples
    --------
    >>> def misses(votes: tuple[int, ...]) -> list[int]:
    ...     return [sum(v != c for v in votes) for c in range(3)]
    >>> choose = ExponentialMechanism(("a", "b", "c"), misses, Fraction(1, 2))
    >>> choose.law((0, 0, 1))
    FiniteDistribution({'a': 4/7, 'b': 2/7, 'c': 1/7})
    >>> choose.guarantee.factor, choose.run((0, 0, 1)) in "abc"
    (Fraction(4, 1), True)
    >>> rather_c = ExponentialMechanism(("a", "b", "c"), misses, Fraction(1, 2), prior=(1, 1, 4))
    >>> rather_c.law((0, 0, 1)), rather_c.guarantee == choose.guarantee
    (FiniteDistribution({'a': 2/5, 'b': 1/5, 'c': 2/5}), True)
    """

    monotone: bool = False
    prior: Sequence[int | Fraction] | None = None

    def __post_init__(self) -> None:
        Choosing.__post_init__(self)
        if self.prior is not None:
            object.__setattr__(self, "prior", as_prior(self.prior, len(self.candidates)))

    @staticmethod
    def from_epsilon(
        candidates: Sequence[Y],
        errors: Callable[[X], Scores],
        epsilon: Epsilon | AnyNumber,
        *,
        sensitivity: int = 1,
        monotone: bool = False,
        prior: Sequence[int | Fraction] | None = None,
    ) -> ExponentialMechanism[X, Y]:
        """Return the mechanism that spends at most epsilon, and nearly all of it.

        Parameters
        ----------
        candidates, errors, sensitivity, monotone, prior
            As for the class.
        epsilon
            What may be spent; :func:`~pac_stability.mechanisms.decay_for` makes the decay of it.

        Examples
        --------
        >>> chooser = ExponentialMechanism.from_epsilon("ab", lambda bit: [bit, 1 - bit], 1.0)
        >>> chooser.decay, chooser.guarantee.factor <= Epsilon(1.0).ratio
        (Fraction(158999, 262144), True)
        """
        changes = as_size(sensitivity, "sensitivity", least=1) * (1 if monotone else 2)
        decay = decay_for(epsilon, changes)
        return ExponentialMechanism(tuple(candidates), errors, decay, sensitivity, monotone, prior)

    @staticmethod
    def base_two(
        candidates: Sequence[Y],
        errors: Callable[[X], Scores],
        halvings: int = 1,
        *,
        sensitivity: int = 1,
        monotone: bool = False,
        prior: Sequence[int | Fraction] | None = None,
    ) -> ExponentialMechanism[X, Y]:
        """Return the mechanism of weights ``2**(-halvings * errors)``: the base-2 variant.

        Parameters
        ----------
        candidates, errors, sensitivity, monotone, prior
            As for the class.
        halvings
            How often an error halves the weight. The guarantee is ``4**(halvings * sensitivity)``.

        Notes
        -----
        The weights are powers of two. Bases between these, multiples of a power of 1/2, are what
        :meth:`from_epsilon` takes.

        Examples
        --------
        >>> ExponentialMechanism.base_two("ab", lambda bit: [bit, 1 - bit]).law(0)
        FiniteDistribution({'a': 2/3, 'b': 1/3})
        """
        decay = Fraction(1, 1 << as_size(halvings, "halvings", least=1))
        return ExponentialMechanism(tuple(candidates), errors, decay, sensitivity, monotone, prior)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee; its delta is 0."""
        changes = self.sensitivity * (1 if self.monotone else 2)
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-changes))

    @property
    def stability(self) -> Fraction:
        """By how much, at most, the probability of a 0/1 value of the output changes."""
        step = self.decay**self.sensitivity
        return (1 - step) / (1 + step)

    @property
    def concentration(self) -> Interval:
        """A rho for which it is zero-concentrated private: ``epsilon**2 / 8``."""
        epsilon = Interval.log(self.guarantee.factor)
        return epsilon * epsilon / 8

    def law(self, x: In_contra, /) -> FiniteDistribution[Out_co]:
        """Return the law of the choice.

        Parameters
        ----------
        x
            The input of ``errors``.
        """
        weights = exponential_weights(self._counts(x), self.decay, self.prior)
        return reduced_law(dict(zip(self.candidates, weights, strict=True)))

    def prepare(self, x: In_contra, /) -> PreparedChoice:
        """Return what draws candidates for one input, by their indices: errors are asked for once.

        The guarantee is of one draw; several spend more. The object itself is as private as the
        input.

        Parameters
        ----------
        x
            The input of ``errors``.

        Examples
        --------
        >>> chooser = ExponentialMechanism("ab", lambda bit: [bit, 1 - bit], Fraction(1, 2))
        >>> prepared = chooser.prepare(0)
        >>> chooser.candidates[prepared.draw()] in "ab", prepared.draws(1000).shape
        (True, (1000,))
        """
        return PreparedChoice(self._counts(x), self.decay, self.prior)


def exponential_learner(
    hypotheses: FiniteClass, decay: Fraction, prior: Sequence[int | Fraction] | None = None
) -> ExponentialMechanism[Sample[Hashable], Row]:
    """Return the learner that draws a hypothesis with weight decay to the power of its errors.

    Parameters
    ----------
    hypotheses
        H, not empty.
    decay
        rho; :func:`~pac_stability.mechanisms.decay_for` finds one for a given epsilon.
    prior
        A positive exact number for each row; by default they are all equal.

    Returns
    -------
    ExponentialMechanism
        Its outputs are the hypotheses ``H[i]``, callable at every point, ``.index`` being the row.
        Replacing an example changes each count by at most one, in either direction, so the learner
        is private with the factor ``rho**-2``, and the label that its output gives to any point is
        (1 - rho)/(1 + rho)-stable.

    Raises
    ------
    InvalidInput
        The class is empty, or the decay out of range.

    Notes
    -----
    DF20 Definition of A^exp with ``rho = e**(-epsilon/2)``; BLM20's generic learner; CLNRW16
    Algorithm 1 with ``rho = e**(-c/n)``.

    Examples
    --------
    >>> learner = exponential_learner(FiniteClass([[0, 0], [0, 1]]), Fraction(1, 2))
    >>> learner.law(Sample([1, 1], [1, 1])).map(lambda h: h(1))
    FiniteDistribution({0: 1/5, 1: 4/5})
    """
    return ExponentialMechanism(tuple(hypotheses), ErrorCounts(hypotheses), decay, prior=prior)
