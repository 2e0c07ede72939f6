"""The tape: coins that enumerate every path of a program into its exact law."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from pac_stability.arithmetic import as_fraction, as_size
from pac_stability.data.distribution import FiniteDistribution
from pac_stability.errors import InvalidInput, NotReplayable, PathBudgetExhausted
from pac_stability.randomness import Coins, WeightedChoice

Out = TypeVar("Out")
Out_co = TypeVar("Out_co", covariant=True)

_Question: TypeAlias = int | Fraction | tuple[int | Fraction, ...]

_MAX_PATHS = 1_000_000
_MAX_DEPTH = 1_000


@dataclass(frozen=True)
class Path(Generic[Out_co]):
    """One way a program can go.

    Attributes
    ----------
    outcome
        What the program returned.
    probability
        The product of the probabilities of the answers.
    answers
        What the coins answered, in order.
    """

    outcome: Out_co
    probability: Fraction
    answers: tuple[int, ...]


class _Draw:
    """One question of the program, and the answers still to be tried."""

    __slots__ = ("answer", "kind", "mass", "parent_mass", "question", "total", "weights")

    def __init__(
        self,
        kind: str,
        question: _Question,
        weights: Sequence[int] | None,
        total: int,
        parent: tuple[int, int],
    ) -> None:
        self.kind = kind
        self.question = question
        self.weights = weights  # None: all one
        self.total = total
        self.parent_mass = parent
        self.answer = -1
        self.mass = parent
        self.advance()

    def advance(self) -> bool:
        """Move on to the next answer of positive weight, if there is one."""
        answer = self.answer + 1
        if self.weights is None:
            weight = 1
        else:
            while answer < len(self.weights) and not self.weights[answer]:
                answer += 1
            weight = self.weights[answer] if answer < len(self.weights) else 0
        if answer >= (self.total if self.weights is None else len(self.weights)):
            return False
        self.answer = answer
        self.mass = (self.parent_mass[0] * weight, self.parent_mass[1] * self.total)
        return True

    def __str__(self) -> str:
        if isinstance(self.question, tuple):
            return f"choose({len(self.question)} weights) -> {self.answer}"
        return f"{self.kind}({self.question}) -> {self.answer}"


class _Tape:
    """Coins that repeat a recorded prefix of answers and record what is asked beyond it."""

    __slots__ = ("draws", "error", "max_depth", "next", "settled")

    def __init__(self, max_depth: int) -> None:
        self.draws: list[_Draw] = []
        self.next = 0
        self.max_depth = max_depth
        self.settled: Callable[[], Fraction] = lambda: Fraction(0)
        # Kept here too, because the program may swallow what is raised inside it.
        self.error: Exception | None = None

    def below(self, n: int, /) -> int:
        if self.next < len(self.draws):
            return self._replay("below", n)
        size = as_size(n, "n", least=1)
        return self._record("below", size, None, size)

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        question = tuple(weights)
        if self.next < len(self.draws):
            return self._replay("choose", question)
        table = weights if isinstance(weights, WeightedChoice) else WeightedChoice(question)
        return self._record("choose", question, table, table.total)

    def bernoulli(self, p: int | Fraction, /) -> int:
        if self.next < len(self.draws):
            return self._replay("bernoulli", p)
        chance = as_fraction(p, "p")
        if not 0 <= chance <= 1:
            raise InvalidInput("p", str(chance), "a probability between 0 and 1")
        one, total = chance.numerator, chance.denominator
        return self._record("bernoulli", chance, (total - one, one), total)

    def _replay(self, kind: str, question: _Question) -> int:
        draw = self.draws[self.next]
        if draw.kind != kind or draw.question != question:
            raise self._fail(
                NotReplayable(
                    f"draw {self.next + 1} of the program was {kind}({question}) when run again, "
                    f"and {draw} before; a program may depend on its input and its coins only"
                )
            )
        self.next += 1
        return draw.answer

    def _record(
        self, kind: str, question: _Question, weights: Sequence[int] | None, total: int
    ) -> int:
        if len(self.draws) >= self.max_depth:
            raise self._fail(self.exhausted(f"a path is longer than max_depth = {self.max_depth}"))
        parent = self.draws[-1].mass if self.draws else (1, 1)
        draw = _Draw(kind, question, weights, total, parent)
        self.draws.append(draw)
        self.next += 1
        return draw.answer

    def _fail(self, error: Exception) -> Exception:
        self.error = error
        return error

    def exhausted(self, reason: str) -> PathBudgetExhausted:
        path = tuple(str(draw) for draw in self.draws)
        settled = self.settled()
        tail = ", ".join(path[-3:])
        return PathBudgetExhausted(
            f"{reason}; the paths completed have probability {float(settled):.6g}, "
            f"the last draws were {tail or 'none'}",
            path,
            settled,
        )

    def rewind(self) -> bool:
        """Go back to the last draw with an answer left to try, and take it."""
        while self.draws and not self.draws[-1].advance():
            self.draws.pop()
        self.next = 0
        return bool(self.draws)


def _walk(
    program: Callable[[Coins], Out], max_paths: int, max_depth: int
) -> Iterator[tuple[Out, tuple[int, int], _Tape]]:
    """Yield the outcome and the mass (numerator, denominator) of every path, depth first."""
    limit = as_size(max_paths, "max_paths", least=1)
    tape = _Tape(as_size(max_depth, "max_depth"))
    settled: dict[int, int] = {}
    tape.settled = lambda: sum((Fraction(n, d) for d, n in settled.items()), start=Fraction(0))
    paths = 0
    while True:
        if paths == limit:
            raise tape.exhausted(f"there are more than max_paths = {limit} paths")
        try:
            outcome = program(tape)
        except Exception as error:
            if tape.error is None:
                path = ", ".join(str(draw) for draw in tape.draws[: tape.next])
                error.add_note(f"on the path: {path or 'no draws'}")
                raise
            raise tape.error from None
        if tape.error is not None:
            raise tape.error
        if tape.next != len(tape.draws):
            raise NotReplayable(
                f"the program made {tape.next} draws when run again, and {len(tape.draws)} or more "
                "before; a program may depend on its input and its coins only"
            )
        mass = tape.draws[-1].mass if tape.draws else (1, 1)
        settled[mass[1]] = settled.get(mass[1], 0) + mass[0]
        paths += 1
        yield outcome, mass, tape
        if not tape.rewind():
            return


def enumerate_paths(
    program: Callable[[Coins], Out], *, max_paths: int = _MAX_PATHS, max_depth: int = _MAX_DEPTH
) -> Iterator[Path[Out]]:
    """Yield every path of a program that draws only through its coins, depth first.

    Parameters
    ----------
    program
        A function of coins that does the same again when given the same answers. It is run once for
        each path.
    max_paths
        How many paths may be completed.
    max_depth
        How many draws a path may have; this is what ends a program that does not terminate.

    Raises
    ------
    PathBudgetExhausted
        A limit was met; the error carries the path and the probability settled so far.
    NotReplayable
        The program asked something else after the same answers.

    Examples
    --------
    >>> [(path.outcome, path.answers) for path in enumerate_paths(lambda rng: rng.below(2) * 10)]
    [(0, (0,)), (10, (1,))]
    """
    for outcome, mass, tape in _walk(program, max_paths, max_depth):
        yield Path(outcome, Fraction(*mass), tuple(draw.answer for draw in tape.draws))


def enumerate_law(
    program: Callable[[Coins], Out], *, max_paths: int = _MAX_PATHS, max_depth: int = _MAX_DEPTH
) -> FiniteDistribution[Out]:
    """Return the exact law of the outcome of a program that draws only through its coins.

    Parameters and errors are those of :func:`enumerate_paths`; outcomes must be hashable.

    Raises
    ------
    InvalidInput
        An outcome is not hashable.

    Notes
    -----
    Costs one run of the program and a few microseconds for each path, and memory for the outcomes
    and one path. Answers of probability zero are not tried.

    Examples
    --------
    >>> law = enumerate_law(lambda rng: rng.below(6) + rng.below(6) + 2)
    >>> law.probability(7)
    Fraction(1, 6)
    """
    by_denominator: dict[int, dict[Out, int]] = {}
    order: dict[Out, None] = {}
    for outcome, (numerator, denominator), _ in _walk(program, max_paths, max_depth):
        sums = by_denominator.setdefault(denominator, {})
        try:
            sums[outcome] = sums.get(outcome, 0) + numerator
        except TypeError:
            raise InvalidInput(
                "outcome", f"a {type(outcome).__name__}", "a hashable outcome (a tuple for a list)"
            ) from None
        order[outcome] = None
    totals = dict.fromkeys(order, Fraction(0))
    for denominator, sums in by_denominator.items():
        for outcome, numerator in sums.items():
            totals[outcome] += Fraction(numerator, denominator)
    return FiniteDistribution(totals)
