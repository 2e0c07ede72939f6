"""Recheck a certificate with arithmetic on fractions alone.

This file and those that it imports (``notions``, ``pairs``, ``counterexamples``, ``lemma_12``,
``fields``) are written for readers who doubt a certificate. So is the subpackage ``reading``, which
reads the file. They share no code with the search: no definition of a notion, no enumeration, no
distribution class. The reference page on audit certificates lists what they check.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from os import PathLike
from typing import Any, Final

from pac_stability.checker.counterexamples import SCHEMA as COUNTEREXAMPLE, check_counterexample
from pac_stability.checker.fields import (
    Asked,
    Case,
    Counts,
    Fields,
    Key,
    Limits,
    Number,
    Objects,
    Shown,
    StatedInstance,
    as_element,
    as_key,
    as_list,
    as_object,
    as_parameter,
    as_probability,
    as_size,
    as_text,
    checked_law,
    in_words,
    refuse,
)
from pac_stability.checker.notions import NOTIONS
from pac_stability.checker.pairs import OF_ANSWERS, as_answers, check_laws, check_pair, in_sizes
from pac_stability.errors import InvalidInput
from pac_stability.reading import MAX_BITS, MAX_BYTES, read_json, require_shallow

MAX_STEPS = 10_000_000
"""Elementary steps of a recomputation, unless another limit is given: some ten seconds."""

SCHEMA: Final = "pac-stability/audit-certificate/2"
WITH_SIZES: Final = "pac-stability/audit-certificate/3"
"""Of samples of several sizes; in version 2 they were n and what is one more or less."""

_FIELDS = (
    "schema", "notion", "verdict", "claim", "value", "instance", "counts", "note", "assumptions",
    "objects", "answers", "witness", "sha256",
)  # fmt: skip
_BESIDE = ("version", "subject", "understood", "kept")
"""What stands beside it where a command printed it."""
_INSTANCE = (
    "labelled", "universe", "distribution", "n", "points", "epsilon_ratio", "delta", "beta",
    "optimum", "relation", "group_size", "symmetry",
)  # fmt: skip
_NOTHING = {"epsilon_ratio": 1, "delta": 0, "beta": 0, "optimum": 0}
_VERDICTS = ("verified", "refuted", "bounded")


@dataclass(frozen=True, slots=True)
class Recheck:
    """What a certificate proves, and what it only states.

    Attributes
    ----------
    notion, verdict
        As in the certificate.
    value
        The value of the parameter that the witness proves, or a lower bound.
    claim
        The claimed value, in the units of ``value``; ``None`` without a claim.
    refutes
        Whether the witness refutes the claim.
    exact
        Whether the parameter is proved to be exactly ``value``. The laws on all samples can prove
        that; two laws alone prove a bound.
    proven
        Whether the verdict follows from the laws in the certificate. If false, the checker found no
        fault in the certificate, but the verdict needs another search.
    proved
        Sentences that follow from the numbers in the certificate.
    trusted
        What the certificate states without a proof.
    about
        The subject: the claim, the samples and their neighbours, the points.
    but_for_order
        Whether the verdict follows provided that the order of a sample makes no difference. The
        certificate states that without proof.
    """

    notion: str
    verdict: str
    value: Fraction | float
    claim: Fraction | None
    refutes: bool
    exact: bool
    proven: bool
    proved: tuple[str, ...]
    trusted: tuple[str, ...]
    about: tuple[str, ...] = ()
    but_for_order: bool = False


def recheck(
    certificate: object,
    *,
    max_bytes: int = MAX_BYTES,
    max_bits: int = MAX_BITS,
    max_steps: int = MAX_STEPS,
) -> Recheck:
    """Check a certificate: its form, its laws, and that the laws prove what it says.

    Parameters
    ----------
    certificate
        The name of a file, or the document itself as ``json.loads`` returns it. It is a certificate
        of an audit, or a counterexample of ``papers.counterexamples``.
    max_bytes
        Refuse a larger file.
    max_bits
        Refuse numbers longer than this: their arithmetic would take too long.
    max_steps
        Skip checks that would take more elementary steps, and say so in ``trusted``.

    Returns
    -------
    Recheck

    Raises
    ------
    InvalidInput
        The certificate is corrupt, too large, of another version, or does not prove what it says;
        the message names the field.

    Notes
    -----
    Time is linear in the size of the certificate, except for adversaries (all 2**m tests on m
    elements), simulators and insertions (pairs of laws, or of elements): ``max_steps`` bounds it.

    Examples
    --------
    A mechanism publishes the labels unchanged and claims epsilon = 1.

    >>> from pac_stability import audit
    >>> from pac_stability.audit.certificates import to_document
    >>> from pac_stability.data import Deterministic
    >>> publish = Deterministic(lambda S: S.labels)
    >>> checked = recheck(to_document(audit.differential_privacy(publish, ["a"], 1, claim=1)))
    >>> checked.refutes, checked.value
    (True, inf)
    >>> print(checked.trusted[0])
    that the laws are those of the mechanism: it was not asked
    """
    if isinstance(certificate, str | PathLike):
        certificate = read_json(certificate, max_bytes=max_bytes)
    require_shallow(certificate, "certificate")
    if isinstance(certificate, dict) and certificate.get("schema") == COUNTEREXAMPLE:
        return _counterexample(certificate)
    beside = _BESIDE if isinstance(certificate, dict) and "subject" in certificate else ()
    fields = as_object(certificate, "certificate", (*beside, *_FIELDS))
    if fields["schema"] not in (SCHEMA, WITH_SIZES):
        wanted = f"{SCHEMA!r} or {WITH_SIZES!r}, the versions that are known here"
        raise refuse("schema", fields["schema"], wanted)
    sized = fields["schema"] == WITH_SIZES
    require_unaltered(fields)
    verdict = as_text(fields["verdict"], "verdict", _VERDICTS)
    counts = _counts(fields["counts"])
    for name in ("note", *beside[:-1]):
        as_text(fields[name], name)
    as_size(fields.get("kept", 0), "kept")
    assumptions = [
        as_text(sentence, "assumptions")
        for sentence in as_list(fields["assumptions"], "assumptions")
    ]
    limits = Limits(max_bits, max_steps)
    notion = as_text(fields["notion"], "notion", tuple(NOTIONS))
    asked = NOTIONS[notion]
    case = Case(
        notion=notion,
        asked=asked,
        claim=_claim(fields["claim"], asked, limits),
        instance=_instance(fields["instance"], asked, limits, sized=sized),
        objects=_objects(fields["objects"]),
        limits=limits,
    )
    if asked.pairs:
        answers = None if fields["answers"] is None else as_answers(fields["answers"], case)
        shown = check_pair(fields["witness"], answers, case)
    else:
        if fields["answers"] is not None:
            raise refuse("answers", fields["answers"], "null: the witness has all laws")
        shown = check_laws(fields["witness"], case)
    _verdict(fields["value"], verdict, case, shown.value)
    alike = _alike(fields["objects"], case.objects)
    empty = _vacuous(verdict, case, fields, shown)
    proven = not (alike or empty) and _follows(verdict, fields["value"], case, shown)
    # Two laws refute whatever holds for others; for all else, each order would have to be known.
    two_laws = asked.pairs and (verdict == "refuted" or not (shown.exact or shown.keeps))
    ordered = case.instance.symmetry == "none" or two_laws
    result = _statement(verdict, case, shown, counts, proven=proven and ordered)
    return replace(
        result,
        about=_about(case, counts),
        but_for_order=proven and not ordered,
        refutes=result.refutes and not alike,
        trusted=(
            *(*result.trusted, *alike, *empty),
            *(f"the search assumed: {s}" for s in assumptions),
        ),
    )


def require_unaltered(fields: Fields) -> None:
    """Refuse a document whose digest does not match its other fields.

    Parameters
    ----------
    fields
        The document, read from JSON.
    """
    if fields.get("sha256") != _digest(fields):
        raise InvalidInput("sha256", "another digest", "that of the other fields: it was altered")


def _counterexample(fields: Fields) -> Recheck:
    require_unaltered(fields)
    claim, (needed, allowed, told) = check_counterexample(fields)
    proved = (told, f"so {claim} fails: it allows {in_words(allowed)}")
    trusted = (f"that {claim} says so: a reader has to compare",)
    return Recheck(claim, "refuted", needed, allowed, True, True, True, proved, trusted)


def _digest(fields: Fields) -> str:
    rest = {key: value for key, value in fields.items() if key != "sha256"}
    try:
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise InvalidInput("certificate", "values that JSON does not have", "JSON") from None
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _instance(value: object, asked: Asked, limits: Limits, *, sized: bool) -> StatedInstance:
    own = [name for name in asked.fixed if name not in _INSTANCE]
    listed = isinstance(value, dict) and value.get("relation") == "listed"
    more = [*(["sizes"] if sized else []), *(["listed"] if listed else [])]
    fields = as_object(value, "instance", (*_INSTANCE, *more, *own))
    for name, nothing in _NOTHING.items():
        if name not in asked.fixed and limits.number(fields[name], f"instance.{name}") != nothing:
            raise refuse(f"instance.{name}", fields[name], f"{nothing}: the notion has no other")
    given = {name: limits.number(fields[name], f"instance.{name}") for name in own}
    for name, number in given.items():
        if number < asked.least:
            raise refuse(f"instance.{name}", fields[name], f"a {name} of at least {asked.least}")
    labelled = fields["labelled"]
    if not isinstance(labelled, bool):
        raise refuse("instance.labelled", labelled, "true or false")
    universe = [
        as_element(element, "instance.universe", labelled=labelled)
        for element in as_list(fields["universe"], "instance.universe")
    ]
    if len(set(universe)) < len(universe):
        raise InvalidInput("instance.universe", "an element twice", "distinct elements")
    points = [as_key(p, "instance.points") for p in as_list(fields["points"], "instance.points")]
    if len(set(points)) < len(points):
        raise InvalidInput("instance.points", "a point twice", "distinct points")
    ratio = limits.number(fields["epsilon_ratio"], "instance.epsilon_ratio")
    if ratio < 1:
        raise refuse("instance.epsilon_ratio", fields["epsilon_ratio"], "a factor of at least 1")
    where = "instance.distribution"
    distribution = None
    if fields["distribution"] is not None:
        weights = [
            as_list(pair, where, length=2) for pair in as_list(fields["distribution"], where)
        ]
        distribution = checked_law(
            (
                (as_element(z, where, labelled=labelled), limits.number(p, where))
                for z, p in weights
            ),
            where,
            limits,
        )
        if distribution.keys() != set(universe):
            raise InvalidInput(where, "other elements", "the elements of the universe")
    relations = ("replace-one", "add-remove", *OF_ANSWERS, "listed")
    relation = as_text(fields["relation"], "instance.relation", relations)
    n = as_size(fields["n"], "instance.n")
    return StatedInstance(
        labelled=labelled,
        universe=tuple(universe),
        n=n,
        sizes=_sizes(fields.get("sizes"), n, relation),
        points=tuple(points),
        epsilon_ratio=ratio,
        delta=as_probability(fields["delta"], "instance.delta", limits),
        beta=as_probability(fields["beta"], "instance.beta", limits),
        optimum=as_probability(fields["optimum"], "instance.optimum", limits),
        relation=relation,
        group_size=as_size(fields["group_size"], "instance.group_size", least=1),
        distribution=distribution,
        symmetry=as_text(fields["symmetry"], "instance.symmetry", ("none", "declared", "shown")),
        own=given,
        listed=_listed(fields.get("listed", []), labelled),
    )


def _listed(forms: object, labelled: bool) -> frozenset[tuple[tuple[Key, ...], tuple[Key, ...]]]:
    """Return the pairs of samples that a certificate lists."""
    where, pairs = "instance.listed", []
    for form in as_list(forms, where):
        one, other = (
            tuple(as_element(z, where, labelled=labelled) for z in as_list(sample, where))
            for sample in as_list(form, where, length=2)
        )
        pairs.append((one, other))
    return frozenset(pairs)


def _sizes(value: object, n: int, relation: str) -> range:
    """Return the sizes of samples, without a gap."""
    if relation != "add-remove":
        if value is not None:
            raise refuse("instance.sizes", value, "none: no element comes or goes")
        return range(n, n + 1)
    if value is None:
        return range(max(n - 1, 0), n + 2)
    least, largest = (
        as_size(size, "instance.sizes") for size in as_list(value, "instance.sizes", length=2)
    )
    if least > largest or largest != n:
        raise refuse("instance.sizes", value, f"the least and the largest size, which is n = {n}")
    return range(least, largest + 1)


def _claim(value: object, asked: Asked, limits: Limits) -> Fraction | None:
    if value is None:
        return None
    claim = limits.number(value, "claim")
    if asked.factor and claim < 1:
        raise refuse("claim", value, "a factor e**epsilon of at least 1")
    return claim


def _counts(value: object) -> Counts:
    fields = as_object(value, "counts", ("datasets", "pairs", "points", "outcomes"))
    return {key: as_size(count, f"counts.{key}") for key, count in fields.items()}


def _objects(value: object) -> Objects:
    """Return the labels of each object that is a hypothesis, and no labels for the others."""
    tables = []
    for number, entry in enumerate(as_list(value, "objects")):
        where = f"objects[{number}]"
        keys = ("repr", "labels") if isinstance(entry, dict) and "labels" in entry else ("repr",)
        fields = as_object(entry, where, keys)
        as_text(fields["repr"], f"{where}.repr")
        table: dict[Key, int] = {}
        for pair in as_list(fields.get("labels", []), f"{where}.labels"):
            point, label = as_list(pair, f"{where}.labels", length=2)
            key = as_key(point, f"{where}.labels")
            if type(label) is not int or label not in (0, 1) or key in table:
                raise refuse(f"{where}.labels", pair, "each point once, with a label 0 or 1")
            table[key] = label
        tables.append(table)
    return tables


def _verdict(value: object, verdict: str, case: Case, shown: Number) -> None:
    """Check that the value is that of the witness, and that the verdict follows."""
    if isinstance(value, dict):
        ends = as_object(value, "value", ("lower", "upper"))
        lower: Number = case.limits.number(ends["lower"], "value.lower")
        upper: Number = case.limits.number(ends["upper"], "value.upper")
        if not lower <= shown <= upper:
            raise refuse("value", value, f"bounds around the witness's {in_words(shown)}")
    else:
        lower = upper = as_parameter(value, "value", case.limits)
        # A simulator that shows nothing leaves the lower bound of the search to trust.
        idle = case.asked.from_above and shown == math.inf
        if lower != shown and not (idle and verdict != "verified"):
            raise refuse("value", value, f"the witness's {in_words(shown)}")
    if case.claim is None:
        if verdict == "refuted" or (verdict == "verified" and lower < upper):
            raise refuse("verdict", verdict, "what follows for this value, without a claim")
        return
    lower_fails, upper_fails = case.claim_fails(lower), case.claim_fails(upper)
    follows = {
        "refuted": lower_fails and upper_fails,
        "verified": not (lower_fails or upper_fails),
        "bounded": not (lower_fails and upper_fails),
    }
    if not follows[verdict]:
        raise refuse("verdict", verdict, "what follows for this value and this claim")


def _follows(verdict: str, value: object, case: Case, shown: Shown) -> bool:
    """Return whether the verdict follows from what was shown."""
    if verdict == "refuted":
        return shown.refutes
    if verdict == "verified":
        # A simulator bounds its parameter from above, which is all that a claim asks for.
        simulated = case.asked.from_above and case.claim is not None
        return shown.exact or shown.keeps or simulated
    # Bounds that do not settle the claim: two laws show the lower one, nothing the upper one.
    return shown.exact or (case.asked.pairs and not isinstance(value, dict))


def _alike(forms: object, objects: Objects) -> tuple[str, ...]:
    """Return a warning if two objects are hypotheses with the same labels, or look the same."""
    seen: dict[tuple[str, ...], int] = {}
    for index, (form, table) in enumerate(zip(as_list(forms, "objects"), objects, strict=True)):
        labels = tuple(f"{point} {label}" for point, label in sorted(table.items()))
        look = labels or (as_text(as_object(form, "objects", ("repr",))["repr"], "objects"),)
        first = seen.setdefault(look, index)
        if first != index:
            return (f"that objects {first} and {index} are two: nothing in it tells them apart",)
    return ()


def _vacuous(verdict: str, case: Case, fields: Fields, shown: Shown) -> tuple[str, ...]:
    """Return a warning if the claim would hold for every mechanism."""
    instance, asked = case.instance, case.asked
    if verdict == "refuted" or case.claim is None:
        return ()
    bounded = not (asked.factor or asked.divergence is not None)
    says_more = shown.exact and (shown.value > 0 if asked.at_least else shown.value < 1)
    kept_by_all = case.claim <= 0 if asked.at_least else bounded and case.claim >= 1
    if kept_by_all and not says_more:
        end = "at least 0" if asked.at_least else "at most 1"
        return (f"anything: the certificate is vacuous, for the parameter of any is {end}",)
    if asked.at_least:
        return ()
    if "delta" in asked.fixed and instance.delta == 1:
        return ("anything: the certificate is vacuous, for with delta = 1 every mechanism passes",)
    if "beta" in asked.fixed and instance.beta == 1:
        return ("anything: the certificate is vacuous, for with beta = 1 every mechanism passes",)
    if len(case.objects) == 1 and not case.objects[0]:
        laws = _laws_of(fields["answers"] or fields["witness"])
        if len({json.dumps(outcome) for law in laws for outcome, _ in law}) == 1:
            one = "all outcomes are one object, by an equality that its own class defines"
            return (f"anything: the certificate is vacuous, for {one}",)
    return ()


def _laws_of(stated: Any) -> Iterator[Any]:
    """Yield the laws of the answers, or of a witness."""
    if "neighbour_law" in stated:
        yield from (stated["law"], stated["neighbour_law"])
        return
    for law in stated["laws"]:
        yield law["law"] if isinstance(law, dict) else law


def _about(case: Case, counts: Counts) -> tuple[str, ...]:
    """Say what the certificate is about, and what it leaves out."""
    instance, asked = case.instance, case.asked
    least = "at least" if asked.at_least else "at most"
    kind = "a factor e^epsilon" if asked.factor else "a parameter"
    claim = (
        "no claim" if case.claim is None else f"the claim: {kind} of {least} {in_words(case.claim)}"
    )
    shown = {"delta": instance.delta, "beta": instance.beta, "optimum": instance.optimum}
    fixed = [f"{name} = {in_words(value)}" for name, value in shown.items() if name in asked.fixed]
    if "epsilon_ratio" in asked.fixed:
        fixed.append(f"a factor e^epsilon of {in_words(instance.epsilon_ratio)}")
    fixed += [f"{name} = {in_words(value)}" for name, value in instance.own.items()]
    lines = [f"{case.notion}, {', with '.join([claim, *fixed])}"]
    steps = f", up to {instance.group_size} steps" if instance.group_size > 1 else ""
    relation = f", neighbours by {instance.relation}{steps}" if asked.pairs else ""
    size = in_sizes(instance.sizes)
    what = "examples" if instance.labelled else "elements"
    lines.append(
        f"samples of size {size} over {len(instance.universe)} {what}"
        f" ({_few(_readable(z) for z in instance.universe)}){relation}"
    )
    points = {z.rpartition(" ")[0].removeprefix("example ") for z in instance.universe}
    if instance.labelled and len(instance.universe) < 2 * len(points):
        lines.append("not all examples: some points come with one of the labels alone")
    if asked.points:
        alone = " alone" if points - {*instance.points} and instance.labelled else ""
        lines.append(f"predictions at the points {_few(instance.points)}{alone}")
        if alone:
            lines.append(f"nothing is said at {_few(sorted(points - {*instance.points}))}")
    said = f"{counts['datasets']} samples"
    said += f" and {counts['pairs']} pairs of neighbours" if asked.pairs else ""
    order = "" if instance.symmetry == "none" else f"; up to order, as was {instance.symmetry}"
    return (*lines, f"the search says that it examined {said}{order}")


def _readable(element: Key) -> str:
    """Return an element as written, without the word that tells examples from tuples."""
    if not element.startswith("example "):
        return element
    point, _, label = element.removeprefix("example ").rpartition(" ")
    return f"({point}, {label})"


def _few(words: Iterable[str]) -> str:
    """List the first of some words, and say how many more there are."""
    known = [word if len(word) <= 40 else f"{word[:37]}..." for word in words]
    more = f", ... {len(known) - 8} more" if len(known) > 8 else ""
    return ", ".join(known[:8]) + more


def _narrowly(shown: Shown, claim: Fraction) -> str:
    """Say that a claim fails only within the rounding error of floats; otherwise say nothing."""
    if isinstance(shown.value, float) or not claim:
        return ""
    excess = abs(shown.value - claim)
    if excess > claim / 10**12:
        return ""
    return f", by {float(excess):.1e}, the size of the rounding of a float"


def _statement(verdict: str, case: Case, shown: Shown, counts: Counts, *, proven: bool) -> Recheck:
    """Return what the checker proved, and what it has to trust."""
    proved = list(shown.proved)
    trusted = ["that the laws are those of the mechanism: it was not asked", *shown.trusted]
    refutes = verdict == "refuted" and shown.refutes
    if refutes and case.claim is not None:
        proved.append(f"so the claim {in_words(case.claim)} fails{_narrowly(shown, case.claim)}")
    if not (shown.exact or shown.keeps or shown.trusted):  # two laws, and nothing about others
        trusted.append(
            f"that nothing else is worse: the search speaks of {counts['datasets']} datasets and "
            f"{counts['pairs']} pairs, and only another search can confirm it"
        )
    return Recheck(
        case.notion,
        verdict,
        shown.value,
        case.claim,
        refutes,
        shown.exact,
        proven,
        tuple(proved),
        tuple(trusted),
    )
