"""Adaptive sessions (CLNRW16, Theorem 19): schemes asked one after another of one sample.

A question is a scheme, or a value that is looked up in the sample: what goes wrong there is told by
one bit, and no more. The transcript alone answers again, without the sample, which is the proof of
the theorem as a program.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain, repeat
from os import PathLike
from pathlib import Path
from types import FrameType
from typing import ClassVar, Generic, Literal, TypeAlias, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from pac_stability._report import Face, Reported, aligned, html_table, latex_table
from pac_stability.arguments import as_size, described
from pac_stability.classes import Hypothesis
from pac_stability.compression import bounds
from pac_stability.compression.scheme import CompressionScheme, H_co, Selection, subsample
from pac_stability.compression.transcript import (
    AnsweredRound,
    BoundKind,
    KeptRound,
    Round,
    SessionTranscript,
    UnansweredRound,
    load_transcript,
    save_transcript,
)
from pac_stability.data import Example, Sample
from pac_stability.data.sample import first_of, gathered, numbered, numbers_of
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.keeping.writing import remove_leftovers
from pac_stability.mechanisms.weights import as_function
from pac_stability.randomness import SYSTEM_COINS, Coins

O_co = TypeVar("O_co", covariant=True)

Relabelling: TypeAlias = Callable[[Example[Hashable]], Example[Hashable]]
"""What a scheme sees in place of an example: a function of the example, which tosses no coins."""

Filter: TypeAlias = Callable[[Example[Hashable]], bool]
"""Whether a scheme sees an example at all."""

_PLAIN = frozenset([int, bool, str, bytes])
_WRITTEN = _PLAIN | {float}


@dataclass(frozen=True)
class Task(Generic[H_co]):
    """A scheme, and the view of the sample that it is run on.

    Parameters
    ----------
    scheme
        A scheme that compresses every sample.
    relabel
        What the scheme sees in place of an example.
    where
        Which examples it sees; without it, all of them.

    Raises
    ------
    InvalidInput
        The scheme is none, or compresses realizable samples only: its refusal would tell of the
        sample what no kept example tells. Or what it sees is not given by functions.
    """

    scheme: CompressionScheme[H_co]
    relabel: Relabelling | None = None
    where: Filter | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.scheme, CompressionScheme):
            raise InvalidInput("scheme", described(self.scheme), "a CompressionScheme")
        if not self.scheme.agnostic:
            given = f"{type(self.scheme).__name__}, for realizable samples only"
            raise InvalidInput("scheme", given, "an agnostic scheme")
        for function, name in ((self.relabel, "relabel"), (self.where, "where")):
            if function is not None:
                as_function(function, name)

    def charge(self, n: int) -> int:
        """Return how many examples are charged for n: the size, or the largest under a filter."""
        if self.where is None:
            return as_size(self.scheme.size(n), "scheme", least=1)
        return max(as_size(self.scheme.size(m), "scheme", least=1) for m in range(1, n + 1))

    def seen(self, example: Example[Hashable]) -> Example[Hashable]:
        """Return what the scheme sees in place of an example."""
        if self.relabel is None:
            return example
        shown = self.relabel(example)
        if not isinstance(shown, Example):
            raise InvalidInput("relabel", described(shown), "an Example")
        return shown

    def view(self, sample: Sample[Hashable]) -> tuple[Sequence[int], Sample[Hashable]]:
        """Return which examples of a sample the scheme sees, and what it sees in their place.

        Both functions are called once for each distinct example: a large table has few.
        """
        codes, size = _told_apart(sample)
        first = first_of(codes, size)
        met = [code for code in np.argsort(first).tolist() if first[code] < len(sample)]
        asked = {code: sample[int(first[code])] for code in met}
        places: Sequence[int] = range(len(sample))
        if (where := self.where) is not None:
            asked = {code: example for code, example in asked.items() if where(example)}
            left = np.zeros(size, dtype=np.bool_)
            left[[*asked]] = True
            places = tuple(np.flatnonzero(left[codes]).tolist())
            codes = codes[left[codes]]
        rank = np.zeros(size, dtype=np.int64)
        rank[[*asked]] = np.arange(len(asked))
        return places, gathered([*map(self.seen, asked.values())], rank[codes])

    def rebuild(self, kept: Sample[Hashable]) -> H_co | None:
        """Return the hypothesis of the kept examples; ``None`` if the filter left no example."""
        if not len(kept):
            return None
        return self.scheme.reconstruct(Sample.from_examples(map(self.seen, kept)))


def _told_apart(sample: Sample[Hashable]) -> tuple[npt.NDArray[np.int64], int]:
    """Return a code for each example: one for those that no function of examples tells apart.

    And a number above all codes. Equal points may be written apart, as 1 and 1.0 are, or 0.0 and
    -0.0: what is no plain value, or a row of such, is the same as itself alone.
    """
    points, kinds = sample.points, set(map(type, sample.points))
    if len(kinds) == 1 and kinds <= _PLAIN:
        known = numbered(sample)
        return known.codes, len(known.first)
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(cast("tuple[tuple[object, ...], ...]", points))))
    keys: Iterable[Hashable] = map(id, points)
    if kinds <= _WRITTEN:
        keys = map(marshal.dumps, cast("tuple[str, ...]", points), repeat(2))
    distinct, numbers = numbers_of(tuple(keys))
    return 2 * numbers + np.array(sample.labels, dtype=np.int64), 2 * len(distinct)


@dataclass(frozen=True)
class Query:
    """A statistic of the whole sample, answered by a few bits.

    Parameters
    ----------
    statistic
        A function of the sample to integers from 0 to ``2**bits - 1``; it may toss coins.
    bits
        At least 1.

    Raises
    ------
    InvalidInput
        The statistic is no function, or ``bits`` no such integer.
    """

    statistic: Callable[[Sample[Hashable]], int]
    bits: int = 1

    def __post_init__(self) -> None:
        as_function(self.statistic, "statistic")
        object.__setattr__(self, "bits", as_size(self.bits, "bits", least=1))


@dataclass(frozen=True)
class Answer(Generic[O_co]):
    """What an analyst gets to see of a round.

    Attributes
    ----------
    output
        The hypothesis (``None`` if a filter left no example), or the answer of a query.
    round
        What the transcript has of it.
    bound
        What is guaranteed to an analyst who stops here.
    """

    output: O_co
    round: Round
    bound: bounds.DeviationBound


Analyst: TypeAlias = Callable[[tuple[Answer[object], ...]], Task[Hypothesis] | Query | None]
"""What decides, from the answers so far, what to ask next; ``None`` ends it.

