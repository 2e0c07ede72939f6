"""After an audit: hold a certificate against a mechanism, look for a smaller one, explain it.

:func:`recheck` checks whether a certificate is about *this* mechanism, by computing the recorded
laws again. :func:`shrink_counterexample` looks for a violation with few points, examples and
hypotheses: every step audits a smaller setting exactly and keeps it if the claim fails there too.
The result is a refutation in its own right, with its own witness and certificate. :func:`explain`
tells in plain words, for a first-time reader, what a certificate says.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations_with_replacement, product
from math import ceil, floor, gcd
from os import PathLike
from typing import ClassVar, cast

from pac_stability import checker
from pac_stability._report import Reported, Tabled
from pac_stability.arguments import as_number, as_size, described
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.interval import exact
from pac_stability.audit import certificates, results, subjects
from pac_stability.audit.calling import name_of
from pac_stability.audit.notions.draws import Errs
from pac_stability.audit.notions.notion import OWN, About, Instance, Symmetry
from pac_stability.audit.options import is_symmetric
from pac_stability.audit.reports.text import (
    claim_in_words,
    differing,
    elements,
    in_words,
    marked,
    rounding_in_words,
    telling_places,
    value_in_words,
)
from pac_stability.audit.watching.program import Watching
from pac_stability.checker import MAX_STEPS
from pac_stability.checker.rechecking import SCHEMA, WITH_SIZES, Recheck
from pac_stability.classes import FiniteClass
from pac_stability.data import Adjacency, Example, FiniteDistribution, Multiset, Neighbouring
from pac_stability.data.distribution import label_law
from pac_stability.errors import InvalidInput, PacStabilityError
from pac_stability.randomness.horizon import Horizon
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
    """Check a certificate by itself and, if a mechanism is given, against the mechanism.

    Parameters
    ----------
    certificate
        The name of a file, or the document itself as ``json.loads`` gives it.
    against
        The mechanism, in any form that an audit takes. Its laws on the samples of the certificate
        are then computed again and must agree with the recorded ones.
    max_bytes, max_bits, max_steps
        As for :func:`pac_stability.checker.recheck`, which does the checking.

    Returns
    -------
    Recheck
        The facts that the certificate proves, and those that it only states.

    Raises
    ------
    InvalidInput
        The certificate does not prove its content, or the mechanism has other laws.

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
    document = cast("certificates.Document", certificate)
    require_same_laws(against, document)
    proved = [*result.proved, "the laws are those of the given mechanism on these samples"]
    trusted = [*result.trusted[1:]]
    if result.but_for_order and _every_order_is_alike(against, document, max_steps):
        proved.append("and on all orders of each of them")
        trusted = [told for told in trusted if not told.startswith("that the order of a sample")]
        return replace(result, proven=True, proved=tuple(proved), trusted=tuple(trusted))
    return replace(result, proved=tuple(proved), trusted=tuple(trusted))


def _every_order_is_alike(mechanism: object, document: certificates.Document, most: int) -> bool:
    """Ask a mechanism about all orders of the samples; refuse one to which the order matters.

    Returns whether they were asked: not if there are more than a thousandth of the steps allowed.

    Raises
    ------
    InvalidInput
        Two orders have different laws.
    """
    recorded = certificates.recorded_result(document)
    instance = recorded.instance
    if sum(len(instance.universe) ** size for size in instance.sizes) * 1000 > most:
        return False
    predicts = bool(instance.points) and isinstance(recorded.witness, results.PairWitness)
    points = instance.points if predicts else None
    for size in instance.sizes:
        subject = cast("subjects.PredictionSubject", mechanism)
        found = is_symmetric(subject, instance.universe, size, labelled=False, points=points)
        if found.violation is not None:
            one, other = map(results.shown, found.violation)
            wanted = "one to which the order of a sample makes no difference"
            raise InvalidInput("against", f"other laws on {one} than on {other}", wanted)
    return True


