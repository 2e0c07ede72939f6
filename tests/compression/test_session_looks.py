"""Every look at the sample is charged before it happens: the last, the failing, the interrupted."""

import contextlib
import sys
import traceback
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Never

import pytest

from pac_stability import BudgetExhausted, Example, FiniteClass, InvalidInput, Sample
from pac_stability.classes.finite_class import Row
from pac_stability.compression import (
    AdaptiveSession,
    Answer,
    Query,
    Selection,
    SessionTranscript,
    Task,
    replay,
)
from pac_stability.compression.bounds import Lemma16, UnionBound
from pac_stability.compression.scheme import ProperScheme
from pac_stability.compression.transcript import (
    AnsweredRound,
    KeptRound,
    UnansweredRound,
    load_transcript,
)
from shared_refusals import refuses

TWENTIETH = Fraction(1, 20)
SECRET = 271828
# The labels are what a session must not tell: they are in no message below.
SAMPLE: Sample[Hashable] = Sample([SECRET + x for x in range(6)], [0, 1, 1, 0, 1, 1])
CONSTANTS = FiniteClass([[0], [1]])


class First(ProperScheme[Row]):
    """Keeps the first example, or what it is told to name."""

    def __init__(self, *named: int, selection: Selection = Selection.SEQUENCE) -> None:
        self.named = named
        self.selection = selection

    @property
    def family(self) -> FiniteClass:
        return CONSTANTS

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        return 1

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:  # noqa: ARG002  # blind
        return self.named or (0,)

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        return CONSTANTS[kept.labels[0]]


