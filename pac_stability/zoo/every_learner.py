"""Every learner and compression scheme of the library, each small enough to be checked whole."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from pac_stability import classes, compression
from pac_stability.arithmetic import Epsilon
from pac_stability.data import Example, FiniteDistribution
from pac_stability.learning import Learner
from pac_stability.mechanisms import StableHistogram, exponential_learner
from pac_stability.papers import bun_livni_moran, cummings_et_al, dagan_feldman
from pac_stability.papers.dagan_feldman import baselines

_FOUR = Epsilon.exactly(4)
_HALF, _TENTH = Fraction(1, 2), Fraction(1, 10)
_PAIR = (Example(0, 0), Example(1, 1))


@dataclass(frozen=True, slots=True)
class LearnerSpecimen:
    """A tiny learner, and the samples on which everything of it can be asked.

    Attributes
    ----------
    learner
        The learner.
    elements
        The points of samples, or the examples that they are made of.
    sizes
        The sizes of samples; at the largest, an order that matters shows.
    distributions
        Of examples, for the notions that are about one.
    """

    learner: Learner[Hashable]
    elements: tuple[Hashable, ...]
    sizes: tuple[int, ...]
    distributions: tuple[FiniteDistribution[Example[Hashable]], ...] = ()

    @property
    def name(self) -> str:
        """The name of its class."""
        return type(self.learner).__name__

    @property
    def points(self) -> tuple[Hashable, ...]:
        """The points, without labels."""
        return tuple(dict.fromkeys(e.point if isinstance(e, Example) else e for e in self.elements))


def learners() -> tuple[LearnerSpecimen, ...]:
    """Return every learner of the papers, and every compression scheme.

    Examples
    --------
    >>> from pac_stability import zoo
    >>> len(zoo.learners()), zoo.learners()[0].name
    (36, 'StableLearner')
    """
    return (*_stable_and_private_predictions(), *_littlestone(), *_generic(), *_schemes())


def _stable_and_private_predictions() -> Iterator[LearnerSpecimen]:
    H = classes.thresholds(2)
    stable = dagan_feldman.StableLearner(H, 1, _FOUR)
    private = dagan_feldman.RealizablePrivateLearner(H, 2, _FOUR)
    short, parts = (1, 2, 3), (2, 4)
    yield LearnerSpecimen(stable, H.domain, short)
    yield LearnerSpecimen(dagan_feldman.FlippedLearner(stable, _TENTH), H.domain, short)
    yield LearnerSpecimen(private, H.domain, parts)
    yield LearnerSpecimen(dagan_feldman.RelabellingLearner(stable, private), H.domain, parts)
    yield LearnerSpecimen(
        dagan_feldman.PrivatePredictionLearner(H, 1, _HALF, blocks=2, flip_probability=_TENTH),
        H.domain,
        parts,
    )
    yield LearnerSpecimen(dagan_feldman.VotingLearner(_HALF), ("a", "b"), short)
    yield LearnerSpecimen(dagan_feldman.PrivateVotingLearner(_FOUR, _TENTH), ("a", "b"), short)
    yield LearnerSpecimen(baselines.SubsetAverage(H, 2), H.domain, (2, 3))
    yield LearnerSpecimen(baselines.DisjointAverage(H, 2), H.domain, parts)
    yield LearnerSpecimen(baselines.ExponentialLearner(H, _FOUR), H.domain, short)
    yield LearnerSpecimen(baselines.ThresholdWalk(_FOUR, 2), (0, 1), short)
    yield LearnerSpecimen(baselines.DworkFeldmanAggregation(H, 2, _FOUR), H.domain, parts)
    yield LearnerSpecimen(baselines.LaplaceAggregation(H, 2, 1.0), H.domain, parts)


def _littlestone() -> Iterator[LearnerSpecimen]:
    H = classes.thresholds(2)
    stable = bun_livni_moran.GloballyStableLearner(H, "1/4", n=1, blocks=2)
    private = bun_livni_moran.PrivateLearner(
        H.domain, stable, 3, 2, StableHistogram(_HALF, 0, 2), _HALF, 1, default=0
    )
    levels = tuple(
        (bun_livni_moran.GloballyStableLearner(H, "1/4", n=1, blocks=blocks, level=level), 1)
        for level, blocks in ((0, 0), (1, 2))
    )
    by_level = bun_livni_moran.ByLevelPrivateLearner(levels, private)
    base = exponential_learner(H, _HALF)
    targets = tuple(FiniteDistribution.uniform([Example(x, h(x)) for x in H.domain]) for h in H)
    yield LearnerSpecimen(stable, H.domain, (3,), targets)
    yield LearnerSpecimen(private, _PAIR, (7,), targets[1:2])
    yield LearnerSpecimen(by_level, _PAIR, (5,), targets[1:2])
    yield LearnerSpecimen(bun_livni_moran.GenericPrivateLearner(H, _FOUR), H.domain, (1, 2, 3))
    yield LearnerSpecimen(
        bun_livni_moran.AgnosticPrivateLearner(H, base, 1, base.guarantee, ratio=1, decay=_HALF),
        H.domain,
        (2, 3),
    )


def _generic() -> Iterator[LearnerSpecimen]:
    H = classes.thresholds(2)
    yield LearnerSpecimen(cummings_et_al.GenericAgnosticLearner(H, "1/10", 1), H.domain, (1, 2, 3))
    yield LearnerSpecimen(
        cummings_et_al.FiniteDomainLearner(classes.Thresholds(), (0, 1), "1/10", 1),
        (0, 1),
        (1, 2, 3),
    )


def _schemes() -> Iterator[LearnerSpecimen]:
    """The schemes; those that are not agnostic on samples that a hypothesis fits."""
    H = classes.thresholds(2)
    line, sizes = (0, 1), (1, 2, 3)
    yield LearnerSpecimen(compression.ThresholdScheme(), line, sizes)
    yield LearnerSpecimen(compression.ThresholdScheme(classes.SignedThresholds()), line, sizes)
    yield LearnerSpecimen(compression.IntervalScheme(), line, sizes)
    yield LearnerSpecimen(compression.UnionOfIntervalsScheme(2), line, sizes)
    yield LearnerSpecimen(compression.BoxScheme(1), ((0,), (1,)), sizes)
    yield LearnerSpecimen(compression.ChainScheme(H), line, sizes)
    yield LearnerSpecimen(compression.SubsamplingScheme(classes.Thresholds(), 2), line, sizes)
    yield LearnerSpecimen(compression.smallest_scheme(H), line, sizes)
    yield LearnerSpecimen(compression.smallest_scheme(H, proper=False), line, sizes)
    maximum, boosting = compression.MaximumClassScheme(H), compression.BoostingScheme(H)
    littlestone, halfspaces = compression.LittlestoneScheme(H), compression.HalfspaceScheme(1)
    ends = (Example((0,), 0), Example((1,), 1))
    for fitting, elements in (
        (maximum, _PAIR),
        (boosting, _PAIR),
        (littlestone, _PAIR),
        (halfspaces, ends),
    ):
        yield LearnerSpecimen(fitting, elements, sizes)
    yield LearnerSpecimen(compression.agnostic(maximum), line, sizes)
    yield LearnerSpecimen(compression.agnostic(boosting), line, (1, 2))
    yield LearnerSpecimen(compression.agnostic(littlestone), line, sizes)
