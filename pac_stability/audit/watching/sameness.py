"""When are two outcomes the same? The rule of every audit, in one place.

1. Outcomes are the same when they are equal: ``==`` and ``hash`` say so. Then 1, ``True`` and 1.0
   are one outcome, and so are 0.0 and -0.0. Where equal outcomes are written differently, or differ
   in what their equality leaves out (``field(compare=False)``), the answer states it as an
   assumption: whoever sees how an outcome is written sees more than the audit compared.
2. A hypothesis that equals only itself, such as a function, counts as the table of its labels on
   the domain.
3. Anything else that equals only itself is refused: two runs that return it would never agree.
   Members of enumerations, classes and ``None`` are there only once, and are left as they are.
"""

from __future__ import annotations

import dataclasses
import functools
import marshal
import pickle
from collections.abc import Hashable, Sequence

from pac_stability.arguments import described
from pac_stability.audit.outcomes_json import labels_of
from pac_stability.audit.writing import ONCE, name_of_outcome, written
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput

UNLIKE = "Equal outcomes count as the same, although some of them are not written alike"
"""How the sentence begins that is assumed of such outcomes; two of them end it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Tabulated:
    """A hypothesis that equals only itself, as the table of its labels on the domain.

    Attributes
    ----------
    description
        What ``repr`` said of it, without addresses.
    labels
        Pairs of a point and its label: what counts.
    """

    description: str = dataclasses.field(compare=False)
    labels: tuple[tuple[object, int], ...]

    def __call__(self, point: object, /) -> int:
        """Return the label of a point of the domain."""
        return dict(self.labels)[point]

    def __repr__(self) -> str:
        return self.description


def comparable_law(law: FiniteDistribution[object], domain: Sequence[object]) -> object:
    """Return a law with its outcomes as audits compare them: see :func:`comparable`."""
    if all(type(y).__eq__ is not object.__eq__ for y in law.support):
        return law
    return law.map(lambda outcome: comparable(outcome, domain))


def comparable(outcome: object, domain: Sequence[object]) -> object:
    """Return an outcome as audits compare it.

    Parameters
    ----------
    outcome
        What an algorithm returned.
    domain
        The points on which hypotheses are tabulated.

    Raises
    ------
    InvalidInput
        It equals only itself, and is no hypothesis.

    Examples
    --------
    >>> comparable((1, "a"), [0, 1])
    (1, 'a')
    >>> comparable(lambda x: x, [0, 1]) == comparable(lambda x: x % 2, [0, 1])
    True
    """
    kind = type(outcome)
    if kind.__eq__ is not object.__eq__ or isinstance(outcome, ONCE):
        return outcome
    labels = labels_of(outcome, domain)
    if labels:
        return Tabulated(name_of_outcome(outcome), labels)
    raise InvalidInput(
        "outcome",
        f"{described(outcome)}, which equals only itself",
        "outcomes that compare by value: numbers, text, tuples, frozen dataclasses, or what has "
        "__eq__ and __hash__",
    )


class Forms:
    """How outcomes are written, to notice equal ones that are written differently."""

    # A cached property is no part of what a program keeps between questions, which this stands by.
    @functools.cached_property
    def _known(self) -> dict[object, tuple[bytes, object]]:
        return {}

    def note(self, outcome: Hashable) -> str:
        """Keep how an outcome is written; return what is assumed if an equal one is not alike."""
        known = self._known.get(outcome)
        if known is not None and known[1] is outcome:
            return ""
        form = _quickly(outcome)
        if known is None:
            self._known[outcome] = form, outcome
        elif form != known[0] or not form:
            here, there = written(outcome), written(known[1])
            if here != there:
                return f"{UNLIKE}: {_shortened(there)} and {_shortened(here)}."
        return ""

    def note_law(self, law: object) -> str:
        """Do so for the outcomes of a law; any other value has none."""
        if isinstance(law, FiniteDistribution):
            return next(filter(None, [self.note(outcome) for outcome in law.support]), "")
        return ""


def _quickly(value: object) -> bytes:
    """Return bytes that are the same only for what is written alike; nothing if it has none."""
    try:
        return marshal.dumps(value, 2)  # type: ignore[arg-type]  # it says if it cannot
    except ValueError:
        pass
    try:
        return pickle.dumps(value, 5)
    except Exception:  # a stranger's objects may raise anything
        return b""


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
