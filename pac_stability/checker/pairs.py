"""Recheck what laws prove: one pair on neighbours, the bound over all pairs, or all laws together.

A certificate with all answers stores them as a *diagram*, which shares equal parts. A node of depth
r stands for the answers on all continuations by r more elements: it lists, for each element of the
universe, a node of depth r - 1. A node of depth 0 is a row of answers: at each point the
probability of label 1, or the one law of the output. The root of depth n holds the answers on all
samples of size n.

The search for neighbours descends from the roots, two nodes at a time. A state is two nodes and the
number of changes left. It stands for all pairs of samples that lead to these nodes and may still
differ in so many places. Equal next elements cost nothing; different ones cost one change. So every
pair of neighbours ends in a pair of rows, where the checker compares them. It follows each pair of
nodes once: that is all that makes the search shorter than a list.

The next part checks the two laws themselves: their samples, the event between them, and that the
excess is as large as stated. The last part checks notions that quantify over random samples. Their
laws are complete, because the probabilities of the listed samples sum to one. So these certificates
prove an exact value wherever the recomputation is not too long.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pac_stability.checker.fields import (
    Case,
    Fields,
    Key,
    Law,
    Limits,
    Number,
    Shown,
    StatedInstance,
    TooLongError,
    add,
    as_element,
    as_key,
    as_law,
    as_list,
    as_object,
    as_parameter,
    as_probability,
    as_size,
    as_text,
    in_words,
    mass,
    refuse,
    times,
    total,
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


OF_ANSWERS = ("each-answer", "one-answer")
"""The relations of samples that are answers to queries, which move by at most 1."""

MOST_AT_ONCE = 1_000_000
"""Pairs of nodes that are held at once, at most: some 150 MB."""


def as_answers(value: object, case: Case) -> Answers:
    """Return the diagram of a certificate; require every index in it to exist."""
    instance, limits = case.instance, case.limits
    if instance.relation == "listed":
        raise InvalidInput("answers", "those on all samples", "none, where pairs are listed")
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
    sizes = instance.sizes
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
    """Return the law on one sample, of the label at a point or of the output, from all answers."""
    if len(sample) not in answers.roots:  # of a group that comes or goes
        raise InvalidInput("answers.roots", f"none for the size {len(sample)}", "one")
    places = {element: index for index, element in enumerate(case.instance.universe)}
    row = answers.row([places[element] for element in sample])
    return answers.laws[row[column]]


def in_sizes(sizes: Sequence[int]) -> str:
    """Write sizes of samples."""
    return " or ".join(map(str, sizes)) if len(sizes) < 4 else f"{sizes[0]} to {sizes[-1]}"


def none_is_worse(answers: Answers, case: Case, bound: Fraction) -> str:
    """Return the sentence that no pair of neighbours exceeds the bound, once that is checked.

    Raises
    ------
    InvalidInput
        A pair exceeds it, so the certificate contradicts itself. The error is a
        :class:`TooLongError` if the check takes more steps than the limit allows.
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
    sizes = in_sizes(list(answers.roots))
    return (
        f"no two neighbours show more than {in_words(bound)}: "
        f"the certificate has the laws on all samples of size {sizes} "
        f"over {len(instance.universe)} elements, and every pair of neighbours was compared"
    )


