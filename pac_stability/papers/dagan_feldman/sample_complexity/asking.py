"""What is asked of a learner, and what a size answers."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Generic, Literal, NamedTuple, TypedDict, TypeVar, Unpack

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_open_unit, in_words
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, as_constants
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.classes import Family
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.sample_complexity._growth import Growth

HALF = Fraction(1, 2)

L_co = TypeVar("L_co", covariant=True)
F = TypeVar("F", bound=Callable[..., object])


class Known(TypedDict, total=False):
    """What may be known besides the VC dimension, and whose constants are asked for."""

    constants: ConstantsLike
    class_size: int | None
    growth: Callable[[int], int] | None


class Share(NamedTuple):
    """A part of what is allowed, and the step that may spend it."""

    of: Literal["alpha", "beta", "gamma"]
    step: str
    amount: Fraction


@dataclass(frozen=True, slots=True, init=False)
class Ask:
    """What is asked of a learner, checked and exact.

    Parameters
    ----------
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1.
    vc_dimension
        d, at least 1.
    gamma, epsilon
        The uniform stability, or the privacy of each prediction: one of them.
    class_size
        The number of hypotheses, if it is finite and known.
    growth
        A bound on the growth function, which does not decrease.
    constants
        Printed, proved, or the sharpest that is proved.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> ask = Ask("1/10", "1/20", vc_dimension=1, gamma="1/10")
    >>> ask.alpha, ask.stability, ask.patterns(3)
    (Fraction(1, 10), Fraction(1, 10), 4)
    """

    alpha: Fraction
    beta: Fraction
    gamma: Fraction | None
    epsilon: Epsilon | None
    patterns: Growth
    """tau_m, the largest number of patterns on m points or fewer, as far as it is known."""
    constants: Constants

    def __init__(
        self,
        alpha: AnyNumber,
        beta: AnyNumber,
        *,
        vc_dimension: int,
        gamma: AnyNumber | None = None,
        epsilon: Epsilon | AnyNumber | None = None,
        **known: Unpack[Known],
    ) -> None:
        checked = {
            "constants": as_constants(known.get("constants", Constants.SHARP)),
            "alpha": _as_part(alpha, "alpha"),
            "beta": _as_part(beta, "beta"),
            "gamma": None if gamma is None else _as_part(gamma, "gamma"),
            "epsilon": None if epsilon is None else as_positive_epsilon(epsilon),
            "patterns": Growth(vc_dimension, known.get("class_size"), known.get("growth")),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def stability(self) -> Fraction:
        """Gamma, which a stable learner is asked for."""
        return _needed(self.gamma, "gamma", "the uniform stability")

    @property
    def privacy(self) -> Epsilon:
        """Epsilon, which a private learner is asked for."""
        return _needed(self.epsilon, "epsilon", "the privacy of each prediction")

    @property
    def printed(self) -> bool:
        """Whether the constants are the printed ones."""
        return self.constants is Constants.PRINTED

    @property
    def proved(self) -> bool:
        """Whether the paper's accounting is asked for, with the best lemmas."""
        return self.constants is Constants.PROVED


T = TypeVar("T")


_LEAST = Fraction(1, 10**100)
"""Of alpha, beta and gamma: floats guide the search, and hold their squares."""


def _as_part(value: AnyNumber, argument: str) -> Fraction:
    part = as_open_unit(value, argument)
    if part < _LEAST:
        raise InvalidInput(argument, in_words(part), "at least 10**-100")
    return part


def _needed(value: T | None, argument: str, wanted: str) -> T:
    if value is None:
        raise InvalidInput(argument, "None", wanted)
    return value


class Split(NamedTuple):
    """What each step of a proof may spend of alpha, and what is chosen with it.

    Attributes
    ----------
    flip
        The probability of a flip; what the other steps spend is after it.
    net, subset, selection, generalisation, parts, deviation, noise
        Of the excess loss; 0 for a step that the proof does not have.
    part
        The largest n'/n.
    decay
        Of the exponential mechanism.
    block_error, sharpness, ratio
        Of the votes: see ``_votes`` and ``private_prediction``.
    """

    flip: Fraction = Fraction(0)
    net: Fraction = Fraction(0)
    subset: Fraction = Fraction(0)
    selection: Fraction = Fraction(0)
    generalisation: Fraction = Fraction(0)
    parts: Fraction = Fraction(0)
    deviation: Fraction = Fraction(0)
    noise: Fraction = Fraction(0)
    part: Fraction = Fraction(1)
    decay: Fraction = HALF
    block_error: Fraction = Fraction(0)
    sharpness: int = 0
    ratio: Fraction = Fraction(1)

    def budget(self, *steps: str) -> tuple[Share, ...]:
        """Return what these steps may spend of alpha, those that spend nothing left out."""
        left = 1 - 2 * self.flip
        amounts = {step: getattr(self, step) * (1 if step == "flip" else left) for step in steps}
        return tuple(Share("alpha", step, amount) for step, amount in amounts.items() if amount)


@dataclass(frozen=True, slots=True, repr=False)
class LeastSize(Tabled):
    """A number of examples that is enough, and why it is not smaller.

    Attributes
    ----------
    sample_size : int
        n.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    """

    sample_size: int
    binding: str
    constants: Constants

    def _rows(self) -> Mapping[str, object]:
        return {
            "examples": self.sample_size,
            "binding": self.binding,
            "constants": self.constants,
        }

    def __repr__(self) -> str:
        limited = f"limited by {self.binding}, {self.constants.value} constants"
        return f"<{type(self).__name__}: {self.sample_size:,} examples, {limited}>"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Size(LeastSize, ABC, Generic[L_co]):
    """How many examples a learner needs, with which parameters, and the learner itself.

    Attributes
    ----------
    sample_size : int
        n.
    binding : str
        The condition, or the bound, that decided.
    constants : Constants
        Whose constants.
    budget : tuple of Share
        How alpha, beta and gamma are divided, as far as they are.
    """

    budget: tuple[Share, ...] = field(repr=False)

    @property
    def parameters(self) -> Mapping[str, object]:
        """What the learner is made with, by name."""
        common = {each.name for each in fields(Size)}
        own = (each.name for each in fields(self))
        return {name: getattr(self, name) for name in own if name not in common}

    def learner(self, H: Family) -> L_co:
        """Return the learner, which refuses samples that are too small.

        Parameters
        ----------
        H
            A class of the VC dimension (and of the size, or the growth) that was asked for. The
            exponential mechanism takes a finite class.

        Raises
        ------
        InvalidInput
            The learner is none for this class.
        """
        return self._made(H)

    def _rows(self) -> Mapping[str, object]:
        return {**LeastSize._rows(self), **self.parameters}

    @abstractmethod
    def _made(self, H: Family) -> L_co: ...


def size_of(function: F) -> F:
    """Complete the signature of a size function by what may be known.

    The functions take what is optional as ``**known``; readers and tools see the names.
    """
    signature = inspect.signature(function)
    named = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    known = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind.__forward_arg__
        )
        for (name, kind), default in zip(
            Known.__annotations__.items(), (Constants.SHARP, None, None), strict=True
        )
    ]
    shown = signature.replace(parameters=[*named, *known])
    function.__signature__ = shown  # type: ignore[attr-defined]  # what inspect.signature reads
    return function
