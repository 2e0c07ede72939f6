"""The instance from the options, and ``pac-stability audit --black-box``.

Every audit reads points and distributions here; the rest is statistics about an algorithm that can
only be run.
"""

from __future__ import annotations

import argparse
import contextlib
import os.path
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import chain, combinations
from pathlib import Path
from typing import Any, TypeAlias, cast

import pac_stability
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.interval import digits
from pac_stability.audit import About, Notion, labels
from pac_stability.audit.black_box import estimator, fed
from pac_stability.audit.notions.notion import Instance
from pac_stability.audit.reports.text import (
    JUnitCase,
    claim_in_words,
    conclusion_of_runs,
    in_words,
    input_in_words,
    whole,
)
from pac_stability.audit.search.asking import as_sample
from pac_stability.audit.search.neighbour_ranks import neighbourhood_of
from pac_stability.audit.statistics import StatisticalResult, privacy_bound, stability_bound
from pac_stability.classes import read_points
from pac_stability.data import Adjacency, Example, FiniteDistribution, Neighbouring, all_examples
from pac_stability.data.sample import decode_point
from pac_stability.errors import InvalidInput
from pac_stability.learning import Classifier, fresh_copy
from pac_stability.reading import read_json

_DECIMAL = re.compile(r"-?(?:0|[1-9]\d*)\.\d*[1-9]", re.ASCII)
_MOST_POINTS = 10_000
_RANGE = re.compile(r"(-?\d{1,18})\.\.(-?\d{1,18})", re.ASCII)
_MAYBE_RANGE = re.compile(r"\d{1,18}\s*(?:-|:|\u2013|\.\.\.)\s*\d{1,18}", re.ASCII)
_APART = re.compile(r"[+-]?\d[\d./]*(?:\s*[;|\s]\s*[+-]?\d[\d./]*)+", re.ASCII)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_CODE = re.compile(r"[{}]|^(True|False|None|[-+]?(nan|inf)|range\(.*\))$")
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d{1,18}/0{0,18}[1-9]\d{0,17}|\d{0,18}\.\d{1,18})", re.ASCII)


def points_from(text: str, option: str) -> tuple[object, ...]:
    """Return the points that an option gives.

    Parameters
    ----------
    text
        A number m for the points 0, ..., m - 1; a range ``0..3``; points separated by commas, with
        brackets around those that are tuples; or the name of a JSON file with a list of points, or
        of a table with a point a line. In a list they are exact numbers if all of them read as
        numbers, otherwise all texts.
    option
        Its name, for messages.

    Raises
    ------
    InvalidInput
        There is no point, one is given twice, or the file cannot be read; brackets do not close, or
        a text may be a range; or numbers are chosen to collide in their hashes.

    Examples
    --------
    >>> points_from("3", "--domain"), points_from("7,", "--domain")
    ((0, 1, 2), (7,))
    >>> points_from("0..2", "--domain"), points_from("(0,1),(2,3)", "--domain")
    ((0, 1, 2), ((0, 1), (2, 3)))
    >>> points_from("1/2, -1", "--domain"), points_from("1,00", "--domain")
    ((Fraction(1, 2), -1), ('1', '00'))
    """
    if _is_json(text):
        document = read_json(text)
        if not isinstance(document, list):
            raise InvalidInput(f"{option} {text}", "no list", "a JSON list of points")
        points = tuple(decode_point(point, text) for point in document)
    elif _INTEGER.fullmatch(text.strip()):
        points = tuple(range(_size(text, option)))
    elif os.path.isfile(text):  # noqa: PTH113  # no error for a long list
        try:
            rows = read_points(text)
        except InvalidInput as error:
            wanted = "a table of exact numbers in one reading, or a JSON file with a list of points"
            raise InvalidInput(f"{option} {text}", error.given, wanted) from None
        points = tuple(row[0] if len(row) == 1 else row for row in dict.fromkeys(rows))
    elif re.fullmatch(r"[^,]*\.(csv|tsv|txt|npy|data?|xlsx?)", text):
        wanted = f"a file of points, or '{text},' for one text"
        raise InvalidInput(f"{option} {text}", "no such file", wanted)
    else:
        points = _listed(text, option)
    if not points:
        raise InvalidInput(option, "no point", "at least one")
    if len(set(points)) < len(points):
        raise InvalidInput(option, f"a point twice in {text!r}", "distinct points")
    return points