def _pairs_of_rows(answers: Answers, case: Case) -> Iterator[tuple[int, int]]:
    """Yield the rows of every pair of neighbours; equal rows may be left out."""
    instance, limits = case.instance, case.limits
    inserted = instance.relation == "add-remove"
    if inserted and instance.group_size > 1:
        # Its neighbours are some insertions and deletions apart; nobody has asked for them yet.
        raise TooLongError("instance.group_size", "groups that come and go", "groups of 1")
    elements = range(len(instance.universe))
    of_answers = instance.relation in OF_ANSWERS
    values = [_value(z) for z in instance.universe] if of_answers else []
    top = len(answers.nodes) - 1
    most = top if instance.relation == "each-answer" else min(instance.group_size, top)
    # Two samples of sizes m and m - 1: one element of the larger one is still to be left out.
    longer: set[tuple[int, int]] = set()
    aligned: Met = set()
    if not inserted:
        aligned.add((answers.roots[top], answers.roots[top], most))
    for depth in range(top, 0, -1):
        nodes = answers.nodes[depth]
        if depth - 1 in answers.roots:
            longer.add((answers.roots[depth], answers.roots[depth - 1]))
        below: Met = set()
        for one, other, changes in aligned:
            limits.spend(len(elements) ** 2 if changes else len(elements), "answers")
            for a in elements:
                for b in elements if changes else (a,):
                    if of_answers and abs(values[a] - values[b]) > 1:
                        continue
                    _meet(below, nodes[one][a], nodes[other][b], changes - (a != b))
        shorter: set[tuple[int, int]] = set()
        for one, other in longer:
            limits.spend(2 * len(elements), "answers")
            for a in elements:
                _meet(below, nodes[one][a], other, 0)
                if depth > 1:
                    shorter.add((nodes[one][a], answers.nodes[depth - 1][other][a]))
            _require_few(shorter)
        aligned, longer = below, shorter
    for one, other, _ in aligned:
        yield one, other


def _meet(met: Met, one: int, other: int, changes: int) -> None:
    """Remember two nodes to follow, unless everything below them is equal."""
    if one != other or changes:
        met.add((min(one, other), max(one, other), changes))
        _require_few(met)


def _require_few(met: Collection[object]) -> None:
    """Refuse to hold more pairs at once than memory allows, whatever the file says."""
    if len(met) > MOST_AT_ONCE:
        given = f"more than {MOST_AT_ONCE:,} pairs of nodes to be followed at once"
        raise TooLongError("answers", given, "fewer: memory is bounded")


# Recheck what is shown by the laws on two neighbouring samples


def check_pair(value: object, answers: Answers | None, case: Case) -> Shown:
    """Check two laws on neighbouring samples, and the event that tells them apart.

    If the certificate gives the answers on all samples, they must contain these two laws. The
    checker then compares every other pair of neighbours too, if that is not too long.
    """
    instance, count = case.instance, len(case.objects)
    about_points = case.asked.points
    keys = ["kind", "sample", "neighbour", "law", "neighbour_law", "event", "value"]
    keys += ["point"] * about_points
    keys += ["order"] * (
        case.asked.divergence is not None and isinstance(value, dict) and "order" in value
    )
    fields = as_object(value, "witness", keys)
    as_text(fields["kind"], "witness.kind", ("pair",))
    sample = _sample(fields["sample"], "witness.sample", instance)
    neighbour = _sample(fields["neighbour"], "witness.neighbour", instance)
    if not {len(sample), len(neighbour)} & {*instance.sizes}:
        raise refuse("witness.sample", fields["sample"], f"{in_sizes(instance.sizes)} elements")
    inserted = instance.relation == "add-remove"
    if inserted:
        case.limits.spend(len(sample) * len(neighbour), "witness.sample")
    steps = _stated_steps(sample, neighbour, instance)
    if not 1 <= steps <= instance.group_size:
        wanted = f"a neighbour of the sample ({instance.relation}, up to {instance.group_size})"
        raise refuse("witness.neighbour", fields["neighbour"], wanted)
    if instance.group_size == 1:  # a group that comes or goes leads beyond the sizes
        for name, given in (("sample", sample), ("neighbour", neighbour)):
            if len(given) not in instance.sizes:
                sizes = in_sizes(instance.sizes)
                raise refuse(f"witness.{name}", fields[name], f"{sizes} elements")
    column = 0
    if about_points:
        point = as_key(fields["point"], "witness.point")
        if point not in instance.points:
            raise refuse("witness.point", fields["point"], "one of the points of the instance")
        column = instance.points.index(point)
    law = as_law(fields["law"], "witness.law", count, case.limits)
    other = as_law(fields["neighbour_law"], "witness.neighbour_law", count, case.limits)
    event = [
        as_key(outcome, "witness.event", objects=count)
        for outcome in as_list(fields["event"], "witness.event")
    ]
    if len(set(event)) < len(event):
        raise InvalidInput("witness.event", "an outcome twice", "distinct outcomes")
    here, there = mass(event, law, case.limits), mass(event, other, case.limits)
    if case.asked.divergence is not None:
        return _divergence(fields, (law, other), (sample, neighbour), steps, answers, case)
    if not case.asked.factor:
        shown: Number = max(Fraction(0), here - instance.epsilon_ratio * there)
    else:
        # The smallest factor f >= 1 with here <= f * there + delta.
        over = here - instance.delta
        factor = over / there if there else (math.inf if over > 0 else Fraction(1))
        shown = max(Fraction(1), factor)
    if as_parameter(fields["value"], "witness.value", case.limits) != shown:
        raise refuse("witness.value", fields["value"], f"{in_words(shown)}, what the event shows")
    bound = "is infinite" if shown == math.inf else f"is at least {in_words(shown)}"
    proved = (
        f"the two samples are neighbours ({instance.relation}, {steps} of at most "
        f"{instance.group_size} steps), and their laws are probability distributions",
        f"with these laws an event has probability {in_words(here)} on one sample and "
        f"{in_words(there)} on the other, so the parameter {bound}",
    )
    result = Shown(shown, refutes=case.claim_fails(shown), exact=False, proved=proved)
    return _against_all(result, None, ((sample, law), (neighbour, other)), answers, column, case)


