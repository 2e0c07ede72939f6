"""Examples, samples, data sets of records without labels, and their neighbours.

Tables, mechanisms whose laws are in a table, and programs that draw from the tape.

Last comes the strategy of each type of the library, for ``hypothesis.strategies.from_type``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Generic, TypeVar, cast

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pac_stability import data
from pac_stability.arguments import as_size, described, distinct, require_instance
from pac_stability.arithmetic import Epsilon
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, Multiset, Neighbouring, Sample
from pac_stability.dimensions import MistakeTree
from pac_stability.errors import InvalidInput
from pac_stability.randomness import Coins
from pac_stability.testing.strategies import classes
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
    """Return two sizes; refuse values that are not sizes."""
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
        As for :func:`finite_classes`, if no other classes are given.
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
        The largest weight of a point, as for :func:`weighted`: some points may have weight 0.

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
        The records, or a strategy for one: at least two if records are replaced.
    min_size, max_size
        Bounds on the size of the first dataset; the smaller is at least 1.
    relation
        Which datasets are neighbours: by default one record is replaced by another; otherwise one
        is removed or added, so that sizes differ.

    Raises
    ------
    InvalidInput
        There are too few records, a size is out of range, or the relation is unknown.

    Examples
    --------
    >>> from hypothesis import find
    >>> one, other = find(neighbouring_datasets("ab"), lambda pair: len(pair[0]) == 2)
    >>> len(other), sum(a != b for a, b in zip(one, other))
    (2, 1)
    """
    least, most = sizes(min_size, max_size, at_least=1)
    require_instance(relation, Neighbouring, "relation", "a member of Neighbouring")
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


# Tables, mechanisms whose laws are in a table, and programs that draw from the tape

In = TypeVar("In", bound=Hashable)
Out = TypeVar("Out", bound=Hashable)
V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True)
class AnswersByInput(Generic[In, V]):
    """A function of finitely many inputs, as a table that prints itself.

    Attributes
    ----------
    values
        The value for each input.
    """

    values: Mapping[In, V]

    def __call__(self, x: In, /) -> V:
        """Return the value for an input."""
        if x not in self.values:
            raise InvalidInput("x", described(x), f"one of {described(tuple(self.values))}")
        return self.values[x]


@dataclass(frozen=True)
class Toss(Generic[Out]):
    """One draw of a program, and its continuation after each answer.

    Attributes
    ----------
    weights
        The weights of the answers: ``choose(weights)`` in general; if they are all 1 the draw is
        ``below(n)``, and if there are two it is ``bernoulli(p)``.
    branches
        After each answer: another draw, or the output.
    """

    weights: tuple[int, ...]
    branches: tuple[Toss[Out] | CoinLeaf[Out], ...]

    def __call__(self, rng: Coins) -> Out:
        """Make the draws, and return the output."""
        if set(self.weights) == {1}:
            answer = rng.below(len(self.weights))
        elif len(self.weights) == 2:
            answer = rng.bernoulli(Fraction(self.weights[1], sum(self.weights)))
        else:
            answer = rng.choose(self.weights)
        return self.branches[answer](rng)


@dataclass(frozen=True)
class CoinLeaf(Generic[Out]):
    """The output of a program that tosses no more coins."""

    output: Out

    def __call__(self, rng: Coins) -> Out:  # noqa: ARG002  # tosses no coin
        """Return the output."""
        return self.output


@dataclass(frozen=True)
class CoinProgram(Generic[In, Out]):
    """A program that follows a tree of tosses, one for each input.

    Attributes
    ----------
    trees
        The tree for each input.
    """

    trees: AnswersByInput[In, Toss[Out] | CoinLeaf[Out]]

    def __call__(self, x: In, rng: Coins, /) -> Out:
        """Run on an input with some coins."""
        return self.trees(x)(rng)


