"""Is a certificate about *this* mechanism? It is asked again for the laws written there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from os import PathLike
from typing import cast

from pac_stability import checker
from pac_stability.arguments import described
from pac_stability.audit.certificates import Document, domain_of, recorded_result
from pac_stability.audit.failures import shown
from pac_stability.audit.instances_json import sample_of
from pac_stability.audit.notions.notion import Instance, Symmetry
from pac_stability.audit.outcomes_json import OutcomeTable
from pac_stability.audit.results import AllAnswers, AuditResult, LawsWitness, PairWitness
from pac_stability.audit.search.neighbour_ranks import Neighbourhood
from pac_stability.audit.subjects import (
    LawSource,
    LawSubject,
    PredictionSource,
    PredictionSubject,
    law_source,
    name_of,
    prediction_source,
)
from pac_stability.audit.watching.program import Watching
from pac_stability.checker import MAX_STEPS, Recheck
from pac_stability.data import FiniteDistribution, Multiset
from pac_stability.data.distribution import label_law
from pac_stability.errors import InvalidInput
from pac_stability.reading import MAX_BITS, MAX_BYTES, read_json

Law = FiniteDistribution[object]


def recheck(
    certificate: object,
    *,
    against: object = None,
    max_bytes: int = MAX_BYTES,
    max_bits: int = MAX_BITS,
    max_steps: int = MAX_STEPS,
) -> Recheck:
    """Check a certificate by itself, and against the mechanism that it is about, if one is given.

    Parameters
    ----------
    certificate
        The name of a file, or the document itself as ``json.loads`` gives it.
    against
        The mechanism, in any form in which an audit takes it: it is then asked again for the laws
        on the samples of the certificate, which must be those written there.
    max_bytes, max_bits, max_steps
        As for :func:`pac_stability.checker.recheck`, which does the checking.

    Returns
    -------
    Recheck
        What the certificate proves, and what it only says.

    Raises
    ------
    InvalidInput
        The certificate does not show what it says, or the mechanism has other laws.

    Examples
    --------
    >>> from pac_stability import audit
    >>> from pac_stability.audit.certificates import to_document
    >>> from pac_stability.data import Deterministic
    >>> publish = Deterministic(lambda S: S.labels)
    >>> document = to_document(audit.differential_privacy(publish, ["a"], 1, claim=1))
    >>> recheck(document).trusted[0]
    'that the laws are those of the mechanism: it was not asked'
    >>> recheck(document, against=publish).proved[-1]
    'the laws are those of the given mechanism on these samples'
    """
    if isinstance(certificate, str | PathLike):
        certificate = read_json(certificate, max_bytes=max_bytes)
    result = checker.recheck(certificate, max_bits=max_bits, max_steps=max_steps)
    if against is None:
        return result
    require_same_laws(against, cast("Document", certificate))
    same = "the laws are those of the given mechanism on these samples"
    return replace(result, proved=(*result.proved, same), trusted=result.trusted[1:])


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
    ask = _question(mechanism, recorded, domain)
    written = list(_laws(recorded))
    samples = [sample for sample, _ in written]
    watching = Watching(mechanism, name_of(mechanism))
    answers = watching.during(lambda: list(map(ask, samples)), samples[0])
    # Objects are compared by what the certificate says of them: labels, description, identity.
    here = OutcomeTable(_outcomes(answers), domain)
    there = OutcomeTable(_outcomes(laws for _, laws in written), domain)
    for (sample, laws), answer in zip(written, answers, strict=True):
        for law, given in zip(laws, answer, strict=True):
            if here.law_form(given) != there.law_form(law) or here.objects != there.objects:
                raise InvalidInput(
                    "against",
                    f"the law {described(given)} on the sample {shown(sample)}",
                    f"the law of the certificate, {described(law)}",
                )


def _outcomes(rows: Iterable[tuple[Law, ...]]) -> Iterator[object]:
    return (outcome for row in rows for law in row for outcome in law.support)


def _question(
    mechanism: object, recorded: AuditResult, domain: tuple[object, ...]
) -> Callable[[object], tuple[Law, ...]]:
    """Return how the mechanism is asked for its laws, which depends on the notion."""
    witness = recorded.witness
    source: LawSource | PredictionSource
    if recorded.instance.points and isinstance(witness, PairWitness):
        points = (witness.point,) if recorded.answers is None else recorded.instance.points
        source = prediction_source(cast("PredictionSubject", mechanism), points)
    else:
        source = law_source(cast("LawSubject", mechanism), domain)
    return lambda sample: tuple(map(_exact_law, source.row(sample)))


def _exact_law(answer: object) -> Law:
    if isinstance(answer, Fraction):
        return label_law(answer)
    if not isinstance(answer, FiniteDistribution):
        raise InvalidInput("against", f"the enclosure {described(answer)}", "an exact law")
    return answer


def _laws(recorded: AuditResult) -> Iterator[tuple[object, tuple[Law, ...]]]:
    """Yield the samples of a certificate, each with the laws that are written there."""
    witness = recorded.witness
    if isinstance(witness, LawsWitness):
        for sample, law in witness.laws:
            elements = sample.elements() if isinstance(sample, Multiset) else None
            yield (sample if elements is None else sample_of(tuple(elements))), (law,)
    elif recorded.answers is not None:
        yield from _all_laws(recorded.instance, recorded.answers)
    elif witness is not None:
        yield witness.sample, (witness.law,)
        yield witness.neighbour, (witness.neighbour_law,)


def _all_laws(instance: Instance, answers: AllAnswers) -> Iterator[tuple[object, tuple[Law, ...]]]:
    """Yield all samples, or one of those that differ in their order where that is no matter."""
    nodes = (answers.rows, *answers.levels)
    places = range(len(instance.universe))
    ordered = instance.symmetry is Symmetry.NONE
    sizes = Neighbourhood(len(places), instance.n, instance.relation).sizes
    for size, root in zip(sizes, answers.roots, strict=True):
        choices = product(places, repeat=size)
        for chosen in choices if ordered else combinations_with_replacement(places, size):
            node = root
            for depth, place in zip(range(size, 0, -1), chosen, strict=True):
                node = nodes[depth][node][place]
            sample = sample_of(tuple(instance.universe[place] for place in chosen))
            yield sample, tuple(_exact_law(answers.values[place]) for place in answers.rows[node])
