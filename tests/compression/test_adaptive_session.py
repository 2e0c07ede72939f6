"""Adaptive sessions: what they keep, what they refuse, and what they guarantee."""

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any, ClassVar

import pytest

from pac_stability import BudgetExhausted, InvalidInput, classes, compression, data
from pac_stability.classes import finite_class
from pac_stability.compression.bounds import HoeffdingBound, Lemma16, Lemma17, UnionBound
from pac_stability.compression.scheme import ProperScheme, Selection
from pac_stability.compression.transcript import AnsweredRound, KeptRound, SessionTranscript
from pac_stability.notions.robust_generalization import minimal_epsilon, optimal_adversary
from pac_stability.randomness import SYSTEM_COINS, Coins, SeededCoins
from shared_refusals import refuses

TWENTIETH = Fraction(1, 20)
CLASS = classes.thresholds(3)


class Cut(ProperScheme[finite_class.Row]):
    """The threshold with the fewest errors on 0, 1, 2, from one example.

    (x, 1) stands for the threshold that is 1 from x on, and (x, 0) for the one that is 1 after x.
    """

    selection = Selection.DISTINCT

    @property
    def family(self) -> classes.FiniteClass:
        return CLASS

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        return 1

    def _compress(self, sample: data.Sample[Hashable]) -> tuple[int, ...]:
        rebuilt = [self.reconstruct(sample[i : i + 1]) for i in range(len(sample))]
        return (min(range(len(sample)), key=lambda i: sample.count_errors(rebuilt[i])),)

    def reconstruct(self, kept: data.Sample[Hashable], /) -> finite_class.Row:
        (z,) = kept
        wanted = [int(x > z.point if z.label == 0 else x >= z.point) for x in range(3)]  # type: ignore[operator]  # points are 0, 1, 2
        return next(h for h in CLASS if [h(x) for x in range(3)] == wanted)


class Keeps(Cut):
    """Keeps given indices, whatever the sample: to be wrong, or to be of another kind."""

    def __init__(self, *indices: int, size: int | None = None) -> None:
        self.indices = indices
        self.claimed = len(indices) if size is None else size

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        return self.claimed

    def _compress(self, sample: data.Sample[Hashable]) -> tuple[int, ...]:  # noqa: ARG002  # a scheme of its own
        return self.indices

    def reconstruct(self, kept: data.Sample[Hashable], /) -> finite_class.Row:
        return super().reconstruct(kept[:1])


class Unordered(Keeps):
    selection = Selection.SUBSET


class AnySequence(Keeps):
    selection = Selection.SEQUENCE


class Drawn(Keeps):
    """An example drawn at random."""

    selection = Selection.OBLIVIOUS

    def __init__(self) -> None:
        super().__init__(size=1)

    def compress(self, sample: data.Sample[Hashable], rng: Coins = SYSTEM_COINS) -> tuple[int, ...]:
        return (rng.below(len(sample)),)


class Picky(Cut):
    agnostic: ClassVar[bool] = False


class Growing(Keeps):
    """Keeps one example of up to two, and two of more."""

    def __init__(self) -> None:
        super().__init__(size=0)

    def size(self, n: int) -> int:
        return 1 if n <= 2 else 2

    def _compress(self, sample: data.Sample[Hashable]) -> tuple[int, ...]:
        return tuple(range(self.size(len(sample))))


SAMPLE = data.Sample([0, 1, 2, 1, 0, 2], [0, 1, 1, 1, 0, 0])


def flipped(z: data.Example[Hashable]) -> data.Example[Hashable]:
    return data.Example(z.point, 1 - z.label)


