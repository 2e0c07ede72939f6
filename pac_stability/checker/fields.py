"""Read the fields of a certificate one by one, and refuse those that are malformed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from pac_stability.errors import InvalidInput
from pac_stability.reading import exact_number, exact_text, number_from

if TYPE_CHECKING:
    from pac_stability.checker.pairs import WrittenLaws


Number: TypeAlias = Fraction | float
"""A parameter: exact, or ``math.inf``."""

Fields: TypeAlias = dict[str, object]
Counts: TypeAlias = dict[str, int]

Key: TypeAlias = str
"""A value of the certificate as text; equal when Python calls the values equal.

A text, because its hash is salted. Integers hash to themselves, so that whoever writes a file could
choose ten thousand of them that fall into one place of a dictionary, and cost us a day.
"""

Law: TypeAlias = dict[Key, Fraction]

Objects: TypeAlias = list[dict[Key, int]]
"""For each object that a certificate describes: its labels, if it is a hypothesis."""


class TooLongError(InvalidInput):
    """Checking the certificate takes more steps than the limit allows."""


@dataclass(slots=True)
class Limits:
    """Limits on the length of numbers, in bits, and on the steps of all recomputations together.

    Attributes
    ----------
    bits, steps
        The limits. A step is about a microsecond.
    spent
        The steps taken so far. Work that is linear in the size of the certificate counts nothing.
    """

    bits: int
    steps: int
    spent: int = 0

    @property
    def left(self) -> int:
        """The steps that remain."""
        return self.steps - self.spent

    def spend(self, steps: int, where: str) -> None:
        """Count steps before they are taken; refuse to exceed the limit."""
        if steps > self.left:
            raise TooLongError(where, f"more than {self.steps} steps of work", "more max_steps")
        self.spent += steps

    def number(self, value: object, where: str) -> Fraction:
        """Read an exact number; its greatest common divisor takes quadratic time."""
        number = exact_number(value, where, self.bits)
        self.spend(_steps_for(number), where)
        return number


def _steps_for(number: Fraction) -> int:
    """Return the steps that the gcd of two numbers of so many bits takes; 0 for short numbers."""
    bits = number.denominator.bit_length()
    return bits * max(bits, number.numerator.bit_length()) >> 17


@dataclass(frozen=True, slots=True)
class StatedInstance:
    """The finite instance of a certificate, with elements and points as keys."""

    labelled: bool
    universe: tuple[Key, ...]
    n: int
    points: tuple[Key, ...]
    epsilon_ratio: Fraction
    delta: Fraction
    beta: Fraction
    optimum: Fraction
    relation: str
    group_size: int
    distribution: Law | None
    symmetry: str
    sizes: range
    own: Mapping[str, Fraction] = field(default_factory=dict)
    listed: frozenset[tuple[tuple[Key, ...], tuple[Key, ...]]] = frozenset()


@dataclass(frozen=True, slots=True)
class Judge:
    """How to decide whether a divergence of two laws exceeds a value, or keeps to a bound.

    Attributes
    ----------
    shows
        Whether the divergence of an order certainly reaches the value.
    keeps
        Whether the divergence of one law from the other is certainly within the bound.
    words
        What a witness of order ``{order}`` shows, in words.
    """

    shows: Callable[[Law, Law, Fraction, Fraction, Case], bool]
    keeps: Callable[[Law, Law, Fraction, Case], bool]
    words: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a certificate of a notion is about; the modules of ``notions`` define one for each.

    Attributes
    ----------
    points
        Whether the laws are those of the label predicted at a point.
    factor
        Whether the parameter is a factor e**epsilon, at a fixed delta. Otherwise, for a pair, it is
        the excess over a fixed factor: P(E) minus ``epsilon_ratio`` times Q(E).
    at_least
        Whether a claim says "at least".
    from_above
        Whether the witness bounds the parameter from above, not from below.
    fixed
        The parameters of an instance that the notion fixes. The others must be 0, and the factor 1:
        a factor that the notion does not have would turn it into a weaker one.
    least
        The least value of the notion's own parameter.
    divergence
        How to judge a pair of laws where the parameter bounds divergences, not events.
    laws
        How to compute the parameter from the laws on all samples drawn from a distribution. Without
        it, a witness has two laws, on neighbouring samples.
    """

    points: bool = False
    factor: bool = False
    at_least: bool = False
    from_above: bool = False
    fixed: tuple[str, ...] = ()
    least: int = 0
    divergence: Judge | None = None
    laws: Callable[[WrittenLaws], Shown] | None = None

    @property
    def pairs(self) -> bool:
        """Whether a witness has two laws, on neighbouring samples."""
        return self.laws is None