def require_same_laws(mechanism: object, document: certificates.Document) -> None:
    """Refuse a mechanism with other laws on the samples of a certificate than the recorded ones.

    Parameters
    ----------
    mechanism
        In any form that an audit takes.
    document
        A rechecked certificate.

    Raises
    ------
    InvalidInput
        A law differs; the message names the sample.
    """
    recorded = certificates.recorded_result(document)
    domain = certificates.domain_of(recorded.instance)
    source = _source(mechanism, recorded, domain)
    written = list(_laws(recorded))
    samples = [sample for sample, _ in written]
    watching = Watching(mechanism, name_of(mechanism))

    def compared() -> InvalidInput | None:
        answers = [tuple(map(_exact_law, source.row(sample))) for sample in samples]
        # Objects are compared by what the certificate says of them: labels, description, identity.
        here = certificates.OutcomeTable(_outcomes(answers), domain)
        there = certificates.OutcomeTable(_outcomes(laws for _, laws in written), domain)
        for (sample, laws), answer in zip(written, answers, strict=True):
            for law, given in zip(laws, answer, strict=True):
                if here.law_form(given) != there.law_form(law) or here.objects != there.objects:
                    return InvalidInput(
                        "against",
                        f"the law {described(given)} on the sample {results.shown(sample)}",
                        f"the law of the certificate, {described(law)}",
                    )
        return None

    def differs() -> InvalidInput | None:
        found = None
        for _ in _horizons(source, recorded.instance):
            with suppress(subjects.Widened):  # it is asked again with the next
                found = compared()
                if found is None:
                    break
        return found

    if (found := watching.during(differs, samples[0])) is not None:
        raise found


def _horizons(source: subjects.Source, instance: Instance) -> Iterator[None]:
    """Go through how far out an audit told numbers with noise apart, as it asked more and more."""
    yield
    while isinstance(source, subjects.LawSource):
        try:
            for size in instance.sizes:
                every = chain.from_iterable(instance.listed) if instance.listed else None
                for places in every or product(instance.universe, repeat=size):
                    source.row(certificates.sample_of(places))
            source.monotone()
            return
        except subjects.Widened as further:
            source.widen(further.horizon)
            yield


def _outcomes(rows: Iterable[tuple[Law, ...]]) -> Iterator[object]:
    return (outcome for row in rows for law in row for outcome in law.support)


def _source(
    mechanism: object, recorded: results.AuditResult, domain: tuple[object, ...]
) -> subjects.Source:
    """Return how the mechanism is asked for its laws, which depends on the notion."""
    witness = recorded.witness
    instance = recorded.instance
    if instance.points and isinstance(witness, results.PairWitness):
        points = (witness.point,) if recorded.answers is None else instance.points
        return subjects.prediction_source(cast("subjects.PredictionSubject", mechanism), points)
    source = subjects.law_source(cast("subjects.LawSubject", mechanism), domain)
    source.widen(Horizon(ratios=instance.is_of_ratios))
    return source


def _exact_law(answer: object) -> Law:
    if isinstance(answer, Fraction):
        return label_law(answer)
    if not isinstance(answer, FiniteDistribution):
        raise InvalidInput("against", f"the enclosure {described(answer)}", "an exact law")
    return answer


def _laws(recorded: results.AuditResult) -> Iterator[tuple[object, tuple[Law, ...]]]:
    """Yield the samples of a certificate, each with the laws that are written there."""
    witness = recorded.witness
    if isinstance(witness, results.LawsWitness):
        for sample, law in witness.laws:
            elements = sample.elements() if isinstance(sample, Multiset) else None
            yield (sample if elements is None else certificates.sample_of(tuple(elements))), (law,)
    elif recorded.answers is not None:
        yield from _all_laws(recorded.instance, recorded.answers)
    elif witness is not None:
        yield witness.sample, (witness.law,)
        yield witness.neighbour, (witness.neighbour_law,)