def _divergence(  # noqa: PLR0917  # what was read so far
    fields: Fields,
    laws: tuple[Law, Law],
    samples: tuple[list[Key], list[Key]],
    steps: int,
    answers: Answers | None,
    case: Case,
) -> Shown:
    """Check that a divergence of two laws is as large as written, and whether it exceeds the claim.

    A witness without an order shows a parameter of at least 0, or an infinite one: then one law has
    an outcome that the other does not have.
    """
    law, other = laws
    shown = as_parameter(fields["value"], "witness.value", case.limits)
    if shown < 0:  # the least that there is, which a pair of equal laws is not asked to exceed
        raise refuse("witness.value", fields["value"], "a number of at least 0")
    if "order" in fields:
        order = case.limits.number(fields["order"], "witness.order")
        if order < 1:
            raise refuse("witness.order", fields["order"], "an order of at least 1")
        judge = case.asked.divergence
        if (
            judge is None
            or isinstance(shown, float)
            or not judge.shows(law, other, order, shown, case)
        ):
            raise refuse("witness.value", fields["value"], "what the divergence shows")
        how = judge.words.format(order=in_words(order))
    else:
        wanted = math.inf if law.keys() - other.keys() else Fraction(0)
        if shown != wanted:
            raise refuse("witness.value", fields["value"], in_words(wanted))
        how = "an outcome of the one law is none of the other" if shown else "nothing is shown"
    proved = (
        f"the two samples are neighbours ({case.instance.relation}, {steps} of at most "
        f"{case.instance.group_size} steps), and their laws are probability distributions",
        f"with these laws the parameter is at least {in_words(shown)}: {how}",
    )
    result = Shown(shown, refutes=case.claim_fails(shown), exact=False, proved=proved)
    pairs = (samples[0], law), (samples[1], other)
    return _against_all(result, case.claim, pairs, answers, 0, case)


def _against_all(  # noqa: PLR0917  # what was read so far
    result: Shown,
    claim: Fraction | None,
    pair: Iterable[tuple[list[Key], Law]],
    answers: Answers | None,
    column: int,
    case: Case,
) -> Shown:
    """Compare all answers with a claim, or with what the pair shows."""
    instance = case.instance
    for mine, written in pair:
        if answers is not None and law_on(answers, mine, column, case) != written:
            raise InvalidInput("witness.law", "another law than in the answers", "that law")
    if isinstance(result.value, float):  # nothing is larger than infinity
        return replace(result, exact=True)
    if answers is None:
        return result
    bound = result.value if claim is None else claim
    try:
        all_pairs = none_is_worse(answers, case, bound)
    except TooLongError as limit:
        trusted = f"that nothing else is worse: to compare all pairs takes {limit.given}"
        return replace(result, trusted=(trusted,))
    order = f"that the order of a sample makes no difference, as was {instance.symmetry}"
    trusts = (order,) if instance.symmetry != "none" else ()
    proved = (*result.proved, all_pairs)
    return replace(result, exact=bound == result.value, keeps=True, proved=proved, trusted=trusts)


