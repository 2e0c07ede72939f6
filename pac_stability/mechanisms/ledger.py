"""A budget that cannot be overdrawn: a ledger records each use before the answer is given.

The program ``docs/examples/accountants.py`` hands the uses to other libraries, rounded upwards.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Literal, NamedTuple, final

from pac_stability import arguments
from pac_stability._alarm import alone
from pac_stability.arithmetic import Epsilon, EpsilonLike, Interval, least_integer
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.data import Neighbouring
from pac_stability.data.neighbouring import as_neighbouring
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.keeping.writing import ChainedLog, FilePath, ReadSoFar, Turn
from pac_stability.mechanisms.accounting import Composition, PrivacyGuarantee

CompositionRule = Literal["basic", "optimal"]
Relation = Literal["replace-one", "add-remove"]
Spending = PrivacyGuarantee | EpsilonLike
"""A guarantee, or an epsilon alone."""

_LONG = 1 << 16
"""Products of rationals of so many bits are not written out to compare them."""

_TERMS = "pac_stability-ledger"
_LONGEST_NOTE = 200
_REPLACED = Neighbouring.REPLACE_ONE
_RELATIONS = {_REPLACED: "one row replaced", Neighbouring.ADD_REMOVE: "rows added or removed"}


class Use(NamedTuple):
    """The cost of one answer, as it was given.

    Attributes
    ----------
    number
        An epsilon that was given as a number; 0 otherwise.
    factor
        An epsilon that was given by its factor e**epsilon; 1 otherwise.
    delta
        The delta.
    """

    number: Fraction
    factor: Fraction
    delta: Fraction

    def __str__(self) -> str:
        return f"{self.number} {self.factor} {self.delta}"


class Entry(NamedTuple):
    """One line of a ledger: a batch of uses.

    Attributes
    ----------
    times
        How many uses.
    use
        The cost of each use, under the relation of the ledger.
    date
        When it was recorded, as ``2026-01-31T12:00:00Z``; empty if unknown.
    name
        Who used it, such as the class of an estimator; may be empty.
    note
        A note by the user; may be empty.
    """

    times: int
    use: Use
    date: str = ""
    name: str = ""
    note: str = ""

    def __str__(self) -> str:
        """Return the entry as a line of the file."""
        return "\t".join([f"{self.times} {self.use}", self.date, self.name, self.note])


class _State(NamedTuple):
    """What is known of a ledger, in one object, so that no interrupt leaves half of it.

    Attributes
    ----------
    uses
        What was used up, and how often.
    lines
        How many entries that is.
    place
        How far the file was read for it.
    """

    uses: Counter[Use]
    lines: int = 0
    place: ReadSoFar = ReadSoFar()


@final
class Ledger:
    """A privacy budget and its uses; it records a use before its answer is given.

    Parameters
    ----------
    path
        A file that several processes may share; it is created if it does not exist. Without one the
        ledger lives as long as the object.
    epsilon, delta
        The limit on the total of all uses.
    composition
        How uses add up: ``"basic"``, the sum of the epsilons and ``1 - prod(1 - delta_i)``; or
        ``"optimal"``, the total that :class:`~pac_stability.mechanisms.Composition` certifies for
        adaptively chosen mechanisms with these guarantees.
    neighbours
        Which tables the budget compares: ``"replace-one"`` row, or ``"add-remove"`` one. A use that
        is given as a guarantee for rows added or removed counts twice in a ledger for a row
        replaced (:meth:`~pac_stability.mechanisms.PrivacyGuarantee.under`); a ledger for rows added
        or removed refuses one for a row replaced, which implies nothing there. An epsilon alone is
        under the ledger's relation.

    Attributes
    ----------
    neighbours
        The relation, a member of :class:`~pac_stability.data.Neighbouring`.

    Raises
    ------
    InvalidInput
        A parameter is out of range; the file cannot be written, was damaged, or is of a ledger
        with other terms.

    Notes
    -----
    Numbers are exact. An epsilon that is given as a number is added as that rational. One that is
    given by its factor is compared through certified logarithms, and an undecidable comparison is
    refused. So a hundred thousand uses of 1/3, or of 1e-320, add up exactly.

    :meth:`reserve` records all uses of a batch or none. They are on the disk before it returns, and
    processes take turns. A process that is killed or interrupted at any line may have been charged
    for answers that it never got, but no answer is ever given uncharged. A ledger in memory belongs
    to the process that made it; it refuses to work in a fork, which would be a second budget. A
    digest of all earlier lines seals each line, so a changed file is refused. No file can notice
    that an earlier copy of itself replaced it. The file shows how much was used, and nothing about
    the data.

    Examples
    --------
    >>> ledger = Ledger(epsilon=1)
    >>> ledger.reserve("1/3", times=2)
    >>> ledger.left("1/3"), ledger.left("1/10")
    (1, 3)
    >>> ledger.reserve("0.4")
    Traceback (most recent call last):
        ...
    pac_stability.errors.BudgetExhausted: 1 use of epsilon 0.4: 0 are left of the budget epsilon 1
    for one row replaced (epsilon 0.666667 is used, 0.4 asked, 0.333333 left)
    >>> print(ledger.report())
    2 uses of epsilon 1/3
    used, for one row replaced: epsilon 0.666667
    left of epsilon 1: 0.333333
    """

    def __init__(
        self,
        path: FilePath | None = None,
        *,
        epsilon: EpsilonLike,
        delta: arguments.AnyNumber = 0,
        composition: CompositionRule = "basic",
        neighbours: Neighbouring | Relation = _REPLACED,
    ) -> None:
        if composition not in ("basic", "optimal"):
            raise InvalidInput(
                "composition", arguments.described(composition), "'basic' or 'optimal'"
            )
        self._total = as_use(epsilon, arguments.as_probability(delta, "delta"))
        self._rule: CompositionRule = composition
        self.neighbours: Neighbouring = as_neighbouring(neighbours)
        self._state = _State(Counter())
        self._entries: list[Entry] = []  # beyond what the state says, there may be more
        self._lock, self._process = threading.RLock(), os.getpid()
        self._log = None
        if path is not None:
            terms = f"{self._total} {composition}"
            older = f"{_TERMS} 1 {terms}" if self.neighbours is _REPLACED else ""
            header = f"{_TERMS} 2 {terms} {self.neighbours.value}"
            self._log = ChainedLog(path, header, older)
            self._known()  # so that a file of something else is refused at once

    def reserve(self, use: Spending, times: int = 1, *, name: str = "", note: str = "") -> None:
        """Record uses, all or none of them, before their answers are given.

        Parameters
        ----------
        use
            What each use costs: a :class:`~pac_stability.mechanisms.PrivacyGuarantee`, or an
            epsilon.
        times
            How many.
        name, note
            A name and a note, recorded beside the date: who uses the budget, and for what. Put
            nothing about the data there: others may read the file.

        Raises
        ------
        BudgetExhausted
            They exceed what is left; nothing was recorded.
        InvalidInput
            A parameter is out of range, or the file as for the class; or another process has held
            the file for half a minute. Nothing was written down.
        """
        wanted, count = self._asked(use), arguments.as_size(times, "times")
        texts = _noted(name, "name"), _noted(note, "note")
        if not count:
            return
        alone(self._mine(), lambda: self._take(wanted, count, texts))

    def _take(self, wanted: Use, count: int, texts: tuple[str, str]) -> None:
        if self._log is not None:
            with self._log.turn(self._state.place) as turn:
                known = self._read(turn)
                entry = self._allowed(known, wanted, count, texts)
                turn.append(str(entry))
                self._state = self._with(known, [entry], turn.place)
            return
        known = self._state
        entry = self._allowed(known, wanted, count, texts)
        after = self._with(known, [entry], known.place)
        if self._state is not known:  # a handler of a signal was here
            raise InvalidInput("ledger", "a use within a use", "one use at a time")
        self._state = after

    def left(self, use: Spending) -> int:
        """Return how many more uses the budget would accept now, at most a million.

        Parameters
        ----------
        use
            What each costs, above 0.

        Raises
        ------
        InvalidInput
            It costs nothing, or as for :meth:`reserve`.
        """
        wanted = self._asked(use)
        if wanted == Use(Fraction(0), Fraction(1), Fraction(0)):
            raise InvalidInput("use", "one that costs nothing", "one with an end")
        return alone(self._mine(), lambda: self._most(self._known().uses, wanted, 10**6))

    def spent(self) -> Mapping[Use, int]:
        """Return the total that was used, under the ledger's relation, and the number of uses."""
        return alone(self._mine(), lambda: dict(self._known().uses))

    def entries(self) -> tuple[Entry, ...]:
        """Return the uses, batch by batch, with names, dates and notes."""
        return alone(self._mine(), lambda: tuple(self._entries[: self._known().lines]))

    def report(self) -> str:
        """Return in words how much was used and is left, with decimals that are rounded safely.

        Each use with a name or a note has its own line; the others are counted.
        """
        entries = self.entries()
        uses = sum((Counter({each.use: each.times}) for each in entries), Counter[Use]())
        named = [each for each in entries if each.name or each.note]
        plain = uses - sum((Counter({each.use: each.times}) for each in named), Counter[Use]())
        lines = [f"{_counted(n)} of {_worded(use)}" for use, n in sorted(plain.items())]
        lines += [
            f"{_counted(each.times)} of {_worded(each.use)}: "
            + ", ".join(filter(None, [each.name, each.date, each.note]))
            for each in named
        ]
        used = f"used, for {_RELATIONS[self.neighbours]}: epsilon {_above(uses)}"
        basic = " by the sum of the epsilons" if self._rule == "optimal" else ""
        return "\n".join(
            [*lines, used, f"left of {_worded(self._total)}{basic}: {self._free(uses)}"]
        )

    def __str__(self) -> str:
        return self.report()

    def __repr__(self) -> str:
        return f"<Ledger: budget {_worded(self._total)}>"

    def __copy__(self) -> Ledger:
        return self  # a copy would be another budget

    def __deepcopy__(self, _memory: object) -> Ledger:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        if self._log is None:
            raise InvalidInput(
                "ledger", "one that lives in memory alone", "one with a path to copy"
            )
        return _opened, (self._log.path, self._total, self._rule, self.neighbours)

    def _mine(self) -> contextlib.AbstractContextManager[bool]:
        """Return the lock under which a thread has the ledger."""
        if os.getpid() != self._process:  # a fork, whose other threads are gone
            if self._log is None:
                given = "one that lives in the memory of another process"
                raise InvalidInput("ledger", given, "one with a path, which processes share")
            self._lock, self._process = threading.RLock(), os.getpid()
        return self._lock

    def _known(self) -> _State:
        """Return what is known now, with all that others have written down."""
        if self._log is not None:
            with self._log.turn(self._state.place) as turn:
                return self._read(turn)
        return self._state

    def _read(self, turn: Turn) -> _State:
        self._state = self._with(self._state, map(_parsed, turn.fresh), turn.place)
        return self._state

    def _with(self, known: _State, entries: Iterable[Entry], place: ReadSoFar) -> _State:
        """Return what is known with more entries; before it is kept, nothing has changed."""
        uses, lines = known.uses.copy(), known.lines
        del self._entries[lines:]
        for entry in entries:
            self._entries.append(entry)
            uses[entry.use] += entry.times
            lines += 1
        return _State(uses, lines, place)

    def _allowed(self, known: _State, use: Use, times: int, texts: tuple[str, str]) -> Entry:
        """Return the entry for uses that fit."""
        if self._fits(known.uses + Counter({use: times})):
            now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            return Entry(times, use, now, *texts)
        left = self._most(known.uses, use, times - 1)
        raise BudgetExhausted(
            f"{_counted(times)} of {_worded(use)}: {left} are left of the budget"
            f" {_worded(self._total)} for {_RELATIONS[self.neighbours]}"
            f" (epsilon {_above(known.uses)} is used, {_above(Counter({use: times}))} asked,"
            f" {self._free(known.uses)} left)"
        )

    def _asked(self, use: Spending) -> Use:
        """Return what a use costs under the ledger's relation."""
        if isinstance(use, PrivacyGuarantee):
            return as_use(use.under(self.neighbours))
        return as_use(use)

    def _free(self, uses: Counter[Use]) -> str:
        """Return the epsilon that is left by the sum of the epsilons, rounded down."""
        rest = _logarithm(Counter({self._total: 1})) - _logarithm(uses)
        return _millionths(math.floor(max(rest.lower, Fraction(0)) * 10**6))

    def _most(self, uses: Counter[Use], use: Use, most: int) -> int:
        """Return how many more uses fit, at most so many."""

        def too_many(more: int) -> bool:
            return more > most or not self._fits(uses + Counter({use: more}))

        return least_integer(too_many, 1) - 1

    def _fits(self, uses: Counter[Use]) -> bool:
        if not _deltas_fit(uses, self._total.delta):
            return False
        if _epsilons_fit(uses, self._total):
            return True
        largest = max(self._total.number, *(use.number for use in uses), Fraction(0))
        if self._rule == "basic" or largest > Epsilon.LARGEST:
            return False
        target = self._total.number
        allowed = as_epsilon(target) if target else Epsilon.exactly(self._total.factor)
        guarantees: Counter[PrivacyGuarantee] = Counter()
        for use, count in uses.items():
            guarantees[_guarantee(use)] += count
        return Composition(guarantees).delta(allowed) <= self._total.delta