class TestWhatIsKept:
    def test_the_hypothesis_is_rebuilt_from_the_kept_example(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 2)
        answer = session.ask(Cut())
        assert SAMPLE.count_errors(answer.output) == 1
        assert answer.round == KeptRound((0,), SAMPLE[:1], 1, Selection.DISTINCT)
        assert session.transcript == SessionTranscript(6, TWENTIETH, 2, rounds=(answer.round,))

    def test_a_relabelled_round_keeps_the_example_as_it_is(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 1)
        answer = session.ask(Cut(), relabel=flipped)
        relabelled = data.Sample.from_examples(map(flipped, SAMPLE))
        fewest = min(relabelled.count_errors(h) for h in CLASS)
        assert relabelled.count_errors(answer.output) == fewest
        (index,) = answer.round.indices  # type: ignore[union-attr]  # a round that kept
        assert session.transcript.kept == SAMPLE[index : index + 1]

    def test_a_filtered_round_names_indices_of_the_whole_sample(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 3, bits=1)
        answer = session.ask(Cut(), where=lambda z: z.point == 2)
        assert answer.round == KeptRound((2,), SAMPLE[2:3], 1, Selection.DISTINCT, filtered=True)
        assert session.transcript.used_bits == 1

    def test_a_filter_that_leaves_nothing_leaves_no_hypothesis(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 3, bits=1)
        answer = session.ask(Cut(), where=lambda z: z.point == 9)
        assert answer.output is None
        assert len(session.transcript.kept) == 0
        assert session.transcript.used == 1

    def test_a_filtered_round_is_charged_the_largest_size(self) -> None:
        """What it keeps depends on how many pass, which nobody may learn from a refusal."""
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 2, bits=1)
        answer = session.ask(Growing(), where=lambda z: z.point == 2)
        assert isinstance(answer.round, KeptRound)
        assert (len(answer.round.kept), answer.round.size) == (1, 2)
        with pytest.raises(BudgetExhausted):
            compression.AdaptiveSession(SAMPLE, TWENTIETH, 1, bits=1).ask(
                Growing(), where=lambda _: False
            )

    def test_an_order_that_does_not_matter_is_not_told(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 9)
        assert session.ask(Unordered(4, 1)).round.indices == (1, 4)  # type: ignore[union-attr]  # it kept some
        assert session.ask(AnySequence(4, 1, 4)).round.indices == (4, 1, 4)  # type: ignore[union-attr]  # it kept some

    def test_a_query_keeps_its_answer(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 1, bits=3)
        answer = session.query(lambda S: sum(S.labels), 3)
        assert answer.output == 3
        assert session.transcript.rounds == (AnsweredRound(3, 3),)

    def test_coins_are_the_callers(self) -> None:
        drawn = [SeededCoins(seed).below(6) for seed in range(9)]
        assert len(set(drawn)) > 2
        for seed, index in enumerate(drawn):
            session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 1)
            session.ask(Drawn(), rng=SeededCoins(seed))
            assert session.transcript.kept_indices == {index}