@dataclass(frozen=True, slots=True)
class Case:
    """What a certificate is about, with all that judging its witness needs."""

    notion: str
    asked: Asked
    claim: Fraction | None
    instance: StatedInstance
    objects: Objects
    limits: Limits

    def claim_fails(self, value: Number) -> bool:
        """Return whether a value of the parameter contradicts the claim."""
        if self.claim is None:
            return False
        return value < self.claim if self.asked.at_least else value > self.claim


@dataclass(frozen=True, slots=True)
class Shown:
    """What a witness shows.

    ``refutes`` says whether it refutes the claim. ``exact`` says whether it proves that the
    parameter equals ``value``. ``keeps`` says whether it proves that the claim holds although the
    exact parameter is unknown.
    """

    value: Number
    refutes: bool
    exact: bool
    proved: tuple[str, ...]
    trusted: tuple[str, ...] = ()
    keeps: bool = False


def refuse(where: str, given: object, wanted: str) -> InvalidInput:
    """Return the error for a field, with a short form of what came."""
    try:
        text = repr(given)
    except (ValueError, RecursionError):  # an integer of thousands of digits, or tuples in tuples
        text = "an enormous value"
    return InvalidInput(where, text if len(text) <= 60 else f"{text[:57]}...", wanted)


def in_words(number: Number) -> str:
    """Write a number exactly, followed by a decimal; a very long one as the decimal alone.

    Examples
    --------
    >>> in_words(Fraction(2, 3)), in_words(Fraction(3)), in_words(math.inf)
    ('2/3 (0.6667)', '3', 'infinity')
    """
    if isinstance(number, float):
        return "infinity"
    if number.denominator == 1 and number.numerator.bit_length() <= 128:
        return str(number)
    try:
        decimal = f"{float(number):.4g}"
    except OverflowError:
        decimal = f"about 2^{number.numerator.bit_length() - number.denominator.bit_length()}"
    short = number.numerator.bit_length() + number.denominator.bit_length() <= 128
    return f"{number} ({decimal})" if short else f"about {decimal.removeprefix('about ')}"


def as_object(value: object, where: str, keys: Iterable[str]) -> Fields:
    """Return an object that has exactly the given keys."""
    wanted = list(keys)
    if not isinstance(value, dict):
        raise refuse(where, value, f"an object with the keys {', '.join(wanted)}")
    for key in wanted:
        if key not in value:
            raise InvalidInput(where, f"no field {key!r}", f"the keys {', '.join(wanted)}")
    for key in value:
        if key not in wanted:
            raise refuse(where, key, f"only the keys {', '.join(wanted)}")
    return value


def as_list(value: object, where: str, length: int | None = None) -> list[object]:
    """Return a list; if a length is given, require it."""
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise refuse(where, value, "a list" if length is None else f"a list of {length}")
    return value


def as_text(value: object, where: str, choices: Sequence[str] = ()) -> str:
    """Return a string; if choices are given, require one of them."""
    if not isinstance(value, str) or (choices and value not in choices):
        raise refuse(where, value, f"one of {', '.join(choices)}" if choices else "text")
    return value


