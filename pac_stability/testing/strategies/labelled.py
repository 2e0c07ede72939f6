"""Examples, samples, data sets of records without labels, and their neighbours."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pac_stability.arguments import as_size, described
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, Multiset, Neighbouring, Sample
from pac_stability.errors import InvalidInput
from pac_stability.testing.strategies.classes import Values, drawn_from, finite_classes, weighted

P = TypeVar("P", bound=Hashable)


def examples(points: Values[P]) -> SearchStrategy[Example[P]]:
    """Return the strategy of the examples over some points; shrinks towards the first, label 0.

    Parameters
    ----------
    points
        The points (such as ``H.domain``), or a strategy for one.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(examples("ab"), lambda z: z.label == 1)
    Example(point='a', label=1)
    """
    return st.builds(Example, drawn_from(points, "points"), st.integers(0, 1))


def samples(
    points: Values[P], *, min_size: int = 0, max_size: int = 5
) -> SearchStrategy[Sample[P]]:
    """Return the strategy of all samples over some points, with any labels.

    Shrinks towards few examples, the first points, and the label 0.

    Parameters
    ----------
    points
        The points (such as ``H.domain``), or a strategy for one.
    min_size, max_size
        Bounds on the number of examples.

    Raises
    ------
    InvalidInput
        There are no points, or a size is out of range.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(samples("ab"), lambda S: len(set(S)) < len(S))
    Sample(points=('a', 'a'), labels=(0, 0))
    """
    least, most = sizes(min_size, max_size)
    return st.lists(examples(points), min_size=least, max_size=most).map(_sample)


def realizable_samples(
    H: FiniteClass, *, min_size: int = 0, max_size: int = 5
) -> SearchStrategy[Sample[Hashable]]:
    """Return the strategy of the samples that a member of a class labels.

    Shrinks towards few examples, the first points, and the first member.

    Parameters
    ----------
    H
        The class.
    min_size, max_size
        Bounds on the number of examples.

    Raises
    ------
    InvalidInput
        The class is empty or has no points, or a size is out of range.

    Examples
    --------
    >>> from hypothesis import find
    >>> from pac_stability.classes import singletons
    >>> find(realizable_samples(singletons(3)), lambda S: sum(S.labels) == 1)
    Sample(points=(0,), labels=(1,))
    """
    return labelled_samples(
        drawn_from(range(len(H)), "H").map(H.__getitem__),
        drawn_from(H.domain, "H.domain"),
        min_size=min_size,
        max_size=max_size,
    )


def labelled_samples(
    hypotheses: Values[Callable[[P], int]],
    points: Values[P],
    *,
    min_size: int = 0,
    max_size: int = 5,
) -> SearchStrategy[Sample[P]]:
    """Return the strategy of the samples that a hypothesis labels, of any class.

    Shrinks towards few examples, the first points, and the simplest hypothesis.

    Parameters
    ----------
    hypotheses
        The hypotheses, each a function from points to labels, or a strategy for one.
    points
        The points, or a strategy for one.
    min_size, max_size
        Bounds on the number of examples.

    Raises
    ------
    InvalidInput
        There are no hypotheses or no points, or a size is out of range.

    Examples
    --------
    >>> from hypothesis import find, strategies as st
    >>> above = st.integers(0, 9).map(lambda cut: lambda x: int(x >= cut))
    >>> find(labelled_samples(above, st.integers(0, 9)), lambda S: set(S.labels) == {0, 1})
    Sample(points=(0, 1), labels=(0, 1))
    """
    least, most = sizes(min_size, max_size)
    xs = st.lists(drawn_from(points, "points"), min_size=least, max_size=most)
    hypothesis = drawn_from(hypotheses, "hypotheses")
    return st.builds(lambda h, xs: Sample(xs, [h(x) for x in xs]), hypothesis, xs)


@st.composite
def _neighbours(
    draw: DrawFn, example: SearchStrategy[Example[P]], least: int, most: int
) -> tuple[Sample[P], Sample[P]]:
    kept = draw(st.lists(example, min_size=least, max_size=most))
    place = draw(st.integers(0, len(kept) - 1))
    other = draw(example.filter(lambda z: z != kept[place]))
    return _sample(kept), _sample([*kept[:place], other, *kept[place + 1 :]])


def neighbouring_samples(
    points: Values[P], *, min_size: int = 1, max_size: int = 4
) -> SearchStrategy[tuple[Sample[P], Sample[P]]]:
    """Return the strategy of the pairs of samples that differ in exactly one example.

    Parameters
    ----------
    points
        The points (such as ``H.domain``), or a strategy for one.
    min_size, max_size
        Bounds on the number of examples; the smaller is at least 1.

    Raises
    ------
    InvalidInput
        There are no points, or a size is out of range.

    Examples
    --------
    >>> from hypothesis import find
    >>> S, T = find(neighbouring_samples("ab"), lambda pair: True)
    >>> S, T
    (Sample(points=('a',), labels=(0,)), Sample(points=('a',), labels=(1,)))
    """
    least, most = sizes(min_size, max_size, at_least=1)
    return _neighbours(examples(points), least, most)


def sizes(min_size: int, max_size: int, *, at_least: int = 0) -> tuple[int, int]:
    """Return two sizes, refusing what are none."""
    least = as_size(min_size, "min_size", least=at_least)
    most = as_size(max_size, "max_size")
    if least > most:
        raise InvalidInput("min_size", str(least), f"at most max_size={most}")
    return least, most


def _sample(kept: list[Example[P]]) -> Sample[P]:
    return Sample([z.point for z in kept], [z.label for z in kept])


def classes_with_samples(
    H: SearchStrategy[FiniteClass] | None = None,
    *,
    max_points: int = 4,
    max_hypotheses: int = 8,
    min_size: int = 1,
    max_size: int = 5,
) -> SearchStrategy[tuple[FiniteClass, Sample[Hashable]]]:
    """Return the strategy of classes, each with a sample on its points, realizable or not.

    Parameters
    ----------
    H
        The strategy of the classes, each with a point; by default :func:`finite_classes`.
    max_points, max_hypotheses
        As for :func:`finite_classes`, where no other classes are given.
    min_size, max_size
        Bounds on the size of the sample.

    Examples
    --------
    >>> from hypothesis import find
    >>> H, S = find(classes_with_samples(), lambda pair: len(pair[1]) == 2)
    >>> H.table.tolist(), S
    ([[0]], Sample(points=(0, 0), labels=(0, 0)))
    """
    if H is None:
        H = finite_classes(max_points=max_points, max_hypotheses=max_hypotheses)
    return H.flatmap(
        lambda H: st.tuples(st.just(H), samples(H.domain, min_size=min_size, max_size=max_size))
    )


def classes_with_targets(
    H: SearchStrategy[FiniteClass] | None = None, *, max_weight: int = 4
) -> SearchStrategy[tuple[FiniteClass, int, FiniteDistribution[Example[Hashable]]]]:
    """Return the strategy of classes, each with a target: a law of examples that it realizes.

    Parameters
    ----------
    H
        The strategy of the classes, each with a hypothesis and a point; by default
        :func:`finite_classes`.
    max_weight
        The largest weight of a point, as for :func:`weighted`: some points may have none.

    Returns
    -------
    SearchStrategy of (class, index, law)
        The index is that of the hypothesis that gives the labels. Shrinks towards the first one,
        and one point.

    Examples
    --------
    >>> from hypothesis import find
    >>> H, row, target = find(classes_with_targets(), lambda drawn: len(drawn[2]) == 2)
    >>> row, target
    (0, FiniteDistribution({Example(point=0, label=0): 1/2, Example(point=1, label=0): 1/2}))
    """
    return (finite_classes() if H is None else H).flatmap(
        lambda H: st.tuples(
            st.just(H), drawn_from(range(len(H)), "H"), weighted(H.domain, max_weight)
        ).map(lambda drawn: (H, drawn[1], drawn[2].map(lambda x: Example(x, H(drawn[1], x)))))
    )


# Records without labels

R = TypeVar("R", bound=Hashable)


def datasets(
    records: Values[R], *, min_size: int = 0, max_size: int = 5
) -> SearchStrategy[tuple[R, ...]]:
    """Return the strategy of the tuples of records; shrinks towards few, and the first.

    Parameters
    ----------
    records
        The records, or a strategy for one.
    min_size, max_size
        Bounds on the number of records.

    Raises
    ------
    InvalidInput
        There are no records, or a size is out of range.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(datasets([0, 1]), lambda data: sum(data) == 2)
    (1, 1)
    """
    least, most = sizes(min_size, max_size)
    return st.lists(drawn_from(records, "records"), min_size=least, max_size=most).map(tuple)


def neighbouring_datasets(
    records: Values[R],
    *,
    min_size: int = 1,
    max_size: int = 4,
    relation: Neighbouring = Neighbouring.REPLACE_ONE,
) -> SearchStrategy[tuple[tuple[R, ...], tuple[R, ...]]]:
    """Return the strategy of the pairs of neighbouring datasets.

    Parameters
    ----------
    records
        The records, or a strategy for one: at least two where one is replaced.
    min_size, max_size
        Bounds on the size of the first dataset; the smaller is at least 1.
    relation
        Which datasets are neighbours: by default one record is replaced by another; else one is
        removed, or one is added, so that sizes differ.

    Raises
    ------
    InvalidInput
        There are too few records, a size is out of range, or the relation is none.

    Examples
    --------
    >>> from hypothesis import find
    >>> one, other = find(neighbouring_datasets("ab"), lambda pair: len(pair[0]) == 2)
    >>> len(other), sum(a != b for a, b in zip(one, other))
    (2, 1)
    """
    least, most = sizes(min_size, max_size, at_least=1)
    if not isinstance(relation, Neighbouring):
        raise InvalidInput("relation", described(relation), "a member of Neighbouring")
    if not isinstance(records, SearchStrategy):
        records = tuple(dict.fromkeys(records))
        if relation is Neighbouring.REPLACE_ONE and len(records) < 2:
            raise InvalidInput("records", described(records), "two records, or a strategy")
    return _neighbouring_records(drawn_from(records, "records"), least, most, relation)


@st.composite
def _neighbouring_records(
    draw: DrawFn, record: SearchStrategy[R], least: int, most: int, relation: Neighbouring
) -> tuple[tuple[R, ...], tuple[R, ...]]:
    kept = draw(st.lists(record, min_size=least, max_size=most))
    place = draw(st.integers(0, len(kept) - 1))
    before, after = kept[:place], kept[place + 1 :]
    if relation is Neighbouring.REPLACE_ONE:
        other = draw(record.filter(lambda z: z != kept[place]))
        return tuple(kept), (*before, other, *after)
    if draw(st.booleans()):
        return tuple(kept), (*before, draw(record), kept[place], *after)
    return tuple(kept), (*before, *after)


def multisets(
    elements: Values[R], *, min_size: int = 0, max_size: int = 5
) -> SearchStrategy[Multiset[R]]:
    """Return the strategy of the multisets of some elements; shrinks towards few.

    Parameters
    ----------
    elements
        The elements, or a strategy for one.
    min_size, max_size
        Bounds on the number of elements, counted as often as they occur.

    Raises
    ------
    InvalidInput
        There are no elements, or a size is out of range.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(multisets("ab"), lambda M: M.count("b") == 2)
    Multiset({'b': 2})
    """
    return datasets(elements, min_size=min_size, max_size=max_size).map(Multiset.of)