class TestRefusals:
    """Nothing is half done: the transcript up to there stands."""

    def test_the_budget(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 3)
        session.ask(Keeps(0, 1))
        before = session.transcript
        with pytest.raises(BudgetExhausted, match=r"keeps 2 .*, and 1 of the budget of 3 are left"):
            session.ask(Keeps(2, 3))
        assert session.transcript is before
        session.ask(Cut())
        assert session.transcript.used == 3

    def test_the_bits(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 3, bits=2)
        session.query(lambda _: 1)
        before = session.transcript
        with pytest.raises(BudgetExhausted, match="takes 2 bits, and 1 of the 2 are left"):
            session.query(lambda _: 1, 2)
        session.ask(Cut(), where=lambda _: True)
        with pytest.raises(BudgetExhausted, match="takes 1 bits, and 0 of the 2 are left"):
            session.ask(Cut(), where=lambda _: True)
        assert before.rounds == session.transcript.rounds[:1]

    def test_the_budget_is_looked_at_before_the_sample(self) -> None:
        class Unasked(Cut):
            def _compress(self, sample: data.Sample[Hashable]) -> tuple[int, ...]:
                raise AssertionError(sample)

        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 1)
        session.ask(Cut())
        with pytest.raises(BudgetExhausted):
            session.ask(Unasked())

    @pytest.mark.parametrize(("scheme", "reason"), [
        (Picky(), "Picky, for realizable samples only, want an agnostic scheme"),
        (Keeps(), "scheme: got 0, want an integer that is at least 1"),
    ])  # fmt: skip
    def test_schemes_that_are_none(self, scheme: Cut, reason: str) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 5)
        refuses(reason, session.ask, scheme)
        assert session.transcript.rounds == ()

    def test_other_arguments(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH)
        with pytest.raises(InvalidInput, match="want a CompressionScheme"):
            session.ask(classes.thresholds(3))  # type: ignore[call-overload]  # what is refused
        refuses("bits: got 0", session.query, lambda _: 0, 0)
        with pytest.raises(InvalidInput, match="analyst: got 7"):
            session.run(lambda _: 7)  # type: ignore[arg-type,return-value]  # what is refused
        assert session.transcript.rounds == ()

    @pytest.mark.parametrize(("arguments", "reason"), [
        ((data.Sample([], []), TWENTIETH), "sample: got no examples"),
        ((SAMPLE, Fraction(1)), "delta: got 1"),
        ((SAMPLE, TWENTIETH, 0), "budget: got 0"),
        ((SAMPLE, TWENTIETH, None, 3), "bits: got 3"),
        ((SAMPLE, TWENTIETH, 2, -1), "bits: got -1"),
    ])  # fmt: skip
    def test_terms(self, arguments: tuple[object, ...], reason: str) -> None:
        with pytest.raises(InvalidInput, match=reason):
            compression.AdaptiveSession(*arguments)  # type: ignore[arg-type]  # what is refused

    def test_after_it_is_closed(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 2, bits=1)
        session.close()
        for ask in (lambda: session.ask(Cut()), lambda: session.query(lambda _: 0)):
            refuses(r"a question after close\(\)", ask)