Its coins are its own: to be replayed, it must toss the same ones again.
"""


# Looking at the sample

T = TypeVar("T")


def looked(look: Callable[[], T], argument: str, wanted: str) -> T:
    """Run what looks at the sample, and replace what it raises.

    Parameters
    ----------
    look
        Calls functions of the analyst on examples of the sample.
    argument, wanted
        For the message: what was asked, and what it should have been.

    Raises
    ------
    InvalidInput
        It raised. What, and where, is not told: neither the message nor ``__cause__`` nor
        ``__context__`` have it, since any of these may hold what was seen.
    KeyboardInterrupt
        It was interrupted; a new exception, for the same reason.

    Examples
    --------
    >>> def tell():
    ...     raise ValueError("the labels are 0, 1, 1")
    >>> looked(tell, "statistic", "an answer for every sample")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: statistic: got a failure on the sample (of which no more is \
told), want an answer for every sample
    """
    try:
        return look()
    except KeyboardInterrupt:
        interrupted = True
    except BaseException:  # SystemExit, too, can carry what was seen
        interrupted = False
    # Raised here and not above, where it would have the other exception as its context.
    if interrupted:
        raise KeyboardInterrupt
    raise InvalidInput(argument, "a failure on the sample (of which no more is told)", wanted)


# A session without its sample


def replay(
    transcript: SessionTranscript, analyst: Analyst
) -> tuple[Answer[Hypothesis | int | None], ...]:
    """Return all answers of a session, rebuilt from the kept examples, without the sample.

    Parameters
    ----------
    transcript
        Of the session.
    analyst
        The analyst of the session, with the same coins if it tosses any. Where the session was
        asked by hand, an analyst that asks the same.

    Returns
    -------
    tuple of Answer
        Equal to those of the session.

    Raises
    ------
    InvalidInput
        The analyst asks something else than what the transcript answers.

    Notes
    -----
    This is the proof of CLNRW16, Theorem 19, as a program.
    """
    if not isinstance(transcript, SessionTranscript):
        raise InvalidInput("transcript", described(transcript), "a SessionTranscript")
    as_function(analyst, "analyst")
    answers: tuple[Answer[Hypothesis | int | None], ...] = ()
    so_far = replace(transcript, rounds=(), closed=False, tested=False, failed=False)
    for number, round_ in enumerate(transcript.rounds, start=1):
        asked = analyst(answers)
        if not _answers(round_, asked, transcript.n):
            given = f"another question than that of round {number}"
            raise InvalidInput("analyst", given, "the analyst of the transcript")
        so_far = so_far.with_round(round_)
        if isinstance(round_, UnansweredRound):
            continue  # asked again, by an analyst who knows no more than before
        output: Hypothesis | int | None
        if isinstance(round_, AnsweredRound):
            output = round_.answer
        else:
            assert isinstance(asked, Task)  # noqa: S101  # it was just compared
            output = asked.rebuild(round_.kept)
        answers = (*answers, Answer(output, round_, so_far.bound()))
    return answers


def _answers(round_: Round, asked: object, n: int) -> bool:
    """Whether a round can be the answer to a question."""
    if isinstance(round_, AnsweredRound):
        return isinstance(asked, Query) and asked.bits == round_.bits
    if isinstance(round_, UnansweredRound) and round_.selection is None:
        return isinstance(asked, Query) and asked.bits == round_.bits
    return (
        isinstance(asked, Task)
        and asked.charge(n) == round_.size
        and asked.scheme.selection is round_.selection
        and (asked.where is not None) == round_.filtered
        and (
            isinstance(round_, UnansweredRound)
            or all(asked.where is None or asked.where(example) for example in round_.kept)
        )
    )


# The session

H = TypeVar("H", bound=Hypothesis)
O = TypeVar("O")  # noqa: E741  # an outcome

_UNORDERED = (Selection.MULTISET, Selection.SUBSET)
_DISTINCT = (Selection.DISTINCT, Selection.SUBSET)


class AdaptiveSession(Reported):
    """Compression schemes run one after another on one sample, each chosen by earlier answers.

    The session keeps, of all that is told of the sample, a :class:`SessionTranscript`: the examples
    that were kept. From these alone every hypothesis can be rebuilt (:func:`replay`), and that is
    why no analyst can overfit: whatever is found, few choices of a few examples led there.

    Parameters
    ----------
    sample
        The n examples, at least 1, drawn independently from one distribution.
    delta
        The probability of failure allowed, above 0 and below 1.
    budget
        How many examples may be kept in all rounds together. Without one, the bound of every round
        is the one for all rounds at once.
    bits
        With a budget: how many bits may be told besides, by queries and filters.
    path
        A file, not there yet, that keeps up with the session: the charge of a question is in it
        before the sample is looked at, and the answer before it is returned. So whenever the
        process ends, :meth:`load` finds no less than was told.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the file is there.

    Notes
    -----
    Every look at the sample is charged before it happens. What exceeds the budget is refused
    before, and changes nothing. A question that *fails on the sample* (its function raises, or its
    answer is out of range) ends the session: that it failed is an answer that nobody counted, so
    the session is closed and has no bound any more. Try functions on made-up data first. The
    exception that is raised instead of theirs holds nothing of what was seen, neither in its
    message nor as its cause; the frames of its traceback do, as does the session itself, for
    whoever looks into them.

    Relabellings, filters and statistics are called on examples that are not kept. What they write
    down elsewhere, how long they take, and that they end the process, is told of the sample and
    counted by nobody. And a scheme is believed that its selection is oblivious: what else it says
    of its selection is checked, or made true.

    Nothing keeps anybody from asking another session about the same sample, from taking an older
    copy of the file, or from going on in two processes; their answers together have no bound.

    Answers of differentially private mechanisms cannot be added to a session: what they tell is no
    choice among a few, and their guarantee is no union bound.

    Source: CLNRW16 Theorem 19.

    Examples
    --------
    >>> from pac_stability.compression import ThresholdScheme
    >>> S = Sample([2, 1, 1, 2], [1, 1, 0, 1])
    >>> session = AdaptiveSession(S, Fraction(1, 20), budget=2)
    >>> first = session.ask(ThresholdScheme())
    >>> first.output, session.transcript.kept
    (Threshold(cut=1, upward=True), Sample(points=(1,), labels=(1,)))
    >>> flipped = session.ask(ThresholdScheme(), relabel=lambda z: Example(z.point, 1 - z.label))
    >>> session.ask(ThresholdScheme())
    Traceback (most recent call last):
        ...
    pac_stability.errors.BudgetExhausted: the scheme keeps 1 of the examples, and 0 of the budget \