def _all_laws(
    instance: Instance, answers: results.AllAnswers
) -> Iterator[tuple[object, tuple[Law, ...]]]:
    """Yield all samples, or one of those that differ in their order where that is no matter."""
    nodes = (answers.rows, *answers.levels)
    places = range(len(instance.universe))
    ordered = instance.symmetry is Symmetry.NONE
    for size, root in zip(instance.sizes, answers.roots, strict=True):
        choices = product(places, repeat=size)
        for chosen in choices if ordered else combinations_with_replacement(places, size):
            node = root
            for depth, place in zip(range(size, 0, -1), chosen, strict=True):
                node = nodes[depth][node][place]
            sample = certificates.sample_of(tuple(instance.universe[place] for place in chosen))
            yield sample, tuple(_exact_law(answers.values[place]) for place in answers.rows[node])


# Smaller counterexamples: as few points, examples and hypotheses as the violation needs

MAX_AUDITS = 10_000


@dataclass(frozen=True, slots=True, repr=False)
class Setting(Tabled):
    """The parts of an instance that shrinking makes smaller.

    Attributes
    ----------
    points
        The domain.
    n
        The size of the samples.
    hypotheses
        The class of the learner, over these points; ``None`` when there is none to shrink.
    parameter
        A rational parameter of the mechanism; ``None`` when there is none to simplify.
    """

    points: tuple[Hashable, ...]
    n: int
    hypotheses: FiniteClass | None = None
    parameter: Fraction | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Shrunk(Tabled):
    """A smaller counterexample.

    Attributes
    ----------
    result
        The audit of the small setting: refuted, with its witness.
    setting
        The small setting.
    audits
        The number of audits on the way.
    minimal
        Whether the search ended by itself. Then no single step keeps the violation: no smaller
        sample size, no point or hypothesis fewer, no simpler parameter. A smaller counterexample
        that takes several steps at once may still exist.
    """

    _kind: ClassVar[str] = "a smaller counterexample"

    result: results.AuditResult
    setting: Setting
    audits: int
    minimal: bool


def shrink_counterexample(
    mechanism: subjects.PredictionSubject | Callable[[Setting], subjects.PredictionSubject],
    result: results.AuditResult,
    *,
    hypotheses: FiniteClass | None = None,
    parameter: Fraction | None = None,
    bounds: tuple[Fraction, Fraction] | None = None,
    errs: Errs | None = None,
    against: Iterable[object] | None = None,
    max_audits: int = MAX_AUDITS,
) -> Shrunk:
    """Return a smaller counterexample to the claim that an audit refuted.

    Parameters
    ----------
    mechanism
        The audited mechanism, if it can answer on every sample. With ``hypotheses`` or
        ``parameter``, a function from a :class:`Setting` to the mechanism there.
    result
        An audit with the verdict ``REFUTED``.
    hypotheses
        The class to shrink.
    parameter, bounds
        The parameter to simplify, and the closed interval of its values, by default from 0 to 1.
    errs, against
        For generalization and accuracy, whether an output errs on an example (by default outputs
        are hypotheses), and the class whose smallest error is OPT (by default OPT is 0).
    max_audits
        Stop after this many audits, and return the smallest counterexample so far.

    Returns
    -------
    Shrunk

    Raises
    ------
    InvalidInput
        The audit refutes no claim, or a second run does not find the violation.

    Notes
    -----
    Greedy and deterministic, in rounds: the smallest sample size, then points from the last to the
    first, then hypotheses from the last to the first, then the parameter by growing denominators. A
    setting on which the mechanism raises an error, or which is too small, counts as one without
    violation.

    Examples
    --------
    A label is revealed when all of a sample's labels agree.

    >>> from pac_stability import audit
    >>> def unanimous(S, x, rng):
    ...     return int(sum(S.labels) == len(S))
    >>> found = audit.private_prediction(unanimous, 3, 3, claim=1)
    >>> small = shrink_counterexample(unanimous, found)
    >>> small.setting.points, small.setting.n, small.minimal
    ((0,), 1, True)
    """
    family = hypotheses is not None or parameter is not None
    members = None if against is None else tuple(against)

    def audit(setting: Setting) -> results.AuditResult:
        there = cast("subjects.PredictionSubject", mechanism)
        if family:
            there = cast("Callable[[Setting], subjects.PredictionSubject]", mechanism)(setting)
        return audit_again(there, result, setting, errs=errs, against=members)

    start = Setting(_domain(result.instance), result.instance.n, hypotheses, parameter)
    return shrink(audit, start, bounds=bounds, max_audits=max_audits)