class TestBounds:
    """What is stated at every step."""

    def test_every_answer_states_what_holds_if_one_stops_there(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 5, bits=4)
        assert session.bound() == UnionBound(6, 0, TWENTIETH, 1)
        answers = [
            session.ask(Keeps(0, 1)),  # distinct: 6 * 5
            session.ask(Unordered(1, 2)),  # subsets: C(6, 2); the example 1 is not fresh any more
            session.query(lambda _: 1, 2),
            session.ask(Cut(), where=lambda z: z.point == 1),  # 6 or none
        ]
        expected = [(2, 30), (3, 30 * 15), (3, 30 * 15 * 4), (3, 30 * 15 * 4 * 7)]
        assert [answer.bound for answer in answers] == [
            UnionBound(6, k, TWENTIETH, choices) for k, choices in expected
        ]
        assert session.bound() == answers[-1].bound
        assert session.bound("split") == UnionBound(6, 3, TWENTIETH, 30 * 15 * 28, "split")
        assert session.bound("anytime") == UnionBound(6, 3, TWENTIETH / 20, 30 * 15 * 28)

    def test_the_budget_promises_it(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 3, bits=2)
        assert session.promise() == HoeffdingBound(6, 3, TWENTIETH, bits=2)
        assert session.promise("split").reading == "split"
        refuses("budget: got none", compression.AdaptiveSession(SAMPLE, TWENTIETH).promise)

    @pytest.mark.parametrize("filtered", [False, True])
    def test_what_is_spent_is_never_more_than_promised(self, filtered: bool) -> None:
        for n in (2, 3, 50):
            sample = data.Sample([0] * n, [1] * n)
            session = compression.AdaptiveSession(sample, TWENTIETH, 2, bits=2)
            for _ in range(2):
                session.ask(AnySequence(0), where=(lambda _: True) if filtered else None)
            assert session.transcript.choices <= session.promise().choices
            with pytest.raises(BudgetExhausted):
                session.ask(Cut())

    def test_the_papers(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 3, bits=1)
        session.ask(Cut())
        session.ask(Cut())  # kept again, and charged again
        assert session.bound("paper") == Lemma17(6, 2, TWENTIETH)
        session.query(lambda _: 0)
        refuses("'paper' for 1 bits besides", session.bound, "paper")

    def test_oblivious(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 3, bits=1)
        session.ask(Drawn())
        assert session.bound("oblivious") == UnionBound(6, 1, TWENTIETH, 1) == session.bound()
        session.ask(Cut())
        refuses("'oblivious' for 6 choices", session.bound, "oblivious")

    def test_what_is_drawn_behind_a_filter_is_not_oblivious(self) -> None:
        """Which indices pass depends on the examples."""
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 3, bits=1)
        session.ask(Drawn(), where=lambda z: z.label == 1)
        assert session.transcript.choices == 7
        refuses("'oblivious' for 7 choices", session.bound, "oblivious")

    @pytest.mark.parametrize(("n", "size"), [(1, 1), (1, 3), (2, 3), (6, 2)])
    def test_a_filter_leaves_sequences_of_every_length(self, n: int, size: int) -> None:
        round_ = KeptRound((), SAMPLE[:0], size, Selection.SUBSET, filtered=True)
        assert round_.choices(n) == sum(n**length for length in range(size + 1))

    def test_without_a_budget_all_steps_hold_at_once(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH)
        refuses("'anytime' before the first round", session.bound)
        for step in range(1, 5):
            answer = session.ask(Cut())
            assert answer.bound == UnionBound(6, 1, TWENTIETH / (step * (step + 1)), 6**step)

    def test_empirical_is_about_what_was_not_kept(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 3)
        h = session.ask(Cut()).output
        session.ask(Cut())

        def wrong(z: data.Example[Hashable]) -> int:
            return int(h(z.point) != z.label)

        refuses("'empirical' in an open session", session.bound, "empirical", wrong)
        session.close()
        # One error, on (2, 0), among the five examples besides (0, 0); two examples were charged.
        assert session.bound("empirical", wrong) == Lemma16(6, 2, TWENTIETH, Fraction(1, 5))
        with pytest.raises(InvalidInput, match="test: got none"):
            session.bound("empirical")  # type: ignore[call-overload]  # what is refused
        with pytest.raises(InvalidInput, match="test: got a test"):
            session.bound("paper", wrong)  # type: ignore[call-overload]  # what is refused

    def test_empirical_counts_no_bits(self) -> None:
        session = compression.AdaptiveSession(SAMPLE, TWENTIETH, 3, bits=1)
        session.query(lambda _: 0)
        session.close()
        refuses("'empirical' for 1 bits", session.bound, "empirical", lambda z: z.label)

    def test_other_kinds(self) -> None:
        with pytest.raises(InvalidInput, match="kind: got 'best', want one of 'hoeffding'"):
            compression.AdaptiveSession(SAMPLE, TWENTIETH).bound("best")  # type: ignore[call-overload]  # bad on purpose


def correcting(
    answers: tuple[compression.Answer[object], ...],
) -> compression.Task[finite_class.Row] | compression.Query | None:
    """Fit a threshold, then fit one to where the first is wrong."""
    if not answers:
        return compression.Task(Cut())
    if len(answers) == 1:
        h = answers[0].output
        assert isinstance(h, finite_class.Row)
        return compression.Task(Cut(), lambda z: data.Example(z.point, int(h(z.point) != z.label)))
    return None


