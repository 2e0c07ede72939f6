"""Options that there are not are refused everywhere, and so are values that are none: a star."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, get_type_hints

import pytest

from pac_stability import audit, testing
from pac_stability.audit import options
from pac_stability.data import Deterministic, Example, FiniteDistribution, Neighbouring
from pac_stability.testing import suite
from shared_refusals import refuses
from shared_subjects import zero

if TYPE_CHECKING:
    from collections.abc import Callable

FAIR = FiniteDistribution.uniform([Example(0, 0), Example(0, 1)])
SIZE = Deterministic(len)
SAYS = testing.Declares(differential_privacy=0)


ON_PAIRS: dict[str, Callable[..., object]] = {
    "uniform_stability": partial(audit.uniform_stability, Deterministic(lambda _: zero), 1, 1),
    "private_prediction": partial(audit.private_prediction, Deterministic(lambda _: zero), 1, 1),
    "differential_privacy": partial(audit.differential_privacy, SIZE, 1, 1),
    "group_privacy": partial(audit.group_privacy, SIZE, 1, 1, 1),
    "check_learner": partial(testing.check_learner, SIZE, declares=SAYS, domain=1, sizes=1),
    "checks_of": partial(suite.checks_of, SIZE, declares=SAYS, domain=1, sizes=1),
    "parametrize_with_checks": partial(
        testing.parametrize_with_checks, [SIZE], declares=SAYS, domain=1, sizes=1
    ),
}
ON_DISTRIBUTIONS: dict[str, Callable[..., object]] = {
    "robust_generalization": partial(audit.robust_generalization, SIZE, FAIR, 1, 0),
    "perfect_generalization": partial(audit.perfect_generalization, SIZE, FAIR, 1, 0),
    "global_stability": partial(audit.global_stability, SIZE, FAIR, 1),
    "generalization": partial(audit.generalization, Deterministic(lambda _: zero), FAIR, 1, 0),
    "accuracy": partial(audit.accuracy, Deterministic(lambda _: zero), FAIR, 1, 0),
}
EVERYWHERE = {**ON_PAIRS, **ON_DISTRIBUTIONS}
NEAREST = {
    "simmetric": "symmetric",
    "checkpont": "checkpoint",
    "maxmemory": "max_memory",
    "Progress": "progress",
    "process": "processes",
    "time_limits": "time_limit",
}


CENTRE = "differential_privacy"
"""Where every option is tried; the others are tried with one each."""


def test_what_is_asked_for_is_taken() -> None:
    for asked in EVERYWHERE.values():
        asked(symmetric=True, time_limit=100, max_memory=10**9, processes=None)


def refused(name: str, misspelt: str, meant: str) -> None:
    told = f"^{misspelt}: got an unknown option, want {meant}$"
    refuses(told, EVERYWHERE[name], **{misspelt: None})


@pytest.mark.parametrize("misspelt", NEAREST)
def test_a_misspelt_option_is_refused_with_the_nearest(misspelt: str) -> None:
    refused(CENTRE, misspelt, NEAREST[misspelt])


def test_so_it_is_wherever_there_are_options() -> None:
    for name in EVERYWHERE:
        refused(name, "simmetric", "symmetric")
        refused(name, *(("bugdet", "budget") if "check" in name else ("clam", "claim")))


def test_relations_is_no_option() -> None:
    for asked in ON_PAIRS.values():
        refuses("want relation", asked, relations=Neighbouring.ADD_REMOVE)


@pytest.mark.parametrize("option", ["labelled", "relation", "max_pairs"])
def test_options_of_pairs_are_none_of_distributions(option: str) -> None:
    for asked in ON_DISTRIBUTIONS.values():
        refuses(f"{option}: got an unknown option", asked, **{option: True})


WRONG = [
    ("symmetric", "no"), ("symmetric", 1), ("executor", 5), ("processes", "two"),
    ("processes", True), ("processes", 2.0), ("progress", 5), ("checkpoint", 5),
    ("time_limit", "1"), ("time_limit", True), ("time_limit", -1), ("time_limit", 0),
    ("time_limit", float("nan")), ("max_memory", "1G"), ("max_memory", None), ("labelled", "x"),
    ("labelled", 0), ("relation", "add-remove"), ("max_pairs", 1.5), ("max_pairs", 0),
    ("group_size", True), ("twice", "again"),
]  # fmt: skip


@pytest.mark.parametrize(("option", "value"), WRONG)
def test_a_value_of_another_type_is_refused(option: str, value: object) -> None:
    refuses(f"^{option}: got ", ON_PAIRS[CENTRE], **{option: value})


def test_so_it_is_everywhere() -> None:
    for asked in EVERYWHERE.values():
        refuses(r"^symmetric: got ", asked, symmetric="no")


def test_fractions_are_times() -> None:
    ON_PAIRS["differential_privacy"](time_limit=Fraction(100))


def test_every_option_has_a_type_that_is_looked_at() -> None:
    looked_at = {*options._WANTED, *options._SIZES, "time_limit", "check_cache"}
    assert looked_at == {*get_type_hints(options.RunOptions), *get_type_hints(options.Options)}
    assert looked_at == {each.name for each in fields(options.Chosen)}


def test_a_mechanism_that_publishes_n_is_not_verified_by_a_slip() -> None:
    def size(records: tuple[int, ...]) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(len(records))

    wanted = Neighbouring.ADD_REMOVE
    asked: Callable[..., audit.AuditResult] = partial(
        audit.differential_privacy, size, 2, 2, claim=1, labelled=False
    )
    assert asked(relation=wanted).verdict is audit.Verdict.REFUTED
    refuses("", asked, relations=wanted)
