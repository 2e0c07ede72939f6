"""Empirical risk minimisation over any class, with fixed ties; and parts of a sample by index."""

from __future__ import annotations

from pac_stability.arguments import as_size
from pac_stability.classes import Family, Hypothesis, least_errors
from pac_stability.classes.required import require_patterns
from pac_stability.data import AnySample
from pac_stability.errors import InvalidInput
from pac_stability.learning import AnyData, BaseLearner, as_sample
from pac_stability.learning.learner import is_family, learned, require_base


def empirical_risk_minimiser(H: Family, sample: AnyData) -> Hypothesis:
    """Return a hypothesis of the class with the fewest errors on a sample.

    Among the representatives of the patterns on the points of the sample, the first that errs
    least: a function of the examples, whatever their order. It is consistent with the sample
    whenever a hypothesis of the class is.

    Parameters
    ----------
    H
        The class, not empty.
    sample
        S, on points of the domain of the class; may be empty.

    Returns
    -------
    Hypothesis

    Raises
    ------
    InvalidInput
        The class is empty, or a point is not in its domain.

    Notes
    -----
    :func:`~pac_stability.classes.least_errors`: sorting for thresholds and stumps, and the patterns
    on all points of the sample for other classes.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> from pac_stability.data import Sample
    >>> empirical_risk_minimiser(Thresholds(), Sample([1, 2, 3, 4], [0, 0, 1, 1])).cut
    3
    """
    require_patterns(H)
    return least_errors(H, sample)[0]


def index_blocks(sample: AnyData, blocks: int) -> tuple[AnySample, ...]:
    """Return disjoint consecutive parts of a sample, of equal sizes.

    Parameters
    ----------
    sample
        S, of n examples.
    blocks
        k, the number of parts.

    Returns
    -------
    tuple of Sample, or of ArraySample
        k parts of floor(n/k) examples; the last n mod k examples are in none. The part of an
        example depends on its position only, so replacing an example changes at most one part.

    Raises
    ------
    InvalidInput
        The sample has fewer than k examples.

    Examples
    --------
    >>> from pac_stability.data import Sample
    >>> [part.points for part in index_blocks(Sample("abcde", [0] * 5), 2)]
    [('a', 'b'), ('c', 'd')]
    """
    given = as_sample(sample)
    k = as_size(blocks, "blocks", least=1)
    size = len(given) // k
    if not size:
        raise InvalidInput("sample", f"{len(given)} examples", f"at least {k}, one for each block")
    return tuple(given[start : start + size] for start in range(0, k * size, size))


def base_hypothesis(H: BaseLearner, sample: AnyData) -> Hypothesis:
    """Return what a base learner makes of a sample: of a class, its empirical risk minimiser.

    Parameters
    ----------
    H
        The class, a function from samples to hypotheses, or a classifier with ``fit`` and
        ``predict``.
    sample
        S.

    Raises
    ------
    InvalidInput
        H is no base learner, or the empty class.
    """
    require_base(H)
    if is_family(H):
        return empirical_risk_minimiser(H, sample)
    return learned(H, as_sample(sample))


def block_minimisers(H: BaseLearner, sample: AnyData, blocks: int) -> tuple[Hypothesis, ...]:
    """Return what a base learner makes of each of the parts of a sample.

    Parameters
    ----------
    H
        The class, not empty: its empirical risk minimisers. Or another base learner, as in
        :func:`base_hypothesis`.
    sample
        S, of at least k examples.
    blocks
        k, the number of parts, those of :func:`index_blocks`.

    Returns
    -------
    tuple of Hypothesis
        Replacing an example changes at most one of them.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> from pac_stability.data import Sample
    >>> [h.cut for h in block_minimisers(Thresholds(), Sample([1, 2, 3, 4], [0, 1, 0, 1]), 2)]
    [2, 4]
    """
    return tuple(base_hypothesis(H, part) for part in index_blocks(sample, blocks))
