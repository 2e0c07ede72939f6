"""The runs of algorithm M, in batches: how often which hypothesis came out."""

from __future__ import annotations

import re
import threading
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

from pac_stability.arguments import as_size, described, require_instance
from pac_stability.audit.progress import Clock, ProgressCallback
from pac_stability.classes import ImplicitClass
from pac_stability.classes.implicit import UniformTarget
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import version_spaces
from pac_stability.errors import InvalidInput
from pac_stability.keeping import fingerprint_of
from pac_stability.online.states import SoaStates
from pac_stability.papers.bun_livni_moran._words import said
from pac_stability.papers.bun_livni_moran.stable.globally_stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.streams.engine import MOST_POINTS, StreamEngine, Words
from pac_stability.papers.bun_livni_moran.streams.examples import (
    AnyCodes,
    ExampleStream,
    as_pairs,
)
from pac_stability.papers.bun_livni_moran.streams.rules import (
    Chain,
    Feed,
    FromCoins,
    Given,
    Literal,
)
from pac_stability.papers.bun_livni_moran.tournaments.target import require_realizable
from pac_stability.randomness import SYSTEM_COINS, Coins, SeededCoins
from pac_stability.reading import integer_from

P = TypeVar("P", bound=Hashable)

Seed: TypeAlias = int | str | bytes

Target: TypeAlias = FiniteDistribution[Example[P]] | UniformTarget
"""What examples of a realizable target are drawn from."""

RUNS_IN_A_BATCH = 1024
"""How many runs on a target make a batch, which has coins of its own."""

EXAMPLES_IN_A_BATCH = 1 << 24
"""How many given examples make a batch, in whole runs, at least one."""

_WAITING = 8

_MOST_TOGETHER, _SHARES = 64, 64
"""Batches on a target go to an executor together, up to so many; of all, about 1 in so many."""

_DIGITS = re.compile("([0-9a-f]{64})?")


@dataclass(frozen=True, slots=True)
class RunTally:
    """How often the runs of G gave which hypothesis: all that M needs of them, and a checkpoint.

    Attributes
    ----------
    runs
        How many runs are counted.
    outputs
        For each hypothesis, an integer whose bit ``x`` is the label at column ``x``, the number of
        runs that gave it, those included that failed and gave the default.
    failures
        How many runs failed.
    batches
        How many batches are counted.
    of
        What the runs are of, as 64 hexadecimal digits: a fingerprint of the learner, the target,
        the number of runs, the seed, and of the library; empty for a tally that nothing is to be
        added to but by hand. A tally is resumed by the very runs that it is of.

    Raises
    ------
    InvalidInput
        The numbers do not add up, or are no counts.
    """

    runs: int = 0
    outputs: Mapping[int, int] = field(default_factory=dict)
    failures: int = 0
    batches: int = 0
    of: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.outputs, Mapping):
            raise InvalidInput("outputs", described(self.outputs), "counts by hypothesis")
        outputs = {
            as_size(f, "outputs"): as_size(count, "outputs", least=1)
            for f, count in self.outputs.items()
        }
        runs, failures = as_size(self.runs, "runs"), as_size(self.failures, "failures")
        batches = as_size(self.batches, "batches")
        # All runs that failed gave the same output.
        if sum(outputs.values()) != runs or failures > max(outputs.values(), default=0):
            raise InvalidInput("runs", str(runs), "the sum of the outputs, at least the failures")
        if batches > runs or (runs and not batches):
            raise InvalidInput("batches", str(batches), "from 1 to the runs, or 0 for none")
        if type(self.of) is not str or _DIGITS.fullmatch(self.of) is None:
            raise InvalidInput("of", described(self.of), "64 hexadecimal digits, or none")
        object.__setattr__(self, "outputs", MappingProxyType(outputs))

    def __add__(self, other: RunTally) -> RunTally:
        if not isinstance(other, RunTally):
            return NotImplemented
        if self.of and other.of and self.of != other.of:
            raise InvalidInput("of", "two tallies of different runs", "tallies of the same runs")
        outputs = Counter(self.outputs)
        outputs.update(other.outputs)
        return RunTally(
            self.runs + other.runs,
            outputs,
            self.failures + other.failures,
            self.batches + other.batches,
            self.of or other.of,
        )

    def __reduce__(self) -> tuple[object, ...]:
        return RunTally, (self.runs, dict(self.outputs), self.failures, self.batches, self.of)

    def to_dict(self) -> dict[str, object]:
        """Return the tally as a dictionary that ``json.dumps`` accepts."""
        outputs = {str(hypothesis): count for hypothesis, count in sorted(self.outputs.items())}
        return {
            "runs": self.runs,
            "outputs": outputs,
            "failures": self.failures,
            "batches": self.batches,
            "of": self.of,
        }

    @classmethod
    def from_dict(cls, document: object) -> RunTally:
        """Return the tally that :meth:`to_dict` wrote.

        Raises
        ------
        InvalidInput
            The document is another one, or its numbers do not add up.

        Examples
        --------
        >>> tally = RunTally(3, {5: 2, 0: 1}, failures=1, batches=1)
        >>> RunTally.from_dict(tally.to_dict()) == tally
        True
        """
        wanted = "what RunTally.to_dict() returned"
        keys = {"runs", "outputs", "failures", "batches", "of"}
        if not isinstance(document, Mapping) or set(document) != keys:
            raise InvalidInput("document", described(document), wanted)
        counts = document["outputs"]
        if not isinstance(counts, Mapping) or not all(str(f).isdecimal() for f in counts):
            raise InvalidInput("outputs", described(counts), wanted)
        outputs = {integer_from(str(f), "outputs"): count for f, count in counts.items()}
        if len(outputs) < len(counts):
            raise InvalidInput("outputs", "a hypothesis twice", wanted)
        runs, failures, batches, of = (
            document[key] for key in ("runs", "failures", "batches", "of")
        )
        return cls(runs, outputs, failures, batches, of)