def as_use(use: Spending, delta: Fraction = Fraction(0)) -> Use:
    """Return the cost of an answer, exactly as given."""
    if isinstance(use, PrivacyGuarantee):
        return Use(Fraction(0), use.factor, use.delta)
    if isinstance(use, Epsilon):
        return Use(Fraction(0), use.ratio, delta)
    number = arguments.as_number(use, "epsilon")
    if number < 0:
        raise InvalidInput("epsilon", arguments.in_words(number), "a number that is not negative")
    return Use(number, Fraction(1), delta)


def _opened(path: FilePath, total: Use, rule: CompositionRule, neighbours: Neighbouring) -> Ledger:
    epsilon = Epsilon.exactly(total.factor) if total.factor > 1 else total.number
    return Ledger(path, epsilon=epsilon, delta=total.delta, composition=rule, neighbours=neighbours)


def _noted(text: object, argument: str) -> str:
    if isinstance(text, str) and text.isprintable() and len(text) <= _LONGEST_NOTE:
        return text
    wanted = f"one line of at most {_LONGEST_NOTE} characters"
    raise InvalidInput(argument, arguments.described(text), wanted)


def _parsed(line: str) -> Entry:
    """Read a line; those that were written before there were dates have none."""
    number = r"(\d+(?:/\d+)?)"
    found = re.fullmatch(rf"(\d+) {number} {number} {number}(?:\t(.*)\t(.*)\t(.*))?", line)
    if found is None:  # sealed, but not by this class
        raise InvalidInput("ledger", arguments.described(line), "lines of a ledger")
    count, *rest = found.groups()
    texts = [_noted(text or "", "ledger") for text in rest[3:]]
    return Entry(int(count), Use(*map(Fraction, rest[:3])), *texts)


