"""How an audit ends early: the subject failed, or a budget did. What was found is kept."""

from __future__ import annotations

from pac_stability.audit.results import AuditResult
from pac_stability.data import Sample
from pac_stability.errors import BudgetExhausted, InvalidInput

_LONGEST = 300

ENDED = (
    "a process of the executor ended before its work was done: it was killed, ran out of memory, "
    "or the algorithm ended it or cannot be imported there"
)
"""Why an audit stops that lost a process."""


class SubjectFailure(InvalidInput):
    """The algorithm under audit did not answer as it must.

    It raised, which is then the cause of this exception, or gave something that is no law, or two
    different answers to one question.

    Attributes
    ----------
    sample
        The sample on which it failed.
    partial : AuditResult or None
        What the samples examined until then show; its value is a lower bound.
    """

    def __init__(
        self,
        argument: str,
        given: str,
        wanted: str,
        sample: object,
        partial: AuditResult | None = None,
    ) -> None:
        super().__init__(argument, given, wanted)
        self.sample = sample
        self.partial = partial

    def __reduce__(self) -> tuple[type[SubjectFailure], tuple[object, ...]]:  # type: ignore[override]  # two arguments more
        return type(self), (self.argument, self.given, self.wanted, self.sample, self.partial)


class AuditStopped(BudgetExhausted):
    """A budget ended an audit before everything was examined.

    Attributes
    ----------
    partial : AuditResult or None
        What was examined until then shows; its value is a lower bound. ``None`` when the audit was
        not begun.
    """

    def __init__(self, message: str, partial: AuditResult | None = None) -> None:
        super().__init__(message)
        self.partial = partial

    def __reduce__(self) -> tuple[type[AuditStopped], tuple[str, AuditResult | None]]:
        return type(self), (str(self), self.partial)


def shown(sample: object) -> str:
    """Return a sample for an error message: whole unless it is long."""
    if isinstance(sample, Sample):
        examples = zip(sample.points, sample.labels, strict=True)
        text = f"[{', '.join(f'({point!r}, {label})' for point, label in examples)}]"
    else:
        text = repr(sample)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