class Fails(First):
    """Raises what it sees."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        raise ValueError(sample)


class FailsLater(First):
    """Raises what it sees when it rebuilds."""

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        raise ValueError(kept)


def told(seen: object) -> Never:
    raise ValueError(seen)


def left(seen: object) -> Never:
    sys.exit(str(seen))


def stopped(seen: object) -> Never:
    raise KeyboardInterrupt(seen)


QUESTIONS: dict[str, Callable[[AdaptiveSession], object]] = {
    "a statistic that raises": lambda s: s.query(told),
    "a statistic that exits": lambda s: s.query(left),
    "a statistic that is interrupted": lambda s: s.query(stopped),
    "an answer that is too large": lambda s: s.query(lambda S: S.points[0]),  # type: ignore[arg-type,return-value]
    "an answer below 0": lambda s: s.query(lambda _: -SECRET),
    "no integer": lambda s: s.query(lambda S: S),  # type: ignore[arg-type,return-value]
    "a filter": lambda s: s.ask(First(), where=told),
    "a relabelling that raises": lambda s: s.ask(First(), relabel=told),
    "a relabelling that is none": lambda s: s.ask(First(), relabel=lambda z: z.point),  # type: ignore[arg-type,return-value]
    "a scheme that raises": lambda s: s.ask(Fails()),
    "a scheme that cannot rebuild": lambda s: s.ask(FailsLater()),
    "an index too many": lambda s: s.ask(First(0, 1)),
    "an index too large": lambda s: s.ask(First(SECRET)),
    "an index below 0": lambda s: s.ask(First(-SECRET)),
    "a query of run()": lambda s: s.run(lambda _: Query(told)),
    "a task of run()": lambda s: s.run(lambda _: Task(Fails())),
}


def chain(error: BaseException) -> Iterator[BaseException]:
    """All exceptions that a printed traceback, or a program, finds from one."""
    waiting: list[BaseException | None] = [error]
    while waiting:
        found = waiting.pop()
        if found is not None:
            yield found
            waiting += [found.__cause__, found.__context__]


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("budget", [None, 5])
def test_a_question_that_fails_is_charged_and_ends_the_session(
    question: Callable[[AdaptiveSession], object], budget: int | None, tmp_path: Path
) -> None:
    path = tmp_path / "session.json"
    session = AdaptiveSession(SAMPLE, TWENTIETH, budget, bits=3 if budget else 0, path=path)
    with pytest.raises((InvalidInput, KeyboardInterrupt)) as caught:
        question(session)
    for error in chain(caught.value):
        assert str(SECRET) not in "".join(traceback.format_exception(error))
        assert str(SECRET) not in repr((error.args, vars(error)))
    transcript = session.transcript
    (round_,) = transcript.rounds
    assert isinstance(round_, UnansweredRound)
    assert transcript.used + transcript.used_bits >= 1
    assert transcript.closed
    assert transcript.failed
    assert load_transcript(path) == transcript
    for claim in (session.bound, session.transcript.bound, session.promise):
        refuses(r"session: got a question that failed|budget: got", claim)
    refuses(r"a question after close\(\)", session.query, lambda _: 0)
    refuses("kind: got 'empirical'", session.bound, "empirical", lambda z: z.label)


def test_labels_cannot_be_read_by_failing() -> None:
    session = AdaptiveSession(SAMPLE, TWENTIETH, budget=1, bits=8)
    read = 0
    for i in range(6):
        with contextlib.suppress(InvalidInput):
            session.query(lambda S, i=i: 2 if S.labels[i] else 0)  # type: ignore[misc]  # a default
            read += 1
    # The first label is 0, and paid for; the second ends it.
    assert read == 1
    assert session.transcript.used_bits == 2


def test_one_test_of_the_fresh_examples() -> None:
    session = AdaptiveSession(SAMPLE, TWENTIETH)
    session.ask(First())
    session.close()
    seen: list[Hashable] = []

    def test(z: Example[Hashable]) -> int:
        seen.append(z.point)
        assert session.transcript.tested  # charged before
        return z.label

    assert session.bound("empirical", test) == Lemma16(6, 1, TWENTIETH, Fraction(4, 5))
    assert len(seen) == 5
    for again in (test, lambda z: 1 - z.label):
        refuses("'empirical' in a session that has it", session.bound, "empirical", again)
    assert len(seen) == 5
    # A test that is named now may depend on the mean, one of 0/5, ..., 5/5.
    assert session.bound("hoeffding") == UnionBound(6, 1, TWENTIETH, 6 * 6)
    refuses("'paper' for a test besides", session.bound, "paper")
    refuses("'oblivious' for 36 choices", session.bound, "oblivious")


def test_the_test_stays_spent_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    session = AdaptiveSession(SAMPLE, TWENTIETH, path=path)
    session.ask(First())
    session.close()
    session.bound("empirical", lambda z: z.label)
    for again in (
        AdaptiveSession.load(SAMPLE, path),
        AdaptiveSession.load(SAMPLE, path, keep=True),
    ):
        assert again.transcript == session.transcript
        refuses("'empirical' in a session that has it", again.bound, "empirical", lambda z: z.label)


@pytest.mark.parametrize("test", [told, lambda z: z.point, left], ids=["raises", "range", "exits"])
def test_a_test_that_fails_is_spent_too(test: Callable[[Example[Hashable]], int]) -> None:
    session = AdaptiveSession(SAMPLE, TWENTIETH)
    session.ask(First())
    session.close()
    with pytest.raises(InvalidInput, match="test: got a failure on the sample") as caught:
        session.bound("empirical", test)
    for error in chain(caught.value):
        assert str(SECRET) not in "".join(traceback.format_exception(error))
    with pytest.raises(InvalidInput, match="'empirical' in a session that has failed"):
        session.bound("empirical", lambda z: z.label)
    refuses("a question that failed", session.bound)


def test_what_is_refused_before_the_look_costs_nothing() -> None:
    session = AdaptiveSession(Sample([1], [1]), TWENTIETH)
    session.ask(First())
    session.close()
    before = session.transcript
    refuses("'empirical' with every example kept", session.bound, "empirical", lambda z: z.label)
    with pytest.raises(InvalidInput, match="test: got 3, want a function"):
        session.bound("empirical", 3)  # type: ignore[call-overload]  # what is refused
    assert session.transcript is before


def test_the_charge_is_in_the_file_before_the_sample_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    session = AdaptiveSession(SAMPLE, TWENTIETH, budget=3, bits=3, path=path)
    written: list[SessionTranscript] = []

    def statistic(_: object) -> int:
        written.append(load_transcript(path))
        return 1

    def where(_: object) -> bool:
        written.append(load_transcript(path))
        return True

    session.query(statistic, 2)
    assert load_transcript(path).rounds == (AnsweredRound(1, 2),)
    session.ask(First(), where=where)
    assert load_transcript(path) == session.transcript
    assert written[0].rounds == (UnansweredRound(0, 2),)
    assert written[1].rounds[1] == UnansweredRound(1, 1, Selection.SEQUENCE, filtered=True)
    # As if the process had been killed there: what was charged stays charged, and counts.
    (tmp_path / "killed.json").write_text(path.read_text())
    killed = AdaptiveSession.resume(SAMPLE, written[1])
    assert (killed.transcript.used, killed.transcript.used_bits) == (1, 3)
    assert killed.transcript.choices == session.transcript.choices == 4 * (1 + 6)
    with pytest.raises(BudgetExhausted):
        killed.query(lambda _: 0)
    kept = killed.ask(First(), where=None).round
    assert isinstance(kept, KeptRound)
    assert kept.indices == (0,)


def test_a_file_that_cannot_be_written_stops_the_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = AdaptiveSession(SAMPLE, TWENTIETH, budget=1, bits=3, path=tmp_path / "session.json")

    def full(*_: object) -> Never:
        raise InvalidInput("session.json", "no space left on device", "a file that can be written")

    with monkeypatch.context() as patched:
        patched.setattr("pac_stability.compression.session.save_transcript", full)
        refuses("no space left", session.query, told)
    assert session.transcript.used_bits == 1
    assert session.query(lambda _: 1).output == 1
    assert load_transcript(tmp_path / "session.json") == session.transcript


def test_a_new_session_does_not_write_over_an_old_one(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    session = AdaptiveSession(SAMPLE, TWENTIETH, budget=1, bits=1, path=path)
    session.query(lambda _: 1)
    with pytest.raises(InvalidInput, match=r"a file that is there, want a new one, or load\(\)"):
        AdaptiveSession(SAMPLE, TWENTIETH, budget=1, bits=1, path=path)
    AdaptiveSession.load(SAMPLE, path).close()  # without keep
    assert load_transcript(path) == session.transcript
    again = AdaptiveSession.load(SAMPLE, path, keep=True)
    again.close()
    assert load_transcript(path).closed


def test_a_question_without_an_answer_is_asked_again_by_run_and_by_replay() -> None:
    def analyst(answers: tuple[Answer[object], ...]) -> Task[Row] | Query | None:
        if not answers:
            return Query(lambda S: S.labels[1])
        return Task(First()) if len(answers) == 1 else None

    session = AdaptiveSession(SAMPLE, TWENTIETH, budget=3, bits=2)
    cut_short = SessionTranscript(6, TWENTIETH, 3, 2, (UnansweredRound(0, 1),))
    session = AdaptiveSession.resume(SAMPLE, cut_short)
    answers = session.run(analyst)
    assert [answer.output for answer in answers] == [1, CONSTANTS[0]]
    assert (session.transcript.used, session.transcript.used_bits) == (1, 2)
    assert replay(session.transcript, analyst) == answers
    # Three rounds, of 2, 2 and 6 choices.
    assert answers[-1].bound == UnionBound(6, 1, TWENTIETH, 24)
    twice = SessionTranscript(6, TWENTIETH, 3, 2, (UnansweredRound(0, 2),))
    refuses("another question than that of round 1", replay, twice, analyst)
    unfit = SessionTranscript(6, TWENTIETH, 3, 2, (UnansweredRound(1, 0, Selection.SUBSET),))
    refuses("another question than that of round 1", replay, unfit, analyst)
