"""The inequalities in the proof of Theorem 11, line by line, for any learner."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod
from typing import TypeAlias

from pac_stability import audit
from pac_stability.arguments import AnyNumber, as_fraction, as_probability, as_size, described
from pac_stability.arithmetic import multinomial
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import Predictor
from pac_stability.papers.dagan_feldman.lower_bound import HardDistribution

Labelling: TypeAlias = tuple[int, ...]


ExactPredictor: TypeAlias = Predictor[Hashable, Fraction | int]
"""A learner with exact probabilities; with ``symmetric`` it says that the order does not matter."""


@dataclass(frozen=True, slots=True)
class HardChain:
    """What each line of the proof of Theorem 11 is worth, for one learner and one distribution.

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
    The learner is asked once for each target and each sample of points: C(n+m, m) samples up to
    order when it declares itself symmetric, (m+1)^n otherwise; each at most 2^(m+1) times.

    Examples
    --------
    >>> from pac_stability.papers.dagan_feldman.voting import VotingLearner
    >>> hard = HardDistribution.shattered("ab", Fraction(1, 8))
    >>> hard_average_error(VotingLearner(Fraction(1)), hard, 2)
    Fraction(1, 8)
    """
    _require_parts(learner, hard)
    total = Fraction(0)
    for weight, predictions in _predictions(learner, hard, as_size(n, "n")):
        for target, predicted in predictions.items():
            errors = zip(hard.masses, target, predicted, strict=True)
            total += weight * sum(mass * abs(h - p) for mass, h, p in errors)
    return total


def hard_chain(
    learner: ExactPredictor, hard: HardDistribution, n: int, gamma: AnyNumber | None = None
) -> HardChain:
    """Return what each line of the proof of Theorem 11 is worth for a learner.

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
    >>> from pac_stability.papers.dagan_feldman.voting import VotingLearner
    >>> hard = HardDistribution.with_common_label("a", "b", 0, Fraction(1, 8))
    >>> chain = hard_chain(VotingLearner(Fraction(3, 4), Sample("b", [0])), hard, 2)
    >>> chain.error, chain.truncated, chain.linear, chain.gamma
    (Fraction(3, 32), Fraction(3, 32), Fraction(1, 16), Fraction(3, 4))
    """
    _require_parts(learner, hard)
    n = as_size(n, "n", least=1)
    if gamma is None:
        gamma = _exact_stability(learner, hard, n)
    slope = as_probability(gamma, "gamma")
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
        raise InvalidInput("learner", described(learner), "a learner with exact probabilities")
    if not isinstance(hard, HardDistribution):
        raise InvalidInput("hard", described(hard), "a HardDistribution")


def _exact_stability(learner: ExactPredictor, hard: HardDistribution, n: int) -> Fraction:
    value = audit.uniform_stability(learner, hard.points, n).value
    if not isinstance(value, Fraction):
        raise InvalidInput("learner", f"the stability {described(value)}", "exact probabilities")
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
        raise InvalidInput("learner", f"{len(answers)} on {described(sample)}", wanted)
    return tuple(as_probability(as_fraction(answer, "learner"), "learner") for answer in answers)
