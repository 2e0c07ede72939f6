"""``pac-stability audit --black-box``: what statistics can say of an algorithm that is only run."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias, cast

import pac_stability
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.words import digits
from pac_stability.audit import About, Notion
from pac_stability.audit.reports.junit import JUnitCase
from pac_stability.audit.reports.runs_report import conclusion_of_runs, input_in_words
from pac_stability.audit.reports.wording import claim_in_words, in_words, whole
from pac_stability.audit.statistical import StatisticalResult, privacy_bound, stability_bound
from pac_stability.cli.instances import points_from
from pac_stability.data import Example, Sample, all_examples
from pac_stability.errors import InvalidInput

Result: TypeAlias = StatisticalResult[object, object]

OWN = frozenset({"black_box", "runs", "confidence"})
"""The options that nothing else has."""

OPTIONS = OWN | {"domain", "unlabelled", "points", "delta", "time_limit"}
"""The options that mean something for a black box."""

RUNS = 1_000
CONFIDENCE = Fraction(99, 100)


def audit_black_box(subject: object, notion: Notion, options: argparse.Namespace) -> Result:
    """Run a black box on all pairs of neighbours, and return what its frequencies show.

    Parameters
    ----------
    subject
        ``f(sample) -> output`` for differential privacy, ``f(sample, point) -> label`` for notions
        of predictions.
    notion
        One of the three notions about neighbours.
    options
        Those of the command line.
    """
    if not callable(subject):
        raise InvalidInput("--black-box", in_words(subject), "a function that can be run")
    if options.domain is None:
        raise InvalidInput("--domain", "none", f"the points: {notion.name} needs them")
    domain = points_from(options.domain, "--domain")
    universe = domain if options.unlabelled else all_examples(domain)
    points: tuple[object, ...] = ()
    if notion.about is About.PREDICTIONS:
        points = domain if options.points is None else points_from(options.points, "--points")
    pairs = _pairs(universe, options.n, points)
    run = _run(subject, predicts=bool(points))
    runs = RUNS if options.runs is None else options.runs
    confidence = CONFIDENCE if options.confidence is None else options.confidence
    if not notion.parameter.is_factor:
        return stability_bound(
            run, pairs, runs=runs, claim=options.claim, confidence=confidence,
            time_limit=options.time_limit,
        )  # fmt: skip
    claim = options.claim
    if options.claim_ratio is not None:
        claim = Epsilon.exactly(options.claim_ratio)
    return privacy_bound(
        run, pairs, runs=runs, delta=options.delta or 0, claim=claim, confidence=confidence,
        notion=notion, time_limit=options.time_limit,
    )  # fmt: skip


def _pairs(
    universe: tuple[object, ...], n: int, points: tuple[object, ...]
) -> Iterator[tuple[object, object]]:
    """Yield every pair of samples that differ in one place, once, at every point."""
    for elements_of in product(universe, repeat=n):
        for place in range(n):
            later = universe[universe.index(elements_of[place]) + 1 :]
            for element in later:
                other = (*elements_of[:place], element, *elements_of[place + 1 :])
                one, two = _sample(elements_of), _sample(other)
                if not points:
                    yield one, two
                for point in points:
                    yield (one, point), (two, point)


def _sample(parts: tuple[object, ...]) -> object:
    examples = [part for part in parts if isinstance(part, Example)]
    return Sample.from_examples(examples) if examples else parts


def _run(subject: Callable[..., object], *, predicts: bool) -> Callable[[object], object]:
    if not predicts:
        return subject

    def predict(question: object) -> object:
        sample, point = cast("tuple[object, object]", question)
        return subject(sample, point)

    return predict


def result_to_dict(result: Result, subject: str) -> dict[str, object]:
    """Return what was found for ``json.dumps``: ``pac-stability/black-box/1``."""
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
            "event": [whole(outcome) for outcome in found.event],
            "runs": found.runs,
            "successes": found.successes,
            "neighbour_successes": found.neighbour_successes,
            "probability_above": digits(found.probability_above),
            "neighbour_probability_below": digits(found.neighbour_probability_below),
        },
    }


def result_to_case(result: Result, subject: str) -> JUnitCase:
    """Return what was found as a test case."""
    name = f"{result.notion.name} of a black box"
    if result.claim is not None:
        name += f", {claim_in_words(result.notion, result.claim)}"
    return JUnitCase(subject, name, result.verdict, conclusion_of_runs(result), str(result))
