"""Does an algorithm depend on the order of its sample? Asked about every order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, permutations

from pac_stability._report import Tabled
from pac_stability.arguments import as_size
from pac_stability.audit.domains import points_in, points_of, universe_of
from pac_stability.audit.search.asking import Source, as_sample
from pac_stability.audit.shapes import only_predicts
from pac_stability.audit.subjects import PredictionSubject, law_source, prediction_source
from pac_stability.audit.watching.program import Watching
from pac_stability.data import Example


@dataclass(frozen=True, slots=True, repr=False)
class SymmetryCheck(Tabled):
    """What :func:`is_symmetric` found; true when the algorithm is symmetric.

    Attributes
    ----------
    violation
        The first two samples that differ in order alone and have different answers, or ``None``.
    samples
        How many samples were asked about.
    n
        Their size.
    universe
        What they are made of.
    points
        Where predictions were compared; ``None`` when whole laws were.
    mechanism
        The algorithm.
    """

    violation: tuple[object, object] | None
    samples: int
    n: int
    universe: tuple[object, ...]
    points: tuple[object, ...] | None
    mechanism: object = field(repr=False)

    def __bool__(self) -> bool:
        return self.violation is None

    def shows(
        self,
        mechanism: object,
        sizes: Iterable[int],
        universe: tuple[object, ...],
        points: tuple[object, ...] | None,
    ) -> bool:
        """Return whether this shows what an audit needs.

        Parameters
        ----------
        mechanism
            The algorithm under audit.
        sizes
            The sizes of its samples.
        universe
            What its samples are made of.
        points
            Where its predictions are asked for; ``None`` when its laws are.
        """
        return (
            self.violation is None
            and mechanism is self.mechanism
            and set(sizes) == {self.n}
            and set(universe) <= set(self.universe)
            and (self.points is None or (points is not None and set(points) <= set(self.points)))
        )


def is_symmetric(
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    *,
    labelled: bool = True,
    points: Iterable[object] | None = None,
) -> SymmetryCheck:
    """Compare the answers of an algorithm on all orders of each sample.

    Parameters
    ----------
    mechanism
        The algorithm, in any of the shapes that have a law or predictions.
    domain
        A number m, for the points 0, ..., m - 1, or the points.
    n
        The size of the samples.
    labelled
        Whether samples are made of labelled examples over the domain, or of its elements.
    points
        Where to compare predictions; by default laws are compared, or predictions on the domain for
        an algorithm that has no other answers.

    Returns
    -------
    SymmetryCheck
        True as a condition when no violation was found. It can be handed to the audits as
        ``symmetric``.

    Raises
    ------
    SubjectFailure
        The algorithm did not answer.

    Notes
    -----
    It is asked about all k^n samples over k elements.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> bool(is_symmetric(Deterministic(sum), 2, 3, labelled=False))
    True
    >>> is_symmetric(Deterministic(max), 2, 3, labelled=False).samples
    8
    >>> is_symmetric(Deterministic(lambda S: S[0]), 2, 3, labelled=False).violation
    ((0, 0, 1), (1, 0, 0))
    """
    elements = points_of(domain)
    universe = universe_of(elements, labelled)
    size = as_size(n, "n")
    asked = None if points is None else points_of(points, "points")
    if asked is None and only_predicts(mechanism):
        asked = points_in(elements)
    # What is made of examples is a sample, also where the examples themselves were given.
    whole = all(isinstance(element, Example) for element in universe)
    source = _source(mechanism, asked, points_in(elements))

    def compare() -> SymmetryCheck:
        samples = 0
        for ordered in combinations_with_replacement(universe, size):
            first = as_sample(ordered, whole)
            row = source.row(first)
            samples += 1
            for order in dict.fromkeys(permutations(ordered)):
                if order == ordered:
                    continue
                other = as_sample(order, whole)
                samples += 1
                if source.row(other) != row:
                    return SymmetryCheck((first, other), samples, size, universe, asked, mechanism)
        return SymmetryCheck(None, samples, size, universe, asked, mechanism)

    first = as_sample(universe[:1] * size, whole)
    return Watching(source, source.name).during(compare, first)


def _source(
    mechanism: PredictionSubject,
    points: tuple[object, ...] | None,
    domain: tuple[object, ...],
) -> Source:
    if points is None:
        return law_source(mechanism, domain)  # type: ignore[arg-type]  # it refuses what has no law
    return prediction_source(mechanism, points)