def shrink(
    audit: Callable[[Setting], results.AuditResult],
    start: Setting,
    *,
    bounds: tuple[Fraction, Fraction] | None = None,
    max_audits: int = MAX_AUDITS,
) -> Shrunk:
    """Return a locally minimal setting in which an audit still refutes its claim.

    Parameters
    ----------
    audit
        The audit to run on each setting; an error of this library counts as no violation.
    start
        A setting in which the audit refutes its claim.
    bounds, max_audits
        As for :func:`shrink_counterexample`.

    Returns
    -------
    Shrunk

    Raises
    ------
    InvalidInput
        The audit of ``start`` does not refute its claim, or an argument is not as described.
    """
    limit = as_size(max_audits, "max_audits", least=1)
    interval = _interval(bounds)
    result, setting, audits = audit(start), start, 1
    if result.verdict is not results.Verdict.REFUTED:
        raise InvalidInput("start", f"the verdict {result.verdict.value}", "a refutation")
    candidates = _smaller(setting, interval)
    while (candidate := next(candidates, None)) is not None:
        if audits == limit:
            return Shrunk(result, setting, audits, minimal=False)
        audits += 1
        smaller = _refutation(audit, candidate)
        if smaller is not None:
            result, setting = smaller, candidate
            candidates = _smaller(setting, interval)
    return Shrunk(result, setting, audits, minimal=True)


def audit_again(
    mechanism: subjects.PredictionSubject,
    result: results.AuditResult,
    setting: Setting,
    *,
    errs: Errs | None = None,
    against: Iterable[object] | None = None,
) -> results.AuditResult:
    """Repeat an audit on another domain and sample size, with the same claim.

    Parameters
    ----------
    mechanism
        What is audited there.
    result
        The audit to repeat.
    setting
        Where. It compares predictions at those of the old points that are still in the domain, or
        never were in it. A distribution is conditioned on the points.
    errs, against
        As for :func:`shrink_counterexample`.

    Raises
    ------
    InvalidInput
        The audit had no claim, or its class is not given.
    """
    instance, claim, notion = result.instance, result.claim, result.instance.notion
    if claim is None:
        raise InvalidInput("result", "an audit without a claim", "one that refutes a claim")
    if instance.optimum and against is None:
        raise InvalidInput("against", "none", "the class whose smallest error accuracy was against")
    options: dict[str, object] = {
        "claim": Epsilon.exactly(claim) if notion.parameter.is_factor else claim,
        "symmetric": instance.symmetry is not Symmetry.NONE,
    }
    for name in notion.fixed:
        options[name] = instance.fixed(name)
    if notion.about is About.EXAMPLES:
        options["errs"] = errs
        if against is not None:
            options["hypotheses"] = against
    kept = set(setting.points)
    if instance.distribution is not None:
        law = instance.distribution.condition(lambda z: _point(z) in kept)
        return notion.ask(mechanism, law, setting.n, **options)
    if notion.about is About.PREDICTIONS:
        gone = set(_domain(instance)) - kept
        options["points"] = [point for point in instance.points if point not in gone]
    options |= {
        "labelled": any(isinstance(element, Example) for element in instance.universe),
        **({"pairs": instance.listed} if instance.listed else {"relation": instance.relation}),
        **({"group_size": instance.group_size} if instance.group_size > 1 else {}),
    }
    least = min(instance.least, setting.n)
    sizes = range(least, setting.n + 1) if least else setting.n
    return notion.ask(mechanism, setting.points, sizes, **options)


def _point(element: object) -> object:
    return element.point if isinstance(element, Example) else element


def _domain(instance: Instance) -> tuple[Hashable, ...]:
    """Return the points that samples are made of."""
    points = map(_point, instance.universe)
    return tuple(dict.fromkeys(cast("Iterator[Hashable]", points)))