of 2 are left
    """

    _face: ClassVar[str] = "pac_stability.compression.session:session_face"

    def __init__(
        self,
        sample: Sample[Hashable],
        delta: Fraction,
        budget: int | None = None,
        bits: int = 0,
        *,
        path: str | PathLike[str] | None = None,
    ) -> None:
        if not isinstance(sample, Sample):
            raise InvalidInput("sample", f"a value of type {type(sample).__name__}", "a Sample")
        if not len(sample):
            raise InvalidInput("sample", "no examples", "at least one")
        if path is not None and Path(path).exists():
            raise InvalidInput(str(path), "a file that is there", "a new one, or load() to go on")
        self._sample = sample
        self._path: str | PathLike[str] | None = None
        self._transcript = SessionTranscript(len(sample), delta, budget, bits)
        self._saved: SessionTranscript | None = None  # what the file says
        if path is not None:
            self._path = path
            self._write()

    @classmethod
    def resume(cls, sample: Sample[Hashable], transcript: SessionTranscript) -> AdaptiveSession:
        """Go on where a transcript ends.

        Parameters
        ----------
        sample
            The sample that the transcript is of.
        transcript
            Of a session, or read from a file.

        Raises
        ------
        InvalidInput
            The sample has another size, or another example at an index that was kept.

        Notes
        -----
        Another sample that agrees in size and at the kept indices is not detected. A digest of the
        sample would detect it, and tell of the sample what no bound counts.
        """
        if not isinstance(transcript, SessionTranscript):
            raise InvalidInput("transcript", described(transcript), "a SessionTranscript")
        session = cls(sample, transcript.delta)
        if len(sample) != transcript.n:
            raise InvalidInput("sample", f"{len(sample)} examples", f"{transcript.n}")
        for number, round_ in enumerate(transcript.rounds, start=1):
            if isinstance(round_, KeptRound):
                for index, example in zip(round_.indices, round_.kept, strict=True):
                    if sample[index] != example:
                        given = f"another example at the index {index}, kept in round {number}"
                        raise InvalidInput("sample", given, "the sample of the transcript")
        session._transcript = transcript
        return session

    @classmethod
    def load(
        cls, sample: Sample[Hashable], path: str | PathLike[str], *, keep: bool = False
    ) -> AdaptiveSession:
        """Go on where a file of :meth:`save` ends; see :meth:`resume`.

        Parameters
        ----------
        sample
            The sample that the transcript is of.
        path
            The file.
        keep
            Whether the file keeps up with the session from now on, as one that it was begun with.
        """
        session = cls.resume(sample, load_transcript(path))
        if keep:
            remove_leftovers(path)
            session._path, session._saved = path, session._transcript
        return session

    def save(self, path: str | PathLike[str]) -> None:
        """Write the transcript as JSON, whole or not at all.

        Raises
        ------
        InvalidInput
            A point has no JSON form, or the file cannot be written.
        """
        save_transcript(self._transcript, path)

    @property
    def transcript(self) -> SessionTranscript:
        """All that was told of the sample."""
        return self._transcript

    @overload
    def ask(
        self,
        scheme: CompressionScheme[H],
        *,
        relabel: Relabelling | None = None,
        where: None = None,
        rng: Coins = SYSTEM_COINS,
    ) -> Answer[H]: ...
    @overload
    def ask(
        self,
        scheme: CompressionScheme[H],
        *,
        relabel: Relabelling | None = None,
        where: Filter,
        rng: Coins = SYSTEM_COINS,
    ) -> Answer[H | None]: ...
    def ask(
        self,
        scheme: CompressionScheme[H],
        *,
        relabel: Relabelling | None = None,
        where: Filter | None = None,
        rng: Coins = SYSTEM_COINS,
    ) -> Answer[H | None]:
        """Compress the sample, or a view of it, and return the hypothesis that is rebuilt.

        Parameters
        ----------
        scheme
            Chosen by what has been returned so far.
        relabel
            Chosen likewise: what the scheme sees in place of an example. The transcript keeps the
            example of the sample.
        where
            Chosen likewise: which examples the scheme sees. That takes a bit besides, for the
            number that pass, and the largest size of the scheme for any number of them.
        rng
            The coins of the scheme.

        Raises
        ------
        BudgetExhausted
            More would be kept, or told, than is left.
        InvalidInput
            The session is closed, or the scheme is not agnostic. Or something fails on the sample,
            such as a scheme that names other indices than it says, which closes the session.
        """
        return self._alone(lambda: self._keep(Task(scheme, relabel, where), rng))

    def query(self, statistic: Callable[[Sample[Hashable]], int], bits: int = 1) -> Answer[int]:
        """Answer a statistic of the whole sample, at the cost of its bits.

        Parameters
        ----------
        statistic
            A function of the sample to integers from 0 to ``2**bits - 1``.
        bits
            At least 1.

        Raises
        ------
        BudgetExhausted
            Fewer bits are left.
        InvalidInput
            The session is closed; or the statistic fails or is out of its range, which closes it.
        """
        return self._alone(lambda: self._answer(Query(statistic, bits)))

    def run(
        self, analyst: Analyst, rng: Coins = SYSTEM_COINS
    ) -> tuple[Answer[Hypothesis | int | None], ...]:
        """Let an analyst ask until it has enough; the rounds that were played before are replayed.

        Parameters
        ----------
        analyst
            Decides from the answers so far what to ask next.
        rng
            The coins of the schemes.

        Returns
        -------
        tuple of Answer
            Of all rounds.

        Raises
        ------
        BudgetExhausted, InvalidInput
            As for :meth:`ask`, :meth:`query` and :func:`replay`. The rounds up to there stand.
        """
        answers = replay(self._transcript, analyst)
        while (asked := analyst(answers)) is not None:
            answer: Answer[Hypothesis | int | None]
            if isinstance(asked, Query):
                answer = self._alone(partial(self._answer, asked))
            elif isinstance(asked, Task):
                answer = self._alone(partial(self._keep, asked, rng))
            else:
                raise InvalidInput("analyst", described(asked), "a Task, a Query or None")
            answers = (*answers, answer)
        return answers

    def close(self) -> None:
        """Take no more questions."""
        self._alone(lambda: self._become(replace(self._transcript, closed=True)))

    @overload
    def bound(self, kind: BoundKind | None = None) -> bounds.DeviationBound: ...
    @overload
    def bound(
        self, kind: Literal["empirical"], test: Callable[[Example[Hashable]], int]
    ) -> bounds.Lemma16: ...
    def bound(
        self,
        kind: BoundKind | Literal["empirical"] | None = None,
        test: Callable[[Example[Hashable]], int] | None = None,
    ) -> bounds.DeviationBound:
        """State how far a test can deviate that an analyst names who stops here.

        Parameters
        ----------
        kind
            As for :meth:`SessionTranscript.bound`; or ``"empirical"``, Lemma 16 for one test.
        test
            For ``"empirical"``: a test of examples, chosen by the transcript alone. There can be
            one for a session, and the other bounds count its answer from then on.

        Returns
        -------
        DeviationBound
            For ``"empirical"`` a :class:`~pac_stability.compression.bounds.Lemma16`: its ``mean``
            is h(V), over the examples that no round has kept, and h(D) is within its value of that.

        Raises
        ------
        InvalidInput
            The bound does not hold for these rounds, or a question has failed. Or it is
            ``"empirical"``, and the session is open, since h(V) tells of the sample what the
            transcript does not have, or has answered a test before; or the test fails on an
            example, after which there is no bound.
        """
        if kind != "empirical":
            if test is not None:
                raise InvalidInput("test", "a test", "none, except for 'empirical'")
            return self._transcript.bound(kind)
        if test is None:
            raise InvalidInput("test", "none", "the test whose mean is to be bounded")
        return self._alone(partial(self._tested, test))

    def _tested(self, test: Callable[[Example[Hashable]], int]) -> bounds.Lemma16:
        transcript = self._transcript
        if not transcript.closed:
            raise InvalidInput("kind", "'empirical' in an open session", "a session after close()")
        if transcript.used_bits:
            given = f"'empirical' for {transcript.used_bits} bits besides the kept examples"
            raise InvalidInput("kind", given, "rounds of kept examples only")
        if transcript.tested or transcript.failed:
            given = "'empirical' in a session that has " + ("failed" if transcript.failed else "it")
            raise InvalidInput("kind", given, "one test for a session that has not failed")
        as_function(test, "test")
        if len(transcript.kept_indices) == transcript.n:
            raise InvalidInput("kind", "'empirical' with every example kept", "one that was not")
        self._become(replace(transcript, tested=True))
        mean = self._looked(
            lambda: bounds.unselected_mean(self._sample, transcript.kept_indices, test),
            ("test", "0 or 1 for every example"),
        )
        return bounds.Lemma16(transcript.n, transcript.used, transcript.delta, mean)

    def promise(self, reading: bounds.Reading = "joint") -> bounds.HoeffdingBound:
        """Return the bound that all rounds within the budget keep to; see the transcript's."""
        return self._transcript.promise(reading)

    def _keep(self, task: Task[H], rng: Coins) -> Answer[H | None]:
        n, scheme, filtered = self._transcript.n, task.scheme, task.where is not None
        charge = task.charge(n)
        before = self._charge(UnansweredRound(charge, int(filtered), scheme.selection, filtered))

        def look() -> tuple[H | None, KeptRound]:
            places: Sequence[int] = range(n)
            view = self._sample
            if filtered or task.relabel is not None:
                places, view = task.view(self._sample)
            indices: tuple[int, ...] = ()
            if places:
                named = scheme.compress(view, rng)
                _require_selection(named, scheme, len(places))
                indices = tuple(places[index] for index in named)
                if scheme.selection in _UNORDERED and not filtered:
                    indices = tuple(sorted(indices))  # an order that would tell something is lost
            kept = subsample(self._sample, indices)
            return task.rebuild(kept), KeptRound(indices, kept, charge, scheme.selection, filtered)

        wanted = "a scheme, and views of examples, that fail on no sample"
        return self._answered(before, *self._looked(look, (type(scheme).__name__, wanted)))

    def _answer(self, query: Query) -> Answer[int]:
        before = self._charge(UnansweredRound(0, query.bits))

        def look() -> int:
            answer = int(as_size(query.statistic(self._sample), "statistic"))
            if answer >> query.bits:
                raise InvalidInput("statistic", str(answer), f"an answer below 2**{query.bits}")
            return answer

        wanted = f"an integer from 0 to 2**{query.bits} - 1, whatever the sample"
        answer = self._looked(look, ("statistic", wanted))
        return self._answered(before, answer, AnsweredRound(answer, query.bits))

    def _alone(self, ask: Callable[[], T]) -> T:
        """Ask while nobody else does: who handles a signal in between would not be charged."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code is _ALONE and frame.f_locals.get("self") is self:
                raise InvalidInput("session", "a question within a question", "one at a time")
            frame = frame.f_back
        return ask()

    def _charge(self, pending: UnansweredRound) -> SessionTranscript:
        """Charge a round before the sample is looked at, and return the transcript before it."""
        before = self._transcript
        self._require_left(pending.size, pending.bits)
        self._become(before.with_round(pending))
        return before

    def _looked(self, look: Callable[[], T], asked: tuple[str, str]) -> T:
        """Look at the sample; if that fails, or is interrupted, the session is over."""
        known = self._transcript
        self._transcript = replace(known, closed=True, failed=True)  # until it is known how it went
        try:
            found = looked(look, *asked)
        except BaseException:
            self._write()
            raise
        self._transcript = known
        return found

    def _answered(self, before: SessionTranscript, output: O, round_: Round) -> Answer[O]:
        longer = before.with_round(round_)
        answer = Answer(output, round_, longer.bound())
        self._become(longer)
        return answer

    def _become(self, transcript: SessionTranscript) -> None:
        self._transcript = transcript  # first: what cannot be written is charged all the same
        self._write()

    def _write(self) -> None:
        """Bring the file up to date, should it be behind."""
        if self._path is not None and self._saved is not self._transcript:
            known = self._transcript
            save_transcript(known, self._path)
            self._saved = known

    def _require_left(self, examples: int, bits: int) -> None:
        transcript = self._transcript
        if transcript.closed:
            self._write()
            raise InvalidInput("session", "a question after close()", "an open session")
        if transcript.budget is None:
            return
        if examples > (left := transcript.budget - transcript.used):
            raise BudgetExhausted(
                f"the scheme keeps {examples} of the examples, and {left} of the budget of "
                f"{transcript.budget} are left"
            )
        if bits > (left := transcript.bits - transcript.used_bits):
            raise BudgetExhausted(
                f"the question takes {bits} bits, and {left} of the {transcript.bits} are left"
            )


_ALONE = AdaptiveSession._alone.__code__


def _require_selection(
    named: tuple[int, ...], scheme: CompressionScheme[Hypothesis], n: int
) -> None:
    """Refuse indices that are not such as the scheme says it names."""
    if len(named) != scheme.size(n):
        given = f"{len(named)} indices from {type(scheme).__name__}"
        raise InvalidInput("scheme", given, f"{scheme.size(n)}, its size for {n} examples")
    for index in named:
        if as_size(index, "scheme") >= n:
            given = f"the index {index} from {type(scheme).__name__}"
            raise InvalidInput("scheme", given, f"indices below {n}")
    if scheme.selection in _DISTINCT and len(set(named)) < len(named):
        given = f"an index twice from {type(scheme).__name__}"
        raise InvalidInput("scheme", given, "distinct indices, as its selection says")


# How a session, its transcript and a bound look

_HEAD = ("round", "what was told", "examples", "bits")


def bound_face(bound: bounds.DeviationBound) -> Face:
    """Return a bound in a line, and as a table."""
    value, chosen = f"{float(bound.value()):.4g}", bound.chosen
    rows = [("epsilon", bound.formula), ("value", value), *chosen.items()]
    at = ", ".join(f"{name} = {told}" for name, told in chosen.items())
    return Face(
        lambda: f"{bound.formula} = {value} at {at}",
        html=lambda: html_table(rows),
        latex=lambda: latex_table(rows, ("parameter", "value")),
    )


def session_face(session: AdaptiveSession) -> Face:
    """Return what a session has told so far."""
    return transcript_face(session.transcript)


def transcript_face(transcript: SessionTranscript) -> Face:
    """Return the rounds of a session."""
    rows = [
        (str(number), _told(played), str(played.size), str(played.bits))
        for number, played in enumerate(transcript.rounds, start=1)
    ]
    left = "" if transcript.budget is None else f" of {transcript.budget}"
    bits = f" and {transcript.used_bits} of {transcript.bits} bits" if transcript.bits else ""
    state = "closed" if transcript.closed else "open"
    head = (
        f"an adaptive session on {transcript.n:,} examples, {state}: "
        f"{transcript.used}{left} examples{bits} were told"
    )
    return Face(
        lambda: f"{head}\n" + (f"\n{aligned([_HEAD, *rows])}" if rows else ""),
        html=lambda: f"<p>{head}</p>\n{html_table(rows, _HEAD)}",
    )


def _told(played: Round) -> str:
    if isinstance(played, KeptRound):
        kept = ", ".join(f"({z.point!r}, {z.label})" for z in played.kept)
        return f"kept {kept}" if kept else "kept nothing"
    answer = getattr(played, "answer", None)
    return "no answer" if answer is None else f"answered {answer}"
