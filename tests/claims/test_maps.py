"""Every public object of the papers' rooms is one of a claim, or there is a reason why not."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

from pac_stability import claims
from pac_stability.claims import PAPERS
from pac_stability.claims.search import path_to

# By module, or by object: what is no item of a paper, nor part of what one says.
REASONS = {
    "dagan_feldman.additive.walks": "how the law of A^sta is summed in polynomial time",
    "dagan_feldman.baselines.laplace_vote": "what one vote of an aggregation is",
    "dagan_feldman.draws.random_indices": "which examples a random subset has",
    "dagan_feldman.erm.base_hypothesis": "what any base learner makes of a sample",
    "dagan_feldman.estimate.hoeffding_radius": "Hoeffding's inequality",
    "dagan_feldman.flipped.PointPredictor": "a type: what can be flipped",
    "dagan_feldman.hit_sets": "how index subsets are counted by what they hit",
    "dagan_feldman.private_lower_bound.binomial_mean": "the mean of a binomial law",
    "dagan_feldman.sample_complexity.asking": "how sizes are asked for, whatever the item",
    "dagan_feldman.sample_complexity.comparison.answer": "asks for any of the sizes",
    "dagan_feldman.sample_complexity.nets.least_drawn_net_size": "where a search starts",
    "dagan_feldman.sample_complexity.selection.decay_spent": "a rounding",
    "bun_livni_moran.agnostic.training.draw_counts_of": "a multinomial law",
    "bun_livni_moran.formulas.stability.rounded_down": "a rounding",
    "bun_livni_moran.streams": "how algorithm M is run at its size",
    "bun_livni_moran.tournaments.distribution.RecursiveDraw": "how D_k is sampled",
    "bun_livni_moran.tournaments.law": "how the laws of D_k are found",
    "bun_livni_moran.tournaments.pick_rules": "how a choice that the paper leaves open is made",
    "bun_livni_moran.tournaments.drawing.record_face": "how a record looks",
    "bun_livni_moran.tournaments.record.record_to_text": "how a record looks",
    "bun_livni_moran.tournaments.states.as_mask": "a representation",
    "bun_livni_moran.tournaments.target.example_columns": "a representation",
    "cummings_et_al.experiments.require_distribution": "a check of an argument",
    "cummings_et_al.implications.guarantees": "roundings and checks of guarantees",
    "cummings_et_al.majority.Bits": "a type: a sample of bits",
    "cummings_et_al.majority.count_ones": "a count",
    "cummings_et_al.tightness": "mechanisms that the rows are about",
}


def public(room: ModuleType) -> Iterator[tuple[str, object]]:
    """The classes and functions that are defined in the public modules of a room."""
    for name, thing in sorted(vars(room).items()):
        is_object = inspect.isclass(thing) or inspect.isroutine(thing)
        if not name.startswith("_") and is_object and thing.__module__ == room.__name__:
            yield f"{room.__name__}.{name}", thing
    for part in pkgutil.iter_modules(getattr(room, "__path__", ()), f"{room.__name__}."):
        if not part.name.rpartition(".")[2].startswith("_"):
            yield from public(importlib.import_module(part.name))


def spoken_of() -> set[int]:
    """What claims name, or name a part of."""
    return {
        id(inspect.unwrap(getattr(part, "__func__", part)))
        for claim in claims.all()
        for name in claim.code
        for part in path_to(name)
        if callable(part)
    }


@pytest.mark.parametrize("paper", PAPERS.values())
def test_every_public_object_of_a_paper_is_in_the_book_or_has_a_reason(paper: str) -> None:
    known = spoken_of()
    used, missing = set(), []
    for name, thing in public(importlib.import_module(f"pac_stability.papers.{paper}")):
        short = name.removeprefix("pac_stability.papers.")
        reasons = {key for key in REASONS if f"{short}.".startswith(f"{key}.")}
        if id(inspect.unwrap(thing)) not in known:  # type: ignore[arg-type]  # it is callable
            used |= reasons
            if not reasons:
                missing.append(short)
    assert missing == []
    mine = {key for key in REASONS if key.startswith(f"{paper}.")}
    assert mine - used == set(), "reasons for what is in the book, or is no more"


def test_no_object_is_named_twice_by_a_claim() -> None:
    for claim in claims.all():
        found = [id(path_to(name)[-1]) for name in claim.code]
        assert len(set(found)) == len(found), claim.key
