"""Recheck that no two neighbouring samples show more, where a certificate has all answers.

The answers come as a *diagram*, which shares whatever is equal. A node of depth r stands for the
answers on all ways to go on by r more elements: it lists, for each element of the universe, a node
of depth r - 1. A node of depth 0 is a row of answers: at each point the probability of label 1, or
the one law of the output. The root of depth n holds the answers on all samples of size n.

Neighbours are looked for from the roots down, two nodes at a time. Two nodes and a number of
changes that are left stand for all pairs of samples that went two ways so far and may still differ
in so many places. If the elements that come next are equal nothing changes, and if they differ one
change is spent. So every pair of neighbours ends in a pair of rows, and is compared there. Pairs of
nodes that are met twice are followed once: that is all that makes this shorter than a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.checker.recheck_simulators import is_close
from pac_stability.checker.recheck_values import (
    Case,
    Key,
    Law,
    TooLongError,
    as_law,
    as_list,
    as_object,
    as_probability,
    as_size,
    in_words,
    refuse,
)
from pac_stability.errors import InvalidInput

Node = list[int]
Met = set[tuple[int, int, int]]
"""Pairs of nodes of one depth, each with the number of changes that are left."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers on all samples.

    Attributes
    ----------
    laws
        The distinct laws: of the label at a point, or of the output.
    nodes
        For each depth the nodes; those of depth 0 are rows of indices of laws.
    roots
        For each size of a sample the index of its root among the nodes of that depth.
    """

    laws: list[Law]
    nodes: list[list[Node]]
    roots: dict[int, int]

    def row(self, sample: list[int]) -> Node:
        """Return the answers on one sample, given as indices of elements."""
        place = self.roots[len(sample)]
        for depth, element in zip(range(len(sample), 0, -1), sample, strict=True):
            place = self.nodes[depth][place][element]
        return self.nodes[0][place]


def as_answers(value: object, case: Case) -> Answers:
    """Return the diagram of a certificate, each index of which leads to something."""
    instance, limits = case.instance, case.limits
    fields = as_object(value, "answers", ("laws", "rows", "levels", "roots"))
    predicted = case.asked.points
    laws: list[Law] = []
    for form in as_list(fields["laws"], "answers.laws"):
        if predicted:
            p = as_probability(form, "answers.laws", limits)
            laws.append({y: q for y, q in (("1", p), ("0", 1 - p)) if q})
        else:
            laws.append(as_law(form, "answers.laws", len(case.objects), limits))
    width = len(instance.points) if predicted else 1
    nodes = [_nodes(fields["rows"], "answers.rows", width, len(laws))]
    for level in as_list(fields["levels"], "answers.levels"):
        below = len(nodes[-1])
        nodes.append(_nodes(level, "answers.levels", len(instance.universe), below))
    sizes = [instance.n]
    if instance.relation == "add-remove":
        sizes = list(range(max(instance.n - 1, 0), instance.n + 2))
    if len(nodes) != sizes[-1] + 1:
        given = f"{len(nodes) - 1} levels"
        raise InvalidInput("answers.levels", given, f"{sizes[-1]}, one for each element")
    places = as_list(fields["roots"], "answers.roots", length=len(sizes))
    roots = {
        size: _index(place, "answers.roots", len(nodes[size]))
        for size, place in zip(sizes, places, strict=True)
    }
    return Answers(laws, nodes, roots)


def _nodes(value: object, where: str, width: int, below: int) -> list[Node]:
    return [
        [_index(entry, where, below) for entry in as_list(node, where, length=width)]
        for node in as_list(value, where)
    ]


def _index(value: object, where: str, below: int) -> int:
    index = as_size(value, where)
    if index >= below:
        raise refuse(where, value, f"an index below {below}")
    return index


def law_on(answers: Answers, sample: list[Key], column: int, case: Case) -> Law:
    """Return the law that the answers on all samples have for one, at a point or of the output."""
    if len(sample) not in answers.roots:  # of a group that comes or goes
        raise InvalidInput("answers.roots", f"none for the size {len(sample)}", "one")
    places = {element: index for index, element in enumerate(case.instance.universe)}
    row = answers.row([places[element] for element in sample])
    return answers.laws[row[column]]


def none_is_worse(answers: Answers, case: Case, bound: Fraction) -> str:
    """Return a sentence that says that no pair of neighbours shows more than the bound.

    Raises
    ------
    InvalidInput
        A pair does, so the certificate contradicts itself; a :class:`TooLongError` if that is not
        known, because it takes more steps than are allowed.
    """
    instance, limits = case.instance, case.limits
    if case.asked.factor:
        factor, slack = bound, instance.delta
    else:
        factor, slack = instance.epsilon_ratio, bound
    seen: set[tuple[int, int]] = set()
    for one, other in _pairs_of_rows(answers, case):
        here, there = answers.nodes[0][one], answers.nodes[0][other]
        for pair in zip(here, there, strict=True):
            first, second = min(pair), max(pair)
            if first == second or (first, second) in seen:
                continue
            seen.add((first, second))
            p, q = answers.laws[first], answers.laws[second]
            limits.spend(len(p) + len(q), "answers")
            if (judge := case.asked.divergence) is not None:
                keeps = judge.keeps
                close = keeps(p, q, bound, case) and keeps(q, p, bound, case)
            else:
                close = is_close(p, q, factor, slack, limits)
            if not close:
                given = f"{in_words(bound)}, but the answers have two neighbours that show more"
                raise InvalidInput("witness.value", given, "the largest value")
    sizes = " or ".join(map(str, answers.roots))
    return (
        f"no two neighbours show more than {in_words(bound)}: "
        f"the certificate has the laws on all samples of size {sizes} "
        f"over {len(instance.universe)} elements, and every pair of neighbours was compared"
    )


def _pairs_of_rows(answers: Answers, case: Case) -> Iterator[tuple[int, int]]:
    """Yield the rows of every pair of neighbours, pairs of equal ones perhaps not."""
    instance, limits = case.instance, case.limits
    inserted = instance.relation == "add-remove"
    if inserted and instance.group_size > 1:
        # Its neighbours are some insertions and deletions apart; nobody has asked for them yet.
        raise TooLongError("instance.group_size", "groups that come and go", "groups of 1")
    elements = range(len(instance.universe))
    top = len(answers.nodes) - 1
    # Two samples of sizes m and m - 1: one element of the larger one is still to be left out.
    longer: set[tuple[int, int]] = set()
    aligned: Met = set()
    if not inserted:
        aligned.add((answers.roots[top], answers.roots[top], min(instance.group_size, top)))
    for depth in range(top, 0, -1):
        nodes = answers.nodes[depth]
        if depth - 1 in answers.roots:
            longer.add((answers.roots[depth], answers.roots[depth - 1]))
        below: Met = set()
        for one, other, changes in aligned:
            limits.spend(len(elements) ** 2 if changes else len(elements), "answers")
            for a in elements:
                for b in elements if changes else (a,):
                    _meet(below, nodes[one][a], nodes[other][b], changes - (a != b))
        shorter: set[tuple[int, int]] = set()
        for one, other in longer:
            limits.spend(2 * len(elements), "answers")
            for a in elements:
                _meet(below, nodes[one][a], other, 0)
                if depth > 1:
                    shorter.add((nodes[one][a], answers.nodes[depth - 1][other][a]))
        aligned, longer = below, shorter
    for one, other, _ in aligned:
        yield one, other


def _meet(met: Met, one: int, other: int, changes: int) -> None:
    """Remember two nodes to be followed, unless all that is below them is equal."""
    if one != other or changes:
        met.add((min(one, other), max(one, other), changes))
