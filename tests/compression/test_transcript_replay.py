"""The proof of the composition theorem as a property: kept examples rebuild every hypothesis."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, strategies as st

from pac_stability import Example, InvalidInput, Sample, classes, compression
from pac_stability.classes import finite_class
from pac_stability.compression.scheme import ProperScheme, Selection
from pac_stability.compression.transcript import KeptRound, SessionTranscript
from pac_stability.randomness import SYSTEM_COINS, Coins, SeededCoins
from pac_stability.testing import strategies

DELTA = Fraction(1, 20)
POINTS = 3
CUBE = classes.cube(POINTS)


@dataclass(frozen=True)
class Majority(ProperScheme[finite_class.Row]):
    """The labelling of three points with the fewest errors, from three examples.

    One for each point, with the label that is more frequent there; what is left is padded by
    repetition, and a point that no kept example has is labelled 0.
    """

    selection: Selection = Selection.SEQUENCE

    @property
    def family(self) -> classes.FiniteClass:
        return CUBE

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        return POINTS

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        kept = []
        for point in reversed(range(POINTS)):
            labels = [z.label for z in sample if z.point == point]
            if labels:
                more = int(2 * sum(labels) > len(labels))
                kept.append(
                    next(i for i, z in enumerate(sample) if (z.point, z.label) == (point, more))
                )
        return tuple(kept) + (kept[-1],) * (POINTS - len(kept))

    def reconstruct(self, kept: Sample[Hashable], /) -> finite_class.Row:
        label = {z.point: z.label for z in kept}
        wanted = [label.get(point, 0) for point in range(POINTS)]
        return next(h for h in CUBE if [h(x) for x in range(POINTS)] == wanted)


@dataclass(frozen=True)
class Drawn(Majority):
    """Three examples drawn at random, the last one counting for its point."""

    selection: Selection = Selection.OBLIVIOUS

    def compress(self, sample: Sample[Hashable], rng: Coins = SYSTEM_COINS) -> tuple[int, ...]:
        return tuple(rng.below(len(sample)) for _ in range(POINTS))


@dataclass(frozen=True)
class Analyst:
    """Asks as its seed and what it has seen suggest: schemes, views of the sample, and queries."""

    seed: int
    rounds: int

    def __call__(
        self, answers: tuple[compression.Answer[object], ...]
    ) -> compression.Task[finite_class.Row] | compression.Query | None:
        if len(answers) == self.rounds:
            return None
        coins = SeededCoins(repr((self.seed, [self._seen(answer) for answer in answers])))
        if coins.below(5) == 0:
            mask = coins.below(8)
            return compression.Query(
                lambda S: sum(z.label ^ (mask >> _at(z)) & 1 for z in S) % 4, bits=2
            )
        flips, passing = coins.below(8), coins.below(8)
        scheme = [Majority(), Majority(Selection.MULTISET), Drawn()][coins.below(3)]
        return compression.Task(
            scheme,
            relabel=lambda z: Example(z.point, z.label ^ (flips >> _at(z)) & 1),
            where=(lambda z: bool(passing >> _at(z) & 1)) if coins.below(2) else None,
        )

    @staticmethod
    def _seen(answer: compression.Answer[object]) -> object:
        if isinstance(answer.output, finite_class.Row):
            return [answer.output(x) for x in range(POINTS)]
        return answer.output


def _at(z: Example[Hashable]) -> int:
    assert isinstance(z.point, int)
    return z.point


samples = strategies.samples(range(POINTS), min_size=1, max_size=9)
analysts = st.builds(Analyst, st.integers(0, 10**6), st.integers(1, 6))


@given(samples, analysts, st.integers(0, 10**6))
def test_every_hypothesis_is_rebuilt_from_the_kept_examples(
    sample: Sample[Hashable], analyst: Analyst, seed: int
) -> None:
    session = compression.AdaptiveSession(sample, DELTA)
    answers = session.run(analyst, SeededCoins(seed))
    assert len(answers) == analyst.rounds
    assert compression.replay(session.transcript, analyst) == answers


@given(samples, analysts)
def test_replay_uses_the_values_of_the_kept_examples_alone(
    sample: Sample[Hashable], analyst: Analyst
) -> None:
    session = compression.AdaptiveSession(sample, DELTA)
    answers = session.run(analyst, SeededCoins(0))
    transcript = session.transcript
    elsewhere = replace(
        transcript,
        rounds=tuple(
            replace(r, indices=tuple(0 for _ in r.indices)) if isinstance(r, KeptRound) else r
            for r in transcript.rounds
        ),
    )
    outputs = [answer.output for answer in compression.replay(elsewhere, analyst)]
    assert outputs == [answer.output for answer in answers]
    assert all(
        z in set(sample) for r in transcript.rounds if isinstance(r, KeptRound) for z in r.kept
    )


def every_sample(n: int) -> Iterator[Sample[Hashable]]:
    for points in product(range(2), repeat=n):
        for labels in product((0, 1), repeat=n):
            yield Sample(points, labels)


@pytest.mark.parametrize("seed", range(4))
def test_on_every_small_sample_equal_transcripts_have_equal_answers(seed: int) -> None:
    """All samples of up to three examples on two points: answers are a function of what is kept."""
    analyst, by_kept = Analyst(seed, 3), dict[object, object]()
    for n in (1, 2, 3):
        for sample in every_sample(n):
            session = compression.AdaptiveSession(sample, DELTA)
            outputs = [answer.output for answer in session.run(analyst, SeededCoins(1))]
            told = tuple(
                r.kept if isinstance(r, KeptRound) else r for r in session.transcript.rounds
            )
            assert by_kept.setdefault(told, outputs) == outputs
    assert len(by_kept) > 10


@given(samples, analysts, st.integers(0, 5))
def test_a_resumed_session_goes_on_where_it_was(
    sample: Sample[Hashable], analyst: Analyst, pause: int
) -> None:
    straight = compression.AdaptiveSession(sample, DELTA)
    answers = straight.run(analyst, SeededCoins(3))
    coins = SeededCoins(3)
    first = compression.AdaptiveSession(sample, DELTA)
    first.run(lambda seen: None if len(seen) == pause else analyst(seen), coins)
    second = compression.AdaptiveSession.resume(sample, first.transcript)
    assert second.run(analyst, coins) == answers
    assert second.transcript == straight.transcript


def test_an_analyst_who_asks_something_else() -> None:
    sample: Sample[Hashable] = Sample([0, 1, 2], [0, 1, 1])
    session = compression.AdaptiveSession(sample, DELTA)
    session.ask(Majority(), where=lambda z: z.label == 1)
    session.query(lambda _: 1)
    asked: list[compression.Task[finite_class.Row] | compression.Query] = [
        compression.Task(Majority(), where=lambda z: z.label == 1),
        compression.Query(lambda _: 1),
    ]
    transcript = session.transcript
    assert len(compression.replay(transcript, lambda seen: asked[len(seen)])) == 2
    others: list[list[compression.Task[finite_class.Row] | compression.Query | None]] = [
        [None],
        [compression.Query(lambda _: 1)],
        [compression.Task(Majority())],
        [compression.Task(Majority(Selection.MULTISET), where=lambda z: z.label == 1)],
        [compression.Task(Majority(), where=lambda z: z.label == 0)],
        [asked[0], compression.Query(lambda _: 1, bits=2)],
        [asked[0], asked[0]],
    ]
    for questions in others:
        with pytest.raises(
            InvalidInput, match=f"another question than that of round {len(questions)}"
        ):
            compression.replay(transcript, lambda seen, questions=questions: questions[len(seen)])  # type: ignore[misc]  # a lambda with a default


def test_resuming_with_another_sample() -> None:
    sample: Sample[Hashable] = Sample([0, 1, 2], [0, 1, 1])
    session = compression.AdaptiveSession(sample, DELTA, 4)
    session.ask(Majority())
    compression.AdaptiveSession.resume(sample, session.transcript)
    with pytest.raises(InvalidInput, match="sample: got 2 examples, want 3"):
        compression.AdaptiveSession.resume(sample[:2], session.transcript)
    with pytest.raises(InvalidInput, match="another example at the index 1, kept in round 1"):
        compression.AdaptiveSession.resume(sample.replace(1, Example(1, 0)), session.transcript)


def test_a_resumed_session_keeps_its_terms() -> None:
    sample: Sample[Hashable] = Sample([0, 1, 2], [0, 1, 1])
    session = compression.AdaptiveSession(sample, DELTA, 4, bits=2)
    session.ask(Majority())
    session.close()
    again = compression.AdaptiveSession.resume(sample, session.transcript)
    assert again.transcript == session.transcript
    assert again.transcript == SessionTranscript(
        3, DELTA, 4, 2, session.transcript.rounds, closed=True
    )
    with pytest.raises(InvalidInput, match="close"):
        again.ask(Majority())