class TestTheorem19:
    """Two adaptive rounds of thresholds on three points: six labelled examples, all equally likely.

    For n = 6 and delta = 1/20 the bound is (4/6) sqrt((ln 30 + ln 40)/8) + 2/6 = .961.
    """

    BOUND = HoeffdingBound(6, 2, TWENTIETH, Selection.DISTINCT)
    UNIVERSE = data.FiniteDistribution.uniform(data.all_examples(range(3)))

    @staticmethod
    def transcript(
        sample: data.Multiset[data.Example[int]],
    ) -> data.FiniteDistribution[data.Sample[Hashable]]:
        ordered = sorted(sample.elements(), key=lambda z: (z.point, z.label))
        session = compression.AdaptiveSession(data.Sample.from_examples(ordered), TWENTIETH, 2)
        session.run(correcting)
        return data.FiniteDistribution.point_mass(session.transcript.kept)

    def test_the_bound(self) -> None:
        assert math.isclose(float(self.BOUND.value()), 0.961, abs_tol=5e-4)

    def test_the_best_adversary_keeps_to_it(self) -> None:
        """It sees both kept examples, and so all that the analyst saw."""
        draws = data.multiset_distribution(self.UNIVERSE, 6)
        # No mean of six is off by more than 5/6, so nothing is left above the bound.
        assert optimal_adversary(self.transcript, draws, self.BOUND.value().lower).failure == 0
        smallest = minimal_epsilon(self.transcript, draws, TWENTIETH)
        assert smallest.above.failure <= TWENTIETH
        assert smallest.below is not None
        assert smallest.below.failure > TWENTIETH
        # The exact epsilon of this analyst, about half of what the bound says of all of them.
        assert smallest.epsilon == Fraction(1, 2) < self.BOUND.value().lower

    def test_where_the_bound_leaves_failures(self) -> None:
        """Nine examples: (7/9) sqrt((ln 72 + ln(2/delta))/14) + 2/9 = .68 for delta = 9/10."""
        delta = Fraction(9, 10)
        bound = HoeffdingBound(9, 2, delta, Selection.DISTINCT).value().lower
        draws = data.multiset_distribution(self.UNIVERSE, 9)
        assert 0 < optimal_adversary(self.transcript, draws, bound).failure <= delta


class TestWhatIsNoQuestion:
    """It is refused when it is made, and nothing is told of the sample."""

    @pytest.mark.parametrize("given", [3, "x", (), float("nan")], ids=repr)
    def test_what_cannot_be_called(self, given: Any) -> None:
        scheme = compression.ThresholdScheme()
        session = compression.AdaptiveSession(data.Sample([0, 1], [0, 1]), Fraction(1, 20))
        makers: dict[str, Callable[[], object]] = {
            "relabel": lambda: compression.Task(scheme, relabel=given),
            "where": lambda: session.ask(scheme, where=given),
            "statistic": lambda: session.query(given),
            "analyst": lambda: session.run(given),
            "test": lambda: session.bound("empirical", given),
        }
        for argument, make in makers.items():
            if argument == "test":
                session.close()
            refuses(rf"^{argument}: got .*, want a function", make)
        assert session.transcript.rounds == ()

    @pytest.mark.parametrize("given", [None, 3, {"n": 2}], ids=repr)
    def test_what_is_no_transcript(self, given: Any) -> None:
        with pytest.raises(InvalidInput, match=r"^transcript: got"):
            compression.AdaptiveSession.resume(data.Sample([0], [1]), given)
        refuses(r"^transcript: got", compression.replay, given, lambda _: None)


TOLD_APART: list[Hashable] = [
    1, True, 1.0, 0.0, -0.0, "1", b"1", (1, 0), (True, 0), (1.0, 0), (1, (0,)),
]  # fmt: skip


@pytest.mark.parametrize("points", [
    TOLD_APART, [1, 2, 1], [0.0, -0.0, 0.0], [(0, 1), (0, True), (0, 1)], [(0.0,), (-0.0,), (0.0,)],
])  # fmt: skip
def test_a_view_asks_once_for_each_distinct_example(points: list[Hashable]) -> None:
    def known(value: object) -> str:
        return f"{type(value).__name__} {value!r}"

    sample = data.Sample([*points, *points] * 2, [0, 1] * (2 * len(points)))
    asked: list[tuple[str, int]] = []

    def written(z: data.Example[Hashable]) -> data.Example[Hashable]:
        asked.append((known(z.point), z.label))
        return data.Example(known(z.point), 1 - z.label)

    def some(z: data.Example[Hashable]) -> bool:
        return known(z.point) != "float -0.0"

    places, view = compression.Task(Keeps(0), written, some).view(sample)
    kept = [place for place, z in enumerate(sample) if some(z)]
    assert list(places) == kept
    assert view.points == tuple(known(sample[place].point) for place in kept)
    assert view.labels == tuple(1 - sample[place].label for place in kept)
    assert sorted(set(asked)) == sorted(asked)