def _listed(text: str, option: str) -> tuple[object, ...]:
    """Return the points of a list; numbers, if all that is in it is written as numbers are."""
    for read in (_as_number, str):
        with contextlib.suppress(_NotNumbersError):
            return _tuple_of(text, option, read)
    raise AssertionError  # all can be texts


class _NotNumbersError(Exception):
    """There is a text among them."""


def _tuple_of(text: str, option: str, read: Callable[[str], object]) -> tuple[object, ...]:
    found: list[object] = []
    parts = [part.strip() for part in _parts(text, option)]
    if not parts[-1]:  # a comma may end a list
        parts.pop()
    for part in parts:
        ends = _RANGE.fullmatch(part)
        if not part:
            raise InvalidInput(option, f"no point between two commas of {text!r}", "one")
        if _APART.fullmatch(part):
            raise InvalidInput(option, repr(part), "commas between points, or a JSON file")
        if part[0] in "([" and part[-1] == ")]"["([".index(part[0])]:
            found.append(_tuple_of(part[1:-1], option, read))
        elif ends is not None:
            low, high = int(ends[1]), int(ends[2])
            if not 0 <= high - low < _MOST_POINTS:
                raise InvalidInput(option, part, "a range upwards, of at most 10,000 points")
            found += range(low, high + 1)
        elif _MAYBE_RANGE.fullmatch(part):
            low_text, high_text = re.findall(r"\d+", part)
            wanted = f"{low_text}..{high_text} for a range, or a JSON file with texts"
            raise InvalidInput(option, part, wanted)
        elif _QUOTED.fullmatch(part):
            if read is not str:
                raise _NotNumbersError
            found.append(part[1:-1])
        elif _CODE.search(part):
            wanted = "1 for True and 0 for False, a text without brackets, or a JSON file"
            raise InvalidInput(option, repr(part), wanted)
        else:
            found.append(read(part))
    return tuple(found)


def _parts(text: str, option: str) -> list[str]:
    """Divide a text at the commas that are in no brackets, and not in quotes."""
    if text.startswith("[") and text.find("]") == len(text) - 1:
        inner = text[1:-1]
        raise InvalidInput(option, repr(text), f"{inner} for several points, or ({inner}) for one")
    parts, open_ones, quote = [""], 0, ""
    for sign in text:
        if sign == quote or (sign in "'\"" and not quote and not parts[-1].strip("([ ")):
            quote = "" if quote else sign
        open_ones += 0 if quote else (sign in "([") - (sign in ")]")
        if open_ones < 0:
            break
        if sign == "," and not open_ones and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    if open_ones or quote:
        raise InvalidInput(option, repr(text), "brackets and quotes that close, or a JSON file")
    return parts


def _as_number(text: str) -> object:
    """Return an exact number, if the number, written, gives the text back."""
    point = point_from(text)
    if isinstance(point, str):
        raise _NotNumbersError
    return point


def _size(text: str, option: str) -> int:
    size = int(text)
    if text.strip() != str(size):
        raise InvalidInput(option, text, f"{size} for so many points, or '{text},' for one")
    if not 0 < size <= _MOST_POINTS:
        raise InvalidInput(option, text, "at least one point, and at most 10,000")
    return size


def point_from(text: str) -> object:
    """Return one point: an exact number if the text reads as one, otherwise the text."""
    if not (_INTEGER.fullmatch(text) or _NUMBER.fullmatch(text)):
        return text
    number = Fraction(text)
    if text != str(number) and not _DECIMAL.fullmatch(text):
        return text
    return int(number) if number.denominator == 1 else number


