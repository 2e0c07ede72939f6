"""Programs as users write them, fully typed and without a cast: one learner in every shape.

It publishes the label of a random example, flipped in one case of four. On two examples at one
point the probability of label 1 is 1/4, 1/2 or 3/4, so the factor e**epsilon is 2.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pac_stability as ps
from pac_stability import Coins, audit, data, mechanisms, notions, randomness

QUARTER = Fraction(1, 4)
FiniteOrNone = ps.FiniteDistribution[object] | None


def law(sample: ps.Sample[str]) -> ps.FiniteDistribution[int]:
    """A function that returns the law."""
    one = QUARTER + Fraction(sum(sample.labels), 2 * len(sample))
    return ps.FiniteDistribution({1: one, 0: 1 - one})


class HasLaw:
    """An object with a method ``law``; its argument may have any name."""

    def law(self, sample: ps.Sample[str]) -> ps.FiniteDistribution[int]:
        return law(sample)


class FullMechanism:
    """A ``Mechanism`` of one's own."""

    def law(self, x: ps.Sample[str], /) -> ps.FiniteDistribution[int]:
        return law(x)

    def run(self, x: ps.Sample[str], /, rng: Coins = randomness.SYSTEM_COINS) -> int:
        return law(x).sample(rng)


def program(sample: ps.Sample[str], rng: Coins) -> int:
    """A program."""
    return sample.labels[rng.below(len(sample))] ^ rng.bernoulli(QUARTER)


class CallableProgram:
    """A program that is an object, with coins by default."""

    def __call__(self, sample: ps.Sample[str], rng: Coins = randomness.SYSTEM_COINS) -> int:
        return program(sample, rng)

    def method(self, sample: ps.Sample[str], rng: Coins) -> int:
        return program(sample, rng)


def on_labels(labels: tuple[int, ...], rng: Coins) -> int:
    """A program of records that are no examples."""
    return labels[rng.below(len(labels))] ^ rng.bernoulli(QUARTER)


def predict(sample: ps.Sample[str], point: str, rng: Coins) -> int:
    """A program that predicts the label of a point."""
    return program(sample, rng) if point else 0


class Predictor:
    """An object that gives probabilities."""

    symmetric = True

    def probabilities(self, sample: ps.Sample[str], points: Sequence[str]) -> list[Fraction]:
        return [law(sample).probability(1)] * len(points)


class HardPredictor:
    """A predictor without coins, whose probabilities are integers."""

    def probabilities(self, sample: ps.Sample[str], points: Sequence[str]) -> list[int]:
        return [max(sample.labels) for _ in points]


@dataclass(frozen=True)
class Constant:
    """A hypothesis that is a function."""

    label: int

    def __call__(self, point: str) -> int:
        return self.label if point else 0


def learn(sample: ps.Sample[str], rng: Coins) -> Constant:
    """A program that returns a hypothesis."""
    return Constant(program(sample, rng))


def law_of_hypotheses(sample: ps.Sample[str]) -> ps.FiniteDistribution[Constant]:
    return law(sample).map(Constant)


def learn_mapping(sample: ps.Sample[str], rng: Coins) -> Mapping[str, int]:
    return {"x": program(sample, rng)}


def outputs() -> list[audit.AuditResult]:
    """Every shape that has a law."""
    subsampled = mechanisms.Subsampled(
        mechanisms.then(data.FromLaw(law), mechanisms.Flip(Fraction())), 2
    )
    half = ps.Epsilon.exactly(2)
    return [
        audit.differential_privacy(law, ["x"], 2),
        audit.differential_privacy(HasLaw(), ["x"], 2, claim=1.0),
        audit.differential_privacy(FullMechanism(), ["x"], 2, "0", claim=half),
        audit.differential_privacy(program, ["x"], 2, Fraction(), claim="7/10"),
        audit.differential_privacy(CallableProgram(), ["x"], 2, symmetric=True),
        audit.differential_privacy(CallableProgram().method, ["x"], 2, max_pairs=100),
        audit.differential_privacy(data.FromLaw(law), ["x"], 2, time_limit=60),
        audit.differential_privacy(data.FromProgram(program), ["x"], 2),
        audit.differential_privacy(lambda S, rng: rng.bernoulli(law(S).probability(1)), ["x"], 2),
        audit.differential_privacy(subsampled, ["x"], 2),
        audit.differential_privacy(on_labels, 2, 2, labelled=False),
        audit.differential_privacy(learn, ["x"], 2),
        audit.group_privacy(law_of_hypotheses, ["x"], 2, 1),
    ]


def predictions() -> list[audit.AuditResult]:
    """Every shape that predicts."""
    symmetric = audit.is_symmetric(predict, ["x"], 2)
    reports: list[audit.Progress] = []
    return [
        audit.private_prediction(predict, ["x"], 2, symmetric=symmetric),
        audit.private_prediction(Predictor(), ["x"], 2, claim=1),
        audit.private_prediction(learn, ["x"], 2),
        audit.private_prediction(learn_mapping, ["x"], 2, points=("x",)),
        audit.private_prediction(law_of_hypotheses, ["x"], 2, progress=reports.append),
        audit.private_prediction(lambda S, x, rng: learn(S, rng)(x), ["x"], 2),
    ]