def tables(
    inputs: Iterable[In],
    values: classes.Values[V],
    *,
    symmetric: bool = False,
    max_values: int | None = None,
) -> SearchStrategy[AnswersByInput[In, V]]:
    """Return the strategy of the functions of finitely many inputs, as tables.

    Shrinks towards the simplest value for all inputs.

    Parameters
    ----------
    inputs
        The inputs. ``table(x)`` is the value for one, and ``table.values`` a mapping.
    values
        The values, or a strategy for one.
    symmetric
        Whether inputs, such as datasets, that differ only in their order have one value.
    max_values
        If given, the largest number of distinct values in a table, so that ties are common.

    Raises
    ------
    InvalidInput
        Inputs repeat, there are no values, or ``max_values`` is below 1. On use: an unknown input.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(tables("ab", range(5)), lambda table: table("b") > table("a"))
    AnswersByInput(values={'a': 0, 'b': 1})
    """
    kept = distinct(inputs, "inputs")
    value = classes.drawn_from(values, "values")
    # Elements of an input without their order, where it does not matter.
    kinds = {x: data.Multiset.of(cast("Iterable[Hashable]", x)) if symmetric else x for x in kept}

    def of(entry: SearchStrategy[V]) -> SearchStrategy[AnswersByInput[In, V]]:
        drawn = st.fixed_dictionaries(dict.fromkeys(kinds.values(), entry))
        return drawn.map(
            lambda found: AnswersByInput({x: found[kind] for x, kind in kinds.items()})
        )

    if max_values is None:
        return of(value)
    most = as_size(max_values, "max_values", least=1)
    few = st.lists(value, min_size=1, max_size=most)
    return few.flatmap(lambda pool: of(st.sampled_from(pool)))


def mechanisms(
    inputs: Iterable[In],
    outputs: classes.Values[Out],
    *,
    max_size: int = 3,
    max_denominator: int = 12,
) -> SearchStrategy[data.FromLaw[In, Out]]:
    """Return the strategy of the mechanisms on finitely many inputs, each law in a table.

    Shrinks towards one output for all inputs.

    Parameters
    ----------
    inputs
        The inputs, such as all samples of one size.
    outputs
        The outputs, or a strategy for one.
    max_size, max_denominator
        The largest support of a law, and its largest denominator, both at least 1.

    Raises
    ------
    InvalidInput
        Inputs repeat, there are no outputs, or a number is below 1. On use: an unknown input.

    Examples
    --------
    >>> from hypothesis import find
    >>> M = find(mechanisms([0, 1], "ab"), lambda M: M.law(0) != M.law(1))
    >>> M.law(0), M.law(1)
    (FiniteDistribution({'a': 1}), FiniteDistribution({'b': 1}))
    """
    law = classes.distributions(outputs, max_size=max_size, max_denominator=max_denominator)
    return tables(inputs, law).map(data.FromLaw)


def mechanisms_on_datasets(
    records: Iterable[R],
    laws: classes.Values[data.FiniteDistribution[Out]],
    *,
    min_size: int = 1,
    max_size: int = 2,
    symmetric: bool = False,
    max_values: int | None = None,
) -> SearchStrategy[tuple[int, data.FromLaw[tuple[R, ...], Out]]]:
    """Return the strategy of the mechanisms on all datasets of one size, with that size.

    Shrinks towards small datasets, and the simplest law for all of them.

    Parameters
    ----------
    records
        The records: all tuples of one size are inputs.
    laws
        The laws of the output, or a strategy for one, such as :func:`weighted`.
    min_size, max_size
        Bounds on the size of the datasets.
    symmetric, max_values
        As for :func:`tables`.

    Raises
    ------
    InvalidInput
        Records repeat, there are no laws, or a size is out of range. On use: an unknown dataset.

    Examples
    --------
    >>> from hypothesis import find
    >>> coins = [data.FiniteDistribution.uniform("ab"), data.FiniteDistribution.point_mass("a")]
    >>> n, M = find(mechanisms_on_datasets([0, 1], coins), lambda drawn: drawn[0] == 2)
    >>> M.law((0, 1))
    FiniteDistribution({'a': 1/2, 'b': 1/2})
    """
    least, most = sizes(min_size, max_size)
    listed = distinct(records, "records")

    def of_size(n: int) -> SearchStrategy[tuple[int, data.FromLaw[tuple[R, ...], Out]]]:
        inputs = product(listed, repeat=n)
        drawn = tables(inputs, laws, symmetric=symmetric, max_values=max_values)
        return drawn.map(lambda table: (n, data.FromLaw(table)))

    return st.integers(least, most).flatmap(of_size)


