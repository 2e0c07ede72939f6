"""What audits over neighbouring samples have in common: the instance, the subject, the claim."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Never, cast

from pac_stability.arguments import AnyNumber, as_size
from pac_stability.arithmetic import Epsilon, as_epsilon
from pac_stability.audit.claimed import ClaimedBound
from pac_stability.audit.domains import points_in, points_of, universe_of
from pac_stability.audit.notions.notion import About, Instance, Notion
from pac_stability.audit.options import Chosen, Options, symmetry_of
from pac_stability.audit.results import AuditResult, PairWitness
from pac_stability.audit.search.engine import audit_pairs
from pac_stability.audit.search.neighbour_ranks import Neighbourhood
from pac_stability.audit.subjects import (
    LawSubject,
    PredictionSubject,
    law_source,
    prediction_source,
)
from pac_stability.data import Neighbouring
from pac_stability.errors import InvalidInput
from pac_stability.notions.frontier import probability_of


def over_pairs(
    notion: Notion,
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int,
    *,
    claim: Epsilon | AnyNumber | None,
    options: Options,
    points: Iterable[object] | None = None,
    delta: AnyNumber = 0,
    epsilon: Epsilon | AnyNumber | None = None,
    own: tuple[tuple[str, Fraction], ...] = (),
) -> AuditResult[PairWitness[Never]]:
    """Audit an algorithm on all neighbouring samples.

    Parameters
    ----------
    notion
        What is asked.
    mechanism, domain, n, claim, points, delta, options
        As for the audit of the notion.
    epsilon
        What is fixed in place of delta, if anything is.

    Returns
    -------
    AuditResult
        Its witness fits whatever samples the caller says that there are.

    Raises
    ------
    InvalidInput, SubjectFailure, AuditStopped
        As for the audit of the notion.
    """
    allowed, factor = probability_of(delta), Fraction(1)
    if epsilon is not None:
        notion = at_epsilon(notion, allowed)
        factor = as_epsilon(epsilon).ratio
    claimed = ClaimedBound.of(claim, notion.parameter)
    elements = points_of(domain)
    predicts = notion.about is About.PREDICTIONS
    asked: tuple[object, ...] = ()
    if predicts:
        asked = elements if points is None else points_of(points, "points")
    chosen = Chosen.of(options, Options, ["claim", *(["points"] if predicts else [])])
    universe, size = universe_of(elements, chosen.labelled), as_size(n, "n")
    relation = chosen.relation
    if "group_size" in options and relation is not Neighbouring.REPLACE_ONE:
        raise InvalidInput("relation", "another relation", "Neighbouring.REPLACE_ONE for groups")
    sizes = Neighbourhood(len(universe), size, relation).sizes
    instance = Instance(
        notion, universe, size, asked, factor, allowed,
        relation=relation, group_size=chosen.group_size, own=own,
        symmetry=symmetry_of(
            mechanism, sizes, universe, asked if predicts else None, chosen.symmetric
        ),
    )  # fmt: skip
    source = (
        prediction_source(mechanism, asked)
        if predicts
        else law_source(cast("LawSubject", mechanism), points_in(elements))
    )
    found = audit_pairs(instance, source, notion.measured(instance), claimed, chosen)
    return cast("AuditResult[PairWitness[Never]]", found)


def at_epsilon(notion: Notion, delta: Fraction) -> Notion:
    """Return the notion whose value is the least delta, refusing a delta that is fixed as well."""
    if delta:
        raise InvalidInput("delta", str(delta), "none beside an epsilon: the least one is sought")
    if notion.at_epsilon is None:
        raise InvalidInput("epsilon", "one", f"none: {notion.name} has no delta beside it")
    return notion.at_epsilon