NO_RUNS: Final = RunTally()
"""Where a tally begins."""

Checkpoint: TypeAlias = Callable[[RunTally], None]
"""Called with the tally after each batch, in order; what it got can be resumed."""


@said
def tally_on_target(
    learner: GloballyStableLearner,
    target: Target[P],
    runs: int,
    *,
    seed: Seed | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    checkpoint: Checkpoint | None = None,
    resume: RunTally = NO_RUNS,
) -> RunTally:
    """Run G many times on fresh examples of a target, by the jump chain.

    Parameters
    ----------
    learner
        G.
    target
        D, which some hypothesis of the class fits without loss; a
        :class:`~pac_stability.classes.implicit.UniformTarget` where its points are not listed.

    Returns
    -------
    RunTally
        The runs, those of ``resume`` included.

    Raises
    ------
    NotRealizable
        No hypothesis fits the target; the message names examples.
    InvalidInput
        A parameter is of another kind, or ``resume`` is not of such runs.

    Notes
    -----
    The law is that of drawing every example. Time grows with the changes of the SOA's state and
    not with the number of examples, of which each run may use ``m = (B + 1) n``; where a large
    support or one that is not listed makes that dearer, examples are drawn one by one.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> H = thresholds(2)
    >>> target = FiniteDistribution.uniform([Example(x, H(0, x)) for x in H.domain])
    >>> G = GloballyStableLearner(H, "1/4", n=10, blocks=32)
    >>> tally_on_target(G, target, 100, seed=1).runs
    100
    """
    require_instance(learner, GloballyStableLearner, "learner")
    if isinstance(target, UniformTarget):
        if target.of != learner.H:
            raise InvalidInput("target", described(target), f"a target of {learner.H!r}")
    else:
        require_realizable(learner.H, target)
    begun = begun_from(resume, learner, target, runs, seed)
    starts = range(0, as_size(runs, "runs", least=1), RUNS_IN_A_BATCH)
    sizes = [min(RUNS_IN_A_BATCH, runs - start) for start in starts]
    left = range(_counted(begun, learner, sizes), len(sizes))
    together = 1 if executor is None else max(1, min(_MOST_TOGETHER, len(left) // _SHARES))
    tasks = (
        partial(_target_batches, learner, target, {i: sizes[i] for i in some}, seed)
        for some in (left[at : at + together] for at in range(0, len(left), together))
    )
    return _collect(
        tasks, runs, begun, executor=executor, clock=Clock(progress), checkpoint=checkpoint
    )


@said
def tally_on_examples(
    learner: GloballyStableLearner,
    examples: ExampleStream,
    runs: int,
    *,
    seed: Seed | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    checkpoint: Checkpoint | None = None,
    resume: RunTally = NO_RUNS,
) -> RunTally:
    """Run G many times on given examples, each time on the next m of them.

    Parameters
    ----------
    learner
        G.
    examples
        The examples, m for each run and possibly more, which stay in the stream. With ``resume``,
        the stream begins after those that were used before.

    Returns
    -------
    RunTally
        The runs, those of ``resume`` included.

    Raises
    ------
    InvalidInput
        There are fewer than m examples a run, or one is none; or as for :func:`tally_on_target`.

    Notes
    -----
    An example costs one look into a table; those that a run does not need cost nothing. On more
    than 32768 points, or without a table, it costs a step of the SOA. About ten batches of some 16
    million examples, or of one run, are in memory at a time.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> G = GloballyStableLearner(thresholds(2), "1/4", n=1, blocks=2)
    >>> import numpy as np
    >>> examples = ExampleStream([np.array([0, 2, 2] * 50)], G.H)
    >>> tally_on_examples(G, examples, 50, seed=1).runs
    50
    """
    require_instance(learner, GloballyStableLearner, "learner")
    require_instance(examples, ExampleStream, "examples")
    begun = begun_from(resume, learner, "examples", runs, seed)
    m = learner.sample_size
    size = max(1, EXAMPLES_IN_A_BATCH // m)
    starts = range(0, as_size(runs, "runs", least=1), size)
    sizes = [min(size, runs - start) for start in starts]
    tasks = (
        partial(_given_batches, learner, examples.take(m * sizes[i]), sizes[i], seed, i)
        for i in range(_counted(begun, learner, sizes), len(sizes))
    )
    return _collect(
        tasks, runs, begun, executor=executor, clock=Clock(progress), checkpoint=checkpoint
    )


def begun_from(resume: RunTally, *asked: object) -> RunTally:
    """Return the tally to go on from, after a check that it is of these very runs."""
    require_instance(resume, RunTally, "resume")
    identity = fingerprint_of(asked)
    if resume == NO_RUNS:
        return replace(resume, of=identity.digest)
    if resume.of != identity.digest:
        raise InvalidInput(
            "resume",
            "a tally of other runs" if resume.of else "a tally that does not say what it is of",
            "one of this learner, target, number of runs and seed, and of this version",
        )
    return resume


def _counted(resume: RunTally, learner: GloballyStableLearner, sizes: Sequence[int]) -> int:
    """Return how many batches a tally to be resumed has counted, after a check."""
    done, spaces = resume.batches, version_spaces(learner.H)
    if done > len(sizes) or sum(sizes[:done]) != resume.runs:
        given = f"{resume.runs} runs in {done} batches"
        raise InvalidInput("resume", given, "a tally of the same number of runs")
    if not all(spaces.is_labelling(f) for f in resume.outputs):
        wanted = f"labels of {spaces.points} points"
        raise InvalidInput("resume", "outputs beyond the domain", wanted)
    if resume.failures > resume.outputs.get(learner.default, 0):
        raise InvalidInput("resume", f"{resume.failures} failures", "as many defaults at least")
    return done


def _collect(
    tasks: Iterable[Callable[[], list[RunTally]]],
    runs: int,
    tally: RunTally,
    *,
    executor: Executor | None,
    clock: Clock,
    checkpoint: Checkpoint | None,
) -> RunTally:
    clock.report("running", tally.runs, runs)
    for part in _results(tasks, executor):
        tally += part
        if checkpoint is not None:
            checkpoint(tally)
        clock.report("running", tally.runs, runs)
    return tally


def _results(
    tasks: Iterable[Callable[[], list[RunTally]]], executor: Executor | None
) -> Iterator[RunTally]:
    """Yield the results in order; few tasks exist at a time."""
    if executor is None:
        for task in tasks:
            yield from task()
        return
    pending: deque[Future[list[RunTally]]] = deque()
    try:
        for task in tasks:
            pending.append(executor.submit(task))
            if len(pending) == _WAITING:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


def _target_batches(
    learner: GloballyStableLearner,
    target: Target[P],
    sizes: Mapping[int, int],
    seed: Seed | None,
) -> list[RunTally]:
    """Run some batches; each has coins of its own, so it does not matter which go together."""
    return [_target_batch(learner, target, runs, seed, batch) for batch, runs in sizes.items()]


def _target_batch(
    learner: GloballyStableLearner,
    target: Target[P],
    runs: int,
    seed: Seed | None,
    batch: int,
) -> RunTally:
    coins = coins_for(seed, batch)
    if isinstance(target, UniformTarget):
        return _plain_batch(learner, coins, lambda _, states: Literal(states, target, coins), runs)
    engine, words = _engine(learner, target), Words(coins)
    states = (engine.sampled(learner.level_drawn(coins), words) for _ in range(runs))
    return _batch(learner, engine, states)


def _given_batches(
    learner: GloballyStableLearner, codes: AnyCodes, runs: int, seed: Seed | None, batch: int
) -> list[RunTally]:
    return [_given_batch(learner, codes, runs, seed, batch)]


def _given_batch(
    learner: GloballyStableLearner, codes: AnyCodes, runs: int, seed: Seed | None, batch: int
) -> RunTally:
    coins, m = coins_for(seed, batch), learner.sample_size
    if isinstance(learner.H, ImplicitClass) or len(learner.H.domain) > MOST_POINTS:
        return _plain_batch(
            learner,
            coins,
            lambda run, states: Given(states, as_pairs(codes[run * m : (run + 1) * m])),
            runs,
        )
    engine, words = _engine(learner, None), Words(coins)
    states = (
        engine.given(learner.level_drawn(coins), words, iter([codes[run * m : (run + 1) * m]]))
        for run in range(runs)
    )
    return _batch(learner, engine, states)


def _plain_batch(
    learner: GloballyStableLearner,
    coins: Coins,
    feed: Callable[[int, SoaStates], Feed],
    runs: int,
) -> RunTally:
    """Run G in plain Python, each time on a feed of its own."""
    rules, chooser = learner.rules(), FromCoins(coins)
    outputs: Counter[int] = Counter()
    failures = 0
    for run in range(runs):
        top = learner.level_drawn(coins)
        state = rules.run(top, feed(run, rules.states), chooser)
        failures += state is None
        outputs[learner.default if state is None else rules.states.predictor(state)] += 1
    return RunTally(runs, outputs, failures, batches=1)


def _batch(
    learner: GloballyStableLearner, engine: StreamEngine, states: Iterator[int | None]
) -> RunTally:
    ends = Counter(states)
    failures = ends.pop(None, 0)
    outputs: Counter[int] = Counter()
    if failures:
        outputs[learner.default] = failures
    for state, count in ends.items():
        if state is not None:
            outputs[engine.predictor(state)] += count
    return RunTally(outputs.total(), outputs, failures, batches=1)


def coins_for(seed: Seed | None, purpose: int | str) -> Coins:
    """Return coins of their own for a batch or another purpose, the system's without a seed."""
    return SYSTEM_COINS if seed is None else SeededCoins(seed).spawn(purpose)


_engines = threading.local()


def _engine(
    learner: GloballyStableLearner, target: FiniteDistribution[Example[P]] | None
) -> StreamEngine:
    """Return this thread's engine for a learner and a target, with what it has found out so far."""
    key = (learner, target)
    if getattr(_engines, "key", None) != key:
        rules = learner.rules()
        chain = None
        if target is not None:
            chain = Chain(rules, require_realizable(learner.H, target))
        _engines.engine = StreamEngine(rules, chain)
        _engines.key = key
    engine: StreamEngine = _engines.engine
    return engine
