"""The smallest counterexample of a check, in words."""

from __future__ import annotations

from pac_stability.arithmetic.words import exact
from pac_stability.audit import AuditResult, PairWitness, Verdict
from pac_stability.audit.reports.wording import (
    answer_in_words,
    claim_in_words,
    conclusion,
    differing,
    elements,
    event_in_words,
    in_words,
)

_MOST_LINES = 12


def told(name: str, result: AuditResult) -> str:
    """Return what is wrong with a learner, and on what it shows.

    Parameters
    ----------
    name
        The name of the learner.
    result
        The audit of the smallest instance that does not keep to what is declared.

    Examples
    --------
    >>> from pac_stability import audit
    >>> from pac_stability.data import Deterministic
    >>> first = Deterministic(lambda records: records[0])
    >>> found = audit.differential_privacy(first, "ab", 2, claim=1, labelled=False)
    >>> print(told("first", found))
    first declares differential privacy with epsilon at most 1 (a factor of 2.71828), but
      epsilon infinite: no finite one is enough.
    Smallest counterexample: replacing one example, n = 2,
      S  = ['a']  'a'
      S' = ['b']  'a'
      {'a'}: probability 1 on the sample, 0 on its neighbour
    """
    notion, instance = result.instance.notion, result.instance
    claim = "nothing" if result.claim is None else claim_in_words(notion, result.claim)
    lines = [f"{name} declares {notion.title} with {claim}, but"]
    if result.verdict is Verdict.REFUTED:
        lines.append(f"  {answer_in_words(result)}.")
    else:
        lines.append(f"  {conclusion(result)}: {answer_in_words(result)}.")
    witness = result.witness
    if isinstance(witness, PairWitness):
        steps = {"replace-one": "replacing one example", "add-remove": "adding or removing one"}
        lines.append(
            f"Smallest counterexample: {steps[instance.relation.value]}, n = {instance.n},"
        )
        here, there = differing(witness.sample, witness.neighbour)
        lines.append(f"  S  = {_marked(witness.sample, here)}")
        lines.append(f"  S' = {_marked(witness.neighbour, there)}")
        if instance.points:
            lines.append(f"  prediction at the point {in_words(witness.point)}")
        lines.append(f"  {event_in_words(witness)}")
    elif witness is not None and instance.distribution is not None:
        lines.append(f"Smallest counterexample: n = {instance.n} draws from")
        weights = instance.distribution.items()
        lines += _short([f"  {in_words(z)}: {exact(weight)}" for z, weight in weights])
        lines.append(f"What attains the value, for each of {len(witness.strategy):,} outputs:")
        lines += _short([f"  {in_words(o)}: {_choice(c)}" for o, c in witness.strategy])
    return "\n".join(lines)


def _marked(sample: object, places: frozenset[int]) -> str:
    shown = (
        f"[{in_words(element)}]" if place in places else in_words(element)
        for place, element in enumerate(elements(sample))
    )
    return "  ".join(shown)


def _choice(choice: object) -> str:
    if isinstance(choice, tuple):
        return f"{{{', '.join(map(in_words, choice))}}}"
    return in_words(choice)


def _short(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    return [*lines[:_MOST_LINES], f"  ... ({len(lines):,})"]