def programs(
    inputs: Iterable[In], outputs: classes.Values[Out], *, max_draws: int = 2, max_weight: int = 3
) -> SearchStrategy[data.FromProgram[In, Out]]:
    """Return the strategy of the programs that draw only through their coins.

    Their laws come from the tape. Shrinks towards no draws, and one output for all inputs.

    Parameters
    ----------
    inputs
        The inputs.
    outputs
        The outputs, or a strategy for one.
    max_draws
        The largest number of draws on one path; each has at most three answers.
    max_weight
        The largest weight of an answer, at least 1.

    Raises
    ------
    InvalidInput
        Inputs repeat, there are no outputs, or a number is out of range. On use: an unknown input.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(programs([0], "ab"), lambda M: len(M.law(0)) == 2).law(0)
    FiniteDistribution({'a': 1/2, 'b': 1/2})
    """
    draws = as_size(max_draws, "max_draws")
    heaviest = as_size(max_weight, "max_weight", least=1)
    leaves: SearchStrategy[Toss[Out] | CoinLeaf[Out]] = classes.drawn_from(outputs, "outputs").map(
        CoinLeaf
    )
    tree = leaves
    for _ in range(draws):
        tree = st.one_of(leaves, _tosses(tree, heaviest))
    return tables(inputs, tree).map(lambda drawn: data.FromProgram(CoinProgram(drawn)))


def _tosses(
    branch: SearchStrategy[Toss[Out] | CoinLeaf[Out]], max_weight: int
) -> SearchStrategy[Toss[Out]]:
    weight = st.integers(1, max_weight)
    answers = st.lists(st.tuples(weight, branch), min_size=2, max_size=3)
    return answers.map(lambda drawn: Toss(*map(tuple, zip(*drawn, strict=True))))


# By type

Elements = SearchStrategy[Hashable]

_OF_ELEMENTS: dict[type, Callable[[Elements], SearchStrategy[object]]] = {
    data.Example: examples,
    data.FiniteDistribution: classes.distributions,
    data.Multiset: multisets,
    data.Sample: samples,
}
_PLAIN: dict[type, Callable[[], SearchStrategy[object]]] = {
    Epsilon: classes.epsilons,
    FiniteClass: classes.finite_classes,
    MistakeTree: lambda: classes.classes_with_trees().map(lambda pair: pair[1]),
}


def strategy_for(custom: type, arguments: tuple[object, ...]) -> SearchStrategy[object]:
    """Return the strategy of a type of the library.

    Parameters
    ----------
    custom
        One of the types that :mod:`~pac_stability.testing.hypothesis_types` lists.
    arguments
        The type arguments in its brackets, as in ``Sample[str]``; none means small integers.

    Notes
    -----
    Mechanisms take the inputs 0 and 1, because a law needs finitely many inputs. hypothesis
    resolves ``Mechanism``, but no protocol with brackets; ``FromLaw[...]`` is one that it does.
    """
    if custom in _PLAIN:
        return _PLAIN[custom]()
    if custom in _OF_ELEMENTS:
        return _OF_ELEMENTS[custom](_elements(arguments[0] if arguments else int))
    outputs = _elements(arguments[-1] if arguments else int)
    tables, coins = mechanisms((0, 1), outputs), programs((0, 1), outputs)
    made: dict[type, SearchStrategy[object]] = {
        data.FromLaw: tables,
        data.FromProgram: coins,
        data.Mechanism: st.one_of(tables, coins),
    }
    return made[custom]


def _elements(kind: object) -> Elements:
    # Any integer would do, but examples that meet one another test more.
    return st.integers(0, 3) if kind is int else st.from_type(cast("type[Hashable]", kind))
