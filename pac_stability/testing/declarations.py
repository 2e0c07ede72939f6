"""What a learner says of itself, so that checks can hold it to its word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TypeAlias, TypeVar

from pac_stability.arguments import AnyNumber, described
from pac_stability.arithmetic import Epsilon
from pac_stability.audit import Notion
from pac_stability.errors import InvalidInput
from pac_stability.learning import Accuracy, PerfectGeneralization, Promises, RobustGeneralization
from pac_stability.mechanisms.accounting import PrivacyGuarantee

T = TypeVar("T")

Privacy: TypeAlias = PrivacyGuarantee | Epsilon | AnyNumber
"""An epsilon with delta = 0, or both as a guarantee."""

AtSize: TypeAlias = T | Callable[[int], T]
"""What is declared: the same for all sample sizes, or a function of the size n."""


_PARAMETERS: dict[Notion, type] = {
    Notion.PERFECT_GENERALIZATION: PerfectGeneralization,
    Notion.ROBUST_GENERALIZATION: RobustGeneralization,
    Notion.ACCURACY: Accuracy,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Declares:
    """What a learner says of itself, a notion at a time; what is left out is not checked.

    Each may be a function of the sample size n, such as ``lambda n: Fraction(1, n)``; where it
    returns ``None``, nothing is declared for that size.

    Attributes
    ----------
    uniform_stability
        The gamma of predictions (DF20, Section 2).
    private_prediction, differential_privacy
        The epsilon of predictions, or of outputs, or a ``PrivacyGuarantee`` where delta is not 0.
    total_variation_stability
        The gamma of outputs.
    zero_concentrated_privacy
        The rho of outputs; what no enclosure decides is not accepted.
    perfect_generalization, robust_generalization
        Their parameters, for all distributions.
    global_stability
        The eta, for all distributions that are checked (BLM20, Definition 4).
    accuracy
        Its parameters, for all distributions that are checked.

    Raises
    ------
    InvalidInput
        Nothing is declared.

    Examples
    --------
    >>> from fractions import Fraction
    >>> said = Declares(uniform_stability=lambda n: Fraction(1, n), differential_privacy=1.0)
    >>> [notion.name for notion in said.notions]
    ['uniform-stability', 'differential-privacy']
    >>> said.at(Notion.UNIFORM_STABILITY, 4)
    Fraction(1, 4)
    """

    uniform_stability: AtSize[AnyNumber | None] = None
    private_prediction: AtSize[Privacy | None] = None
    differential_privacy: AtSize[Privacy | None] = None
    total_variation_stability: AtSize[AnyNumber | None] = None
    zero_concentrated_privacy: AtSize[AnyNumber | None] = None
    perfect_generalization: AtSize[PerfectGeneralization | None] = None
    robust_generalization: AtSize[RobustGeneralization | None] = None
    global_stability: AtSize[AnyNumber | None] = None
    accuracy: AtSize[Accuracy | None] = None

    def __post_init__(self) -> None:
        if not self.notions:
            raise InvalidInput("declares", "nothing", f"one of {[f.name for f in fields(self)]}")

    @property
    def notions(self) -> tuple[Notion, ...]:
        """The notions that are declared."""
        named = (field.name for field in fields(self))
        said = (name for name in named if self._said(name) is not None)
        return tuple(Notion.named(name.replace("_", "-")) for name in said)

    def __call__(self, n: int, /) -> Promises:
        """Return what is declared for samples of size n: a learner's ``promises`` can be this."""
        said = {notion: self.at(notion, n) for notion in self.notions}
        return {notion: value for notion, value in said.items() if value is not None}

    def at(self, notion: Notion, n: int) -> object:
        """Return what is declared of a notion for samples of size n; ``None`` if nothing is.

        Raises
        ------
        InvalidInput
            Parameters of several numbers are not given as such.
        """
        name = notion.name.replace("-", "_")
        said = self._said(name)
        value = said(n) if callable(said) else said
        wanted = _PARAMETERS.get(notion, object)
        if value is not None and not isinstance(value, wanted):
            raise InvalidInput(name, described(value), f"{wanted.__name__}(...)")
        return value

    def _said(self, name: str) -> object:
        said: object = getattr(self, name)
        return said


@dataclass(frozen=True, slots=True)
class Promised:
    """What a learner promises, at the sizes that are checked.

    Attributes
    ----------
    promises
        The mapping from a notion to its value, for each size.
    sizes
        The sizes.
    """

    promises: Callable[[int], Promises]
    sizes: tuple[int, ...]

    @property
    def notions(self) -> tuple[Notion, ...]:
        """The notions of which something is promised at one of the sizes."""
        listed = dict.fromkeys(notion for n in self.sizes for notion in self.promises(n))
        return tuple(notion for notion in listed if isinstance(notion, Notion))

    def at(self, notion: Notion, n: int) -> object:
        """Return what is promised of a notion for samples of size n; ``None`` if nothing is."""
        return self.promises(n).get(notion)


def declared_by(
    learner: object, declares: Declares | None = None, sizes: tuple[int, ...] = ()
) -> Declares | Promised:
    """Return what a learner declares.

    Parameters
    ----------
    learner
        The learner.
    declares
        What is said of it; by default what its ``promises`` say, or its attribute ``declares``.
    sizes
        The sizes of samples at which promises are asked for.

    Raises
    ------
    InvalidInput
        There is nothing of these.
    """
    promises = getattr(learner, "promises", None)
    if declares is None and callable(promises):
        return Promised(promises, sizes)
    said = getattr(learner, "declares", None) if declares is None else declares
    if not isinstance(said, Declares):
        raise InvalidInput(
            "declares",
            described(said),
            "a Declares(...) as an argument, or what the learner `promises`",
        )
    return said
