"""What a notion is: all that the rest of the library knows of one, in a value.

The notions themselves stand where they are measured: :mod:`~pac_stability.audit.predictions`,
:mod:`~pac_stability.audit.privacy`, :mod:`~pac_stability.audit.total_variation`,
:mod:`~pac_stability.audit.zero_concentrated`,
:mod:`~pac_stability.audit.learning`. Searches, reports, the command line and what shrinks
counterexamples know none of them by name.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

from pac_stability.arguments import described
from pac_stability.errors import InvalidInput

if TYPE_CHECKING:
    from pac_stability.audit.results import AuditResult, Instance
    from pac_stability.audit.search.measures import Measure


class About(enum.Enum):
    """What a notion speaks of, and so what an audit of it examines.

    Attributes
    ----------
    PREDICTIONS
        All neighbouring samples, and the label that is predicted at every point.
    OUTPUTS
        All neighbouring samples, and the output.
    DRAWS
        All samples of independent draws from a distribution.

    Examples
    --------
        The same, where the draws are labelled examples, on which an output errs or does not.
    """

    PREDICTIONS = enum.auto()
    OUTPUTS = enum.auto()
    DRAWS = enum.auto()
    EXAMPLES = enum.auto()

    @property
    def pairs(self) -> bool:
        """Whether it is about all neighbouring samples; otherwise about a distribution."""
        return self in (About.PREDICTIONS, About.OUTPUTS)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What the value of a notion is called, and how it is read.

    Attributes
    ----------
    name
        Its letter, as people state the claim.
    is_factor
        Whether the value is the factor ``e**epsilon`` where people state epsilon.
    larger_is_better
        Whether a claim says "at least"; otherwise it says "at most".
    most
        The largest value that can be claimed: 1 for what is a probability, or differs from one;
        ``None`` where there is none.
    """

    name: str
    is_factor: bool = False
    larger_is_better: bool = False
    most: int | None = 1


DELTA = Parameter("delta")
EPSILON = Parameter("epsilon", is_factor=True, most=None)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Notion:
    """What a learner can be claimed to be. A value; every notion is there once.

    Attributes
    ----------
    name
        Its name on the command line and in certificates.
    parameter
        What is measured, and claimed.
    about
        What is quantified over.
    fixed
        The parameters that are held fixed, by the names that its audit has for them: ``delta``,
        ``beta``, ``epsilon``. Notions about neighbouring samples also have a group size, 1 unless
        it is said: *group privacy* is differential privacy for groups, and no notion of its own.
    promise
        What keeping to it means, for one who reads of it for the first time; ``{step}`` is what
        makes two samples neighbours.
    ask
        Its audit: of an algorithm, a domain or a distribution, and n; the rest by name.
    measure
        What is measured on the laws of two neighbouring samples of an instance; ``None`` for
        notions about a distribution.
    strategy
        For notions about a distribution, what the strategy of a witness says: in a word or two,
        and in a sentence.
    in_writing
        Whether outputs may be told apart by how they are written (``as_written``).
    at_factor
        For notions about neighbouring samples, what is measured in place of that where epsilon is
        fixed and the least delta is sought.

    Examples
    --------
    >>> Notion.PRIVATE_PREDICTION.name, Notion.PRIVATE_PREDICTION.parameter.name
    ('private-prediction', 'epsilon')
    >>> Notion.named("accuracy").fixed
    ('beta',)
    """

    UNIFORM_STABILITY: ClassVar[Notion]
    PRIVATE_PREDICTION: ClassVar[Notion]
    DIFFERENTIAL_PRIVACY: ClassVar[Notion]
    PERFECT_GENERALIZATION: ClassVar[Notion]
    ROBUST_GENERALIZATION: ClassVar[Notion]
    GLOBAL_STABILITY: ClassVar[Notion]
    GENERALIZATION: ClassVar[Notion]
    ACCURACY: ClassVar[Notion]
    TOTAL_VARIATION_STABILITY: ClassVar[Notion]
    ZERO_CONCENTRATED_PRIVACY: ClassVar[Notion]

    name: str
    parameter: Parameter
    about: About
    promise: str
    ask: Callable[..., AuditResult]
    fixed: tuple[str, ...] = ()
    measure: Callable[[Instance], Measure] | None = None
    strategy: tuple[str, str] = ("", "")
    in_writing: bool = False
    at_factor: Callable[[Instance], Measure] | None = None

    @staticmethod
    def all() -> tuple[Notion, ...]:
        """Return every notion, in the order in which they are listed everywhere."""
        names = (name for name in Notion.__annotations__ if name.isupper())
        return tuple(getattr(Notion, name) for name in names)

    @staticmethod
    def named(name: object) -> Notion:
        """Return the notion of a name, among them those at a fixed epsilon.

        Raises
        ------
        InvalidInput
            There is none.
        """
        for notion in Notion.all():
            for one in (notion, notion.at_epsilon):
                if one is not None and name == one.name:
                    return one
        names = ", ".join(notion.name for notion in Notion.all())
        raise InvalidInput("notion", described(name), f"one of {names}")

    @property
    def value(self) -> str:
        """The name: what it was called when a notion was a member of an enumeration."""
        return self.name

    @property
    def title(self) -> str:
        """The name in a sentence."""
        return self.name.replace("-", " ")

    def measured(self, instance: Instance) -> Measure:
        """Return what is measured on the laws of two neighbouring samples of an instance."""
        if self.measure is None:
            raise InvalidInput("notion", self.name, "one about neighbouring samples")
        return self.measure(instance)

    @property
    def at_epsilon(self) -> Notion | None:
        """For a notion with an epsilon and a delta, the one whose value is the least delta."""
        if "delta" not in self.fixed:
            return None
        name = f"{self.name}-at-epsilon"
        if name not in _AT_EPSILON:
            fixed = tuple("epsilon" if one == "delta" else one for one in self.fixed)
            other = replace(self, name=name, parameter=DELTA, fixed=fixed, measure=self.at_factor)
            _AT_EPSILON[name] = other
        return _AT_EPSILON[name]

    def __repr__(self) -> str:
        return f"<Notion.{self.name.replace('-', '_').upper()}>"

    def __reduce__(self) -> tuple[Callable[[object], Notion], tuple[str]]:
        return Notion.named, (self.name,)


# Not a cache of functools: those may be emptied, and a notion is there once.
_AT_EPSILON: Final[dict[str, Notion]] = {}