def _guarantee(use: Use) -> PrivacyGuarantee:
    """Return a use as a guarantee; the factor of a number is rounded up."""
    number = Interval.exp(use.number, 128).upper if use.number else Fraction(1)
    return PrivacyGuarantee(Epsilon.exactly(use.factor * number), use.delta)


def _deltas_fit(uses: Counter[Use], allowed: Fraction) -> bool:
    """Whether ``1 - prod(1 - delta_i)`` is at most what is allowed, as far as can be told."""
    total = sum((count * use.delta for use, count in uses.items()), Fraction(0))
    if total <= allowed or allowed == 1:
        return True
    if allowed == 0 or allowed < total / (1 + total):  # 1 - prod(1 - d) >= 1 - e**-total
        return False
    bits = sum(count * use.delta.denominator.bit_length() for use, count in uses.items())
    if bits > _LONG:
        return False
    spared = math.prod(((1 - use.delta) ** count for use, count in uses.items()), start=Fraction(1))
    return 1 - spared <= allowed


def _epsilons_fit(uses: Counter[Use], total: Use) -> bool:
    """Whether the sum of the epsilons is at most the total, as far as can be told."""
    number = sum((count * use.number for use, count in uses.items()), Fraction(0))
    factors = [(use.factor, count) for use, count in uses.items() if use.factor > 1]
    if not factors and total.factor == 1:
        return number <= total.number
    bits = sum(count * factor.numerator.bit_length() for factor, count in factors)
    if number == total.number == 0 and bits <= _LONG:
        product = math.prod((factor**count for factor, count in factors), start=Fraction(1))
        return product <= total.factor
    return _logarithm(uses).upper <= _logarithm(Counter({total: 1})).lower