def _sample(value: object, where: str, instance: StatedInstance) -> list[Key]:
    elements = [
        as_element(element, where, labelled=instance.labelled) for element in as_list(value, where)
    ]
    if not set(elements) <= set(instance.universe):
        raise refuse(where, value, "elements of the universe")
    return elements


def _value(answer: Key) -> Fraction:
    """Return the answer to a query as a number."""
    try:
        return Fraction(answer)
    except ValueError:
        raise refuse("instance.universe", answer, "numbers: answers to queries") from None


def _stated_steps(sample: list[Key], neighbour: list[Key], instance: StatedInstance) -> int:
    """Return the steps for any relation, including answers to queries and listed pairs."""
    if instance.relation == "listed":
        pair = (tuple(sample), tuple(neighbour))
        return int(pair in instance.listed or pair[::-1] in instance.listed)
    if instance.relation not in OF_ANSWERS:
        return _steps_apart(sample, neighbour, instance.relation)
    if len(sample) != len(neighbour):
        return 0
    moved = [abs(_value(a) - _value(b)) for a, b in zip(sample, neighbour, strict=True)]
    steps = sum(by > 0 for by in moved)
    if instance.relation == "each-answer":
        steps = min(steps, 1)
    return steps if max(moved, default=0) <= 1 else 0


def _steps_apart(sample: list[Key], neighbour: list[Key], relation: str) -> int:
    """Return how many steps of the relation separate two samples; 0 if no steps connect them."""
    if relation == "replace-one":
        if len(sample) != len(neighbour):
            return 0
        return sum(a != b for a, b in zip(sample, neighbour, strict=True))
    # Insertions and deletions: all but a longest common subsequence.
    row = [0] * (len(neighbour) + 1)
    for a in sample:
        before = row
        row = [0]
        for place, b in enumerate(neighbour):
            row.append(before[place] + 1 if a == b else max(before[place + 1], row[-1]))
    return len(sample) + len(neighbour) - 2 * row[-1]


def is_close(p: Law, q: Law, factor: Number, delta: Fraction, limits: Limits) -> bool:
    """Return whether p(E) <= factor * q(E) + delta for all events E, and with p, q swapped."""
    return max(_excess(p, q, factor, limits), _excess(q, p, factor, limits)) <= delta


def _excess(p: Law, q: Law, factor: Number, limits: Limits) -> Fraction:
    """Return the largest value of p(E) - factor * q(E) over the events E."""
    nothing = Fraction(0)

    def excess(outcome: Key) -> Fraction:
        other = q.get(outcome, nothing)
        if not other:
            return p[outcome]
        return nothing if isinstance(factor, float) else max(nothing, p[outcome] - factor * other)

    return total(map(excess, p), limits)


# Recheck what is shown by the laws on all samples at once


@dataclass(frozen=True, slots=True)
class WrittenLaw:
    """A sample (or all its orderings), its probability, and the law of the output on it."""

    sample: tuple[Key, ...]
    probability: Fraction
    law: Law


@dataclass(frozen=True, slots=True)
class WrittenLaws:
    """The laws and the strategy of a certificate, after reading."""

    case: Case
    distribution: Law
    rows: tuple[WrittenLaw, ...]
    strategy: dict[Key, object]
    value: Number


@dataclass(frozen=True, slots=True)
class Test:
    """A set of elements, and its probability."""

    elements: frozenset[Key]
    probability: Fraction

    @classmethod
    def of(cls, elements: frozenset[Key], evidence: WrittenLaws) -> Test:
        """Return a set of elements with its probability."""
        return cls(elements, mass(elements, evidence.distribution, evidence.case.limits))

    def deviation(self, sample: tuple[Key, ...]) -> Fraction:
        """Return the distance between its frequency in a sample and its probability."""
        frequency = Fraction(sum(z in self.elements for z in sample), len(sample) or 1)
        return abs(frequency - self.probability)


