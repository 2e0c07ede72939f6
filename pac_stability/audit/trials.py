"""Runs of a black box, counted, within a budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

from pac_stability.arguments import as_size, described, require_value
from pac_stability.errors import BudgetExhausted, InvalidInput, PacStabilityError

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741  # an outcome
S_co = TypeVar("S_co", covariant=True)
O_co = TypeVar("O_co", covariant=True)

MAX_RUNS = 10_000_000
"""The largest number of runs in one audit unless another limit is given."""


@dataclass(frozen=True, slots=True)
class OutcomeCounts(Generic[S_co, O_co]):
    """What came out of the runs on one input.

    Attributes
    ----------
    sample
        The input.
    runs
        How many runs returned an outcome.
    counts
        How often each outcome came.
    """

    sample: S_co
    runs: int
    counts: Mapping[O_co, int]


class RunFailed(PacStabilityError):
    """A run raised an exception, or returned what cannot be compared.

    Attributes
    ----------
    tallies
        What the runs before it returned, input by input.
    """

    def __init__(self, message: str, tallies: tuple[OutcomeCounts[object, object], ...]) -> None:
        super().__init__(message)
        self.tallies = tallies

    def __reduce__(
        self,
    ) -> tuple[type[RunFailed], tuple[object, ...]]:
        return type(self), (str(self), self.tallies)


class RunsUnfinished(BudgetExhausted):
    """The time allowed ended before the runs did.

    No bound is given: the number of runs would depend on how long they took, and so perhaps on what
    they returned.

    Attributes
    ----------
    tallies
        What the finished runs returned, input by input.
    """

    def __init__(self, message: str, tallies: tuple[OutcomeCounts[object, object], ...]) -> None:
        super().__init__(message)
        self.tallies = tallies

    def __reduce__(
        self,
    ) -> tuple[type[RunsUnfinished], tuple[str, tuple[OutcomeCounts[object, object], ...]]]:
        return type(self), (str(self), self.tallies)


class Trials(Generic[S, O]):
    """Runs of a black box on pairs of inputs; what they returned is kept when one fails.

    The parameters are those of :func:`~pac_stability.audit.statistical.privacy_bound`; with
    ``learn``, the first half of the runs on each input is for learning an event.
    """

    def __init__(
        self,
        run: Callable[[S], O],
        pairs: Iterable[tuple[S, S]],
        runs: int,
        max_runs: int,
        time_limit: float | None,
        *,
        learn: bool,
    ) -> None:
        if not callable(run):
            raise InvalidInput("run", described(run), "a function of one input")
        self.pairs: tuple[tuple[S, S], ...] = tuple(pairs)
        if not self.pairs:
            raise InvalidInput("pairs", "none", "at least one pair of neighbouring inputs")
        given: tuple[object, ...] = self.pairs
        for pair in given:
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise InvalidInput("pairs", described(pair), "tuples of two inputs")
        runs = as_size(runs, "runs", least=2 if learn else 1)
        inputs = 2 * len(self.pairs)
        self.total: int = runs * inputs
        if self.total > as_size(max_runs, "max_runs"):
            raise InvalidInput(
                "runs",
                f"{runs} on each of {inputs} inputs, {self.total} in all",
                f"at most {max_runs // inputs}, or max_runs of at least {self.total}",
            )
        self.learning: int = runs // 2 if learn else 0
        self.testing: int = runs - self.learning
        self._run = run
        self._tallies: list[tuple[S, Counter[O]]] = []
        self._deadline = None
        if time_limit is not None:
            if not time_limit > 0:
                raise InvalidInput("time_limit", described(time_limit), "a positive number")
            self._deadline = monotonic() + time_limit

    def on(self, sample: S) -> tuple[Counter[O], Counter[O]]:
        """Return the outcomes of the runs for learning and of those for testing, counted."""
        everything: Counter[O] = Counter()
        self._tallies.append((sample, everything))
        learned = self._counted(sample, self.learning, everything)
        return learned, self._counted(sample, self.testing, everything)

    def _counted(self, sample: S, runs: int, everything: Counter[O]) -> Counter[O]:
        counts: Counter[O] = Counter()
        for _ in range(runs):
            outcome = self._outcome(sample)
            counts[outcome] += 1
            everything[outcome] += 1
        return counts

    def _outcome(self, sample: S) -> O:
        if self._deadline is not None and monotonic() >= self._deadline:
            raise RunsUnfinished(
                f"the time ended after {self._finished} of {self.total} runs", self._so_far
            )
        try:
            outcome = self._run(sample)
        except Exception as error:
            raise RunFailed(
                f"{self._next} on {described(sample)} raised {type(error).__name__}: "
                f"{described(str(error))}",
                self._so_far,
            ) from error
        try:
            require_value(outcome, "run")
        except InvalidInput as error:
            raise RunFailed(
                f"{self._next} on {described(sample)} returned {error.given}, want {error.wanted}",
                self._so_far,
            ) from error
        return outcome

    @property
    def _finished(self) -> int:
        return sum(counts.total() for _, counts in self._tallies)

    @property
    def _next(self) -> str:
        return f"run {self._finished + 1} of {self.total}"

    @property
    def _so_far(self) -> tuple[OutcomeCounts[object, object], ...]:
        tallies: list[OutcomeCounts[object, object]] = []
        for sample, counts in self._tallies:
            tallies.append(OutcomeCounts(sample, counts.total(), dict(counts.items())))
        return tuple(tallies)
