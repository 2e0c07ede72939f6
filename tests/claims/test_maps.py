"""Every public object of the papers' rooms, and of ``compression``, is one of a claim.

Or there is a reason why not.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

from pac_stability import claims
from pac_stability.claims.search import path_to

# By module, or by object: what is no item of a paper, nor part of what one says.
REASONS = {
    "papers.dagan_feldman.additive_sums.lower_bounds": "sums behind several results",
    "papers.dagan_feldman.additive_walks": "how the law of A^sta is summed in polynomial time",
    "papers.dagan_feldman.baselines.LaplaceMeanVote": "what one vote of an aggregation is",
    "papers.dagan_feldman.stable.PointPredictor": "a type: what can be flipped",
    "papers.dagan_feldman.selection.family_selection": "how the law of A^sta is bounded, too",
    "papers.dagan_feldman.selection.hit_sets": "how index subsets are counted by what they hit",
    "papers.dagan_feldman.selection.PreparedWalk": "how the law of A^sta is bounded, compiled",
    "papers.dagan_feldman.selection.prepare": "how the law of A^sta is bounded, compiled",
    "papers.dagan_feldman.cited_lower_bounds.binomial_mean": "the mean of a binomial law",
    "papers.dagan_feldman.sample_complexity.asking": "how sizes are asked for, whatever the item",
    "papers.dagan_feldman.sample_complexity.baseline_sizes.answer": "asks for any of the sizes",
    "papers.dagan_feldman.sample_complexity.lemma_sizes.least_drawn_net_size": "a start",
    "papers.dagan_feldman.sample_complexity.lemma_sizes.decay_spent": "a rounding",
    "papers.bun_livni_moran.formulas.sizes.float_sample_size": "a guess, to search by",
    "papers.bun_livni_moran.at_size": "how algorithm M is run at its size",
    "papers.bun_livni_moran.tournaments.RecursiveDraw": "how D_k is sampled",
    "papers.bun_livni_moran.private.PrivateOfSize": "what learners of private hypotheses share",
    "papers.bun_livni_moran.tournament_laws": "how the laws of D_k are found",
    "papers.bun_livni_moran.compiled_laws": "the same, in the core",
    "papers.bun_livni_moran.formulas.parameters.rounded_down": "a rounding",
    "compression.scheme.OfOneFamily": "what schemes of one family share",
    "compression.scheme.subsample": "the examples at some indices",
    "compression.transcript": "the rounds of a transcript, and how it is kept in a file",
    "papers.bun_livni_moran.tournaments.record_face": "how a record looks",
    "papers.cummings_et_al.implications.factor_above": "a rounding",
    "papers.cummings_et_al.implications.rounded_up": "a rounding",
    "papers.cummings_et_al.implications.joint_failure": "a check of a guarantee",
    "papers.cummings_et_al.separations.Bits": "a type: a sample of bits",
    "papers.cummings_et_al.separations.count_ones": "a count",
    "papers.cummings_et_al.simulators.require_distribution": "a check of an argument",
    "compression.any_class.ApproximateScheme": "a type: a scheme that approximates",
    "compression.any_class.WeakGroups": "what boosting goes through",
    "compression.any_class.as_error": "a check of an argument",
    "compression.any_class.fitting_hypothesis": "what any base learner makes of a sample",
    "compression.bounds.DeviationBound": "the shape of a bound",
    "compression.bounds.RankedBound": "a result",
    "compression.bounds.require_reading": "a check of an argument",
    "compression.geometric.ClosestPoints": "a result",
    "compression.geometric.NotSeparable": "an error",
    "compression.geometric.closest_points": "how a separating line is found",
    "compression.geometric.dot": "a product",
    "compression.scheme.Counterexample": "a result of a check",
    "compression.scheme.Problem": "a result of a check",
    "compression.scheme.SchemeCheck": "a result of a check",
    "compression.scheme.require_kept": "a check of what is kept",
    "compression.session.Answer": "what a session answers",
    "compression.session.Query": "what a session is asked",
    "compression.session.Task": "what a session is asked",
    "compression.session.bound_face": "how a bound looks",
    "compression.session.looked": "a check of what a user's function returns",
    "compression.session.session_face": "how a session looks",
    "compression.session.transcript_face": "how a transcript looks",
    "compression.smallest.Approximation": "a result",
    "compression.smallest.ImproperTable": "what a search for a scheme finds",
    "compression.smallest.ProperTable": "what a search for a scheme finds",
    "compression.smallest.TableScheme": "what a search for a scheme finds",
    "compression.smallest.TableSearch": "what a search for a scheme finds",
    "compression.smallest.padded": "a representation",
    "papers.dagan_feldman.additive_paths": "how the law of A^sta is summed: paths of a walk",
    "papers.dagan_feldman.additive_sums.GaussRule": "how a sum is enclosed",
    "papers.dagan_feldman.additive_sums.Sums": "how a sum is enclosed",
    "papers.dagan_feldman.additive_sums.excess": "a bound of a sum",
    "papers.dagan_feldman.additive_sums.gauss_rule": "how a sum is enclosed",
    "papers.dagan_feldman.additive_sums.step_below": "a rounding",
    "papers.dagan_feldman.answers": "how answers are prepared and drawn",
    "papers.dagan_feldman.lower_bound.LeadLearner": "a base of two learners",
    "papers.dagan_feldman.lower_bound.require_known": "a check of an argument",
    "papers.dagan_feldman.nets.as_subsample": "a check of an argument",
    "papers.dagan_feldman.private_prediction.RelabelledAnswers": "how answers are prepared",
    "papers.dagan_feldman.baselines.BlockVotes": "a base of learners that vote",
    "papers.dagan_feldman.baselines.ExactVote": "a type: a vote with a law",
    "papers.dagan_feldman.sample_complexity.lemma_sizes.VoteLoss": "what a size is searched by",
    "papers.dagan_feldman.sample_complexity.lemma_sizes.vote_loss": "what a size is searched by",
    "papers.dagan_feldman.stable.enclosed_law": "how a learner finds its enclosed law",
}
ROOMS = (*(f"papers.{book.name}" for book in claims.books().values()), "compression")


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
        for name in claim.objects
        for part in path_to(name)
        if callable(part)
    }


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_object_of_a_room_is_in_the_book_or_has_a_reason(room: str) -> None:
    known = spoken_of()
    used, missing = set(), []
    for name, thing in public(importlib.import_module(f"pac_stability.{room}")):
        short = name.removeprefix("pac_stability.")
        reasons = {key for key in REASONS if f"{short}.".startswith(f"{key}.")}
        if id(inspect.unwrap(thing)) not in known:  # type: ignore[arg-type]  # it is callable
            used |= reasons
            if not reasons:
                missing.append(short)
    assert missing == []
    mine = {key for key in REASONS if key.startswith(f"{room}.")}
    assert mine - used == set(), "reasons for what is in the book, or is no more"


def test_no_object_is_named_twice_by_a_claim() -> None:
    for claim in claims.all():
        found = [id(path_to(name)[-1]) for name in claim.objects]
        assert len(set(found)) == len(found), claim.key