def check_laws(value: object, case: Case) -> Shown:
    """Check the laws on all samples, and recompute the parameter from them."""
    keys = ("kind", "up_to_order", "laws", "strategy", "value")
    fields = as_object(value, "witness", keys)
    as_text(fields["kind"], "witness.kind", ("laws",))
    up_to_order = fields["up_to_order"]
    if not isinstance(up_to_order, bool):
        raise refuse("witness.up_to_order", up_to_order, "true or false")
    distribution = case.instance.distribution
    if distribution is None:
        raise InvalidInput("instance.distribution", "none", "the distribution of an element")
    strategy: dict[Key, object] = {}
    for pair in as_list(fields["strategy"], "witness.strategy"):
        outcome, choice = as_list(pair, "witness.strategy", length=2)
        key = as_key(outcome, "witness.strategy", objects=len(case.objects))
        if key in strategy:
            raise InvalidInput("witness.strategy", "an outcome twice", "each outcome once")
        strategy[key] = choice
    rows = tuple(_rows(fields["laws"], up_to_order, case, distribution))
    work = sum(len(row.sample) * len(row.law) for row in rows)
    case.limits.spend(work, "witness.laws")
    shown = as_parameter(fields["value"], "witness.value", case.limits)
    if case.asked.laws is None:
        raise InvalidInput("notion", case.notion, "one about a distribution")
    return case.asked.laws(WrittenLaws(case, distribution, rows, strategy, shown))


def _rows(forms: object, up_to_order: bool, case: Case, distribution: Law) -> Iterator[WrittenLaw]:
    """Yield the samples with their probabilities; require that none is missing."""
    n, count = case.instance.n, len(case.objects)
    common = 1
    for p in distribution.values():
        common = math.lcm(common, p.denominator)
        if n * common.bit_length() > case.limits.bits:
            raise InvalidInput("instance.n", str(n), "shorter samples, or more max_bits")
    seen: set[object] = set()
    everything = Fraction(0)
    for form in as_list(forms, "witness.laws"):
        fields = as_object(form, "witness.laws", ("sample", "law"))
        sample = tuple(
            as_element(z, "witness.laws.sample", labelled=case.instance.labelled)
            for z in as_list(fields["sample"], "witness.laws.sample")
        )
        if len(sample) != n or not set(sample) <= distribution.keys():
            raise refuse("witness.laws.sample", fields["sample"], f"{n} elements of the universe")
        counts = Counter(sample)
        identity = frozenset(counts.items()) if up_to_order else sample
        if identity in seen:
            raise refuse("witness.laws.sample", fields["sample"], "each sample once")
        seen.add(identity)
        probability = _probability(counts, distribution, case.limits)
        if up_to_order:
            probability *= _orderings(counts.values(), case.limits)
        everything = add(everything, probability, case.limits)
        law = as_law(fields["law"], "witness.laws.law", count, case.limits)
        yield WrittenLaw(sample, probability, law)
    if everything != 1:
        given = f"samples of total probability {in_words(everything)}"
        raise InvalidInput("witness.laws", given, "all samples")


def _probability(counts: Counter[Key], distribution: Law, limits: Limits) -> Fraction:
    """Return the probability of a sample in a fixed order."""
    result = Fraction(1)
    for element, count in counts.items():
        result = times(result, distribution[element] ** count, limits)
    return result


def _orderings(multiplicities: Iterable[int], limits: Limits) -> int:
    """Return the number of orderings of a sample."""
    so_far, orderings = 0, 1
    for multiplicity in multiplicities:
        so_far += multiplicity
        limits.spend(so_far * so_far.bit_length() ** 2 >> 9, "witness.laws.sample")
        orderings *= math.comb(so_far, multiplicity)
    return orderings


COMPLETE = "there is a law for every sample: their probabilities sum to 1"


def exactly(evidence: WrittenLaws, proved: str) -> Shown:
    """Return that the parameter equals the certificate's value."""
    refutes = evidence.case.claim_fails(evidence.value)
    return Shown(evidence.value, refutes, exact=True, proved=(COMPLETE, proved))