def distribution_from(
    text: str, domain: str | None, *, labelled: bool
) -> FiniteDistribution[object]:
    """Return the distribution of one element of a sample.

    Parameters
    ----------
    text
        ``uniform``; or weights ``"a:0=1/2,b:1=1/2"``, without ``:label`` for samples without
        labels; or a JSON file with a list of objects of the keys ``point``, ``label`` (unless
        unlabelled) and ``probability``, the probability as text.
    domain
        The points of the uniform distribution, as for :func:`points_from`.
    labelled
        Whether samples consist of labelled examples.

    Raises
    ------
    InvalidInput
        The text describes no distribution, or the file cannot be read.

    Examples
    --------
    >>> distribution_from("a=1/3,b=2/3", None, labelled=False)
    FiniteDistribution({'a': 1/3, 'b': 2/3})
    >>> distribution_from("uniform", "1", labelled=True).support
    (Example(point=0, label=0), Example(point=0, label=1))
    """
    option = "--distribution"
    if text == "uniform":
        if domain is None:
            raise InvalidInput(option, "uniform without --domain", "the points with --domain")
        points = points_from(domain, "--domain")
        return FiniteDistribution.uniform(all_examples(points) if labelled else points)
    if domain is not None:
        raise InvalidInput("--domain", "it with its own --distribution", "one of the two")
    if _is_json(text):
        entries = _entries_of_file(text, labelled)
    else:
        entries = [_entry(part.strip(), labelled) for part in text.split(",") if part.strip()]
    weights: dict[object, Fraction] = {}
    for element, weight in entries:
        if element in weights:
            raise InvalidInput(option, f"two weights for {element!r}", "one for each element")
        weights[element] = weight
    try:
        return FiniteDistribution(weights)
    except InvalidInput as error:
        raise InvalidInput(option, error.given, error.wanted) from None


def _is_json(text: str) -> bool:
    return Path(text).suffix.lower() == ".json"


def _entry(text: str, labelled: bool) -> tuple[object, Fraction]:
    wanted = "point:label=probability, a:1=1/2 say" if labelled else "point=probability, a=1/2 say"
    name, equals, weight = text.rpartition("=")
    if not equals:
        raise InvalidInput("--distribution", repr(text), f"uniform, a JSON file, or {wanted}")
    if not labelled:
        return point_from(name.strip()), _weight(weight.strip())
    point, colon, label = name.rpartition(":")
    if not colon or label.strip() not in {"0", "1"}:
        raise InvalidInput("--distribution", repr(text), f"{wanted}; or --unlabelled")
    return Example(point_from(point.strip()), int(label)), _weight(weight.strip())


def _weight(text: object) -> Fraction:
    if isinstance(text, str) and (_INTEGER.fullmatch(text) or _NUMBER.fullmatch(text)):
        return Fraction(text)
    raise InvalidInput("--distribution", f"the weight {text!r}", 'an exact one, "1/2" say')


def _entries_of_file(path: str, labelled: bool) -> list[tuple[object, Fraction]]:
    document = read_json(path)
    keys = {"point", "label", "probability"} if labelled else {"point", "probability"}
    wanted = f"a JSON list of objects with the keys {', '.join(sorted(keys))}"
    if not isinstance(document, list):
        raise InvalidInput(path, "no list", wanted)
    entries = []
    for number, entry in enumerate(document):
        if not isinstance(entry, dict) or set(entry) != keys:
            raise InvalidInput(path, f"something else in entry {number}", wanted)
        point = decode_point(entry["point"], path)
        element = Example(point, entry["label"]) if labelled else point
        entries.append((element, _weight(entry["probability"])))
    return entries


# Algorithms that are only run

Result: TypeAlias = StatisticalResult[object, object]
Run: TypeAlias = Callable[[Any], object]

OWN = frozenset({"black_box", "runs", "confidence"})
"""The options that nothing else has."""

OPTIONS = OWN | {
    *("domain", "unlabelled", "points", "delta", "time_limit", "relation", "group"),
    *("epsilon", "epsilon_ratio"),
}
"""The options that mean something for a black box."""

RUNS = 1_000
_AT_ONCE = 1 << 10
CONFIDENCE = Fraction(99, 100)


def relation_from(name: str) -> Neighbouring | Adjacency:
    """Return the relation of a name."""
    adjacency = name in {each.value for each in Adjacency}
    return Adjacency(name) if adjacency else Neighbouring(name)