def stability() -> list[audit.AuditResult]:
    """Stability of the learner, 1/4, and of a predictor without coins, 1."""
    return [
        audit.uniform_stability(predict, ["x"], 2, claim="1/4"),
        audit.uniform_stability(HardPredictor(), ["x"], 2, claim=1),
    ]


def errs(label: int, example: ps.Example[str]) -> bool:
    return label != example.label


def on_fair_labels() -> list[audit.AuditResult]:
    """The other notions, on fair labels of one point; the values are those of notions.md."""
    fair = ps.FiniteDistribution.uniform(data.all_examples(["x"]))
    return [
        audit.global_stability(learn, fair, 2, claim="1/2"),
        audit.perfect_generalization(law, fair, 2, 0, claim=ps.Epsilon.exactly(2)),
        audit.robust_generalization(program, fair, 2, 0.25),
        audit.robust_generalization(on_labels, ps.FiniteDistribution.uniform([0, 1]), 2, QUARTER),
        audit.generalization(program, fair, 2, "1/4", errs=errs),
        audit.generalization(learn, fair, 2, "1/4"),
        audit.accuracy(law, fair, 2, "1/4", errs=lambda y, z: y != z.label, hypotheses=[0, 1]),
    ]


def definitions() -> tuple[Fraction | float, Fraction, Fraction | float, Fraction]:
    """The notions themselves, on laws."""

    def at(sample: ps.Sample[str], point: str) -> ps.FiniteDistribution[int]:
        return law_of_hypotheses(sample).map(lambda hypothesis: hypothesis(point))

    pairs = list(data.neighbouring_pairs(data.all_examples(["x"]), 2))
    p, q = (law(ps.Sample(["x", "x"], labels)) for labels in ([0, 0], [0, 1]))
    return (
        notions.differential_privacy.minimal_epsilon(law, pairs),
        notions.uniform_stability.minimal_gamma(at, pairs, ["x"]),
        notions.private_prediction.minimal_epsilon(at, pairs, ["x"]),
        notions.closeness.minimal_delta(p, q, ps.Epsilon(0)),
    )


def witnesses() -> tuple[tuple[int, ...], object, FiniteOrNone]:
    """A result says by its type what witness it has: no isinstance is needed to read one."""
    found = audit.private_prediction(predict, ["x"], 2, claim="1/2")
    fair = ps.FiniteDistribution.uniform(data.all_examples(["x"]))
    strategy = audit.global_stability(learn, fair, 2).witness
    either = audit.total_variation_stability(law, ["x"], 2).witness
    return (
        () if found.witness is None else found.witness.sample.labels,
        None if strategy is None else strategy.strategy[0][0],
        None if either is None else either.law,
    )


def least_delta() -> list[audit.AuditResult]:
    """The other question of every notion that has an epsilon and a delta."""
    fair = ps.FiniteDistribution.uniform(data.all_examples(["x"]))
    half = ps.Epsilon.exactly(2)
    found: audit.AuditResult[audit.PairWitness[ps.Sample[object]]]
    found = audit.private_prediction(predict, ["x"], 2, epsilon=half, claim="1/8")
    return [
        found,
        audit.differential_privacy(program, ["x"], 2, epsilon=0.5, group_size=2),
        audit.perfect_generalization(law, fair, 2, 0, epsilon=half),
        audit.robust_generalization(program, fair, 2, epsilon="1/4", claim=1),
    ]


def refutation() -> tuple[audit.Shrunk, audit.Recheck]:
    """What follows a claim that fails."""
    found = audit.private_prediction(predict, ["x", "y"], 2, claim=0.5)
    document = audit.certificates.to_document(found)
    return (audit.shrink_counterexample(predict, found), audit.recheck(document, against=predict))


def black_box(question: tuple[ps.Sample[str], str]) -> int:
    """A black box with coins of its own."""
    sample, _ = question
    return sample.labels[secrets.randbelow(len(sample))]


def statistics() -> tuple[Fraction, tuple[int, ...]]:
    """A lower bound on the factor of a black box, and the event that shows it."""
    one, other = ps.Sample(["x"], [1]), ps.Sample(["x"], [0])
    notion = audit.Notion.PRIVATE_PREDICTION
    found = audit.privacy_bound(black_box, [((one, "x"), (other, "x"))], runs=200, notion=notion)
    return found.bound, () if found.evidence is None else found.evidence.event


def choices() -> tuple[int, str, tuple[int, int]]:
    """Draws have the types of the outcomes."""

    def misses(votes: tuple[int, ...]) -> list[int]:
        return [sum(votes), len(votes) - sum(votes)]

    soft, noisy = mechanisms.SoftMajorityVote(QUARTER), mechanisms.NoisyMeanVote(QUARTER)
    choose = mechanisms.ExponentialMechanism(("no", "yes"), misses, QUARTER)
    flipped = mechanisms.then(soft, mechanisms.Flip(QUARTER))
    return flipped.run((0, 1)), choose.run((1,)), mechanisms.compose(soft, noisy).run((1, 1))