def _refutation(
    audit: Callable[[Setting], results.AuditResult], setting: Setting
) -> results.AuditResult | None:
    try:
        result = audit(setting)
    except PacStabilityError:
        return None
    return result if result.verdict is results.Verdict.REFUTED else None


def _smaller(setting: Setting, bounds: tuple[Fraction, Fraction]) -> Iterator[Setting]:
    """Yield the settings that are smaller in one respect, the most welcome first."""
    for n in range(setting.n):
        yield replace(setting, n=n)
    points, H = setting.points, setting.hypotheses
    for index in reversed(range(len(points))):
        fewer = points[:index] + points[index + 1 :]
        yield replace(setting, points=fewer, hypotheses=None if H is None else H.restrict(fewer))
    if H is not None:
        for row in reversed(range(len(H))):
            yield replace(setting, hypotheses=H.select_rows(r for r in range(len(H)) if r != row))
    if setting.parameter is not None:
        for parameter in simpler_fractions(setting.parameter, *bounds):
            yield replace(setting, parameter=parameter)


def simpler_fractions(number: Fraction, low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """Yield the fractions in an interval that are simpler than one of them, the simplest first.

    Parameters
    ----------
    number
        A fraction.
    low, high
        The closed interval.

    Returns
    -------
    iterator of Fraction
        They are ordered by denominator, then by the size of the numerator, and end at ``number``.

    Examples
    --------
    >>> [str(f) for f in simpler_fractions(Fraction(2, 5), Fraction(1, 4), Fraction(1, 2))]
    ['1/2', '1/3', '1/4']
    """
    for q in range(1, number.denominator + 1):
        numerators = range(ceil(low * q), floor(high * q) + 1)
        for p in sorted(numerators, key=lambda p: (abs(p), p)):
            if (q, abs(p)) >= (number.denominator, abs(number.numerator)):
                return
            if gcd(p, q) == 1:
                yield Fraction(p, q)


def _interval(bounds: tuple[Fraction, Fraction] | None) -> tuple[Fraction, Fraction]:
    if bounds is None:
        return Fraction(0), Fraction(1)
    low, high = (as_number(end, "bounds") for end in bounds)
    if low > high:
        raise InvalidInput("bounds", f"{low} and {high}", "a closed interval")
    return low, high


# A certificate in plain words


def explain(certificate: Reported | certificates.Document | str | PathLike[str]) -> str:
    r"""Explain a certificate in words: the claim, what the certificate proves, and how.

    Parameters
    ----------
    certificate
        The name of a file, the document itself, or the result of an exact audit, for its
        certificate. It rechecks the certificate first. It explains any other result directly.

    Returns
    -------
    str
        Paragraphs for a terminal; every fraction has its decimal next to it.

    Raises
    ------
    InvalidInput
        The certificate does not pass :func:`pac_stability.checker.rechecking.recheck`.

    Examples
    --------
    >>> from pac_stability import audit
    >>> from pac_stability.data import Deterministic
    >>> publish = Deterministic(lambda records: records)
    >>> found = audit.differential_privacy(publish, ["a", "b"], 1, claim=1, labelled=False)
    >>> print(explain(found).split("\n\n")[1])
    Take these two samples, which differ in the marked places:
      S  = ['a']
      S' = ['b']
    """
    if isinstance(certificate, results.AuditResult):
        certificate = certificates.to_document(certificate)
    elif isinstance(certificate, Reported):
        return certificate.report().text()
    document = read_json(certificate) if isinstance(certificate, str | PathLike) else certificate
    checked = checker.recheck(document)
    if isinstance(document, dict) and document["schema"] not in (SCHEMA, WITH_SIZES):
        opening = f"A certificate about {checked.notion}. It makes no claim."
        return "\n\n".join([opening, *_closing(checked)]) + "\n"
    result = certificates.recorded_result(cast("certificates.Document", document))
    told = (
        _story_of_pair(result, result.witness)
        if isinstance(result.witness, results.PairWitness)
        else _story_of_laws(result)
    )
    paragraphs = [_opening(result), *told, *_closing(checked, rounding_in_words(result))]
    return "\n\n".join(paragraphs) + "\n"


def _opening(result: results.AuditResult) -> str:
    instance = result.instance
    title = instance.notion.title.capitalize()
    fixed = [
        f"{name} = {exact(value)}"
        for name, value in (
            ("delta", instance.delta),
            ("beta", instance.beta),
            ("e^epsilon", instance.epsilon_ratio - 1 and instance.epsilon_ratio),
            *((OWN[name], value) for name, value in instance.own),
        )
        if value
    ]
    promise = instance.notion.promise.format(step=_step(instance))
    text = f"{title} promises that {promise}."
    if fixed:
        text += f" Here {' and '.join(fixed)}."
    if result.claim is None:
        return f"{text} It makes no claim."
    claim = claim_in_words(instance.notion, result.claim, telling_places(result))
    return f"{text} The claim: {claim}."


_STEPS = {
    Adjacency.EACH_ANSWER: "moving each answer by at most 1",
    Adjacency.ONE_ANSWER: "moving one answer by at most 1",
    Adjacency.LISTED: "going from a sample to the other of its pair",
}


def _step(instance: Instance) -> str:
    """Return what makes two samples neighbours."""
    if isinstance(instance.relation, Adjacency):
        return _STEPS[instance.relation]
    verb = "replacing" if instance.relation is Neighbouring.REPLACE_ONE else "adding or removing"
    if instance.group_size == 1:
        return f"{verb} one example"
    return f"{verb} up to {instance.group_size} examples"


def _story_of_pair(result: results.AuditResult, witness: results.PairWitness) -> list[str]:
    places, others = differing(witness.sample, witness.neighbour)
    where = f" at the point {in_words(witness.point)}" if result.instance.points else ""
    event = set(witness.event)
    outcomes = dict.fromkeys((*witness.event, *witness.law.support, *witness.neighbour_law.support))
    table = [
        f"  {in_words(outcome)}{' *' if outcome in event else ''}: "
        f"{exact(witness.law.probability(outcome))} against "
        f"{exact(witness.neighbour_law.probability(outcome))}"
        for outcome in outcomes
    ]
    value = value_in_words(result.instance.notion, result.value, telling_places(result))
    how = result.instance.notion.measured(result.instance).told(witness, value)
    return [
        "Take these two samples, which differ in the marked places:\n"
        f"  S  = {marked(witness.sample, places)}\n"
        f"  S' = {marked(witness.neighbour, others)}",
        f"The output{where} has one law on S, and another on S':\n" + "\n".join(table),
        how,
    ]


def _story_of_laws(result: results.AuditResult) -> list[str]:
    witness = cast("results.LawsWitness", result.witness)
    order = " up to order" if isinstance(witness.laws[0][0], Multiset) else ""
    text = f"The certificate holds the law of the output on all {len(witness.laws)} samples{order}."
    lines = [
        f"  {in_words(outcome)}: {_choice(choice)}" for outcome, choice in witness.strategy[:20]
    ]
    value = value_in_words(result.instance.notion, result.value, telling_places(result))
    if lines:
        text += f" {result.instance.notion.strategy[1]}:\n" + "\n".join(lines)
    return [text, f"Together they give {value}."]


def _choice(choice: object) -> str:
    if isinstance(choice, Fraction):
        return exact(choice)
    return f"{{{', '.join(in_words(element) for element in elements(choice))}}}"


def _closing(checked: Recheck, rounding: str = "") -> list[str]:
    if checked.refutes:
        verdict = f"This contradicts the claim, so the claim fails{rounding and ' '}{rounding}."
    elif checked.claim is None:
        verdict = "There is no claim to compare this with."
    elif checked.verdict == "verified" and checked.proven:
        verdict = "This meets the claim."
    elif checked.verdict == "verified":
        verdict = "This meets the claim, but does not prove it."
    else:
        verdict = "This does not settle the claim."
    return [
        verdict,
        "What the certificate proves:\n" + "\n".join(f"- {text}" for text in checked.proved),
        "What it only states:\n" + "\n".join(f"- {text}" for text in checked.trusted),
    ]
