"""Algorithms whose outcomes are told apart by how they are written, and not by ``==``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pac_stability.arguments import described
from pac_stability.audit.subjects import AnyLaw, LawSubject, law_function, program_of
from pac_stability.audit.writing import written
from pac_stability.data import FromProgram, Law
from pac_stability.errors import InvalidInput
from pac_stability.randomness import Coins


def as_written(mechanism: LawSubject) -> LawSubject:
    """Return an algorithm whose outcomes are told apart by how they are written, in full.

    Audits take equal outcomes for the same, and state it as an assumption where equal ones are not
    written alike. This one's outcomes are texts: 1, ``True`` and 1.0 are three, and so are two
    objects that differ in a field which their equality leaves out.

    Parameters
    ----------
    mechanism
        Something that has a law. In a law that an object gives itself, equal outcomes are one
        already.

    Raises
    ------
    InvalidInput
        It has no law. When asked: an outcome can only be described, such as a function.

    Examples
    --------
    >>> def typed(sample, rng):
    ...     return True if sample.labels[0] else 1
    >>> from pac_stability.audit import differential_privacy
    >>> differential_privacy(typed, 1, 1).value, differential_privacy(as_written(typed), 1, 1).value
    (Fraction(1, 1), inf)
    """
    program = program_of(mechanism)
    symmetric = bool(getattr(mechanism, "symmetric", False))
    if program is not None:
        run = _Written(program, symmetric)
        return replace(mechanism, program=run) if isinstance(mechanism, FromProgram) else run
    return _WrittenLaw(law_function(mechanism), symmetric)


@dataclass(frozen=True, slots=True)
class _Written:
    """A program whose outcomes are texts."""

    program: Callable[[object, Coins], object]
    symmetric: bool

    def __call__(self, sample: object, rng: Coins) -> str:
        return written(self.program(sample, rng), exactly=True)


@dataclass(frozen=True, slots=True)
class _WrittenLaw:
    """An algorithm whose law is one of texts."""

    function: Callable[[object], object]
    symmetric: bool

    def law(self, sample: object) -> AnyLaw:
        law = self.function(sample)
        if not isinstance(law, Law):
            raise InvalidInput("mechanism", described(law), "a FiniteDistribution")
        return law.map(lambda outcome: written(outcome, exactly=True))
