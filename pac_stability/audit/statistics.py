"""Statistical audits of black boxes: lower confidence bounds, never a proof.

A black box is a function that can only be called. The audit runs it many times on two neighbouring
inputs. The frequencies of an event bound its two probabilities, and these bounds give a lower bound
on the privacy or stability parameter. The caller chooses the events, or the audit learns them from
the first half of the runs and tests them on the second half, which is independent of the choice.
All bounds of one audit hold together with the stated confidence, because the probability of error
is divided by their number (Bonferroni). So a claim below the bound is refuted at that confidence. A
claim above it is at most supported: the runs may have missed larger deviations.

The runs must be independent, and the same code on the same input must have the same law each time.

The bounds are those of Clopper and Pearson (1934). After k successes in n tries, the lower bound is
the probability p under which k or more successes have probability ``error``. A smaller p makes the
observation still less likely, so for every true probability, the bound exceeds it with probability
at most ``error``. They are rational and rounded outward; certified enclosures of the binomial tails
prove that they are bounds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from time import monotonic
from typing import ClassVar, Generic, TypeVar, cast

import numpy as np

from pac_stability import arguments
from pac_stability._alarm import TimeIsUp, backstop
from pac_stability._report import Reported, Tabled
from pac_stability.arithmetic import Epsilon, EpsilonLike
from pac_stability.arithmetic.interval import of_ball
from pac_stability.audit.black_box import Raised, Score, fed, hardly_repeats, learned_region
from pac_stability.audit.notions.notion import About, Notion
from pac_stability.audit.results import Verdict
from pac_stability.data.distribution import frozen
from pac_stability.errors import BudgetExhausted, InvalidInput, PacStabilityError
from pac_stability.randomness import ExactGenerator

BITS = 40
"""The bounds are multiples of 2**-BITS."""

_HALF = Fraction(1, 2)


def lower_bound(successes: int, runs: int, error: Fraction) -> Fraction:
    """Return a number that exceeds the probability of success with probability at most ``error``.

    Parameters
    ----------
    successes
        k, between 0 and n.
    runs
        n, the number of independent tries, fixed beforehand; at least 1.
    error
        An exact number, more than 0 and less than 1/2.

    Returns
    -------
    Fraction
        The lower Clopper-Pearson bound rounded down to a multiple of 2**-40; 0 for no success.

    Raises
    ------
    InvalidInput
        An argument is outside its range.

    Notes
    -----
    The tail is an incomplete beta function (python-flint). Newton's method asks for about ten of
    its values, whatever the number of runs.

    Examples
    --------
    All of ten tries succeed: p^10 = 1/20 at p = 0.7411...

    >>> bound = lower_bound(10, 10, Fraction(1, 20))
    >>> bound ** 10 <= Fraction(1, 20) < (bound + Fraction(1, 2**39)) ** 10
    True
    """
    n = arguments.as_size(runs, "runs", least=1)
    k = arguments.as_size(successes, "successes")
    if k > n:
        raise InvalidInput("successes", arguments.in_words(k), f"at most {n}, the number of runs")
    limit = arguments.as_number(error, "error")
    if not 0 < limit < _HALF:
        raise InvalidInput("error", arguments.in_words(limit), "a number between 0 and 1/2")
    if k == 0:
        return Fraction(0)
    # The median of the binomial law of mean k is k, so its tail at p = k/n is 1/2 or more.
    low, middle, high = 0, ((2 * k - 1) << BITS) // (2 * n), -(-(k << BITS) // n)
    steps = iter(range(_STEPS))
    while high - low > 1:
        middle = min(max(middle, low + 1), high - 1)
        place = Fraction(middle, 1 << BITS)
        ends = of_ball(
            lambda p: p**n if k == n else p.beta_lower(k, n - k + 1, 1), (place,), _BITS_OF_BALLS
        )
        tail = (Fraction(0), Fraction(1)) if ends is None else ends
        low, high = (middle, high) if tail[1] <= limit else (low, middle)
        middle = (low + high) // 2
        with suppress(ArithmeticError, ValueError):  # floats that are too small
            if next(steps, None) is not None:
                nearer = _nearer(float(place), float(tail[1]), k, n, float(limit))
                middle = int(nearer * (1 << BITS))
    return Fraction(low, 1 << BITS)


def upper_bound(successes: int, runs: int, error: Fraction) -> Fraction:
    """Return a number below the probability of success with probability at most ``error``.

    Parameters
    ----------
    successes, runs, error
        As for :func:`lower_bound`.

    Returns
    -------
    Fraction
        The upper Clopper-Pearson bound rounded up to a multiple of 2**-40; positive.

    Raises
    ------
    InvalidInput
        An argument is outside its range.

    Examples
    --------
    >>> upper_bound(0, 10, Fraction(1, 20)) == 1 - lower_bound(10, 10, Fraction(1, 20))
    True
    """
    n = arguments.as_size(runs, "runs", least=1)
    k = arguments.as_size(successes, "successes")
    if k > n:
        raise InvalidInput("successes", arguments.in_words(k), f"at most {n}, the number of runs")
    return 1 - lower_bound(n - k, n, error)


_BITS_OF_BALLS = 64
_STEPS = 12  # of Newton's; bisection ends what these do not


def _nearer(p: float, tail: float, k: int, n: int, error: float) -> float:
    """Return Newton's step from p, for the logarithm of the tail as a function of that of p.

    The function is concave, so that no step goes beyond its root; here only by rounding.
    """
    ways = math.lgamma(n + 1) - math.lgamma(k) - math.lgamma(n - k + 1)
    slope = math.exp(ways + k * math.log(p) + (n - k) * math.log1p(-p)) / tail
    return p * math.exp(math.log(error / tail) / slope)


# Runs of a black box, counted, within a budget

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741  # an outcome
S_co = TypeVar("S_co", covariant=True)
O_co = TypeVar("O_co", covariant=True)

MAX_RUNS = 10_000_000
"""The largest number of runs in one audit unless another limit is given."""


@dataclass(frozen=True, slots=True)
class OutcomeCounts(Generic[S_co, O_co]):
    """The outcomes of the runs on one input.

    Attributes
    ----------
    sample
        The input.
    runs
        How many runs returned an outcome.
    counts
        How often each outcome occurred.
    """

    sample: S_co
    runs: int
    counts: Mapping[O_co, int]


Tallies = tuple[OutcomeCounts[object, object], ...]


class RunFailed(PacStabilityError):
    """A run raised an exception, or its output cannot be compared.

    Attributes
    ----------
    tallies
        The outputs of the runs before it, input by input.
    """

    def __init__(self, message: str, tallies: Tallies = ()) -> None:
        super().__init__(message)
        self.tallies = tallies


class RunsUnfinished(BudgetExhausted):
    """The time limit ended before the runs.

    There is no bound: the number of runs would depend on their durations, and so perhaps on their
    outputs.

    Attributes
    ----------
    tallies
        The outputs of the finished runs, input by input.
    """

    def __init__(self, message: str, tallies: Tallies = ()) -> None:
        super().__init__(message)
        self.tallies = tallies


class RunsInterrupted(KeyboardInterrupt):
    """An interrupt ended the runs; no bound is given, as by :class:`RunsUnfinished`.

    Attributes
    ----------
    tallies
        The outputs of the finished runs, input by input.
    """

    def __init__(self, message: str, tallies: Tallies) -> None:
        super().__init__(message)
        self.tallies = tallies


class Trials(Generic[S, O]):
    """Runs of a black box on pairs of inputs; if one fails, the earlier outputs are kept.

    The parameters are those of :func:`~pac_stability.audit.statistics.privacy_bound`; with
    ``learn``, the first half of the runs on each input is for learning an event.
    """

    def __init__(
        self,
        run: Callable[..., O],
        pairs: Iterable[tuple[S, S]],
        runs: int,
        max_runs: int,
        time_limit: float | None,
        *,
        learn: bool,
        predicts: bool,
    ) -> None:
        self._run = fed(run, predicts=predicts)
        self.pairs: tuple[tuple[S, S], ...] = tuple(pairs)
        if not self.pairs:
            raise InvalidInput("pairs", "none", "at least one pair of neighbouring inputs")
        given: tuple[object, ...] = self.pairs
        for pair in given:
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise InvalidInput("pairs", arguments.described(pair), "tuples of two inputs")
        runs = arguments.as_size(runs, "runs", least=2 if learn else 1)
        inputs = 2 * len(self.pairs)
        self.total: int = runs * inputs
        if self.total > arguments.as_size(max_runs, "max_runs"):
            many = f"{runs} on each of {inputs} inputs, {self.total} in all"
            raise InvalidInput("runs", many, f"at most {max_runs // inputs} on so many inputs")
        self.learning: int = runs // 2 if learn else 0
        self.testing: int = runs - self.learning
        self._tallies: list[tuple[S, Counter[O]]] = []
        self._returned: list[O] = []
        self._deadline = None
        if time_limit is not None:
            if not time_limit > 0:
                wanted = "a positive number"
                raise InvalidInput("time_limit", arguments.described(time_limit), wanted)
            self._deadline = monotonic() + time_limit

    def __enter__(self) -> Trials[S, O]:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, KeyboardInterrupt):
            said = f"interrupted after {self._finished} of {self.total} runs"
            raise RunsInterrupted(said, self._so_far) from error

    def on(self, sample: S) -> tuple[Counter[O], Counter[O]]:
        """Return the counted outcomes of the learning runs and of the testing runs."""
        everything: Counter[O] = Counter()
        self._tallies.append((sample, everything))
        left = None if self._deadline is None else self._deadline - monotonic()
        try:
            with backstop(left):
                learned = self._counted(sample, self.learning, everything)
                return learned, self._counted(sample, self.testing, everything)
        except TimeIsUp:
            raise self._unfinished() from None

    def _unfinished(self) -> RunsUnfinished:
        said = f"the time ended after {self._finished} of {self.total} runs"
        return RunsUnfinished(said, self._so_far)

    def _counted(self, sample: S, runs: int, everything: Counter[O]) -> Counter[O]:
        counts: Counter[O] = Counter()
        for _ in range(runs):
            counts[self._outcome(sample, everything)] += 1
        return counts

    def _outcome(self, sample: S, everything: Counter[O]) -> O:
        if self._deadline is not None and monotonic() >= self._deadline:
            raise self._unfinished()
        # A run that returned is counted, whatever interrupts: here, or among the others.
        returned = self._returned
        try:
            returned.append(self._run(sample))
            value = returned[0]
            plain = value.item() if isinstance(value, np.generic) else frozen(value)
            returned[0] = cast("O", plain)
        except Exception as error:  # a stranger's algorithm may raise anything
            returned.clear()
            raise RunFailed(
                f"{self._next} on {arguments.described(sample)} raised "
                f"{type(error).__name__}: {arguments.described(str(error))} "
                "(audit.black_box.measurement makes errors outcomes)",
                self._so_far,
            ) from error
        try:
            arguments.require_value(outcome := returned[0], "run")
        except InvalidInput as error:
            returned.clear()
            raise RunFailed(
                f"{self._next} on {arguments.described(sample)} returned {error.given}, "
                f"want {error.wanted}",
                self._so_far,
            ) from error
        everything[returned.pop()] += 1
        return outcome

    def errors(self) -> int:
        """Return how many runs ended with an error; refuse it if none did without."""
        counted = [(o, times) for _, counts in self._tallies for o, times in counts.items()]
        raised = [(o, times) for o, times in counted if isinstance(o, Raised)]
        if raised and len(raised) == len(counted):
            first = raised[0][0]
            said = f"each run raised an error, the first {first.kind}: "
            raise RunFailed(said + arguments.described(first.said), self._so_far)
        return sum(times for _, times in raised)

    @property
    def _finished(self) -> int:
        return sum(counts.total() for _, counts in self._tallies) + len(self._returned)

    @property
    def _next(self) -> str:
        return f"run {self._finished + 1} of {self.total}"

    @property
    def _so_far(self) -> Tallies:
        tallies: list[OutcomeCounts[object, object]] = []
        for sample, counts in self._tallies:
            more = len(self._returned) if counts is self._tallies[-1][1] else 0
            tallies.append(OutcomeCounts(sample, counts.total() + more, dict(counts.items())))
        return tuple(tallies)


# Statistical audits of black boxes: lower confidence bounds, never a proof

NOTIONS = (Notion.UNIFORM_STABILITY, Notion.PRIVATE_PREDICTION, Notion.DIFFERENTIAL_PRIVACY)
"""What runs can be held against."""


@dataclass(frozen=True, slots=True, repr=False)
class EventEvidence(Tabled, Generic[S_co, O_co]):
    """Two inputs, and an event that is more probable on the first.

    Attributes
    ----------
    sample, neighbour
        The inputs S and S'.
    event
        The outcomes in the event that occurred.
    runs
        The number of runs on each input that were counted.
    successes, neighbour_successes
        How many of these runs gave the event.
    probability_above, neighbour_probability_below
        The confidence bounds: at least the first on S, at most the second on S'.
    bound
        The lower bound on the parameter that follows.
    rule
        The event in words, where it is a region of numbers and not a set of outcomes.
    """

    sample: S_co
    neighbour: S_co
    event: tuple[O_co, ...]
    runs: int
    successes: int
    neighbour_successes: int
    probability_above: Fraction
    neighbour_probability_below: Fraction
    bound: Fraction
    rule: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class StatisticalResult(Reported, Generic[S_co, O_co]):
    """The answer of a statistical audit.

    Attributes
    ----------
    notion
        What was asked.
    bound
        A lower bound on the parameter, with the confidence below. For privacy the factor
        ``e**epsilon``, at least 1; for stability gamma, at least 0.
    verdict
        ``REFUTED``, at that confidence, if the bound is above the claim; else ``SUPPORTED``, or
        ``SKIPPED`` if the runs on some pair show no event.
    confidence
        A lower bound on the probability that all bounds of the audit hold.
    multiplicity
        The number of one-sided confidence bounds that share it: two for each pair, event and
        direction.
    runs
        The number of runs of the black box.
    evidence
        The evidence for the bound; ``None`` if no event gives more than the trivial bound.
    claim
        The claimed parameter, in the units of ``bound``; ``None`` when there is no claim.
    delta
        The delta of the claim, for privacy.
    subject
        The name of the black box.
    learned
        Whether one half of the runs chose the event and the other half counted it; false if the
        events were given.
    errors
        How many runs ended with an error that is an outcome, as the adapters of
        :mod:`pac_stability.audit.black_box` have them.
    """

    _face: ClassVar[str] = "pac_stability.audit.reports.html:runs_face"

    notion: Notion
    bound: Fraction
    verdict: Verdict
    confidence: Fraction
    multiplicity: int
    runs: int
    evidence: EventEvidence[S_co, O_co] | None
    claim: Fraction | None
    delta: Fraction
    subject: str = field(default="", compare=False)
    learned: bool = field(default=True, compare=False)
    errors: int = field(default=0, compare=False)

    def __repr__(self) -> str:
        parameter = self.notion.parameter
        factor = " factor" if parameter.is_factor else ""
        bound = f"{parameter.name}{factor} at least {float(self.bound):.6g}"
        return f"<StatisticalResult: {self.notion.name}, {bound}, {self.verdict.name}>"


def privacy_bound(
    run: Callable[[S], O] | Callable[[S, ExactGenerator], O],
    pairs: Iterable[tuple[S, S]],
    *,
    runs: int,
    delta: arguments.AnyNumber = 0,
    claim: EpsilonLike | None = None,
    confidence: arguments.AnyNumber = Fraction(19, 20),
    events: Sequence[Callable[[O], bool]] | None = None,
    notion: Notion = Notion.DIFFERENTIAL_PRIVACY,
    max_runs: int = MAX_RUNS,
    time_limit: float | None = None,
) -> StatisticalResult[S, O]:
    """Return a lower confidence bound on e^epsilon at a given delta.

    Parameters
    ----------
    run
        The black box: one input to one outcome, with fresh randomness at each call. For private
        prediction an input is a pair (sample, point), and the outcome a label. Coins that it takes
        are given by name (``rng``), seeded. Lists, arrays and dictionaries are outcomes by value.
        :mod:`pac_stability.audit.black_box` makes one of an estimator or a measurement.
    pairs
        Neighbouring inputs, at least one pair; both directions are tested.
    runs
        The number of runs on each input of each pair; at least 1, and 2 if events are learned.
    delta
        An exact number between 0 and 1.
    claim
        The claimed epsilon, as a number or an :class:`~pac_stability.arithmetic.Epsilon`.
    confidence
        The confidence, an exact number between 0 and 1; a decimal is given as a string.
    events
        Events to test, chosen independently of these runs. By default one event for each pair and
        direction is learned from the first half of the runs and tested on the second half.
    notion
        The notion to report: this, or ``PRIVATE_PREDICTION``.
    max_runs
        The largest number of runs in total, checked before the first run.
    time_limit
        Seconds after which no new run starts.

    Returns
    -------
    StatisticalResult
        Its ``bound`` is a factor e^epsilon.

    Raises
    ------
    InvalidInput
        An argument is not as described, or there would be more runs than allowed.
    RunFailed
        A run raised an exception, or returned an outcome that is no value, such as NaN; or each run
        of an adapter raised one. The exception has the outputs so far.
    RunsUnfinished
        The time limit ended before the runs. The exception has the outputs so far.
    RunsInterrupted
        An interrupt ended them. The exception has the outputs so far.

    Notes
    -----
    For an event E, (epsilon, delta) promises Pr[E on S] <= e^epsilon Pr[E on S'] + delta, so
    epsilon is at least the logarithm of (low - delta) / high where low and high are bounds on the
    two probabilities. A rule of thumb learns the event: a set of outcomes with the largest ratios
    of frequencies or, if outcomes hardly repeat, half-lines of their numbers
    (:func:`~pac_stability.audit.black_box.learned_region`). A worse event makes the bound weaker,
    never wrong.

    Examples
    --------
    A "randomized" response that always returns the true value is not 1-private:

    >>> result = privacy_bound(lambda bit: bit, [(0, 1)], runs=200, claim=1)
    >>> result.verdict, result.evidence.event, float(result.bound) > 10
    (<Verdict.REFUTED: 'refuted'>, (0,), True)
    """
    if notion not in NOTIONS or not notion.parameter.is_factor:
        raise InvalidInput("notion", arguments.described(notion), "a notion of privacy")
    slack = arguments.as_probability(delta, "delta")
    claimed = None
    if claim is not None:
        claimed = (claim if isinstance(claim, Epsilon) else Epsilon(claim)).ratio
    learn, predicts = events is None, notion.about is About.PREDICTIONS
    with Trials(run, pairs, runs, max_runs, time_limit, learn=learn, predicts=predicts) as trials:
        return _audit(
            trials,
            events,
            notion,
            bound=lambda low, high: (low - slack) / high,
            trivial=Fraction(1),
            learn=lambda one, other: _largest_ratio(one, other, slack),
            score=_Ratio(trials.learning, slack),
            confidence=confidence,
            claim=claimed,
            delta=slack,
        )


def stability_bound(
    run: Callable[[S], O] | Callable[[S, ExactGenerator], O],
    pairs: Iterable[tuple[S, S]],
    *,
    runs: int,
    claim: arguments.AnyNumber | None = None,
    confidence: arguments.AnyNumber = Fraction(19, 20),
    events: Sequence[Callable[[O], bool]] | None = None,
    max_runs: int = MAX_RUNS,
    time_limit: float | None = None,
) -> StatisticalResult[S, O]:
    """Return a lower confidence bound on gamma, for uniform stability.

    Parameters
    ----------
    run
        The black box: from an input (sample, point) to the predicted label at the point.
    pairs
        Pairs of inputs with neighbouring samples and the same point.
    claim
        The claimed gamma, an exact number between 0 and 1.
    runs, confidence, events, max_runs, time_limit
        As for :func:`privacy_bound`.

    Returns
    -------
    StatisticalResult
        Its ``bound`` is a lower bound on the largest difference of the probabilities of an event.

    Raises
    ------
    InvalidInput, RunFailed, RunsUnfinished, RunsInterrupted
        As for :func:`privacy_bound`.

    Examples
    --------
    >>> result = stability_bound(lambda bit: bit, [(0, 1)], runs=200, claim="1/2")
    >>> result.verdict, float(result.bound) > 0.9
    (<Verdict.REFUTED: 'refuted'>, True)
    """
    claimed = None if claim is None else arguments.as_probability(claim, "claim")
    learn = events is None
    with Trials(run, pairs, runs, max_runs, time_limit, learn=learn, predicts=True) as trials:
        return _audit(
            trials,
            events,
            Notion.UNIFORM_STABILITY,
            bound=lambda low, high: low - high,
            trivial=Fraction(0),
            learn=lambda one, other: frozenset(o for o in one if one[o] > other[o]),
            score=lambda mine, theirs: mine - theirs - 3 * math.sqrt(mine + theirs),
            confidence=confidence,
            claim=claimed,
            delta=Fraction(0),
        )


def _audit(
    trials: Trials[S, O],
    events: Sequence[Callable[[O], bool]] | None,
    notion: Notion,
    *,
    bound: Callable[[Fraction, Fraction], Fraction],
    trivial: Fraction,
    learn: Callable[[Counter[O], Counter[O]], frozenset[O]],
    score: Score,
    confidence: arguments.AnyNumber,
    claim: Fraction | None,
    delta: Fraction,
) -> StatisticalResult[S, O]:
    sure = arguments.as_number(confidence, "confidence")
    if not 0 < sure < 1:
        raise InvalidInput("confidence", arguments.in_words(sure), "a number between 0 and 1")
    if events is not None and not events:
        raise InvalidInput("events", "none", "at least one event, or None to learn them")
    # Two directions, and in each a bound on the probability of each event on either input.
    multiplicity = 4 * len(trials.pairs) * (1 if events is None else len(events))
    error = (1 - sure) / multiplicity
    best = trivial
    evidence: EventEvidence[S, O] | None = None
    blind = False
    for pair in trials.pairs:
        counted = [trials.on(sample) for sample in pair]
        known = events is not None
        for one, other in ((0, 1), (1, 0)):
            (seen, tested), (seen_other, tested_other) = counted[one], counted[other]
            outcomes = dict.fromkeys([*tested, *tested_other])
            rule = ""
            if events is None:
                event, rule = _event(seen, seen_other, outcomes, learn, score)
                tries = [event]
                known = known or any(tested[o] or tested_other[o] for o in event)
            else:
                tries = [frozenset(o for o in outcomes if event(o)) for event in events]
            for event in tries:
                successes = sum(tested[o] for o in event)
                other_successes = sum(tested_other[o] for o in event)
                low = lower_bound(successes, trials.testing, error)
                high = upper_bound(other_successes, trials.testing, error)
                if bound(low, high) > best:
                    best = bound(low, high)
                    evidence = EventEvidence(
                        pair[one],
                        pair[other],
                        tuple(o for o in outcomes if o in event),
                        trials.testing,
                        successes,
                        other_successes,
                        low,
                        high,
                        best,
                        rule,
                    )
        blind = blind or not known
    errors = trials.errors()
    refuted = claim is not None and best > claim
    return StatisticalResult(
        notion,
        best,
        Verdict.REFUTED if refuted else Verdict.SKIPPED if blind else Verdict.SUPPORTED,
        sure,
        multiplicity,
        trials.total,
        evidence,
        claim,
        delta,
        learned=events is None,
        errors=errors,
    )


def _event(
    seen: Counter[O],
    seen_other: Counter[O],
    outcomes: Iterable[O],
    learn: Callable[[Counter[O], Counter[O]], frozenset[O]],
    score: Score,
) -> tuple[frozenset[O], str]:
    """Return the tested outcomes of a learned event, and its rule if it is a region."""
    one, other = cast("Counter[object]", seen), cast("Counter[object]", seen_other)
    if not hardly_repeats(one, other):
        return learn(seen, seen_other), ""
    region = learned_region(one, other, score)
    return (frozenset(filter(region, outcomes)), str(region)) if region else (frozenset(), "")


@dataclass(frozen=True, slots=True)
class _Ratio:
    """How large a factor an event shows, cautiously, as in :func:`_largest_ratio`."""

    runs: int
    delta: Fraction

    def __call__(self, mine: int, theirs: int) -> float:
        sure = mine - 3 * math.sqrt(mine + 1) - 1 - float(self.delta) * self.runs
        return sure / (theirs + 3 * math.sqrt(theirs + 1) + 2) if mine else 0.0


def _largest_ratio(one: Counter[O], other: Counter[O], delta: Fraction) -> frozenset[O]:
    """Return an event that looks likely to show a large factor, from the runs for learning.

    The outcomes with the largest ratios of frequencies, as many as make the ratio largest when
    each count is moved by three of its standard deviations, in the unfavourable direction.
    """
    runs = one.total()
    ordered = sorted(one, key=lambda o: Fraction(one[o], other[o] + 1), reverse=True)
    best, size = None, 0
    mine = theirs = 0
    for taken, outcome in enumerate(ordered, start=1):
        mine += one[outcome]
        theirs += other[outcome]
        cautious = (mine - 3 * isqrt(mine) - delta * runs) / (theirs + 3 * isqrt(theirs) + 9)
        if best is None or cautious > best:
            best, size = cautious, taken
    return frozenset(ordered[:size])