def _logarithm(uses: Counter[Use]) -> Interval:
    """Enclose the sum of the epsilons."""
    number = sum((count * use.number for use, count in uses.items()), Fraction(0))
    logs = (Interval.log(u.factor, 256) * n for u, n in uses.items() if u.factor > 1)
    return sum(logs, Interval.exactly(number))


def _above(uses: Counter[Use]) -> str:
    """Return the sum of the epsilons as a decimal that is no smaller."""
    return _millionths(math.ceil(_logarithm(uses).upper * 10**6))


def _millionths(number: int) -> str:
    whole, rest = divmod(number, 10**6)
    return f"{arguments.in_words(whole)}.{rest:06}".rstrip("0").rstrip(".")


def _counted(count: int) -> str:
    return f"{count} use" if count == 1 else f"{count} uses"


def _worded(use: Use) -> str:
    parts = [f"epsilon {_decimal(use.number)}"] if use.number or use.factor == 1 else []
    parts += [f"e^epsilon {_decimal(use.factor)}"] if use.factor > 1 else []
    parts += [f"delta {_decimal(use.delta)}"] if use.delta else []
    return ", ".join(parts)


def _decimal(number: Fraction) -> str:
    """Return a number as people write it: a short fraction, or a decimal."""
    if number.denominator == 1 or number.denominator in (2, 3, 4, 6, 8, 12, 16, 32):
        return str(number)
    return f"{float(number):g}"
