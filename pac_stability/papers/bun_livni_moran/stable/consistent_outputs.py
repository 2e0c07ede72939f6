"""Proposition 5 on one learner and one target: what is output often has small loss."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability._report import Tabled
from pac_stability.arguments import as_size
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, Mechanism, Sample
from pac_stability.papers.bun_livni_moran.formulas import FrequentOutputLoss
from pac_stability.papers.bun_livni_moran.tournaments.target import require_realizable

F = TypeVar("F", bound=Callable[[Hashable], int] | Mapping[Hashable, int])


@dataclass(frozen=True, slots=True, repr=False)
class OutputOfLearner(Tabled, Generic[F]):
    """One output of a learner: how often it occurs and how often it errs.

    Attributes
    ----------
    hypothesis
        h.
    frequency
        Pr[A(S) = h] for S ~ D^n.
    loss
        loss_D(h).
    """

    hypothesis: F
    frequency: Fraction
    loss: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class ConsistentOutputs(Tabled, Generic[F]):
    """All outputs of a learner on one target, against Proposition 5.

    Attributes
    ----------
    n
        The sample size.
    outputs
        Every output, the most frequent first.
    inconsistent
        A sample on which some output errs, or ``None``: the learner is consistent on the target.
    """

    n: int
    outputs: tuple[OutputOfLearner[F], ...]
    inconsistent: Sample[Hashable] | None

    @property
    def stability(self) -> Fraction:
        """The largest eta for which the learner is (n, eta)-globally stable on the target."""
        return self.outputs[0].frequency

    @property
    def violations(self) -> tuple[OutputOfLearner[F], ...]:
        """The outputs h with ``Pr[A(S) = h] > (1 - loss(h))**n``.

        There are none when the learner is consistent.
        """
        return tuple(
            output
            for output in self.outputs
            if not FrequentOutputLoss(output.frequency, self.n).allows(output.loss)
        )

    @property
    def holds(self) -> bool:
        """Whether every output obeys ``Pr[A(S) = h] <= (1 - loss(h))**n``."""
        return not self.violations


def proposition_5(
    learner: Mechanism[Sample[Hashable], F],
    H: FiniteClass,
    target: FiniteDistribution[Example[Hashable]],
    n: int,
) -> ConsistentOutputs[F]:
    """Return the outputs of a learner on n examples of a target, with their losses.

    A consistent learner outputs h only on samples that h fits, so with probability at most ``(1 -
    loss(h))**n``. That is exact; Proposition 5 states the weaker ``loss(h) <= ln(1/eta) / n``.

    Parameters
    ----------
    learner
        A mechanism from samples to hypotheses. Hypotheses are functions on points or mappings, and
        must be hashable; equal ones are one output.
    H
        The class.
    target
        D, a distribution of examples that some hypothesis of H fits without loss.
    n
        The sample size, at least 1.

    Returns
    -------
    ConsistentOutputs
        The outputs, and whether the learner was consistent.

    Raises
    ------
    InvalidInput
        A parameter is not as described.
    NotRealizable
        No hypothesis fits the target.

    Notes
    -----
    Asks for the law of the output on every sequence of n examples of the support. Source: BLM20
    Proposition 5.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> target = FiniteDistribution.uniform([Example(0, 0), Example(1, 1)])
    >>> first = Deterministic(lambda S: next(h for h in H if S.count_errors(h) == 0))
    >>> for output in proposition_5(first, H, target, 2).outputs:
    ...     print(output.hypothesis.index, output.frequency, output.loss)
    1 3/4 0
    0 1/4 1/2
    """
    require_realizable(H, target)
    size = as_size(n, "n", least=1)
    frequencies: dict[F, Fraction] = {}
    inconsistent: Sample[Hashable] | None = None
    for examples, p in target.power(size).items():
        sample = Sample.from_examples(examples)
        for h, share in learner.law(sample).items():
            frequencies[h] = frequencies.get(h, Fraction(0)) + p * share
            if inconsistent is None and sample.count_errors(h):
                inconsistent = sample
    support = Sample.from_examples(target.support)
    weights = [target.probability(example) for example in target.support]
    outputs = []
    for h, p in sorted(frequencies.items(), key=lambda item: -item[1]):
        wrong = (Sample.from_examples([z]).count_errors(h) for z in support)
        loss = sum((w * e for w, e in zip(weights, wrong, strict=True)), Fraction(0))
        outputs.append(OutputOfLearner(h, p, loss))
    return ConsistentOutputs(size, tuple(outputs), inconsistent)