def as_size(value: object, where: str, least: int = 0) -> int:
    """Return an integer that is at least ``least``."""
    if type(value) is not int or value < least:
        raise refuse(where, value, f"an integer that is at least {least}")
    return value


def as_probability(value: object, where: str, limits: Limits) -> Fraction:
    """Return an exact number from 0 to 1."""
    number = limits.number(value, where)
    if not 0 <= number <= 1:
        raise refuse(where, value, "a number from 0 to 1")
    return number


def as_parameter(value: object, where: str, limits: Limits) -> Number:
    """Return an exact number or infinity."""
    return math.inf if value == "infinity" else limits.number(value, where)


def as_key(value: object, where: str, *, objects: int = 0) -> Key:
    """Return a point or an outcome as a key; ``{"object": i}`` is one of ``objects`` objects.

    Strings are in quotes, tuples in brackets, and each number has one canonical text. So different
    values have different keys.
    """
    if value is None:
        return "none"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return f"({','.join(as_key(part, where) for part in value)})"
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return exact_text(Fraction(value))
    if isinstance(value, dict) and len(value) == 1:
        text, index = value.get("fraction"), value.get("object")
        if isinstance(text, str):
            return exact_text(number_from(text, where))
        if type(index) is int and 0 <= index < objects:
            return f"object {index}"
    raise refuse(where, value, "a plain value, or an object of the table")


def as_element(value: object, where: str, *, labelled: bool) -> Key:
    """Return an element of a sample as a key: an example (point, label), or a record."""
    if not labelled:
        return as_key(value, where)
    point, label = as_list(value, where, length=2)
    if type(label) is not int or label not in (0, 1):
        raise refuse(where, value, "[point, label], the label 0 or 1")
    return f"example {as_key(point, where)} {label}"


def as_law(forms: object, where: str, objects: int, limits: Limits) -> Law:
    """Return a probability distribution: distinct outcomes, positive numbers of sum exactly 1."""
    return checked_law(
        (
            (as_key(outcome, where, objects=objects), limits.number(p, where))
            for outcome, p in (as_list(pair, where, length=2) for pair in as_list(forms, where))
        ),
        where,
        limits,
    )


def checked_law(pairs: Iterable[tuple[Key, Fraction]], where: str, limits: Limits) -> Law:
    """Return the pairs as a law; refuse those that are none."""
    law: Law = {}
    for outcome, p in pairs:
        if outcome in law:
            raise InvalidInput(where, "an outcome twice", "each outcome once")
        if p <= 0:
            raise refuse(where, in_words(p), "positive probabilities")
        law[outcome] = p
    if total(law.values(), limits) != 1:
        raise InvalidInput(where, "probabilities of another sum", "a sum of exactly 1")
    return law


def total(numbers: Iterable[Fraction], limits: Limits) -> Fraction:
    """Return the sum of numbers; refuse those whose common denominator would grow too long."""
    result = Fraction(0)
    for number in numbers:
        result = add(result, number, limits)
    return result


def add(number: Fraction, other: Fraction, limits: Limits) -> Fraction:
    """Return the sum of two numbers; refuse a sum that is too long."""
    result = number + other
    limits.spend(_steps_for(result), "certificate")
    if result.denominator.bit_length() > limits.bits:
        given = f"numbers whose sum has more than {limits.bits} bits"
        raise InvalidInput("certificate", given, "shorter ones, or more max_bits")
    return result


def times(number: Fraction, other: Fraction, limits: Limits) -> Fraction:
    """Return the product of two numbers, and count its steps."""
    result = number * other
    limits.spend(_steps_for(result), "certificate")
    return result


def mass(event: Iterable[Key], law: Mapping[Key, Fraction], limits: Limits) -> Fraction:
    """Return the probability of an event."""
    return total((law.get(outcome, Fraction(0)) for outcome in event), limits)