def audit_black_box(subject: object, notion: Notion, options: argparse.Namespace) -> Result:
    """Run a black box on all pairs of neighbours, and return the bound from its frequencies.

    Parameters
    ----------
    subject
        ``f(sample) -> output`` for differential privacy, ``f(sample, point) -> label`` for notions
        of predictions, either with coins or without; a learner, or an estimator.
    notion
        One of the three notions about neighbours.
    options
        The options of the command line.
    """
    if not callable(subject) and not labels.is_estimator(subject):
        raise InvalidInput("--black-box", in_words(subject), "a function that can be run")
    if options.domain is None:
        raise InvalidInput("--domain", "none", f"the points: {notion.name} needs them")
    domain = points_from(options.domain, "--domain")
    of_answers = options.relation in {each.value for each in Adjacency}
    universe = domain if options.unlabelled or of_answers else all_examples(domain)
    points: tuple[object, ...] = ()
    if notion.about is About.PREDICTIONS:
        points = domain if options.points is None else points_from(options.points, "--points")
    relation = relation_from(options.relation or "replace-one")
    group = options.group or 1
    pairs = _pairs(
        Instance(notion, universe, options.n, points, relation=relation, group_size=group)
    )
    run = _run(subject, predicts=bool(points), domain=domain)
    runs = RUNS if options.runs is None else options.runs
    confidence = CONFIDENCE if options.confidence is None else options.confidence
    if not notion.parameter.is_factor:
        return stability_bound(
            run, pairs, runs=runs, claim=options.claim, confidence=confidence,
            time_limit=options.time_limit,
        )  # fmt: skip
    claim, delta = options.claim, options.delta or 0
    if options.claim_ratio is not None:
        claim = Epsilon.exactly(options.claim_ratio)
    if options.epsilon is not None or options.epsilon_ratio is not None:
        # That this delta is enough there is that this epsilon is at that delta.
        if not isinstance(claim, Fraction) or not 0 <= claim <= 1 or options.delta is not None:
            raise InvalidInput("--epsilon", "no delta with --claim", "--claim DELTA, and no other")
        ratio, delta = options.epsilon_ratio, claim
        claim = options.epsilon if ratio is None else Epsilon.exactly(ratio)
    return privacy_bound(
        run, pairs, runs=runs, delta=delta, claim=claim, confidence=confidence,
        notion=notion, time_limit=options.time_limit,
    )  # fmt: skip


def _pairs(instance: Instance) -> Iterator[tuple[object, object]]:
    """Yield every pair of neighbouring samples, once, at every point."""
    there, seen = neighbourhood_of(instance), set[tuple[int, int]]()
    whole = isinstance(instance.universe[0], Example)
    for start in range(0, there.units, _AT_ONCE):
        cliques = there.cliques(start, min(start + _AT_ONCE, there.units))
        for clique in chain.from_iterable(block.tolist() for block in cliques):
            for pair in combinations(dict.fromkeys(clique), 2):
                if pair in seen:
                    continue
                seen.add(pair)
                one, two = (
                    as_sample(map(instance.universe.__getitem__, there.entries(k, k + 1)[0]), whole)
                    for k in pair
                )
                if not instance.points:
                    yield one, two
                for point in instance.points:
                    yield (one, point), (two, point)


def _run(subject: object, *, predicts: bool, domain: tuple[object, ...]) -> Run:
    """Return what is run; of an estimator predictions are asked, and of a learner's hypothesis."""
    if labels.is_estimator(subject):
        fresh = partial(fresh_copy, cast("Classifier", subject))
        if not predicts:
            return estimator(fresh, domain)
        return lambda question: estimator(fresh, [question[1]])(question[0])
    if not predicts or "point" in labels.called_with(subject):
        return cast("Run", subject)
    learner = fed(cast("Run", subject))
    return lambda question: labels.label_at(learner(question[0]), question[1])


def result_to_dict(result: Result, subject: str) -> dict[str, object]:
    """Return the result for ``json.dumps``: ``pac-stability/black-box/1``."""
    found, notion = result.evidence, result.notion
    return {
        "schema": "pac-stability/black-box/1",
        "version": pac_stability.__version__,
        "subject": subject,
        "notion": notion.name,
        "verdict": result.verdict.value,
        "bound": digits(result.bound),
        "claim": None if result.claim is None else digits(result.claim),
        "delta": digits(result.delta),
        "confidence": digits(result.confidence),
        "multiplicity": result.multiplicity,
        "runs": result.runs,
        "evidence": None
        if found is None
        else {
            "sample": input_in_words(notion, found.sample),
            "neighbour": input_in_words(notion, found.neighbour),
            "event": [found.rule] if found.rule else [whole(outcome) for outcome in found.event],
            "runs": found.runs,
            "successes": found.successes,
            "neighbour_successes": found.neighbour_successes,
            "probability_above": digits(found.probability_above),
            "neighbour_probability_below": digits(found.neighbour_probability_below),
        },
    }


def result_to_case(result: Result, subject: str) -> JUnitCase:
    """Return the result as a test case."""
    name = f"{result.notion.name} of a black box"
    if result.claim is not None:
        name += f", {claim_in_words(result.notion, result.claim)}"
    return JUnitCase(subject, name, result.verdict, conclusion_of_runs(result), str(result))
