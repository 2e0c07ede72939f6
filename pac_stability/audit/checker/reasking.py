"""Ask a mechanism again for the laws that a certificate says it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import cast

from pac_stability.audit.certificates import Document, domain_of, recorded_result, sample_of
from pac_stability.audit.failures import shown
from pac_stability.audit.outcomes_json import OutcomeTable
from pac_stability.audit.results import AuditResult, PairWitness
from pac_stability.audit.search.sweeps import label_law
from pac_stability.audit.subjects import (
    LawSource,
    LawSubject,
    PredictionSource,
    PredictionSubject,
    law_source,
    prediction_source,
)
from pac_stability.data import FiniteDistribution, Multiset
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput

Law = FiniteDistribution[object]


def require_same_laws(mechanism: object, document: Document) -> None:
    """Refuse a mechanism whose laws on the samples of a certificate are not those written there.

    Parameters
    ----------
    mechanism
        In any form in which an audit takes it.
    document
        A certificate that has been rechecked.

    Raises
    ------
    InvalidInput
        A law is another one; the message names the sample.
    """
    recorded = recorded_result(document)
    domain = domain_of(recorded.instance)
    ask = _question(mechanism, recorded)
    laws = list(_laws(recorded))
    answers = [ask(sample) for sample, _ in laws]
    # Objects are compared by what the certificate says of them: labels, description, identity.
    here = OutcomeTable((outcome for law in answers for outcome in law.support), domain)
    there = OutcomeTable((outcome for _, law in laws for outcome in law.support), domain)
    for (sample, law), answer in zip(laws, answers, strict=True):
        if here.law_form(answer) != there.law_form(law) or here.objects != there.objects:
            raise InvalidInput(
                "against",
                f"the law {described(answer)} on the sample {shown(sample)}",
                f"the law of the certificate, {described(law)}",
            )


def _question(mechanism: object, recorded: AuditResult) -> Callable[[object], Law]:
    """Return how the mechanism is asked for a law, which depends on the notion."""
    witness = recorded.witness
    source: LawSource | PredictionSource
    if recorded.instance.points and isinstance(witness, PairWitness):
        source = prediction_source(cast("PredictionSubject", mechanism), (witness.point,))
    else:
        source = law_source(cast("LawSubject", mechanism))

    def ask(sample: object) -> Law:
        (answer,) = source.row(sample)
        if isinstance(answer, Fraction):
            return label_law(answer)
        if not isinstance(answer, FiniteDistribution):
            raise InvalidInput("against", f"the enclosure {described(answer)}", "an exact law")
        return answer

    return ask


def _laws(recorded: AuditResult) -> Iterator[tuple[object, Law]]:
    witness = recorded.witness
    if isinstance(witness, PairWitness):
        yield witness.sample, witness.law
        yield witness.neighbour, witness.neighbour_law
    elif witness is not None:
        for sample, law in witness.laws:
            if not isinstance(sample, Multiset):
                yield sample, law
            else:
                yield sample_of(sample.elements()), law
